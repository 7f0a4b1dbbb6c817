"""2.1.4 A tree with loops as a linkage: every closure a joint beside the others.

A loop closed at a point is a spherical joint, one closed in a frame a fixed one; bodies
that fixed joints hold together are one link.  The link of the tool is the platform.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from models import Model
from models.linkage import PAIR_KINDS, Linkage, LinkageError, Pair, Vector
from models.placing import poses
from models.rotation import transform, unit
from models.tree import Body, Frame, Joint
from reference.closing import OPEN, OpenLoopError, closed_at_home
from reference.quantity import Array
from reference.robot import UnservedModelError

GROUND = "world"
AXES = {0: (), 1: ("axis",), 2: ("axis", "second_axis")}
ALIKE = {"continuous": "revolute"}


def linkage_of(model: Model) -> Linkage:
    """The linkage that a model is at its home, closed to rounding.

    Raises:
        OpenLoopError: If the home is open by more than rounding, or cannot be closed.
        UnservedModelError: If a joint follows another one, or turns at home where only zero
            is read; if no joint can move, or a loop joins a link to itself.
    """
    if not model.nv:
        raise UnservedModelError("no joint can move")
    T = _places(model)
    links = (GROUND, *(model.bodies[i].name for i in model.moving))
    link = {-1: 0} | {i: k for k, i in enumerate(model.moving, 1)}

    def of(body: int) -> int:
        return link[model.carrier(body)]

    pairs = [
        _pair(model.bodies[i].joint, of(model.bodies[i].parent), of(i), T[i])
        for i in model.moving
    ]
    for loop in model.loops:
        ends = [T[f.body] @ transform(f.pose) for f in (loop.first, loop.second)]
        _refuse_open(loop.name, loop.kind == "frame", *ends)
        first, second = of(loop.first.body), of(loop.second.body)
        if first == second:
            raise UnservedModelError(
                f"loop {loop.name!r} joins link {links[first]!r} to itself, remove it"
            )
        kind = "fixed" if loop.kind == "frame" else "spherical"
        point = _vector((ends[0][:3, 3] + ends[1][:3, 3]) / 2)
        name = _other_than({pair.name for pair in pairs}, loop.name)
        pairs.append(Pair(name, kind, first, second, point))
    platform = of(model.tool.body) if _is_stated(model) else 0
    try:
        return Linkage(
            model.name, links, tuple(pairs), platform or None, source=model.source
        )
    except LinkageError as error:
        raise UnservedModelError(str(error)) from error


def _is_stated(model: Model) -> bool:
    """Whether somebody chose the tool: readers take the frame of the last body without."""
    last = len(model.bodies) - 1
    return model.tool != Frame(model.bodies[last].name, last)


def _other_than(taken: set[str], name: str) -> str:
    """The name of a loop, which may be that of a joint, told apart from those taken."""
    while name in taken:
        name += " (loop)"
    return name


def _pair(joint: Joint, first: int, second: int, T: Array) -> Pair:
    kind = ALIKE.get(joint.kind, joint.kind)
    names = AXES[PAIR_KINDS[kind].axes]
    axes = tuple(_vector(T[:3, :3] @ unit(getattr(joint, name))) for name in names)
    return Pair(joint.name, kind, first, second, _vector(T[:3, 3]), axes, joint.pitch)


def _vector(x: Array) -> Vector:
    a, b, c = (float(k) + 0.0 for k in x)
    return (a, b, c)


def _refuse_open(name: str, is_frame: bool, first: Array, second: Array) -> None:
    off = float(np.abs(first[:3, 3] - second[:3, 3]).max())
    turn = float(np.abs(first[:3, :3] - second[:3, :3]).max()) if is_frame else 0.0
    if max(off, turn) > OPEN:
        raise OpenLoopError(
            f"loop {name!r} is open by {max(off, turn):.3g} in the pose given; state a "
            "home that closes it"
        )


# -------------------------------------------------------------------------------- poses

PLACED = {"revolute", "continuous", "prismatic", "fixed"}


def _places(model: Model) -> dict[int, Array]:
    """Pose (4, 4) of every body at the closed home, and of the world under -1."""
    for body in model.bodies:
        if body.joint.mimic:
            raise UnservedModelError(
                f"joint {body.joint.name!r} follows {body.joint.mimic.joint!r}; mobility "
                "has no word for coupled joints"
            )
    if all(body.joint.kind in PLACED for body in model.bodies):
        return poses(model, closed_at_home(model).tolist())
    return dict(_at_zero(model))


def _at_zero(model: Model) -> Iterator[tuple[int, Array]]:
    """Poses with every joint at zero, of models with joints of any kind."""
    found: dict[int, Array] = {-1: np.eye(4)}
    yield -1, found[-1]
    rest = list(model.home)
    for i, body in enumerate(model.bodies):
        here, rest = rest[: body.joint.nq], rest[body.joint.nq :]
        _refuse_turned(body, here)
        found[i] = found[body.parent] @ transform(body.placement)
        yield i, found[i]


def _refuse_turned(body: Body, q: list[float]) -> None:
    if any(q) and not (body.joint.kind == "spherical" and q[0] and not any(q[1:])):
        raise UnservedModelError(
            f"joint {body.joint.name!r} is not at zero at home: beside joints that are "
            "neither revolute nor prismatic only the pose at zero is read"
        )
