"""A tree as links whose joint turns about, or slides along, a coordinate axis.

A joint about another axis gets a link frame turned so that its z axis is the joint's.
"""

from __future__ import annotations

from typing import List, NamedTuple, Tuple

import numpy as np

from models.rotation import WIDE, Array, transform, turn, unit
from models.screws import lump
from models.tree import Model


class Link(NamedTuple):
    """One link, its frame placed against the frame of its parent.

    Attributes:
        name: Name of the body, or of the tool.
        parent: Index of the parent link, -1 for the world.
        placement: Pose (4, 4) of the joint frame in the parent's frame.
        motion: "revolute", "prismatic" or "fixed".
        letter: Coordinate axis of the joint, "x", "y" or "z".
        negative: Whether the joint's axis points against it.
        mass: Mass [kg].
        com: Centre of mass in the link frame [m], shape (3,).
        tensor: Inertia about it, in the axes of the link frame, shape (3, 3).
        armature: Reflected rotor inertia.
    """

    name: str
    parent: int
    placement: Array
    motion: str
    letter: str
    negative: bool
    mass: float
    com: Array
    tensor: Array
    armature: float


def cardinal(axis: Tuple[float, float, float]) -> Tuple[str, bool]:
    """Letter and sign of an axis along x, y or z; ("", False) for any other."""
    letters = [k for k, x in zip("xyz", axis) if x]
    return (letters[0], sum(axis) < 0) if len(letters) == 1 else ("", False)


def _tool_name(model: Model) -> str:
    """The tool's name, or another one if a body has it."""
    taken = any(body.name == model.tool.name for body in model.bodies)
    return f"{model.tool.name}_tool" if taken else model.tool.name


def links(model: Model) -> List[Link]:
    """The links of a tree in the order of its bodies, then the tool.

    Raises:
        ValueError: If a joint is neither revolute, prismatic nor fixed.
    """
    found: List[Link] = []
    turns = {-1: np.eye(4, dtype=WIDE)}
    for i, body in enumerate(model.bodies):
        joint = body.joint
        motion = "revolute" if joint.kind == "continuous" else joint.kind
        if motion not in ("revolute", "prismatic", "fixed") or joint.mimic:
            raise ValueError(f"{model.name}: joint {joint.name} is {joint.kind}")
        letter, negative = cardinal(joint.axis) if motion != "fixed" else ("z", False)
        A = np.eye(4, dtype=WIDE)
        if not letter:
            letter, A[:3, :3] = "z", turn(unit(joint.axis))
        mass, com, tensor = 0.0, np.zeros(3), np.zeros((3, 3))
        if body.inertia is not None:
            seen = lump(body.inertia, A.T)
            mass, com = float(seen.mass), seen.com.astype(float)
            tensor = seen.tensor.astype(float)
        placement = turns[body.parent].T @ transform(body.placement) @ A
        found.append(
            Link(
                body.name, body.parent, placement.astype(float), motion, letter,
                negative, mass, com, tensor, joint.armature,
            )
        )  # fmt: skip
        turns[i] = A
    tool = (turns[model.tool.body].T @ transform(model.tool.pose)).astype(float)
    nothing = (0.0, np.zeros(3), np.zeros((3, 3)), 0.0)
    found.append(
        Link(_tool_name(model), model.tool.body, tool, "fixed", "z", False, *nothing)
    )
    return found
