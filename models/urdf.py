"""Models as URDF text, written and read.

The writer prints every double with all its digits; the reader takes the doubles of the
text and tidies nothing: an angle of 1.5708 stays 1.5708.
"""

from __future__ import annotations

import xml.etree.ElementTree as ET
from typing import Dict, List, Optional

from models.text import digits, finite, refuse_repeated
from models.tree import (
    ZERO,
    Body,
    Frame,
    Inertia,
    Joint,
    Mimic,
    Model,
    Pose,
    Rotation,
    Rpy,
    Vec3,
)

KINDS = ("fixed", "revolute", "continuous", "prismatic")
WORLD = "world"


class UrdfError(ValueError):
    """The text is not a URDF that a model can hold; the message names the element."""


# ---------------------------------------------------------------------------- writing


def write_urdf(model: Model) -> str:
    """The model as URDF; the world is a link of that name, the tool a link without mass.

    Raises:
        UrdfError: If URDF has no word for a joint, a rotation, a loop or a tendon.
    """
    if model.loops or model.tendons:
        raise UrdfError(f"{model.name}: loops and tendons are not written")
    robot = ET.Element("robot", name=model.name)
    ET.SubElement(robot, "link", name=WORLD)
    for body in model.bodies:
        link = ET.SubElement(robot, "link", name=body.name)
        if body.inertia is not None:
            _write_inertia(link, body.inertia)
        parent = WORLD if body.parent < 0 else model.bodies[body.parent].name
        _write_joint(robot, body.joint, body.placement, parent, body.name)
    tool = model.tool
    if any(tool == Frame(b.name, i) for i, b in enumerate(model.bodies)):
        return _text(robot)  # the tool is the frame of a link
    parent = WORLD if tool.body < 0 else model.bodies[tool.body].name
    ET.SubElement(robot, "link", name=tool.name)
    mount = Joint(f"{tool.name}_mount", "fixed")
    _write_joint(robot, mount, tool.pose, parent, tool.name)
    return _text(robot)


def _text(robot: ET.Element) -> str:
    for tag in ("link", "joint"):
        refuse_repeated([_need(e, "name") for e in robot.findall(tag)], UrdfError)
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


# ---------------------------------------------------------------------------- reading


def read_urdf(text: str, tool: str, source: str = "") -> Model:
    """The model of a URDF; the root link is the world's child by a fixed joint.

    Args:
        text: The document.
        tool: Name of the link whose frame is the tool; its link is kept as a body
            unless it has no mass and no children.
        source: Where the numbers come from.

    Raises:
        UrdfError: If the text is not such a URDF.
    """
    try:
        robot = ET.fromstring(text)
    except (ET.ParseError, ValueError, LookupError) as error:
        raise UrdfError(f"not XML: {error}") from error
    links = {_need(e, "name"): e for e in robot.findall("link")}
    joints = robot.findall("joint")
    _refuse_all_but_trees(robot)
    children = {_link_of(j, "child") for j in joints}
    (root,) = (name for name in links if name not in children)
    if tool not in links:
        raise UrdfError(f"tool link {tool!r} is not in the document")
    bodies: List[Body] = []
    where: Dict[str, Frame] = {}
    pending = [(root, -1, Joint(f"{root}_mount", "fixed"), Pose())]
    while pending:
        name, parent, joint, placement = pending.pop()
        inertia = _read_inertia(links[name])
        below = [j for j in joints if _link_of(j, "parent") == name]
        if joint.kind == "fixed" and inertia is None and not below:
            where[name] = Frame(name, parent, placement)
            continue
        if not (parent < 0 and name == WORLD and inertia is None):
            bodies.append(Body(name, parent, joint, placement, inertia))
            where[name] = Frame(name, len(bodies) - 1)
        index = len(bodies) - 1
        for j in reversed(below):
            child = _link_of(j, "child")
            pending.append((child, index, _read_joint(j), _read_pose(j)))
    model_name = robot.get("name", "robot")
    return Model(model_name, tuple(bodies), where[tool], source=source)


def _refuse_all_but_trees(robot: ET.Element) -> None:
    """Every name once, every joint between links, one parent for each link but the root."""
    for tag in ("link", "joint"):
        refuse_repeated([_need(e, "name") for e in robot.findall(tag)], UrdfError)
    links = [_need(e, "name") for e in robot.findall("link")]
    joints = robot.findall("joint")
    parents: Dict[str, str] = {}
    for joint in joints:
        parent, child = _link_of(joint, "parent"), _link_of(joint, "child")
        for link in (parent, child):
            if link not in links:
                raise UrdfError(
                    f"joint {joint.get('name')!r}: there is no link {link!r}"
                )
        if child in parents:
            raise UrdfError(f"link {child!r} has two parents")
        parents[child] = parent
    roots = [name for name in links if name not in parents]
    if len(roots) != 1:
        raise UrdfError(f"needs one root link, has {len(roots)}: {roots}")
    for name in links:
        above = name
        for _ in parents:
            above = parents.get(above, above)
        if above != roots[0]:
            raise UrdfError(f"link {name!r} hangs on a loop of joints")


def _need(element: ET.Element, key: str) -> str:
    value = element.get(key)
    if value is None:
        raise UrdfError(f"<{element.tag}> has no attribute {key!r}")
    return value


def _link_of(joint: ET.Element, role: str) -> str:
    element = joint.find(role)
    if element is None:
        raise UrdfError(f"joint {joint.get('name')!r} has no <{role}>")
    return _need(element, "link")


def _numbers(text: Optional[str], default: Vec3, where: str) -> Vec3:
    if text is None:
        return default
    try:
        x, y, z = (finite(word) for word in text.split())
    except ValueError:
        raise UrdfError(f"{where}: expected three numbers, got {text!r}") from None
    return (x, y, z)


def _number(element: ET.Element, key: str, default: Optional[float] = None) -> float:
    text = element.get(key)
    if text is None:
        if default is None:
            raise UrdfError(f"<{element.tag}> has no attribute {key!r}")
        return default
    try:
        return finite(text)
    except ValueError:
        raise UrdfError(f"<{element.tag} {key}>: not a number: {text!r}") from None


def _read_pose(element: ET.Element) -> Pose:
    origin = element.find("origin")
    if origin is None:
        return Pose()
    where = f"origin in {element.get('name') or element.tag!r}"
    rotation: Rotation = Rpy(*_numbers(origin.get("rpy"), ZERO, where))
    return Pose(_numbers(origin.get("xyz"), ZERO, where), rotation)


def _read_inertia(link: ET.Element) -> Optional[Inertia]:
    element = link.find("inertial")
    if element is None:
        return None
    mass, tensor = element.find("mass"), element.find("inertia")
    if mass is None or tensor is None:
        raise UrdfError(f"<inertial> of {link.get('name')!r} lacks <mass> or <inertia>")
    ixx, ixy, ixz, iyy, iyz, izz = (
        _number(tensor, key) for key in ("ixx", "ixy", "ixz", "iyy", "iyz", "izz")
    )
    found = Inertia(
        _number(mass, "value"), _read_pose(element), (ixx, ixy, ixz, iyy, iyz, izz)
    )
    nothing = found.mass == 0 and not any(found.moments)
    return None if nothing else found


def _read_joint(element: ET.Element) -> Joint:
    name, kind = _need(element, "name"), _need(element, "type")
    if kind not in KINDS:
        raise UrdfError(f"joint {name!r}: type {kind!r} is not one of {KINDS}")
    if kind == "fixed":
        return Joint(name, "fixed")
    axis, limit, dynamics, mimic = (
        element.find(tag) for tag in ("axis", "limit", "dynamics", "mimic")
    )
    text = None if axis is None else axis.get("xyz")
    direction = _numbers(text, (1.0, 0.0, 0.0), f"axis of joint {name!r}")
    if not any(direction):
        raise UrdfError(f"joint {name!r}: the axis is zero")
    bounded = limit is not None and kind != "continuous"
    return Joint(
        name,
        kind,
        direction,
        damping=0.0 if dynamics is None else _number(dynamics, "damping", 0.0),
        friction=0.0 if dynamics is None else _number(dynamics, "friction", 0.0),
        lower=_number(limit, "lower", 0.0) if limit is not None and bounded else None,
        upper=_number(limit, "upper", 0.0) if limit is not None and bounded else None,
        mimic=None
        if mimic is None
        else Mimic(
            _need(mimic, "joint"),
            _number(mimic, "multiplier", 1.0),
            _number(mimic, "offset", 0.0),
        ),
    )
