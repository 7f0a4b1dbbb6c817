"""The sampled states: the same for the reference and for every library.

The first samples are the ones that find things: zero, angles too small to see, half turns,
high speed.  The rest are uniform.
"""

from __future__ import annotations

from zlib import crc32

import numpy as np

from models import Model

Array = np.ndarray
Batch = dict[str, Array]

TINY = (1e-9, 3e-7, 1e-5, 1e-3)
KINDS = ("zero", "tiny", "half turn", "fast", "random")
DEFAULT = 32
DEFAULT_MANY_JOINTS = 8
MANY_JOINTS = 12


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
        q [rad | m], v, a, and tau [N m | N], each of shape (count, nv).
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
    return batch
