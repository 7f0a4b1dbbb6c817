"""Loops and tendons read from an MJCF document: what ties its bodies across the tree."""

from __future__ import annotations

import xml.etree.ElementTree as ET
from typing import Dict, List, Optional, Set

from models.mjcf import CLOSURES, MjcfError
from models.mjcf_elements import (
    named,
    refuse_attributes,
    sized,
    vector,
)
from models.placing import matching
from models.text import refuse_repeated
from models.tree import Frame, Loop, Model, Pose, Quaternion, Tendon

KINDS = {word: kind for kind, word in CLOSURES.items()}
BY_SITES = ("site1", "site2")
BY_BODIES = ("body1", "body2", "anchor")
SOLVER = ("solref", "solimp", "torquescale")
"""How soft MuJoCo makes a loop; the loops of a model are rigid."""

DRAWN = (
    "name", "group", "rgba", "width", "material", "user", "limited", "range", "margin",
    "solreflimit", "solimplimit", "springlength", "solreffriction", "solimpfriction",
    "actuatorfrcrange", "actuatorfrclimited",
)  # fmt: skip
"""Attributes of a tendon without effect, or on its limits, or on an absent spring."""


class Ties:
    """The loops and tendons of a document, between the sites and bodies of its tree."""

    def __init__(self, tree: Model, sites: Dict[str, Frame]) -> None:
        self.tree = tree
        self.sites = sites
        self.used: List[str] = []
        self.taken: Set[str] = set(sites)

    def unused(self) -> List[Frame]:
        """The sites that no loop and no tendon uses."""
        return [site for name, site in self.sites.items() if name not in self.used]

    def loops(self, root: ET.Element) -> List[Loop]:
        """All loops of `<equality>`."""
        found = [
            self._loop(element, f"loop{k}")
            for k, element in enumerate(root.iterfind("equality/*"), 1)
            if isinstance(element.tag, str)
        ]
        refuse_repeated([loop.name for loop in found], MjcfError)
        return found

    def tendons(self, root: ET.Element) -> List[Tendon]:
        """All tendons of `<tendon>`."""
        found = []
        for k, element in enumerate(root.iterfind("tendon/*"), 1):
            if not isinstance(element.tag, str):
                continue
            if element.tag != "spatial":
                raise MjcfError(f"{named(element)}: only <spatial> tendons are read")
            springs = ("stiffness", "damping", "frictionloss", "armature")
            refuse_attributes(element, DRAWN, springs)
            for child in element:
                if child.tag != "site":
                    raise MjcfError(f"{named(element)}: <{child.tag}> is not read")
            points = [self._site(element, e.get("site")) for e in element]
            if len(points) < 2:
                raise MjcfError(f"{named(element)}: needs two sites, has {len(points)}")
            found.append(Tendon(element.get("name", f"tendon{k}"), tuple(points)))
        refuse_repeated([tendon.name for tendon in found], MjcfError)
        return found

    def _loop(self, element: ET.Element, default_name: str) -> Loop:
        if element.tag not in KINDS:
            words = " and ".join(KINDS)
            raise MjcfError(f"{named(element)}: only {words} are read, remove it")
        if element.get("active", "true") != "true":
            raise MjcfError(f"{named(element)}: is not active, remove it")
        own = ("relpose",) if element.tag == "weld" else ()
        refuse_attributes(
            element, ("name", "active", *SOLVER, *BY_SITES, *BY_BODIES, *own)
        )
        kind, name = KINDS[element.tag], element.get("name", default_name)
        if element.get("site1") is not None or element.get("site2") is not None:
            if any(element.get(key) is not None for key in (*BY_BODIES, *own)):
                raise MjcfError(f"{named(element)}: has sites and bodies, keep one")
            ends = [self._site(element, element.get(key)) for key in BY_SITES]
            return Loop(name, kind, *ends)
        return self._between_bodies(element, name, kind)

    def _site(self, element: ET.Element, name: Optional[str]) -> Frame:
        """A site by its name; used again, it gets another name."""
        if name not in self.sites or name is None:
            raise MjcfError(f"{named(element)}: there is no site {name!r}")
        frame = self.sites[name]
        if name in self.used:
            frame = frame._replace(name=self._fresh(name))
        self.used.append(name)
        return frame

    def _fresh(self, name: str) -> str:
        k = 2
        while f"{name}_{k}" in self.taken:
            k += 1
        self.taken.add(f"{name}_{k}")
        return f"{name}_{k}"

    def _body(self, element: ET.Element, key: str) -> int:
        names = ["world", *(b.name for b in self.tree.bodies)]
        name = element.get(key, "world" if key == "body2" else None)
        if name not in names:
            raise MjcfError(f"{named(element)}: {key}: there is no body {name!r}")
        return names.index(name) - 1

    def _between_bodies(self, element: ET.Element, name: str, kind: str) -> Loop:
        """A loop whose missing frame is where the other one is at zero.

        MuJoCo gives the anchor of a connect in body1, that of a weld in body2.  The
        relpose of a weld is the pose in body1 of a frame at the anchor, in the axes of
        body2: so MuJoCo 4.0.0 computes it.
        """
        one, two = self._body(element, "body1"), self._body(element, "body2")
        zero = (0.0,) * self.tree.nq
        anchor = Pose(vector(element, "anchor"))
        names = [f"{name}_first", f"{name}_second"]
        if kind == "point":
            if element.get("anchor") is None:
                raise MjcfError(f"{named(element)}: needs an anchor")
            first = Frame(names[0], one, anchor)
            second = matching(self.tree, zero, first, two, names[1])
            return Loop(name, kind, first, Frame(names[1], two, Pose(second.pose.p)))
        second = Frame(names[1], two, anchor)
        x, y, z, *turn = sized(element, "relpose", (0.0, 1.0, *[0.0] * 5))
        if not any(turn):
            return Loop(
                name, kind, matching(self.tree, zero, second, one, names[0]), second
            )
        first = Frame(names[0], one, Pose((x, y, z), Quaternion(*turn)))
        return Loop(name, kind, first, second)
