"""A model in the numbers of a carrier: one link per moving joint, fixed bodies folded in.

Everything a document states (roll-pitch-yaw, axes of any length, turned inertial frames) is
converted here, inside the carrier, so that the balls enclose the conversion as well.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from models import Body, Inertia, Model, Pose, Rpy
from reference.carriers import (
    BLOCK_PRODUCT,
    VECTOR_PRODUCT,
    Carrier,
    Magnitude,
    MagnitudeMatrix,
    Matrix,
    Scalar,
)

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
class Tool:
    """The tool frame in its link; link -1 is the world."""

    link: int
    R: Matrix
    p: Matrix


@dataclass(frozen=True)
class Robot:
    """Links in an order in which parents come first.

    Attributes:
        la: The carrier.
        links: The links, one per degree of freedom.
        tool: The tool frame.
        gravity: Acceleration of gravity, a 3-vector [m/s^2].
        base: Mass and centre of mass, in the world, of each body fixed there.
    """

    la: Carrier
    links: tuple[Link, ...]
    tool: Tool
    gravity: Matrix
    base: tuple[tuple[Scalar, Matrix], ...] = ()

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
    return Robot(
        la,
        tuple(
            Link(**joint, mass=m, com=c, tensor=I)
            for joint, (m, c, I) in zip(links, merged, strict=True)
        ),
        Tool(*_placed(la, places[model.tool.body], model.tool.pose)),
        _vector(la, model.gravity),
        tuple(base),
    )


def _refuse_unserved(model: Model) -> None:
    for body in model.bodies:
        joint = body.joint
        if joint.kind not in SERVED or joint.mimic:
            what = "a mimic joint" if joint.mimic else f"a {joint.kind} joint"
            raise UnservedModelError(f"{model.name}: {joint.name} is {what}")
    if model.loops:
        raise UnservedModelError(f"{model.name} has loops")


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
    raise UnservedModelError("quaternion placements are not served yet")


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


def widened(robot: Robot, q: list[Scalar]) -> Robot:
    """The world-frame rule: errors that a library may make which computes elsewhere.

    A library may express any vector or inertia in world axes, about any point of the robot
    or of the world, and bring it back.  Offsets then err by 6 u L, L the length of the robot
    from the world's origin; inertias by 6 u m L^2; and everything by rho u of its size, rho
    the rotations made on the way.  See docs/tolerances.md.
    """
    if not isinstance(robot.la, Magnitude):
        raise TypeError("only magnitudes can be widened")
    reach, turns = _reach_and_turns(robot, q)
    tool = robot.tool
    above_tool = reach[tool.link] if tool.link >= 0 else 0.0
    length = above_tool + tool.p.size
    for link, r in zip(robot.links, reach, strict=True):
        length = np.maximum(length, r + link.com.size)

    def offset(v: MagnitudeMatrix, rho: Any) -> MagnitudeMatrix:
        return v.widened(VECTOR_PRODUCT * length + rho * v.size)

    links = tuple(
        replace(
            link,
            p=offset(link.p, rho),
            com=offset(link.com, rho),
            axis=link.axis.widened(rho * link.axis.size),
            tensor=link.tensor.widened(
                VECTOR_PRODUCT * (link.tensor.size + link.mass.size * length**2)
                + 2 * rho * link.tensor.size
            ),
        )
        for link, rho in zip(robot.links, turns, strict=True)
    )
    rho = turns[tool.link] if tool.link >= 0 else 0.0
    return replace(
        robot,
        links=links,
        tool=replace(tool, p=offset(tool.p, rho)),
        base=tuple((mass, offset(com, 2 * BLOCK_PRODUCT)) for mass, com in robot.base),
    )


def _reach_and_turns(robot: Robot, q: list[Scalar]) -> tuple[list[Any], list[Any]]:
    """Path length from the world's origin, and rotation error, of every link."""
    reach: list[Any] = []
    turns: list[Any] = []
    for link, x in zip(robot.links, q, strict=True):
        above = reach[link.parent] if link.parent >= 0 else 0.0
        reach.append(above + link.p.size + (0.0 if link.turning else x.size))
        before = turns[link.parent] if link.parent >= 0 else 0.0
        joint = robot.la.rotation(link.axis, x).error
        turns.append(before + link.R.error + joint + 2 * BLOCK_PRODUCT)
    return reach, turns
