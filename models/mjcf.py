"""Models as MJCF text, written with all digits and read back.

Roll-pitch-yaw is `euler` with ``eulerseq="XYZ"``, turns about the fixed axes x, y, z.  The
reader serves explicit documents (no defaults, no geometry): the ones the writer writes.
"""

from __future__ import annotations

import xml.etree.ElementTree as ET
from typing import Dict, List, Sequence, Tuple

import numpy as np

from models.rotation import matrix
from models.text import digits, finite, refuse_repeated
from models.tree import (
    ZERO,
    Body,
    Frame,
    Inertia,
    Joint,
    Model,
    Pose,
    Quaternion,
    Rpy,
    Vec3,
)

TYPES = {"revolute": "hinge", "continuous": "hinge", "prismatic": "slide"}
COMPILER = {"angle": "radian", "eulerseq": "XYZ", "autolimits": "false"}


class MjcfError(ValueError):
    """The text is not an MJCF that a model can hold, or a model MJCF cannot write."""


# ---------------------------------------------------------------------------- writing


def write_mjcf(model: Model) -> str:
    """The model as MJCF; bodies and joints keep their names, the tool is a site.

    Raises:
        MjcfError: If a joint, a loop or a tendon of the model is not written.
    """
    if model.loops or model.tendons:
        raise MjcfError(f"{model.name}: loops and tendons are not written")
    root = ET.Element("mujoco", model=model.name)
    ET.SubElement(root, "compiler", COMPILER)
    ET.SubElement(root, "option", gravity=digits(model.gravity))
    world = ET.SubElement(root, "worldbody")
    elements: Dict[int, ET.Element] = {-1: world}
    for i, body in enumerate(model.bodies):
        element = ET.SubElement(elements[body.parent], "body", name=body.name)
        _write_pose(element, body.placement)
        if body.joint.kind != "fixed":
            _write_joint(element, body.joint)
        if body.inertia is not None:
            _write_inertia(element, body.inertia)
        elements[i] = element
    site = ET.SubElement(elements[model.tool.body], "site", name=model.tool.name)
    _write_pose(site, model.tool.pose)
    ET.indent(root)
    return ET.tostring(root, encoding="unicode") + "\n"


def _write_pose(element: ET.Element, pose: Pose) -> None:
    element.set("pos", digits(pose.p))
    if any(pose.rotation[-3:]):
        key = "euler" if isinstance(pose.rotation, Rpy) else "quat"
        element.set(key, digits(pose.rotation))


def _write_joint(element: ET.Element, joint: Joint) -> None:
    if joint.kind not in TYPES or joint.mimic:
        raise MjcfError(f"no MJCF for joint {joint.name} ({joint.kind})")
    ET.SubElement(
        element,
        "joint",
        name=joint.name,
        type=TYPES[joint.kind],
        axis=digits(joint.axis),
        armature=repr(float(joint.armature)),
        damping=repr(float(joint.damping)),
        frictionloss=repr(float(joint.friction)),
    )


def _write_inertia(element: ET.Element, inertia: Inertia) -> None:
    ixx, ixy, ixz, iyy, iyz, izz = inertia.moments
    inertial = ET.SubElement(element, "inertial", mass=repr(float(inertia.mass)))
    if not (ixy or ixz or iyz):
        _write_pose(inertial, inertia.pose)
        inertial.set("diaginertia", digits((ixx, iyy, izz)))
        return
    if any(inertia.pose.rotation[-3:]):  # MJCF takes a full tensor in body axes only
        R = matrix(inertia.pose.rotation)
        tensor = np.array([[ixx, ixy, ixz], [ixy, iyy, iyz], [ixz, iyz, izz]])
        turned = R @ tensor @ R.T
        (ixx, ixy, ixz), (_, iyy, iyz), (_, _, izz) = turned.tolist()
    _write_pose(inertial, Pose(inertia.pose.p))
    inertial.set("fullinertia", digits((ixx, iyy, izz, ixy, ixz, iyz)))


# ---------------------------------------------------------------------------- reading


def read_mjcf(text: str, source: str = "") -> Model:
    """The model of an explicit MJCF; its only site is the tool.

    Raises:
        MjcfError: If the text is not such a document.
    """
    try:
        root = ET.fromstring(text)
    except (ET.ParseError, ValueError, LookupError) as error:
        raise MjcfError(f"not XML: {error}") from error
    compiler, option, world = (
        root.find(tag) for tag in ("compiler", "option", "worldbody")
    )
    if world is None:
        raise MjcfError("no <worldbody>")
    if compiler is None or any(compiler.get(k) != v for k, v in COMPILER.items()):
        raise MjcfError(f"needs <compiler> with {COMPILER}")
    bodies: List[Body] = []
    sites: List[Frame] = []
    pending: List[Tuple[ET.Element, int]] = [(world, -1)]
    while pending:
        element, index = pending.pop()
        if element.tag == "body":
            bodies.append(_read_body(element, index))
            index = len(bodies) - 1
        for site in element.findall("site"):
            sites.append(Frame(site.get("name", "tool"), index, _read_pose(site)))
        pending += [(child, index) for child in reversed(element.findall("body"))]
    if len(sites) != 1:
        raise MjcfError(f"needs one site, the tool; has {len(sites)}")
    for names in ([b.name for b in bodies], [b.joint.name for b in bodies]):
        refuse_repeated(names, MjcfError)
    down = (0.0, 0.0, -9.81)
    gravity = down if option is None else _vector(option, "gravity", down)
    name = root.get("model", "robot")
    return Model(name, tuple(bodies), sites[0], gravity, source=source)


def _numbers(element: ET.Element, key: str, default: Sequence[float]) -> List[float]:
    """The numbers of an attribute, as many as its default has."""
    text = element.get(key)
    if text is None:
        return list(default)
    where = f"{key} of <{element.tag}> {element.get('name', '')!r}"
    try:
        numbers = [finite(word) for word in text.split()]
    except ValueError:
        raise MjcfError(f"{where}: not numbers: {text!r}") from None
    if len(numbers) != len(default):
        raise MjcfError(f"{where}: expected {len(default)} numbers, got {text!r}")
    return numbers


def _number(element: ET.Element, key: str, default: float = 0.0) -> float:
    (number,) = _numbers(element, key, (default,))
    return number


def _vector(element: ET.Element, key: str, default: Vec3 = ZERO) -> Vec3:
    x, y, z = _numbers(element, key, default)
    return (x, y, z)


def _read_pose(element: ET.Element) -> Pose:
    p = _vector(element, "pos")
    if element.get("quat") is None:
        return Pose(p, Rpy(*_vector(element, "euler")))
    quaternion = Quaternion(*_numbers(element, "quat", Quaternion()))
    if not any(quaternion):
        raise MjcfError(f"<{element.tag}> {element.get('name', '')!r}: quat is zero")
    return Pose(p, quaternion)


def _read_body(element: ET.Element, parent: int) -> Body:
    name = element.get("name", "")
    joints = element.findall("joint")
    if len(joints) > 1:
        raise MjcfError(f"body {name!r} has {len(joints)} joints, one at most is read")
    joint = _read_joint(joints[0]) if joints else Joint(f"{name}_weld", "fixed")
    inertial = element.find("inertial")
    inertia = None if inertial is None else _read_inertia(inertial, name)
    return Body(name, parent, joint, _read_pose(element), inertia)


def _read_joint(element: ET.Element) -> Joint:
    kinds = {"hinge": "revolute", "slide": "prismatic"}
    name, kind = element.get("name", ""), element.get("type", "hinge")
    if kind not in kinds:
        raise MjcfError(f"joint {name!r}: type {kind!r} is not read")
    axis = _vector(element, "axis", (0.0, 0.0, 1.0))
    if not any(axis):
        raise MjcfError(f"joint {name!r}: the axis is zero")
    return Joint(
        name,
        kinds[kind],
        axis,
        armature=_number(element, "armature"),
        damping=_number(element, "damping"),
        friction=_number(element, "frictionloss"),
    )


def _read_inertia(element: ET.Element, body: str) -> Inertia:
    if element.get("mass") is None:
        raise MjcfError(f"<inertial> of body {body!r} has no attribute 'mass'")
    mass = _number(element, "mass")
    if element.get("fullinertia") is None:
        ixx, iyy, izz = _vector(element, "diaginertia")
        return Inertia(mass, _read_pose(element), (ixx, 0.0, 0.0, iyy, 0.0, izz))
    ixx, iyy, izz, ixy, ixz, iyz = _numbers(element, "fullinertia", [0.0] * 6)
    return Inertia(mass, _read_pose(element), (ixx, ixy, ixz, iyy, iyz, izz))
