"""Models as JSON data, the form in which they travel to a worker."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any, Dict

from models.tree import (
    Body,
    Frame,
    Inertia,
    Joint,
    Loop,
    Mimic,
    Model,
    Pose,
    Quaternion,
    Rotation,
    Rpy,
    Tendon,
)


def to_data(model: Model) -> Dict[str, Any]:
    """The model as JSON data; floats survive bit for bit."""
    return asdict(model)


def from_data(data: Dict[str, Any]) -> Model:
    """The model that `to_data` wrote.

    Raises:
        TypeError, KeyError: If the data is not that of a model.
    """
    rest = dict(data)
    return Model(
        bodies=tuple(_body(b) for b in rest.pop("bodies")),
        tool=_frame(rest.pop("tool")),
        gravity=tuple(rest.pop("gravity")),
        loops=tuple(
            Loop(name, kind, _frame(first), _frame(second))
            for name, kind, first, second in rest.pop("loops")
        ),
        tendons=tuple(
            Tendon(name, tuple(_frame(f) for f in points))
            for name, points in rest.pop("tendons")
        ),
        home=tuple(rest.pop("home", ())),
        **rest,
    )


def _rotation(data: Any) -> Rotation:
    return Rpy(*data) if len(data) == 3 else Quaternion(*data)


def _pose(data: Any) -> Pose:
    p, rotation = data
    return Pose(tuple(p), _rotation(rotation))


def _frame(data: Any) -> Frame:
    name, body, pose = data
    return Frame(name, body, _pose(pose))


def _body(data: Dict[str, Any]) -> Body:
    joint = dict(data["joint"])
    for axis in ("axis", "second_axis"):
        joint[axis] = tuple(joint[axis])
    if joint["mimic"] is not None:
        joint["mimic"] = Mimic(*joint["mimic"])
    inertia = data["inertia"]
    if inertia is not None:
        mass, pose, moments = inertia
        inertia = Inertia(mass, _pose(pose), tuple(moments))
    return Body(
        data["name"], data["parent"], Joint(**joint), _pose(data["placement"]), inertia
    )
