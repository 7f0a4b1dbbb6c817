"""The sampled states: the same for the reference and for every library.

The first samples are the ones that find things: zero, angles too small to see, half turns,
high speed.  The rest are uniform.  A mechanism with loops or tendons is sampled about its
home instead, on its constraints: zero is the home, tiny and half turn are what separates a
sample from it before the loops are closed again.
"""

from __future__ import annotations

from zlib import crc32

import numpy as np

from models import Model
from reference.ch03_04_manipulator_equation import gravity_forces
from reference.closing import admissible, closed_home, closed_near
from reference.constraints import tendon_jacobian

Array = np.ndarray
Batch = dict[str, Array]

TINY = (1e-9, 3e-7, 1e-5, 1e-3)
KINDS = ("zero", "tiny", "half turn", "fast", "random")
DEFAULT = 32
DEFAULT_MANY_JOINTS = 8
MANY_JOINTS = 12
SPREAD = 0.25
"""What is kept of a draw from (-pi, pi) about the home of a mechanism."""
IMPEDANCES = (0.9, 0.95, 0.99, 0.999, 0.9999)


def kind_of(sample: int) -> str:
    """What sample number `sample` is, one of `KINDS`."""
    named = ["zero", *["tiny"] * len(TINY), "half turn", "half turn", "fast"]
    return named[sample] if sample < len(named) else "random"


def default_count(model: Model) -> int:
    """Samples of a model where none are asked for: fewer for more than twelve joints."""
    return DEFAULT if model.nv <= MANY_JOINTS else DEFAULT_MANY_JOINTS


def draw(model: Model, count: int, seed: int, first: int = 0) -> Batch:
    """Draw samples of a model; sample i does not depend on which others are drawn.

    Args:
        model: The model.
        count: How many samples.
        seed: The seed of all samples.
        first: Number of the first of them.

    Returns:
        q [rad | m], v, a, and tau [N m | N], each of shape (count, nv); of a mechanism with
        loops or tendons also what `_about_home` adds.

    Raises:
        OpenLoopError: If the loops of the model cannot be closed.
    """
    n = model.nv
    batch = {name: np.zeros((count, n)) for name in ("q", "v", "a", "tau")}
    for row, i in enumerate(range(first, first + count)):
        rng = np.random.default_rng([seed, crc32(model.name.encode()), i])
        kind = kind_of(i)
        if kind == "zero":
            continue
        q = rng.uniform(-np.pi, np.pi, n)
        sign = np.where(rng.uniform(size=n) < 0.5, -1.0, 1.0)
        if kind == "tiny":
            q = sign * TINY[i - 1] * rng.uniform(0.5, 1.0, n)
        elif kind == "half turn":
            q = sign * np.pi
        speed = 50.0 if kind == "fast" else 2.0
        batch["q"][row] = q
        batch["v"][row] = rng.uniform(-speed, speed, n)
        batch["a"][row] = rng.uniform(-5.0, 5.0, n)
        batch["tau"][row] = rng.uniform(-30.0, 30.0, n)
    if model.loops or model.tendons:
        return _about_home(model, batch, seed, first)
    return batch


def _about_home(model: Model, batch: Batch, seed: int, first: int) -> Batch:
    """The same draws about the home of a mechanism, on its constraints, at regular poses.

    Returns:
        Beside q, v, a, tau: q_open and v_open, a little off the constraints; gains (alpha,
        beta) of a stabilisation [1/s]; the impedance of soft constraints; and forces f along
        the tendons [N], which at sample 0 hold the mechanism at rest.
    """
    n, nt = model.nv, len(model.tendons)
    count = len(batch["q"])
    home = closed_home(model)
    wanted = home + np.where(np.abs(batch["q"]) > TINY[-1], SPREAD, 1.0) * batch["q"]
    q = closed_near(model, wanted)
    v = admissible(model, q, batch["v"])
    extra = {
        "q_open": q.copy(),
        "v_open": v.copy(),
        "gains": np.full((count, 2), 20.0),
        "impedance": np.full((count, 1), IMPEDANCES[0]),
        "f": np.zeros((count, nt)),
    }
    for row, i in enumerate(range(first, first + count)):
        rng = np.random.default_rng([seed, crc32(model.name.encode()), i, 311])
        if kind_of(i) == "zero":
            continue
        extra["q_open"][row] += rng.uniform(-0.01, 0.01, n)
        extra["v_open"][row] += rng.uniform(-0.1, 0.1, n)
        extra["gains"][row] = rng.uniform(0.0, 50.0, 2)
        extra["impedance"][row] = rng.choice(IMPEDANCES)
        extra["f"][row] = rng.uniform(-30.0, 30.0, nt)
    if nt and first == 0:
        L = tendon_jacobian.value(model, {"q": q[:1]})[0]
        weight = gravity_forces.value(model, {"q": q[:1]})[0]
        extra["f"][0] = np.linalg.lstsq(L.T, weight, rcond=None)[0]
    return batch | {"q": q, "v": v} | extra
