"""No false alarm on robots that the tolerances have never seen (slow: run with -m slow)."""

from __future__ import annotations

import sys
from dataclasses import replace

import numpy as np
import pytest

from libcheck.compare import judge
from libcheck.oracle import Oracle
from libcheck.record import Verdict
from libcheck.samples import draw
from libcheck.worker import Worker
from models import Body, Frame, Inertia, Joint, Model, Pose, Rpy
from models.placing import matching
from models.tree import Loop, Vec3
from reference import CHAPTERS

SAMPLES = 200
QUANTITIES = CHAPTERS["3.4"].quantities
CONSTRAINED = CHAPTERS["3.11"].quantities
BY_DESIGN = {"default_constrained_acceleration"}
"""Not judged: its known issues are of the libraries' settings, on any model."""


def held_out(seed: int) -> Model:
    """A random tree of three to ten bodies, of any shape, joints and inertias."""
    rng = np.random.default_rng([2026, seed])

    def vec(size: float) -> Vec3:
        x, y, z = rng.uniform(-size, size, 3).tolist()
        return (x, y, z)

    def inertia() -> Inertia:
        Q = np.linalg.qr(rng.normal(size=(3, 3)))[0]
        S = Q @ np.diag(rng.uniform(0.001, 0.1, 3)) @ Q.T
        tensor = (np.trace(S) * np.eye(3) - S).tolist()
        (ixx, ixy, ixz), (_, iyy, iyz), (_, _, izz) = tensor
        pose = Pose(vec(0.3), Rpy(*vec(3.0)))
        mass = float(rng.uniform(0.2, 9))
        return Inertia(mass, pose, (ixx, ixy, ixz, iyy, iyz, izz))

    bodies = []
    for i in range(int(rng.integers(3, 11))):
        kinds = ["revolute", "revolute", "prismatic", "fixed"]
        kind = "revolute" if i == 0 else str(rng.choice(kinds))
        joint = Joint(f"joint{i}", kind, vec(1.0), armature=float(rng.uniform(0, 0.1)))
        if kind == "fixed":
            joint = replace(joint, armature=0.0)
        parent = int(rng.integers(max(-1, i - 3), i)) if i else -1
        placement = Pose(vec(0.7), Rpy(*vec(3.0)))
        bodies.append(Body(f"link{i}", parent, joint, placement, inertia()))
    tool = Frame("tool", len(bodies) - 1, Pose(vec(0.2), Rpy(*vec(3.0))))
    return Model(f"held_out_{seed}", tuple(bodies), tool, vec(10.0))


@pytest.mark.slow
@pytest.mark.parametrize("library", ["pinocchio", "mujoco", "drake"])
def test_no_library_differs_on_robots_not_seen_before(library: str) -> None:
    entries, worst = 0, 0.0
    with Worker(library, sys.executable) as worker:
        if not worker.usable:
            pytest.skip(str(worker.about))
        for seed in range(12):
            model = held_out(seed)
            oracle = Oracle(model, draw(model, SAMPLES, seed))
            worker.load(model.name, model)
            for quantity in QUANTITIES.values():
                if quantity.name not in worker.about["offers"]:
                    continue
                if (library, quantity.name) == ("pinocchio", "kinetic_energy"):
                    continue  # known: no rotors of oblique joints
                inputs = {name: oracle.batch[name] for name in quantity.inputs}
                value = worker.compute(quantity.name, model.name, inputs).value
                if quantity.name == "potential_energy":  # Pinocchio: less a constant
                    value = value - value[0] + oracle.value(quantity)[0]
                found = judge(oracle, quantity, value)
                assert found.verdict is Verdict.AGREE, (model.name, quantity.name)
                entries += value.size
                worst = max(worst, found.ratio or 0.0)
    print(f"{library}: {entries} entries, worst error/bound {worst:.2g}")
    assert worst < 1


def closed(seed: int) -> Model | None:
    """A held-out tree closed at a random home by a point and, if it can, by a frame."""
    tree = held_out(100 + seed)
    rng = np.random.default_rng([311, seed])
    home = tuple(rng.uniform(-1.0, 1.0, tree.nv).tolist())
    loops: list[Loop] = []
    for kind, rows in (("point", 3), ("frame", 6)):
        bodies = [i for i in tree.moving if len(tree.path(i)) >= 2]
        if (
            not bodies
            or tree.nv - sum(3 if x.kind == "point" else 6 for x in loops) <= rows
        ):
            continue
        body = int(rng.choice(bodies))
        other = int(
            rng.choice([-1, *(i for i in tree.moving if i not in tree.path(body))])
        )
        offset = Pose(vector(rng, 0.3), Rpy(*vector(rng, 3.0)))
        first = Frame(f"{kind}_first", body, offset)
        second = matching(tree, home, first, other, f"{kind}_second")
        loops.append(Loop(f"{kind}_loop", kind, first, second))
    name = f"held_out_loop_{seed}"
    return replace(tree, name=name, loops=tuple(loops), home=home) if loops else None


def vector(rng: np.random.Generator, size: float) -> Vec3:
    x, y, z = rng.uniform(-size, size, 3).tolist()
    return (x, y, z)


@pytest.mark.slow
@pytest.mark.parametrize("library", ["pinocchio", "mujoco", "drake"])
def test_no_library_differs_on_closed_chains_not_seen_before(library: str) -> None:
    entries, worst, models = 0, 0.0, 0
    with Worker(library, sys.executable) as worker:
        if not worker.usable:
            pytest.skip(str(worker.about))
        for seed in range(20):
            model = closed(seed)
            if model is None:
                continue
            models += 1
            oracle = Oracle(model, draw(model, 60, seed))
            worker.load(model.name, model)
            for quantity in CONSTRAINED.values():
                offered = quantity.name in worker.about["offers"]
                if quantity.silent(model) or not offered or quantity.refused(model):
                    continue
                if quantity.name in BY_DESIGN:
                    continue
                inputs = {name: oracle.batch[name] for name in quantity.inputs}
                value = worker.compute(quantity.name, model.name, inputs).value
                found = judge(oracle, quantity, value)
                assert found.verdict is Verdict.AGREE, (model.name, quantity.name)
                entries += value.size
                worst = max(worst, found.ratio or 0.0)
    print(
        f"{library}: {models} models, {entries} entries, worst error/bound {worst:.2g}"
    )
    assert worst < 1
    assert models > 8
