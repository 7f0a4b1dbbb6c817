"""Bodies, joints and inertias read from the elements of an MJCF document.

What a model has no word for is refused by name, never dropped: see `refuse_attributes`.
"""

from __future__ import annotations

import xml.etree.ElementTree as ET
from dataclasses import replace
from math import cos, pi, radians, sin
from typing import Iterable, List, NamedTuple, Optional, Sequence, Tuple

from models.mjcf import MjcfError
from models.text import finite
from models.tree import (
    ZERO,
    Body,
    Inertia,
    Joint,
    Pose,
    Quaternion,
    Rotation,
    Rpy,
    Vec3,
)

POSE = ("name", "pos", "quat", "euler")
JOINT = ("name", "type", "axis", "armature", "damping", "frictionloss", "range")
JOINT_SOLVER = (  # how limits and friction are solved, and what only actuators read
    "limited", "margin", "group", "user", "springref", "solreflimit", "solimplimit",
    "solreffriction", "solimpfriction", "actuatorfrcrange", "actuatorfrclimited",
    "actuatorgravcomp",
)  # fmt: skip
BODY_CHILDREN = ("body", "joint", "inertial", "site", "geom", "camera", "light")


class Angles(NamedTuple):
    """How a document writes angles: its unit, and the sequence of its Euler angles."""

    degrees: bool = True
    sequence: str = "xyz"

    def radians(self, angle: float) -> float:
        """An angle of the document in rad."""
        return radians(angle) if self.degrees else angle

    def rotation(self, turns: Vec3) -> Rotation:
        """The rotation of `euler`: lower case turns about moving axes, upper about fixed."""
        angles = [self.radians(turn) for turn in turns]
        if self.sequence == "XYZ" or not any(angles):
            return Rpy(*angles)
        if self.sequence == "zyx":
            return Rpy(*reversed(angles))
        found = Quaternion()
        for letter, angle in zip(self.sequence, angles):
            c, s = cos(angle / 2), sin(angle / 2)
            turn = Quaternion(c, *(s if k == letter.lower() else 0.0 for k in "xyz"))
            found = product(found, turn) if letter.islower() else product(turn, found)
        return found


def product(a: Quaternion, b: Quaternion) -> Quaternion:
    """The rotation b followed by a, both about fixed axes."""
    return Quaternion(
        a.w * b.w - a.x * b.x - a.y * b.y - a.z * b.z,
        a.w * b.x + a.x * b.w + a.y * b.z - a.z * b.y,
        a.w * b.y - a.x * b.z + a.y * b.w + a.z * b.x,
        a.w * b.z + a.x * b.y - a.y * b.x + a.z * b.w,
    )


# --------------------------------------------------------------------------- attributes


def named(element: ET.Element) -> str:
    """An element for a message: its tag, and its name if it has one."""
    name = element.get("name")
    return f"<{element.tag}>" if name is None else f"<{element.tag}> {name!r}"


def refuse_attributes(
    element: ET.Element, known: Iterable[str], neutral: Sequence[str] = ()
) -> None:
    """Raise for attributes that are neither read nor without effect.

    Args:
        element: The element.
        known: Attributes that are read, or that cannot change the equations of motion.
        neutral: Attributes without effect while all their numbers are zero.

    Raises:
        MjcfError: If there is another one, or one of the neutral ones is not zero.
    """
    for key in element.keys():  # noqa: SIM118, an element is no mapping
        if key in neutral:
            if any(numbers(element, key)):
                raise MjcfError(f"{named(element)}: {key} must be zero or absent")
        elif key not in known:
            raise MjcfError(
                f"{named(element)}: attribute {key!r} is not read, remove it"
            )


def numbers(element: ET.Element, key: str) -> List[float]:
    """The numbers of an attribute, none if it is absent."""
    text = element.get(key, "")
    try:
        return [finite(word) for word in text.split()]
    except ValueError:
        raise MjcfError(f"{named(element)}: {key} is no number: {text!r}") from None


def sized(element: ET.Element, key: str, default: Sequence[float]) -> List[float]:
    """The numbers of an attribute, as many as its default has."""
    if element.get(key) is None:
        return list(default)
    found = numbers(element, key)
    if len(found) != len(default):
        raise MjcfError(
            f"{named(element)}: {key} needs {len(default)} numbers, has {len(found)}"
        )
    return found


def number(element: ET.Element, key: str, default: float = 0.0) -> float:
    """The one number of an attribute."""
    (found,) = sized(element, key, (default,))
    return found


def vector(element: ET.Element, key: str, default: Vec3 = ZERO) -> Vec3:
    """The three numbers of an attribute."""
    x, y, z = sized(element, key, default)
    return (x, y, z)


def read_pose(element: ET.Element, angles: Angles) -> Pose:
    """The pose of an element by `pos` and either `quat` or `euler`."""
    p = vector(element, "pos")
    if element.get("quat") is None:
        return Pose(p, angles.rotation(vector(element, "euler")))
    quaternion = Quaternion(*sized(element, "quat", Quaternion()))
    if not any(quaternion):
        raise MjcfError(f"{named(element)}: quat is zero")
    if element.get("euler") is not None:
        raise MjcfError(f"{named(element)}: has both quat and euler, keep one")
    return Pose(p, quaternion)


# ------------------------------------------------------------------------------- bodies


def read_body(
    element: ET.Element, parent: int, name: str, index: int, angles: Angles
) -> List[Body]:
    """A body, after one without mass for each of its joints but the last.

    Args:
        element: The `<body>`.
        parent: Index of its parent.
        name: Its name.
        index: Index of the first of the bodies.
        angles: How the document writes angles.

    Raises:
        MjcfError: If the element holds what a model cannot.
    """
    neutral = ("gravcomp",)
    refuse_attributes(element, (*POSE, "user", "sleep"), neutral)
    for child in element:
        if isinstance(child.tag, str) and child.tag not in BODY_CHILDREN:
            raise MjcfError(f"{named(element)}: <{child.tag}> is not read, remove it")
    inertials = element.findall("inertial")
    if len(inertials) > 1:
        raise MjcfError(f"{named(element)}: has {len(inertials)} <inertial>, keep one")
    if element.find("geom") is not None and not inertials:
        raise MjcfError(f"body {name!r}: has <geom> only, give it an <inertial>")
    inertia = None
    try:
        if inertials:
            inertia = _read_inertia(inertials[0], angles)
    except MjcfError as error:
        raise MjcfError(f"body {name!r}: {error}") from error
    joints = [
        _read_joint(e, f"{name}_joint{k or ''}", angles)
        for k, e in enumerate(element.findall("joint"))
    ] or [Joint(f"{name}_weld", "fixed")]
    body = Body(name, parent, joints[-1], read_pose(element, angles), inertia)
    return _in_a_row(body, joints[:-1], index)


def _in_a_row(body: Body, joints: List[Joint], index: int) -> List[Body]:
    """A body below others without mass, one on each of the joints before its own."""
    row: List[Body] = []
    parent, placement = body.parent, body.placement
    for k, joint in enumerate(joints):
        row.append(Body(f"{joint.name}_link", parent, joint, placement))
        parent, placement = index + k, Pose()
    return [*row, replace(body, parent=parent, placement=placement)]


def _read_joint(element: ET.Element, default_name: str, angles: Angles) -> Joint:
    kinds = {"hinge": "revolute", "slide": "prismatic"}
    kind = element.get("type", "hinge")
    if kind not in kinds:
        raise MjcfError(f"{named(element)}: type {kind!r} is not one of {list(kinds)}")
    if any(numbers(element, "pos")):
        raise MjcfError(
            f"{named(element)}: pos is not zero, place the body's frame on its joint"
        )
    refuse_attributes(element, (*JOINT, *JOINT_SOLVER), ("pos", "ref", "stiffness"))
    axis = vector(element, "axis", (0.0, 0.0, 1.0))
    if not any(axis):
        raise MjcfError(f"{named(element)}: the axis is zero")
    lower, upper = _read_range(element, kind, angles)
    return Joint(
        element.get("name", default_name),
        kinds[kind],
        axis,
        armature=number(element, "armature"),
        damping=number(element, "damping"),
        friction=number(element, "frictionloss"),
        lower=lower,
        upper=upper,
    )


def _read_range(
    element: ET.Element, kind: str, angles: Angles
) -> Tuple[Optional[float], Optional[float]]:
    if element.get("range") is None or element.get("limited") == "false":
        return None, None
    lower, upper = sized(element, "range", (-pi, pi))
    if kind == "hinge":
        return angles.radians(lower), angles.radians(upper)
    return lower, upper


def _read_inertia(element: ET.Element, angles: Angles) -> Inertia:
    refuse_attributes(element, (*POSE, "mass", "diaginertia", "fullinertia"))
    if element.get("mass") is None:
        raise MjcfError("<inertial> has no attribute 'mass'")
    if element.get("diaginertia") is None and element.get("fullinertia") is None:
        raise MjcfError("<inertial> needs diaginertia or fullinertia")
    mass, pose = number(element, "mass"), read_pose(element, angles)
    if element.get("fullinertia") is None:
        ixx, iyy, izz = vector(element, "diaginertia")
        return Inertia(mass, pose, (ixx, 0.0, 0.0, iyy, 0.0, izz))
    if element.get("diaginertia") is not None or any(pose.rotation[-3:]):
        raise MjcfError("<inertial>: fullinertia goes without diaginertia and turn")
    ixx, iyy, izz, ixy, ixz, iyz = sized(element, "fullinertia", [0.0] * 6)
    return Inertia(mass, pose, (ixx, ixy, ixz, iyy, iyz, izz))
