"""Models as MJCF text, written with all digits.

Roll-pitch-yaw is `euler` with ``eulerseq="XYZ"``, turns about the fixed axes x, y, z.
"""

from __future__ import annotations

import xml.etree.ElementTree as ET
from typing import Dict, Sequence

import numpy as np

from models.rotation import matrix
from models.text import digits, refuse_repeated
from models.tree import Inertia, Joint, Loop, Model, Pose, Rpy, Tendon

TYPES = {"revolute": "hinge", "continuous": "hinge", "prismatic": "slide"}
CLOSURES = {"point": "connect", "frame": "weld"}
COMPILER = {"angle": "radian", "eulerseq": "XYZ", "autolimits": "false"}


class MjcfError(ValueError):
    """The text is not an MJCF that a model can hold, or a model MJCF cannot write."""


def write_mjcf(model: Model) -> str:
    """The model as MJCF; bodies and joints keep their names.

    The tool, the frames of the loops and the points of the tendons are sites.  A loop is
    a `connect` or a `weld` of two sites, a tendon is `spatial` and pulled by a `motor` of
    its name, and the home is the first key.  MuJoCo moves nothing without mass: a body
    without, whose only child lies in its own frame, lends that child its joint.

    Raises:
        MjcfError: If MJCF has no word for a joint, or a name occurs twice.
    """
    _refuse_repeated(model)
    root = ET.Element("mujoco", model=model.name)
    ET.SubElement(root, "compiler", COMPILER)
    ET.SubElement(root, "option", gravity=digits(model.gravity))
    elements = _write_bodies(ET.SubElement(root, "worldbody"), model)
    for frame in (model.tool, *model.marks):
        site = ET.SubElement(elements[frame.body], "site", name=frame.name)
        _write_pose(site, frame.pose)
    if model.loops:
        _write_loops(root, model.loops)
    if model.tendons:
        _write_tendons(root, model.tendons)
    if model.home:
        _write_home(root, model)
    ET.indent(root)
    return ET.tostring(root, encoding="unicode") + "\n"


def _refuse_repeated(model: Model) -> None:
    """Every name once among those of its kind."""
    bodies, joints = model.bodies, [b.joint for b in model.bodies if b.joint.nv]
    for names in (
        ["world", *(b.name for b in bodies)],
        [joint.name for joint in joints],
        [frame.name for frame in (model.tool, *model.marks)],
        [loop.name for loop in model.loops],
        [tendon.name for tendon in model.tendons],
    ):
        refuse_repeated(names, MjcfError)


def lends_its_joint(model: Model, index: int) -> bool:
    """Whether a body has no mass and nothing on it but one body in its own frame."""
    body = model.bodies[index]
    below = [b for b in model.bodies if b.parent == index]
    return (
        body.joint.nv > 0
        and body.inertia is None
        and [b.placement for b in below] == [Pose()]
        and index not in [frame.body for frame in (model.tool, *model.marks)]
    )


def _write_bodies(world: ET.Element, model: Model) -> Dict[int, ET.Element]:
    """The element of every body, and of the world under -1."""
    elements = {-1: world}
    for i, body in enumerate(model.bodies):
        if body.parent >= 0 and lends_its_joint(model, body.parent):
            element = elements[body.parent]
            element.set("name", body.name)
        else:
            element = ET.SubElement(elements[body.parent], "body", name=body.name)
            _write_pose(element, body.placement)
        if body.joint.kind != "fixed":
            _write_joint(element, body.joint)
        if body.inertia is not None:
            _write_inertia(element, body.inertia)
        elements[i] = element
    return elements


def _write_loops(root: ET.Element, loops: Sequence[Loop]) -> None:
    equality = ET.SubElement(root, "equality")
    for loop in loops:
        if loop.kind not in CLOSURES:
            raise MjcfError(f"no MJCF for loop {loop.name} ({loop.kind})")
        ends = {"site1": loop.first.name, "site2": loop.second.name}
        ET.SubElement(equality, CLOSURES[loop.kind], ends, name=loop.name)


def _write_tendons(root: ET.Element, tendons: Sequence[Tendon]) -> None:
    lines = ET.SubElement(root, "tendon")
    motors = ET.SubElement(root, "actuator")
    for tendon in tendons:
        spatial = ET.SubElement(lines, "spatial", name=tendon.name)
        for point in tendon.points:
            ET.SubElement(spatial, "site", site=point.name)
        ET.SubElement(motors, "motor", name=tendon.name, tendon=tendon.name, gear="1")


def _write_home(root: ET.Element, model: Model) -> None:
    """The home as a key, in MuJoCo's order of joints: depth first."""
    names = [model.bodies[i].joint.name for i in model.moving]
    if len(model.home) != len(names):
        raise MjcfError(
            f"{model.name}: {len(model.home)} numbers of home for {len(names)} joints"
        )
    position = dict(zip(names, model.home))
    qpos = [position[e.get("name", "")] for e in root.iter("joint")]
    keys = ET.SubElement(root, "keyframe")
    ET.SubElement(keys, "key", name="home", qpos=digits(qpos))


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
