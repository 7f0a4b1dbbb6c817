"""Mechanisms as plain data: bodies, the joints that carry them, frames, loops and tendons.

Numbers stay as the document gives them (roll-pitch-yaw, quaternions, axes of any length):
whoever computes with them converts them, in its own arithmetic.  SI units throughout.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import NamedTuple, Optional, Tuple, Union

Vec3 = Tuple[float, float, float]

ZERO: Vec3 = (0.0, 0.0, 0.0)


class Rpy(NamedTuple):
    """Rotation R = Rz(yaw) Ry(pitch) Rx(roll), angles in rad, as in URDF."""

    roll: float = 0.0
    pitch: float = 0.0
    yaw: float = 0.0


class Quaternion(NamedTuple):
    """Rotation by a quaternion (w, x, y, z) of any length other than zero, as in MJCF."""

    w: float = 1.0
    x: float = 0.0
    y: float = 0.0
    z: float = 0.0


Rotation = Union[Rpy, Quaternion]


class Pose(NamedTuple):
    """Pose of a frame b in a frame a: ``p_a = p + R p_b``; p in m."""

    p: Vec3 = ZERO
    rotation: Rotation = Rpy()


class Inertia(NamedTuple):
    """Mass [kg], pose of the centroidal frame in the body frame, moments in that frame.

    ``moments`` are (Ixx, Ixy, Ixz, Iyy, Iyz, Izz) about the centre of mass [kg m^2].
    """

    mass: float
    pose: Pose = Pose()
    moments: Tuple[float, float, float, float, float, float] = (0.0,) * 6


class JointKind(NamedTuple):
    """Sizes of a kind of joint: configuration nq, velocity nv."""

    nq: int
    nv: int


JOINT_KINDS = {
    "fixed": JointKind(0, 0),
    "revolute": JointKind(1, 1),
    "continuous": JointKind(1, 1),
    "prismatic": JointKind(1, 1),
    "helical": JointKind(1, 1),
    "cylindrical": JointKind(2, 2),
    "universal": JointKind(2, 2),
    "planar": JointKind(3, 3),
    "spherical": JointKind(4, 3),
    "free": JointKind(7, 6),
}
"""Every kind that a model may hold; a consumer names the kinds it does not serve."""


class Mimic(NamedTuple):
    """q = multiplier * q(joint) + offset."""

    joint: str
    multiplier: float = 1.0
    offset: float = 0.0


@dataclass(frozen=True)
class Joint:
    """How a body moves against its parent.

    Attributes:
        name: Name, unique in the model.
        kind: A key of `JOINT_KINDS`.
        axis: Axis in the joint frame, of any length but zero.
        second_axis: Second axis of a universal joint.
        pitch: Advance of a helical joint per radian [m/rad].
        armature: Reflected rotor inertia N^2 J_m, added to the diagonal of M
            [kg m^2 | kg].
        damping: Viscous coefficient [N m s/rad | N s/m].
        friction: Coulomb friction [N m | N].
        lower: Lower position limit [rad | m], None without one.
        upper: Upper position limit [rad | m], None without one.
        mimic: The joint that this one follows, if any.
    """

    name: str
    kind: str = "revolute"
    axis: Vec3 = (0.0, 0.0, 1.0)
    second_axis: Vec3 = (0.0, 1.0, 0.0)
    pitch: float = 0.0
    armature: float = 0.0
    damping: float = 0.0
    friction: float = 0.0
    lower: Optional[float] = None
    upper: Optional[float] = None
    mimic: Optional[Mimic] = None

    @property
    def nq(self) -> int:
        """Size of its configuration."""
        return 0 if self.mimic else JOINT_KINDS[self.kind].nq

    @property
    def nv(self) -> int:
        """Size of its velocity."""
        return 0 if self.mimic else JOINT_KINDS[self.kind].nv


@dataclass(frozen=True)
class Body:
    """A rigid body and the joint that carries it.

    Attributes:
        name: Name, unique in the model.
        parent: Index of the parent body, smaller than its own; -1 is the world.
        joint: The joint between the parent and this body.
        placement: Pose of the joint frame in the parent's frame; the body frame is the
            joint frame moved by the joint.
        inertia: Its inertia, None for a body without mass.
    """

    name: str
    parent: int
    joint: Joint
    placement: Pose = Pose()
    inertia: Optional[Inertia] = None


class Frame(NamedTuple):
    """A named frame fixed in a body."""

    name: str
    body: int
    pose: Pose = Pose()


class Loop(NamedTuple):
    """A closure: frame ``first`` and frame ``second`` coincide.

    ``kind`` says in what: "point" (3 rows) or "frame" (6 rows).
    """

    name: str
    kind: str
    first: Frame
    second: Frame

    @property
    def rows(self) -> slice:
        """Its rows among (angular, linear)."""
        return slice(0, 6) if self.kind == "frame" else slice(3, 6)


class Tendon(NamedTuple):
    """A straight cable or strut through points fixed in bodies."""

    name: str
    points: Tuple[Frame, ...]


@dataclass(frozen=True)
class Model:
    """A kinematic tree, with loops and tendons across it.

    Bodies are in an order in which parents come first; the configuration, velocity and
    force vectors follow the order of the bodies.

    Attributes:
        name: Name, unique in the catalogue.
        bodies: The bodies.
        tool: The frame whose pose and Jacobian are asked for.
        gravity: Acceleration of gravity in the world [m/s^2].
        loops: Closures, empty for a tree.
        tendons: Tendons.
        home: A configuration that closes the loops, size nq; () means zeros.
        source: Where the numbers come from, and their licence.
    """

    name: str
    bodies: Tuple[Body, ...]
    tool: Frame
    gravity: Vec3 = (0.0, 0.0, -9.81)
    loops: Tuple[Loop, ...] = ()
    tendons: Tuple[Tendon, ...] = ()
    home: Tuple[float, ...] = ()
    source: str = ""

    @property
    def nq(self) -> int:
        """Size of a configuration."""
        return sum(b.joint.nq for b in self.bodies)

    @property
    def nv(self) -> int:
        """Size of a velocity."""
        return sum(b.joint.nv for b in self.bodies)

    @property
    def marks(self) -> Tuple[Frame, ...]:
        """The frames of the loops, first and second, then the points of the tendons."""
        ends = [frame for loop in self.loops for frame in (loop.first, loop.second)]
        return (*ends, *(point for tendon in self.tendons for point in tendon.points))

    @property
    def moving(self) -> Tuple[int, ...]:
        """Indices of the bodies whose joint has velocities, in order."""
        return tuple(i for i, b in enumerate(self.bodies) if b.joint.nv)

    def carrier(self, body: int) -> int:
        """The body itself or the nearest one above it that has a moving joint, else -1."""
        while body >= 0 and not self.bodies[body].joint.nv:
            body = self.bodies[body].parent
        return body

    @property
    def is_chain(self) -> bool:
        """Whether every moving joint sits on the body that the one before it carries."""
        parents = [self.carrier(self.bodies[i].parent) for i in self.moving]
        return parents == [-1, *self.moving][: len(parents)]

    def path(self, body: int) -> Tuple[int, ...]:
        """The body and those between it and the world, from the world down."""
        found = []
        while body >= 0:
            found.append(body)
            body = self.bodies[body].parent
        return tuple(reversed(found))

    def renamed(self, name: str) -> Model:
        """The same model under another name."""
        return replace(self, name=name)
