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
from models.tree import Vec3
from reference import CHAPTERS

SAMPLES = 200
QUANTITIES = CHAPTERS["3.4"].quantities


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
