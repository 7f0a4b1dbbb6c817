"""Models read from MJCF text.

Of a document are read bodies with explicit inertias, hinges and slides, `connect` and
`weld` as rigid loops, spatial tendons through sites, gravity and the first key as home.
What cannot change the equations of motion is skipped (geometry beside an inertia, assets,
sensors, cameras, solver settings); all else is refused by name.
"""

from __future__ import annotations

import xml.etree.ElementTree as ET
from dataclasses import dataclass, field, replace
from typing import Dict, List, Tuple

from models.mjcf import MjcfError
from models.mjcf_elements import (
    Angles,
    named,
    number,
    numbers,
    read_body,
    read_pose,
    refuse_attributes,
    sized,
    vector,
)
from models.mjcf_ties import Ties
from models.text import refuse_repeated
from models.tree import Body, Frame, Model

SKIPPED = ("asset", "visual", "sensor", "statistic", "size", "custom", "contact")
READ = (
    "compiler", "option", "worldbody", "equality", "tendon", "actuator", "keyframe",
)  # fmt: skip
WORLD_CHILDREN = ("body", "site", "geom", "camera", "light")

COMPILER = {"angle": ("degree", "radian"), "coordinate": ("local",)}
COMPILER_OFF = {"inertiafromgeom": ("false", "auto"), "balanceinertia": ("false",)}
COMPILER_FREE = (  # they serve geometry, files and limits
    "eulerseq", "autolimits", "meshdir", "texturedir", "assetdir", "strippath",
    "discardvisual", "fusestatic", "convexhull", "usethread", "fitaabb",
    "inertiagrouprange", "exactmeshinertia", "saveinertial", "alignfree",
)  # fmt: skip
OPTION_OFF = ("density", "viscosity", "wind")
FLAGS = (
    "contact", "energy", "warmstart", "filterparent", "sensor", "multiccd", "nativeccd",
    "island", "invdiscrete", "fwdinv", "midphase", "refsafe", "clampctrl", "limit",
    "autoreset", "eulerdamp",
)  # fmt: skip
"""Flags that say how, not what, MuJoCo computes, or concern contacts and limits."""


def read_mjcf(text: str, source: str = "") -> Model:
    """The model of an MJCF.

    The tool is the only site that no loop and no tendon uses, or the one of those named
    "tool"; without such sites it is the frame of the last body.

    Raises:
        MjcfError: If the text is not such a document.
    """
    try:
        root = ET.fromstring(text)
    except (ET.ParseError, ValueError, LookupError) as error:
        raise MjcfError(f"not XML: {error}") from error
    _refuse_sections(root)
    angles = _read_compiler(root)
    gravity = _read_option(root)
    tree = _Tree(angles)
    tree.read(root)
    model = Model(
        root.get("model", "robot"),
        tuple(tree.bodies),
        Frame(tree.bodies[-1].name, len(tree.bodies) - 1),
        gravity,
        source=source,
    )
    ties = Ties(model, tree.sites)
    model = replace(
        model,
        loops=tuple(ties.loops(root)),
        tendons=tuple(ties.tendons(root)),
        home=_read_home(root, model),
    )
    return replace(model, tool=_tool(model, ties.unused()))


def _refuse_sections(root: ET.Element) -> None:
    if root.tag != "mujoco":
        raise MjcfError(f"the root is <{root.tag}>, not <mujoco>")
    for element in root.iter():
        if element.tag == "include":
            raise MjcfError("<include> is not read, paste the file it names")
        for key in ("class", "childclass"):
            if element.get(key) is not None:
                raise MjcfError(f"{named(element)}: {key} is not read, write it out")
    for section in root:
        if not isinstance(section.tag, str):
            continue  # a comment
        if section.tag == "default" and not len(section):
            continue
        if section.tag not in (*READ, *SKIPPED):
            raise MjcfError(f"<{section.tag}> is not read, write out what it says")
    for motor in root.iterfind("actuator/*"):
        if motor.tag != "motor":
            raise MjcfError(
                f"{named(motor)}: has forces of its own, remove it or use <motor>"
            )


def _read_compiler(root: ET.Element) -> Angles:
    """The angles; sections of one name add up, as in MuJoCo."""
    angles = Angles()
    for element in root.iterfind("compiler"):
        choices = {**COMPILER, **COMPILER_OFF}
        for key, allowed in choices.items():
            if element.get(key, allowed[0]) not in allowed:
                raise MjcfError(f"<compiler>: {key} must be one of {list(allowed)}")
        if number(element, "settotalmass", -1.0) > 0:
            raise MjcfError("<compiler>: settotalmass changes the masses, remove it")
        refuse_attributes(
            element,
            (*choices, *COMPILER_FREE, "settotalmass"),
            ("boundmass", "boundinertia"),
        )
        if len(element):
            raise MjcfError(f"<compiler>: <{element[0].tag}> is not read, remove it")
        unit = element.get("angle")
        sequence = element.get("eulerseq", angles.sequence)
        if len(sequence) != 3 or sequence.lower().strip("xyz"):
            raise MjcfError(f"<compiler>: eulerseq is no sequence: {sequence!r}")
        degrees = angles.degrees if unit is None else unit == "degree"
        angles = Angles(degrees, sequence)
    return angles


def _read_option(root: ET.Element) -> Tuple[float, float, float]:
    gravity = (0.0, 0.0, -9.81)
    for element in root.iterfind("option"):
        gravity = vector(element, "gravity", gravity)
        for key in OPTION_OFF:
            if any(numbers(element, key)):
                raise MjcfError(f"<option>: {key} must be zero or absent")
        for child in element:
            for key in child.keys():  # noqa: SIM118, an element is no mapping
                if child.tag != "flag" or key not in FLAGS:
                    raise MjcfError(f"<option>: <{child.tag} {key}> is not read")
    return gravity


@dataclass
class _Tree:
    """The bodies and the sites of a document."""

    angles: Angles
    bodies: List[Body] = field(default_factory=list)
    sites: Dict[str, Frame] = field(default_factory=dict)

    def read(self, root: ET.Element) -> None:
        """Read all bodies, depth first as MuJoCo counts them."""
        worlds = root.findall("worldbody")
        if not worlds:
            raise MjcfError("no <worldbody>")
        pending: List[Tuple[ET.Element, int]] = [(w, -1) for w in reversed(worlds)]
        while pending:
            element, index = pending.pop()
            if element.tag == "body":
                index = self._body(element, index)
            else:
                _refuse_all_but_scenery(element)
            for site in element.iterfind("site"):
                self._site(site, index)
            pending += [(e, index) for e in reversed(element.findall("body"))]
        if not self.bodies:
            raise MjcfError("<worldbody> has no <body>")
        names = [b.name for b in self.bodies]
        refuse_repeated(["world", *names], MjcfError)
        refuse_repeated([b.joint.name for b in self.bodies], MjcfError)

    def _body(self, element: ET.Element, parent: int) -> int:
        count = len(self.bodies)
        name = element.get("name", f"body{count + 1}")
        self.bodies += read_body(element, parent, name, count, self.angles)
        return len(self.bodies) - 1

    def _site(self, element: ET.Element, index: int) -> None:
        for key in ("axisangle", "xyaxes", "zaxis", "fromto"):
            if element.get(key) is not None:
                raise MjcfError(f"{named(element)}: {key} is not read, write a quat")
        name = element.get("name", f"site{len(self.sites) + 1}")
        refuse_repeated([*self.sites, name], MjcfError)
        self.sites[name] = Frame(name, index, read_pose(element, self.angles))


def _refuse_all_but_scenery(world: ET.Element) -> None:
    for child in world:
        if isinstance(child.tag, str) and child.tag not in WORLD_CHILDREN:
            raise MjcfError(f"<worldbody>: <{child.tag}> is not read, remove it")


def _read_home(root: ET.Element, model: Model) -> Tuple[float, ...]:
    key = root.find("keyframe/key")
    if key is None or key.get("qpos") is None:
        return ()
    return tuple(sized(key, "qpos", (0.0,) * model.nq))


def _tool(model: Model, free: List[Frame]) -> Frame:
    if len(free) > 1:
        free = [site for site in free if site.name == "tool"] or free
    if len(free) > 1:
        names = ", ".join(site.name for site in free)
        raise MjcfError(f"sites {names}: which is the tool? name one of them 'tool'")
    return free[0] if free else model.tool
