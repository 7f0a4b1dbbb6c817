"""2.1.3.1 The joints: f freedoms, c = m - f constraints, and what software calls them."""

from __future__ import annotations

from typing import NamedTuple

from models.linkage import PAIR_KINDS

SPACE = 6
"""m of a body in space."""
PLANE = 3
"""m of a body in the plane."""

Names = tuple[str, ...]


class Joint(NamedTuple):
    """A row of the chapter's table 1.

    Attributes:
        kind: Its kind, a key of `PAIR_KINDS`.
        planar: Its freedom in a linkage that moves in one plane; None where it has no
            place in one.
        names: What a format or library calls it; none where it has no such joint.
    """

    kind: str
    planar: int | None
    names: dict[str, Names]

    @property
    def letter(self) -> str:
        """R, P, H, C, U, S, E; X for fixed, F for free."""
        return PAIR_KINDS[self.kind].letter

    @property
    def f(self) -> int:
        """Freedoms."""
        return PAIR_KINDS[self.kind].f

    @property
    def c(self) -> int:
        """Constraints in space, c = m - f with m = 6."""
        return SPACE - self.f

    @property
    def planar_c(self) -> int | None:
        """Constraints in the plane, c = m - f with m = 3."""
        return None if self.planar is None else PLANE - self.planar


SOFTWARE = ("URDF", "SDF", "MJCF", "Pinocchio", "Drake", "RBDL", "DART")
"""The formats and libraries of the table; SDF is 1.12, Pinocchio 4.1."""


def _joint(kind: str, planar: int | None, *names: str) -> Joint:
    """A row of the table; names in the order of `SOFTWARE`, several apart by blanks."""
    split = (tuple(entry.split()) for entry in names)
    return Joint(kind, planar, dict(zip(SOFTWARE, split, strict=True)))


JOINTS: dict[str, Joint] = {
    joint.letter: joint
    for joint in (
        _joint(
            "revolute",
            1,
            "revolute continuous",
            "revolute continuous",
            "hinge",
            "JointModelRX JointModelRY JointModelRZ JointModelRevoluteUnaligned "
            "JointModelRUBX JointModelRUBY JointModelRUBZ "
            "JointModelRevoluteUnboundedUnaligned",
            "RevoluteJoint",
            "JointTypeRevolute JointTypeRevoluteX JointTypeRevoluteY JointTypeRevoluteZ",
            "RevoluteJoint",
        ),
        _joint(
            "prismatic",
            1,
            "prismatic",
            "prismatic",
            "slide",
            "JointModelPX JointModelPY JointModelPZ JointModelPrismaticUnaligned",
            "PrismaticJoint",
            "JointTypePrismatic",
            "PrismaticJoint",
        ),
        _joint(
            "helical",
            None,
            "",
            "screw",
            "",
            "JointModelHX JointModelHY JointModelHZ JointModelHelicalUnaligned",
            "ScrewJoint",
            "JointTypeHelical",
            "ScrewJoint",
        ),
        _joint("cylindrical", None, "", "", "", "", "", "", ""),
        _joint(
            "universal",
            None,
            "",
            "universal",
            "",
            "JointModelUniversal",
            "UniversalJoint",
            "",
            "UniversalJoint",
        ),
        _joint(
            "spherical",
            1,
            "",
            "ball",
            "ball",
            "JointModelSpherical JointModelSphericalZYX",
            "BallRpyJoint",
            "JointTypeSpherical JointTypeEulerZYX JointTypeEulerXYZ JointTypeEulerYXZ",
            "BallJoint EulerJoint",
        ),
        _joint(
            "planar",
            3,
            "planar",
            "",
            "",
            "JointModelPlanar",
            "PlanarJoint",
            "",
            "PlanarJoint",
        ),
        _joint(
            "fixed",
            0,
            "fixed",
            "fixed",
            "",
            "",
            "WeldJoint",
            "JointTypeFixed",
            "WeldJoint",
        ),
        _joint(
            "free",
            None,
            "floating",
            "",
            "free",
            "JointModelFreeFlyer",
            "QuaternionFloatingJoint RpyFloatingJoint",
            "JointTypeFloatingBase",
            "FreeJoint",
        ),
    )
}
"""The joints by letter, in the order of the table.

No software has a cylindrical joint of that name: a revolute and a prismatic one in series
are one.  A fixed joint is a nested body in MJCF and a frame of its parent in Pinocchio; in
SDF a link without a joint is free.
"""

SIZES: dict[str, dict[str, tuple[int, int]]] = {
    "pinocchio": {
        **{f"JointModel{kind}{axis}": (1, 1) for kind in "RPH" for axis in "XYZ"},
        **{f"JointModelRUB{axis}": (2, 1) for axis in "XYZ"},
        "JointModelRevoluteUnaligned": (1, 1),
        "JointModelRevoluteUnboundedUnaligned": (2, 1),
        "JointModelPrismaticUnaligned": (1, 1),
        "JointModelHelicalUnaligned": (1, 1),
        "JointModelUniversal": (2, 2),
        "JointModelSpherical": (4, 3),
        "JointModelSphericalZYX": (3, 3),
        "JointModelEllipsoid": (3, 3),
        "JointModelTranslation": (3, 3),
        "JointModelPlanar": (4, 3),
        "JointModelFreeFlyer": (7, 6),
    },
    "mujoco": {"hinge": (1, 1), "slide": (1, 1), "ball": (4, 3), "free": (7, 6)},
    "drake": {
        "RevoluteJoint": (1, 1),
        "PrismaticJoint": (1, 1),
        "ScrewJoint": (1, 1),
        "UniversalJoint": (2, 2),
        "BallRpyJoint": (3, 3),
        "PlanarJoint": (3, 3),
        "QuaternionFloatingJoint": (7, 6),
        "RpyFloatingJoint": (6, 6),
        "WeldJoint": (0, 0),
    },
}
"""(nq, nv) of every joint model, by library (2.1.3.1 and 2.1.5 part 4).

nv is the freedom.  nq is larger where a rotation is a quaternion (w, x, y, z), or an angle
(cos, sin): a ball or free joint, Pinocchio's planar and unbounded revolute ones.
"""
