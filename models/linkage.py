"""Linkages as graphs: links, and the joints between them in one closed pose.

Unlike a `Model` a linkage is no tree with closures: every joint stands beside the others,
with its point and axes in the world of the closed pose, so nothing has to be closed first.
Numbers may be fractions: an overconstrained linkage moves in exact numbers only.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from math import isfinite
from typing import Dict, NamedTuple, Optional, Tuple, Union

Number = Union[int, float, Fraction]
Vector = Tuple[Number, Number, Number]

ORIGIN: Vector = (0, 0, 0)


class PairKind(NamedTuple):
    """Letter, freedom f, and how many axes a kind of joint has."""

    letter: str
    f: int
    axes: int


PAIR_KINDS: Dict[str, PairKind] = {
    "fixed": PairKind("X", 0, 0),
    "revolute": PairKind("R", 1, 1),
    "prismatic": PairKind("P", 1, 1),
    "helical": PairKind("H", 1, 1),
    "cylindrical": PairKind("C", 2, 1),
    "universal": PairKind("U", 2, 2),
    "spherical": PairKind("S", 3, 0),
    "planar": PairKind("E", 3, 1),
    "free": PairKind("F", 6, 0),
}
"""The kinds of joint between two links; the axis of a planar one is its normal."""


class LinkageError(ValueError):
    """The numbers describe no linkage; one line that names the place."""


@dataclass(frozen=True)
class Pair:
    """A joint between two links, in the closed pose.

    Attributes:
        name: Name, unique in the linkage.
        kind: A key of `PAIR_KINDS`.
        first: Index of the link that it starts from.
        second: Index of the link that it carries; its rate is that of second against first.
        point: A point on it [m], in the world.
        axes: Its axes in the world, of any length but zero; two for a universal joint, the
            one fixed in the first link first.
        pitch: Advance of a helical joint per radian [m/rad].
    """

    name: str
    kind: str
    first: int
    second: int
    point: Vector = ORIGIN
    axes: Tuple[Vector, ...] = ()
    pitch: Number = 0

    @property
    def f(self) -> int:
        """Its freedom."""
        return PAIR_KINDS[self.kind].f


@dataclass(frozen=True)
class Linkage:
    """Links and the joints between them.

    Attributes:
        name: Name, a word.
        links: Names of the links; the first is the ground.
        pairs: The joints.
        platform: Index of the link whose freedom is asked for; None leaves the choice open.
        exact: Whether its numbers are the geometry itself, and not rounded from it.
        title: Its name in the literature.
        mobility: Its published mobility, None without one.
        source: Where it comes from.
        note: What makes it move.
    """

    name: str
    links: Tuple[str, ...]
    pairs: Tuple[Pair, ...]
    platform: Optional[int] = None
    exact: bool = False
    title: str = ""
    mobility: Optional[int] = None
    source: str = ""
    note: str = ""

    def __post_init__(self) -> None:
        """Refuse what is no linkage.

        Raises:
            LinkageError: In one line that names the joint or link.
        """
        _refuse_twice("link", self.links)
        _refuse_twice("joint", tuple(pair.name for pair in self.pairs))
        if not self.pairs:
            raise LinkageError("there is no joint")
        for pair in self.pairs:
            _check(pair, self.links)
        _refuse_disconnected(self)
        if self.platform is not None and not 0 < self.platform < len(self.links):
            raise LinkageError("the platform must be a link other than the ground")


def _refuse_twice(what: str, names: Tuple[str, ...]) -> None:
    for name in names:
        if names.count(name) > 1:
            raise LinkageError(f"two {what}s are called {name!r}")


def _check(pair: Pair, links: Tuple[str, ...]) -> None:
    where = f"joint {pair.name!r}"
    if pair.kind not in PAIR_KINDS:
        kinds = ", ".join(PAIR_KINDS)
        raise LinkageError(f"{where}: kind {pair.kind!r} is not one of {kinds}")
    if not (0 <= pair.first < len(links) and 0 <= pair.second < len(links)):
        raise LinkageError(f"{where}: there is no such link")
    if pair.first == pair.second:
        raise LinkageError(f"{where}: joins link {links[pair.first]!r} to itself")
    wanted = PAIR_KINDS[pair.kind].axes
    if len(pair.axes) != wanted:
        raise LinkageError(
            f"{where}: a {pair.kind} joint has {wanted} axes, not {len(pair.axes)}"
        )
    for numbers in (pair.point, *pair.axes, (pair.pitch,)):
        if not all(isfinite(x) for x in numbers):
            raise LinkageError(f"{where}: {numbers} is not finite")
    for axis in pair.axes:
        if not any(axis):
            raise LinkageError(f"{where}: an axis is zero")
    if len(pair.axes) == 2 and not any(cross(*pair.axes)):
        raise LinkageError(f"{where}: its two axes are parallel")


def _refuse_disconnected(linkage: Linkage) -> None:
    reached, more = {0}, True
    while more:
        ends = [{p.first, p.second} for p in linkage.pairs]
        new = {i for e in ends if e & reached for i in e} - reached
        reached, more = reached | new, bool(new)
    for i, name in enumerate(linkage.links):
        if i not in reached:
            raise LinkageError(
                f"link {name!r} is not connected with the ground {linkage.links[0]!r}"
            )


def cross(a: Vector, b: Vector) -> Vector:
    """Cross product, in the numbers' own arithmetic."""
    return (
        a[1] * b[2] - a[2] * b[1],
        a[2] * b[0] - a[0] * b[2],
        a[0] * b[1] - a[1] * b[0],
    )
