"""A linkage from a TOML file.

The TOML::

    name = "bennett-4r"             # default: the file's, without its suffix
    title = "Bennett 4R"            # all in this block is optional
    ground = "ground"               # the fixed link, "ground" unless said
    links = ["crank", "coupler"]    # those that move, in order; then there are no others
    platform = "coupler"            # the link whose freedom is asked for
    exact = true                    # the numbers are the geometry, not rounded from it
    mobility = 1                    # published
    source = "Bennett 1903"
    note = "moves in exact numbers only"

    [[joint]]
    name = "j1"                     # default: j1, j2, ...
    kind = "revolute"               # or its letter, see `models.linkage.PAIR_KINDS`
    links = ["ground", "crank"]     # without a list above a mention makes a link
    point = [0, "1/3", 0.25]        # [m], in the world of one closed pose
    axis = ["3/5", "4/5", 0]        # of any length; axes = [[...], [...]] if universal
    pitch = "1/10"                  # [m/rad], of a helical joint

Whole numbers and strings are exact fractions.  A decimal is a double, but in a file with
`exact = true` it is the fraction that its digits say.
"""

from __future__ import annotations

import re
from decimal import Decimal
from fractions import Fraction
from math import isfinite
from pathlib import Path
from typing import Any, Collection, Dict, List, NamedTuple, Optional, Tuple

from models.linkage import (
    ORIGIN,
    PAIR_KINDS,
    Linkage,
    LinkageError,
    Number,
    Pair,
    Vector,
)

Table = Dict[str, Any]

GROUND = "ground"
KEYS = (
    "name",
    "title",
    "ground",
    "links",
    "platform",
    "exact",
    "mobility",
    "source",
    "note",
    "joint",
)
JOINT_KEYS = ("name", "kind", "links", "point", "axis", "axes", "pitch")
POINTLESS = ("fixed", "prismatic", "free")
"""Kinds that need no point: what they allow is the same wherever they are."""
LETTERS = {kind.letter: name for name, kind in PAIR_KINDS.items()}
FRACTION = re.compile(r"[+-]?\d+(/\d+|(\.\d+)?([eE][+-]?\d{1,3})?)")


class _Draft(NamedTuple):
    """What a joint needs to know of the file: how to take its numbers, and the links."""

    exact: bool
    links: List[str]
    complete: bool


def read_linkage(path: str | Path) -> Linkage:
    """The linkage of a TOML file.

    Args:
        path: The file; without a `name` in it the linkage has that of the file.

    Raises:
        LinkageError: In one line, with the file, the place in it and what is wrong.
    """
    file = Path(path)
    try:
        return _linkage(_parsed(_text(file)), file.stem)
    except ValueError as error:
        raise LinkageError(f"{file}: {' '.join(str(error).split())}") from error


def _text(file: Path) -> str:
    try:
        return file.read_text(encoding="utf-8-sig")
    except UnicodeDecodeError:
        raise LinkageError("is not UTF-8 text, convert it") from None
    except OSError as error:
        raise LinkageError(error.strerror or str(error)) from None


def _parsed(text: str) -> Table:
    try:
        import tomllib
    except ImportError:
        raise LinkageError("a TOML needs Python 3.11 or later") from None
    try:
        return tomllib.loads(text, parse_float=Decimal)
    except (ValueError, RecursionError) as error:
        raise LinkageError(f"not TOML: {error}") from error


# ---------------------------------------------------------------------------- the file


def _linkage(table: Table, stem: str) -> Linkage:
    _refuse_unknown(table, KEYS, "the file")
    joints = table.get("joint", [])
    if not isinstance(joints, list) or not all(isinstance(j, dict) for j in joints):
        raise LinkageError("joint: write [[joint]], with double brackets")
    if not joints:
        raise LinkageError("the file: has no [[joint]]")
    ground = _string(table, "ground", "the file", GROUND)
    listed = _names(table, "the file") if "links" in table else []
    draft = _Draft(_flag(table, "exact"), [ground, *listed], "links" in table)
    pairs = tuple(_pair(k, joint, draft) for k, joint in enumerate(joints, 1))
    if not any(pair.first == 0 or pair.second == 0 for pair in pairs):
        raise LinkageError(f"ground: no joint has the link {ground!r}, set ground")
    return Linkage(
        name=_string(table, "name", "the file", stem),
        links=tuple(draft.links),
        pairs=pairs,
        platform=_platform(table, draft.links),
        exact=draft.exact,
        title=_string(table, "title", "the file", ""),
        mobility=_mobility(table),
        source=_string(table, "source", "the file", ""),
        note=_string(table, "note", "the file", ""),
    )


def _refuse_unknown(table: Table, keys: Collection[str], where: str) -> None:
    unknown = sorted(set(table) - set(keys))
    if unknown:
        raise LinkageError(
            f"{where}: unknown key {unknown[0]!r}, use {', '.join(keys)}"
        )


def _string(table: Table, key: str, where: str, default: Optional[str] = None) -> str:
    value = table.get(key, default)
    if key not in table and default is not None:
        return default
    if not isinstance(value, str) or not value:
        raise LinkageError(f"{where}: {key} must be a string, is {_said(value)}")
    return value


def _flag(table: Table, key: str) -> bool:
    value = table.get(key, False)
    if not isinstance(value, bool):
        raise LinkageError(f"the file: {key} must be true or false, is {_said(value)}")
    return value


def _mobility(table: Table) -> Optional[int]:
    value = table.get("mobility")
    if "mobility" in table and (type(value) is not int or value < 0):
        raise LinkageError(
            f"the file: mobility must be a whole number from 0, is {_said(value)}"
        )
    return value


def _names(table: Table, where: str) -> List[str]:
    names = table.get("links")
    if not isinstance(names, list) or not all(isinstance(n, str) and n for n in names):
        raise LinkageError(f"{where}: links must be names, is {_said(names)}")
    return names


def _platform(table: Table, links: List[str]) -> Optional[int]:
    if "platform" not in table:
        return None
    name = _string(table, "platform", "the file")
    if name not in links:
        raise LinkageError(f"platform: there is no link {name!r}, use one of {links}")
    return links.index(name)


def _said(value: Any) -> str:
    """A value as it stands in the file, or nearly so, and not too long."""
    text = str(value) if isinstance(value, Decimal) else repr(value)
    return text if len(text) <= 60 else text[:57] + "..."


# ------------------------------------------------------------------------------ a joint


def _pair(k: int, table: Table, draft: _Draft) -> Pair:
    name = _string(table, "name", f"[[joint]] {k}", f"j{k}")
    where = f"joint {name!r}"
    _refuse_unknown(table, JOINT_KEYS, where)
    kind = _kind(table, where)
    first, second = _ends(table, where, draft)
    if "point" not in table and kind not in POINTLESS:
        raise LinkageError(f"{where}: a {kind} joint needs a point")
    if ("pitch" in table) != (kind == "helical"):
        raise LinkageError(f"{where}: a helical joint needs a pitch, no other has one")
    return Pair(
        name,
        kind,
        first,
        second,
        point=_vector(table.get("point", list(ORIGIN)), draft, f"{where}: point"),
        axes=_axes(table, draft, where),
        pitch=_number(table.get("pitch", 0), draft, f"{where}: pitch"),
    )


def _kind(table: Table, where: str) -> str:
    kind = _string(table, "kind", where)
    kind = LETTERS.get(kind, kind)
    if kind not in PAIR_KINDS:
        known = ", ".join(f"{name} ({k.letter})" for name, k in PAIR_KINDS.items())
        raise LinkageError(f"{where}: kind {kind!r} is not one of {known}")
    return kind


def _ends(table: Table, where: str, draft: _Draft) -> Tuple[int, int]:
    """Indices of the two links; one that is new joins the list, if that may grow."""
    names, links = _names(table, where), draft.links
    if len(names) != 2:
        raise LinkageError(f"{where}: links must be two names, is {_said(names)}")
    for name in names:
        if name not in links and draft.complete:
            raise LinkageError(f"{where}: there is no link {name!r}, add it to links")
        if name not in links:
            links.append(name)
    return links.index(names[0]), links.index(names[1])


def _axes(table: Table, draft: _Draft, where: str) -> Tuple[Vector, ...]:
    if "axis" in table and "axes" in table:
        raise LinkageError(f"{where}: give either axis or axes")
    if "axis" in table:
        return (_vector(table["axis"], draft, f"{where}: axis"),)
    axes = table.get("axes", [])
    if not isinstance(axes, list):
        raise LinkageError(f"{where}: axes must be a list of axes, is {_said(axes)}")
    return tuple(_vector(axis, draft, f"{where}: axes") for axis in axes)


def _vector(value: Any, draft: _Draft, where: str) -> Vector:
    if not isinstance(value, list) or len(value) != 3:
        raise LinkageError(f"{where} must be three numbers, is {_said(value)}")
    x, y, z = (_number(v, draft, where) for v in value)
    return (x, y, z)


def _number(value: Any, draft: _Draft, where: str) -> Number:
    """A fraction, or a double where a decimal means one."""
    said = _said(value)
    if isinstance(value, str):
        if not FRACTION.fullmatch(value):
            raise LinkageError(f"{where}: {said} is no fraction such as '1/3'")
        try:
            value = Fraction(value)
        except ZeroDivisionError:
            raise LinkageError(f"{where}: {said} divides by zero") from None
        except ValueError:
            raise LinkageError(f"{where}: {said} has too many digits") from None
    if isinstance(value, bool) or not isinstance(value, (int, Decimal, Fraction)):
        raise LinkageError(f"{where}: expected a number, got {said}")
    try:
        double = float(value)
    except OverflowError:
        double = float("inf")
    if not isfinite(double) or (value and not double):
        raise LinkageError(f"{where}: {said} is not finite, or beyond doubles")
    return double if isinstance(value, Decimal) and not draft.exact else Fraction(value)
