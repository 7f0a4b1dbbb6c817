"""Models as URDF text, every double written with all its digits."""

from __future__ import annotations

import xml.etree.ElementTree as ET

from models.text import digits, refuse_repeated
from models.tree import (
    Frame,
    Inertia,
    Joint,
    Model,
    Pose,
    Rpy,
)

KINDS = ("fixed", "revolute", "continuous", "prismatic")
WORLD = "world"


class UrdfError(ValueError):
    """The text is not a URDF that a model can hold; the message names the element."""


def write_urdf(model: Model) -> str:
    """The tree of the model as URDF; the world is a link of that name.

    URDF has no word for a closure: the tool, both frames of every loop and the points of
    the tendons become links without mass, and the caller ties them together.  A frame
    that is a body's own, name and all, is that body's link.

    Raises:
        UrdfError: If URDF has no word for a joint or a rotation, or two links would bear
            one name.
    """
    robot = ET.Element("robot", name=model.name)
    ET.SubElement(robot, "link", name=WORLD)
    names = [WORLD, *(b.name for b in model.bodies)]  # by index + 1
    for body in model.bodies:
        link = ET.SubElement(robot, "link", name=body.name)
        if body.inertia is not None:
            _write_inertia(link, body.inertia)
        parent = names[body.parent + 1]
        _write_joint(robot, body.joint, body.placement, parent, body.name)
    for frame in (model.tool, *model.marks):
        parent = names[frame.body + 1]
        if frame == Frame(parent, frame.body):
            continue
        ET.SubElement(robot, "link", name=frame.name)
        mount = Joint(f"{frame.name}_mount", "fixed")
        _write_joint(robot, mount, frame.pose, parent, frame.name)
    return _text(robot)


def _text(robot: ET.Element) -> str:
    for tag in ("link", "joint"):
        refuse_repeated([need(e, "name") for e in robot.findall(tag)], UrdfError)
    ET.indent(robot)
    return ET.tostring(robot, encoding="unicode") + "\n"


def _write_origin(element: ET.Element, pose: Pose) -> None:
    if not isinstance(pose.rotation, Rpy):
        raise UrdfError(
            f"URDF has no quaternions: write {pose.rotation} as roll, pitch, yaw"
        )
    ET.SubElement(element, "origin", xyz=digits(pose.p), rpy=digits(pose.rotation))


def _write_inertia(link: ET.Element, inertia: Inertia) -> None:
    element = ET.SubElement(link, "inertial")
    _write_origin(element, inertia.pose)
    ET.SubElement(element, "mass", value=repr(float(inertia.mass)))
    names = ("ixx", "ixy", "ixz", "iyy", "iyz", "izz")
    values = (repr(float(x)) for x in inertia.moments)
    ET.SubElement(element, "inertia", dict(zip(names, values)))


def _write_joint(
    robot: ET.Element, joint: Joint, placement: Pose, parent: str, child: str
) -> None:
    if joint.kind not in KINDS:
        raise UrdfError(f"URDF has no {joint.kind} joint (joint {joint.name})")
    element = ET.SubElement(robot, "joint", name=joint.name, type=joint.kind)
    ET.SubElement(element, "parent", link=parent)
    ET.SubElement(element, "child", link=child)
    _write_origin(element, placement)
    if joint.kind == "fixed":
        return
    ET.SubElement(element, "axis", xyz=digits(joint.axis))
    limits = {"effort": "1e9", "velocity": "1e9"}
    if joint.kind != "continuous":
        limits["lower"] = repr(-1e3 if joint.lower is None else float(joint.lower))
        limits["upper"] = repr(1e3 if joint.upper is None else float(joint.upper))
    ET.SubElement(element, "limit", limits)
    if joint.damping or joint.friction:
        ET.SubElement(
            element,
            "dynamics",
            damping=repr(float(joint.damping)),
            friction=repr(float(joint.friction)),
        )
    if joint.mimic:
        ET.SubElement(
            element,
            "mimic",
            joint=joint.mimic.joint,
            multiplier=repr(float(joint.mimic.multiplier)),
            offset=repr(float(joint.mimic.offset)),
        )


def need(element: ET.Element, key: str) -> str:
    """An attribute that an element must have."""
    value = element.get(key)
    if value is None:
        raise UrdfError(f"<{element.tag}> has no attribute {key!r}")
    return value
