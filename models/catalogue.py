"""The models of the catalogue, by name.

Two arms of the text, two real robots, and models built to break things: skew, negative and
non-unit axes, rotated inertial frames, centres of mass off every axis, fixed bodies before,
between and after joints, prismatic joints, branches, a far and rotated base, long chains.
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Dict, Iterable, List, Sequence
from zlib import crc32

import numpy as np

from models.tree import Body, Frame, Inertia, Joint, Model, Pose, Rpy, Vec3
from models.urdf_reader import read_urdf

X, Y, Z = (1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0)
DATA = Path(__file__).resolve().parent / "data"


def _vec(values: Iterable[float]) -> Vec3:
    x, y, z = (float(v) for v in values)
    return (x, y, z)


# ------------------------------------------------------------------- arms of the text


def arm_2r() -> Model:
    """Planar 2R arm, point masses of 1 kg at the ends of links of 1 m, gravity -y.

    Source: Lynch & Park, Modern Robotics, figure 8.3 (with L1 = L2 = m1 = m2 = 1).
    """
    tip = Inertia(1.0, Pose(X))
    return Model(
        "arm_2r",
        (
            Body("link1", -1, Joint("joint1", axis=Z), Pose(), tip),
            Body("link2", 0, Joint("joint2", axis=Z), Pose(X), tip),
        ),
        Frame("tool", 1, Pose(X)),
        gravity=(0.0, -9.81, 0.0),
        source="Lynch & Park, Modern Robotics, fig. 8.3",
    )


def arm_6r() -> Model:
    """The 6R arm of chapter 3.4, as reconstructed from its printed numbers."""
    axes = (Z, Y, Y, X, Y, X)
    offsets = (
        (0.0, 0.0, 0.15),
        (0.0, 0.092, 0.0),
        (0.409, -0.024, 0.0),
        (0.345, 0.0, 0.0),
        (0.073, 0.0, 0.0),
        (0.013, 0.0, 0.0),
    )
    masses = (4.611, 5.639, 3.371, 2.59, 0.586, 0.353)
    com_x = (0.0, 0.18, 0.244, -0.082, 0.034, 0.036)
    moments = (
        (0.023, 0.023, 0.0384),
        (0.0434, 0.1, 0.1),
        (0.0259, 0.0464, 0.0464),
        (0.0085, 0.0054, 0.0054),
        (0.000419, 0.000214, 0.000419),
        (0.00028, 0.000214, 0.000214),
    )
    bodies = tuple(
        Body(
            f"link{i + 1}",
            i - 1,
            Joint(f"joint{i + 1}", axis=axes[i]),
            Pose(offsets[i]),
            Inertia(masses[i], Pose((com_x[i], 0.0, 0.0)), (a, 0.0, 0.0, b, 0.0, c)),
        )
        for i, (a, b, c) in enumerate(moments)
    )
    return Model(
        "arm_6r",
        bodies,
        Frame("tool", 5, Pose((0.08, 0.0, 0.025))),
        source="chapter 3.4; parameters fitted to its printed numbers, not printed there",
    )


def arm_6r_geared() -> Model:
    """The 6R arm with the rotors of chapter 3.4.3.8, N^2 J_m = 100^2 * 3e-5 kg m^2."""
    return _with_armature(arm_6r(), "arm_6r_geared", [100.0**2 * 3e-5] * 6)


def _with_armature(model: Model, name: str, armature: Sequence[float]) -> Model:
    values = iter(armature)
    return replace(
        model,
        name=name,
        bodies=tuple(
            replace(b, joint=replace(b.joint, armature=float(next(values))))
            if b.joint.nv
            else b
            for b in model.bodies
        ),
    )


# --------------------------------------------------------------------------- real ones


def _described(name: str, tool: str) -> Model:
    text = (DATA / f"{name}.urdf").read_text(encoding="utf-8")
    comment = " ".join(text[text.index("<!--") + 4 : text.index("-->")].split())
    return read_urdf(text, tool, source=comment)


def ur5() -> Model:
    """Universal Robots UR5."""
    return _described("ur5", "tool0")


def panda() -> Model:
    """Franka Emika Panda with its hand, nine joints, the last two prismatic."""
    return _described("panda", "panda_hand_tcp")


# ----------------------------------------------------------------- built to break things


class Draw:
    """Random numbers that depend on nothing but a name."""

    def __init__(self, name: str) -> None:
        self.rng = np.random.default_rng([34, crc32(name.encode())])

    def vec(self, size: float) -> Vec3:
        """A vector with entries of up to a size."""
        return _vec(np.round(self.rng.uniform(-size, size, 3), 4))

    def rpy(self) -> Rpy:
        """Any rotation."""
        return Rpy(*_vec(np.round(self.rng.uniform(-3.0, 3.0, 3), 4)))

    def axis(self) -> Vec3:
        """An axis in no particular direction, of no particular length."""
        v = self.rng.normal(size=3)
        return _vec(np.round(v / np.linalg.norm(v) * self.rng.uniform(0.4, 2.5), 4))

    def inertia(self, rotated: bool) -> Inertia:
        """A physical inertia; rotated: in a turned frame, with off-diagonal moments."""
        d = self.rng.uniform(
            0.01, 0.05, 3
        )  # second moments of mass, so any is physical
        Q = np.linalg.qr(self.rng.normal(size=(3, 3)))[0] if rotated else np.eye(3)
        S = Q @ np.diag(d) @ Q.T
        tensor = np.round(np.trace(S) * np.eye(3) - S, 5)
        (ixx, ixy, ixz), (_, iyy, iyz), (_, _, izz) = tensor.tolist()
        pose = Pose(self.vec(0.2), self.rpy() if rotated else Rpy())
        mass = float(np.round(self.rng.uniform(0.5, 5.0), 3))
        return Inertia(mass, pose, (ixx, ixy, ixz, iyy, iyz, izz))


def random_tree(
    name: str,
    parents: Sequence[int],
    kinds: str,
    axes: Sequence[Vec3] | None = None,
    rotated: bool = True,
    turned: bool = True,
) -> Model:
    """A tree with one body per letter of `kinds` (R, P, or F for fixed).

    rotated: inertial frames are turned; turned: joint frames are.
    """
    draw = Draw(name)
    words = {"R": "revolute", "P": "prismatic", "F": "fixed"}
    bodies: List[Body] = []
    for i, (parent, kind) in enumerate(zip(parents, kinds)):
        axis = draw.axis() if axes is None else axes[i]
        placement = Pose(draw.vec(0.4), draw.rpy() if turned else Rpy())
        joint = Joint(f"joint{i + 1}", words[kind], axis if kind != "F" else Z)
        inertia = draw.inertia(rotated)
        bodies.append(Body(f"link{i + 1}", parent, joint, placement, inertia))
    tool = Frame("tool", len(bodies) - 1, Pose(draw.vec(0.2), draw.rpy()))
    return Model(name, tuple(bodies), tool, source="made for this catalogue")


def skew_axes() -> Model:
    """Six revolute joints about axes in general position, none of unit length."""
    return random_tree("skew_axes", range(-1, 5), "RRRRRR")


def skew_geared() -> Model:
    """The skew arm with a rotor on every joint."""
    return _with_armature(skew_axes(), "skew_geared", [0.1, 0.2, 0.3, 0.05, 0.04, 0.03])


def negative_axes() -> Model:
    """Joints about and along -x, -y and -z."""
    minus = [_vec([-c for c in axis]) for axis in (Z, Y, X, Z, Y, X)]
    return random_tree("negative_axes", range(-1, 5), "RRRPRR", minus, turned=False)


def long_axes() -> Model:
    """Coordinate axes whose length is not one."""
    axes = [(0.0, 0.0, 2.0), (0.0, 0.5, 0.0), (3.0, 0.0, 0.0), (0.0, 1.5, 0.0)]
    return random_tree("long_axes", range(-1, 3), "RRPR", axes)


def fixed_bodies() -> Model:
    """Massive fixed bodies before, between and after the joints, all turned."""
    axes = [Z, Z, Y, Z, X, Z, Z]
    return random_tree("fixed_bodies", range(-1, 6), "FRRFRFF", axes)


def fixed_siblings() -> Model:
    """Two massive fixed bodies side by side on one link, and a joint after a third."""
    axes = [Z, Z, Z, Y, X, Z]
    return random_tree("fixed_siblings", (-1, 0, 0, 0, 3, 4), "RFFFRR", axes)


def prismatic() -> Model:
    """Sliding joints first, between and last."""
    return random_tree("prismatic", range(-1, 4), "PRPRP", [X, Z, Y, X, Z])


def branch() -> Model:
    """A torso with two arms, one ending in a slide."""
    axes = [Z, Y, X, Y, Z, X]
    return random_tree("branch", (-1, 0, 1, 0, 3, 4), "RRRRRP", axes)


def far_base() -> Model:
    """The skew arm on a turned base 100 m from the origin of the world."""
    arm = skew_axes()
    base = Pose((80.0, -50.0, 33.0), Rpy(0.7, -1.1, 2.3))
    shoulder = replace(arm.bodies[0], placement=base)
    return replace(arm, name="far_base", bodies=(shoulder, *arm.bodies[1:]))


def tree_12() -> Model:
    """Twelve joints on a bushy tree, slides among them, rotors on all."""
    parents = (-1, 0, 0, 1, 1, 2, 2, 3, 5, 5, 8, 8)
    axes = [(X, Y, Z)[i % 3] for i in range(12)]
    tree = random_tree("tree_12", parents, "RRRPRRPRRRPR", axes)
    return _with_armature(tree, "tree_12", [0.01 * (i + 1) for i in range(12)])


def chain_30() -> Model:
    """Thirty revolute joints in a row."""
    axes = [(Z, Y, X)[i % 3] for i in range(30)]
    return random_tree("chain_30", range(-1, 29), "R" * 30, axes, turned=False)


MAKERS = (
    arm_2r,
    arm_6r,
    arm_6r_geared,
    ur5,
    panda,
    skew_axes,
    skew_geared,
    negative_axes,
    long_axes,
    fixed_bodies,
    fixed_siblings,
    prismatic,
    branch,
    far_base,
    tree_12,
    chain_30,
)

CATALOGUE: Dict[str, Model] = {maker.__name__: maker() for maker in MAKERS}
