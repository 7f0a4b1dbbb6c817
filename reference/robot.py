"""A model in the numbers of a carrier: one link per moving joint, fixed bodies folded in.

Everything a document states (roll-pitch-yaw, axes of any length, turned inertial frames) is
converted here, inside the carrier, so that the balls enclose the conversion as well.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from models import Body, Frame, Inertia, Model, Pose, Rpy
from reference.carriers import Carrier, Matrix, Scalar

SERVED = ("fixed", "revolute", "continuous", "prismatic")


class UnservedModelError(ValueError):
    """The reference does not serve this kind of model; the message says what."""


@dataclass(frozen=True)
class Link:
    """A moving joint and all mass that moves with it.

    Attributes:
        name: Name of the body.
        parent: Index of the parent link, -1 for the world.
        turning: True for a revolute joint, False for a prismatic one.
        R: Rotation of the joint frame in the parent link's frame.
        p: Origin of the joint frame there [m].
        axis: Unit axis of the joint.
        mass: Mass [kg].
        com: Centre of mass in the link frame [m].
        tensor: Inertia about it, in link axes [kg m^2].
        armature: Reflected rotor inertia.
    """

    name: str
    parent: int
    turning: bool
    R: Matrix
    p: Matrix
    axis: Matrix
    mass: Scalar
    com: Matrix
    tensor: Matrix
    armature: Scalar


@dataclass(frozen=True)
class Mount:
    """A frame fixed in a link: its rotation and origin there; link -1 is the world."""

    link: int
    R: Matrix
    p: Matrix


@dataclass(frozen=True)
class Closure:
    """A loop: two frames whose origins coincide, and whose axes do if it is a frame."""

    is_frame: bool
    first: Mount
    second: Mount

    @property
    def blocks(self) -> int:
        """Blocks of three rows."""
        return 2 if self.is_frame else 1


@dataclass(frozen=True)
class Robot:
    """Links in an order in which parents come first.

    Attributes:
        la: The carrier.
        links: The links, one per degree of freedom.
        tool: The tool frame.
        gravity: Acceleration of gravity, a 3-vector [m/s^2].
        base: Mass and centre of mass, in the world, of each body fixed there.
        loops: The loops that close the tree.
        tendons: The points that each tendon runs through.
        known: For magnitudes, float64 values by name where sizes alone say too little:
            lengths of the straight parts of tendons, the stretch of a constrained motion.
    """

    la: Carrier
    links: tuple[Link, ...]
    tool: Mount
    gravity: Matrix
    base: tuple[tuple[Scalar, Matrix], ...] = ()
    loops: tuple[Closure, ...] = ()
    tendons: tuple[tuple[Mount, ...], ...] = ()
    known: Mapping[str, Any] = field(default_factory=dict)

    @property
    def nv(self) -> int:
        """Number of degrees of freedom."""
        return len(self.links)

    def path(self, link: int) -> list[int]:
        """The link and those between it and the world, from the world down."""
        found: list[int] = []
        while link >= 0:
            found.append(link)
            link = self.links[link].parent
        return found[::-1]

    def at_rest(self) -> list[Scalar]:
        """A velocity or acceleration of zero."""
        return [self.la.zero] * self.nv


def robot(model: Model, la: Carrier) -> Robot:
    """The model in the numbers of a carrier.

    Raises:
        UnservedModelError: If the model has joints that the reference does not serve yet.
    """
    _refuse_unserved(model)
    places: dict[int, tuple[int, Matrix, Matrix]] = {-1: (-1, la.eye(3), _origin(la))}
    links: list[dict[str, Any]] = []
    lumps: list[list[tuple[Scalar, Matrix, Matrix]]] = []
    base: list[tuple[Scalar, Matrix]] = []
    for i, body in enumerate(model.bodies):
        link, R, p = _placed(la, places[body.parent], body.placement)
        if body.joint.nv:
            links.append(_joint(la, body, link, R, p))
            lumps.append([])
            link, R, p = len(links) - 1, la.eye(3), _origin(la)
        places[i] = link, R, p
        if body.inertia is not None:
            mass, com, tensor = _lump(la, body.inertia, R, p)
            if link < 0:
                base.append((mass, com))
            else:
                lumps[link].append((mass, com, tensor))
    merged = [_merged(la, parts) for parts in lumps]

    def mount(frame: Frame) -> Mount:
        return Mount(*_placed(la, places[frame.body], frame.pose))

    return Robot(
        la,
        tuple(
            Link(**joint, mass=m, com=c, tensor=I)
            for joint, (m, c, I) in zip(links, merged, strict=True)
        ),
        mount(model.tool),
        _vector(la, model.gravity),
        tuple(base),
        tuple(
            Closure(loop.kind == "frame", mount(loop.first), mount(loop.second))
            for loop in model.loops
        ),
        tuple(tuple(map(mount, tendon.points)) for tendon in model.tendons),
    )


def _refuse_unserved(model: Model) -> None:
    for body in model.bodies:
        joint = body.joint
        if joint.kind not in SERVED or joint.mimic:
            what = "a mimic joint" if joint.mimic else f"a {joint.kind} joint"
            raise UnservedModelError(f"{model.name}: {joint.name} is {what}")


def _origin(la: Carrier) -> Matrix:
    return la.zeros(3, 1)


def _vector(la: Carrier, v: tuple[float, float, float]) -> Matrix:
    return la.const([[x] for x in v])


def _rotation(la: Carrier, pose: Pose) -> Matrix:
    if isinstance(pose.rotation, Rpy):
        roll, pitch, yaw = pose.rotation
        R = la.eye(3)
        for axis, angle in (((0, 0, 1), yaw), ((0, 1, 0), pitch), ((1, 0, 0), roll)):
            if angle:
                R = R @ la.rotation(_vector(la, axis), la.scalar(angle))
        return R
    return la.quaternion(pose.rotation)


def _placed(
    la: Carrier, parent: tuple[int, Matrix, Matrix], pose: Pose
) -> tuple[int, Matrix, Matrix]:
    link, R, p = parent
    return link, R @ _rotation(la, pose), p + R @ _vector(la, pose.p)


def _joint(
    la: Carrier, body: Body, parent: int, R: Matrix, p: Matrix
) -> dict[str, Any]:
    return {
        "name": body.name,
        "parent": parent,
        "turning": body.joint.kind != "prismatic",
        "R": R,
        "p": p,
        "axis": la.normalized(_vector(la, body.joint.axis)),
        "armature": la.scalar(body.joint.armature),
    }


def _lump(
    la: Carrier, inertia: Inertia, R: Matrix, p: Matrix
) -> tuple[Scalar, Matrix, Matrix]:
    ixx, ixy, ixz, iyy, iyz, izz = inertia.moments
    tensor = la.const([[ixx, ixy, ixz], [ixy, iyy, iyz], [ixz, iyz, izz]])
    Rc = R @ _rotation(la, inertia.pose)
    com = p + R @ _vector(la, inertia.pose.p)
    return la.scalar(inertia.mass), com, Rc @ tensor @ Rc.mT


def _merged(
    la: Carrier, parts: list[tuple[Scalar, Matrix, Matrix]]
) -> tuple[Scalar, Matrix, Matrix]:
    """Mass, centre of mass and inertia about it, of parts welded together (Steiner)."""
    if not parts:
        return la.zero, _origin(la), la.zeros(3, 3)
    if len(parts) == 1:
        return parts[0]
    unit = la.eye(1)
    mass = la.sum(unit * m for m, _, _ in parts)
    com = la.divided(la.sum(c * m for m, c, _ in parts), la.number(mass))
    tensor = la.sum(I + la.hat(c - com) @ la.hat(c - com).mT * m for m, c, I in parts)
    return la.number(mass), com, tensor
