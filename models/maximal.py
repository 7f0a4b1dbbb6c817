"""Planar mechanisms in maximal coordinates: every body by itself, every joint a closure.

The planar formulation of chapter 3.11: x, y and the angle of each body at its centre of
mass, two equations a joint.  As a tree, each body hangs on the world by two slides and a
hinge.
"""

from __future__ import annotations

from dataclasses import replace
from math import cos, sin
from typing import List, Sequence, Tuple

from models.tree import Body, Frame, Joint, Loop, Model, Pose, Rpy, Tendon, Vec3

X, Y, Z = (1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0)


class NotPlanarError(ValueError):
    """The model is not a planar mechanism of hinges; the message names the part."""


def in_maximal_coordinates(model: Model) -> Model:
    """The same mechanism with coordinates x, y, angle of each body, in their order.

    Body i of the tree is body 3 i + 2; its frame is moved to its centre of mass.  Each
    joint is a point loop of the joint's name, first the point of the body it moves, then
    its parent's or the world's; the loops of the model follow.

    Raises:
        NotPlanarError: If the model is not a planar tree of hinges with point loops.
    """
    _refuse_all_but_planar(model)

    def moved(frame: Frame) -> Frame:
        if frame.body < 0:
            return frame
        c = _com(model.bodies[frame.body])
        (x, y, z), rotation = frame.pose
        return Frame(
            frame.name, 3 * frame.body + 2, Pose((x - c[0], y - c[1], z), rotation)
        )

    joints: List[Loop] = []
    for i, body in enumerate(model.bodies):
        name = body.joint.name
        second = Frame(f"{name}_second", body.parent, body.placement)
        ends = moved(Frame(f"{name}_first", i)), moved(second)
        joints.append(Loop(name, "point", *ends))
    loops = [Loop(n, k, moved(a), moved(b)) for n, k, a, b in model.loops]
    return replace(
        model,
        name=f"{model.name}_maximal",
        bodies=tuple(b for i in range(len(model.bodies)) for b in _free(model, i)),
        tool=moved(model.tool),
        loops=(*joints, *loops),
        tendons=tuple(Tendon(n, tuple(map(moved, p))) for n, p in model.tendons),
        home=maximal_configuration(model, model.home or (0.0,) * model.nq),
    )


def maximal_configuration(model: Model, q: Sequence[float]) -> Tuple[float, ...]:
    """The configuration of the maximal model at one of the planar tree.

    Args:
        model: The planar tree.
        q: Its configuration, size n.

    Returns:
        x, y [m] and angle [rad] of each body, size 3 n.
    """
    found: List[float] = []
    origins: List[Vec3] = []
    angles: List[float] = []
    for body, position in zip(model.bodies, q):
        above, origin = 0.0, (0.0, 0.0, 0.0)
        if body.parent >= 0:
            above, origin = angles[body.parent], origins[body.parent]
        origin = _shifted(origin, above, body.placement.p)
        angle = above + _yaw(body.placement) + _sign(body.joint) * position
        x, y, _ = _shifted(origin, angle, _com(body))
        origins.append(origin)
        angles.append(angle)
        found += [x, y, angle]
    return tuple(found)


def _shifted(origin: Vec3, angle: float, step: Vec3) -> Vec3:
    c, s, (x, y, _) = cos(angle), sin(angle), step
    return (origin[0] + c * x - s * y, origin[1] + s * x + c * y, 0.0)


def _com(body: Body) -> Vec3:
    assert body.inertia is not None  # else refused
    return body.inertia.pose.p


def _yaw(pose: Pose) -> float:
    assert isinstance(pose.rotation, Rpy)  # else refused
    return pose.rotation.yaw


def _sign(joint: Joint) -> float:
    return 1.0 if joint.axis[2] > 0 else -1.0


def _free(model: Model, index: int) -> Tuple[Body, Body, Body]:
    """A body on two slides and a hinge, its frame at its centre of mass."""
    body = model.bodies[index]
    x, y = (
        Joint(f"{body.name}_{letter}", "prismatic", axis)
        for letter, axis in (("x", X), ("y", Y))
    )
    assert body.inertia is not None  # else refused
    centred = Pose((0.0, 0.0, body.inertia.pose.p[2]), body.inertia.pose.rotation)
    return (
        Body(f"{x.name}_link", -1, x),
        Body(f"{y.name}_link", 3 * index, y),
        Body(
            body.name,
            3 * index + 1,
            Joint(f"{body.name}_angle", "revolute", Z),
            inertia=body.inertia._replace(pose=centred),
        ),
    )


def _refuse_all_but_planar(model: Model) -> None:
    for body in model.bodies:
        joint, placement = body.joint, body.placement
        if joint.kind not in ("revolute", "continuous") or joint.mimic:
            raise NotPlanarError(f"{model.name}: joint {joint.name} is no free hinge")
        if any(joint.axis[:2]) or not _is_flat(placement):
            raise NotPlanarError(f"{model.name}: joint {joint.name} leaves the plane")
        if joint.armature or joint.damping or joint.friction:
            raise NotPlanarError(
                f"{model.name}: joint {joint.name} has a rotor or drag"
            )
        if body.inertia is None:
            raise NotPlanarError(f"{model.name}: body {body.name} has no mass")
    for loop in model.loops:
        flat = loop.first.pose.p[2] == loop.second.pose.p[2] == 0
        if loop.kind != "point" or not flat:
            raise NotPlanarError(f"{model.name}: loop {loop.name} is no point in plane")


def _is_flat(pose: Pose) -> bool:
    rotation = pose.rotation
    return (
        pose.p[2] == 0
        and isinstance(rotation, Rpy)
        and rotation.roll == rotation.pitch == 0
    )
