"""Models read from URDF text.

The reader takes the doubles of the text and tidies nothing: an angle of 1.5708 stays
1.5708.
"""

from __future__ import annotations

import xml.etree.ElementTree as ET
from typing import Collection, Dict, List, Optional, Tuple

from models.text import finite, refuse_repeated
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
from models.urdf import KINDS, WORLD, UrdfError, need


def read_urdf(
    text: str,
    tool: Optional[str] = None,
    source: str = "",
    keep: Collection[str] = (),
) -> Model:
    """The model of a URDF; the root link is the world's child by a fixed joint.

    Args:
        text: The document.
        tool: Name of the link whose frame is the tool, without one that of the last
            body; its link is kept as a body unless it has no mass and no children.
        source: Where the numbers come from.
        keep: Names of links that are kept as bodies even without mass and children.

    Raises:
        UrdfError: If the text is not such a URDF.
    """
    try:
        robot = ET.fromstring(text)
    except (ET.ParseError, ValueError, LookupError) as error:
        raise UrdfError(f"not XML: {error}") from error
    links = {need(e, "name"): e for e in robot.findall("link")}
    joints = robot.findall("joint")
    _refuse_unread(robot)
    _refuse_all_but_trees(robot)
    if tool is not None and tool not in links:
        raise UrdfError(f"tool link {tool!r} is not in the document")
    bodies, where = _read_bodies(links, joints, keep)
    if not bodies:
        raise UrdfError("has no body: no link has mass or moves")
    model_name = robot.get("name", "robot")
    frame = where[bodies[-1].name if tool is None else tool]
    return Model(model_name, tuple(bodies), frame, source=source)


def _read_bodies(
    links: Dict[str, ET.Element], joints: List[ET.Element], keep: Collection[str]
) -> Tuple[List[Body], Dict[str, Frame]]:
    """The bodies, depth first, and the frame of every link."""
    children = {_link_of(j, "child") for j in joints}
    (root,) = (name for name in links if name not in children)
    bodies: List[Body] = []
    where: Dict[str, Frame] = {}
    pending = [(root, -1, Joint(f"{root}_mount", "fixed"), Pose())]
    while pending:
        name, parent, joint, placement = pending.pop()
        inertia = _read_inertia(links[name])
        below = [j for j in joints if _link_of(j, "parent") == name]
        bare = joint.kind == "fixed" and inertia is None
        if bare and not below and name not in keep:
            where[name] = Frame(name, parent, placement)
            continue
        if parent < 0 and name == WORLD and inertia is None:
            where[name] = Frame(name, -1)
        else:
            bodies.append(Body(name, parent, joint, placement, inertia))
            where[name] = Frame(name, len(bodies) - 1)
        index = where[name].body
        for j in reversed(below):
            child = _link_of(j, "child")
            pending.append((child, index, _read_joint(j), _read_pose(j)))
    return bodies, where


READ = {
    "robot": ("link", "joint", "material", "transmission", "gazebo"),
    "link": ("inertial", "visual", "collision"),
    "joint": (
        "parent", "child", "origin", "axis", "limit", "dynamics", "mimic",
        "safety_controller", "calibration",
    ),
}  # fmt: skip
"""Elements that are read, or that cannot change the equations of motion."""


def _refuse_unread(robot: ET.Element) -> None:
    """Nothing that could change the equations of motion is dropped in silence."""
    if robot.tag != "robot":
        raise UrdfError(f"the root is <{robot.tag}>, not <robot>")
    for element in (robot, *robot.findall("link"), *robot.findall("joint")):
        for child in element:
            if isinstance(child.tag, str) and child.tag not in READ[element.tag]:
                name = element.get("name")
                raise UrdfError(
                    f"<{element.tag}> {name!r}: <{child.tag}> is not read, remove it"
                )
    if robot.find("gazebo//joint") is not None:
        raise UrdfError("<gazebo> has a <joint>, which is not read: give it as a loop")


def _refuse_all_but_trees(robot: ET.Element) -> None:
    """Every name once, every joint between links, one parent for each link but the root."""
    for tag in ("link", "joint"):
        refuse_repeated([need(e, "name") for e in robot.findall(tag)], UrdfError)
    links = [need(e, "name") for e in robot.findall("link")]
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


def _link_of(joint: ET.Element, role: str) -> str:
    element = joint.find(role)
    if element is None:
        raise UrdfError(f"joint {joint.get('name')!r} has no <{role}>")
    return need(element, "link")


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
    name, kind = need(element, "name"), need(element, "type")
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
            need(mimic, "joint"),
            _number(mimic, "multiplier", 1.0),
            _number(mimic, "offset", 0.0),
        ),
    )
