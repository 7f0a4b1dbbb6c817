"""The TOML text of a linkage."""

from __future__ import annotations

import json
from fractions import Fraction
from typing import Any, Dict, List

from models.linkage import Linkage, Pair
from models.linkage_reader import GROUND, POINTLESS

Table = Dict[str, Any]

MOST_DIGITS = 40
"""Places of the longest decimal that is written as one."""


def write_linkage(linkage: Linkage) -> str:
    """The TOML text of a linkage, from which `read_linkage` reads it again exactly.

    An exact linkage holds fractions; a double in one is written as its shortest decimal,
    and read as the fraction that this says.
    """
    head: Table = {"name": linkage.name}
    if linkage.title:
        head["title"] = linkage.title
    if linkage.links[0] != GROUND:
        head["ground"] = linkage.links[0]
    mentioned = dict.fromkeys(i for p in linkage.pairs for i in (p.first, p.second))
    if [0, *(i for i in mentioned if i)] != list(range(len(linkage.links))):
        head["links"] = linkage.links[1:]
    if linkage.platform is not None:
        head["platform"] = linkage.links[linkage.platform]
    if linkage.exact:
        head["exact"] = True
    if linkage.mobility is not None:
        head["mobility"] = linkage.mobility
    head.update({k: v for k in ("source", "note") if (v := getattr(linkage, k))})
    blocks = [_lines(head, linkage.exact)]
    for pair in linkage.pairs:
        blocks.append(["", "[[joint]]", *_lines(_joint(pair, linkage), linkage.exact)])
    return "\n".join(line for block in blocks for line in block) + "\n"


def _joint(pair: Pair, linkage: Linkage) -> Table:
    ends = [linkage.links[pair.first], linkage.links[pair.second]]
    table: Table = {"name": pair.name, "kind": pair.kind, "links": ends}
    if pair.kind not in POINTLESS or any(pair.point):
        table["point"] = pair.point
    if len(pair.axes) == 1:
        table["axis"] = pair.axes[0]
    elif pair.axes:
        table["axes"] = pair.axes
    if pair.kind == "helical":
        table["pitch"] = pair.pitch
    return table


def _lines(table: Table, exact: bool) -> List[str]:
    return [f"{key} = {_written(value, exact)}" for key, value in table.items()]


def _written(value: Any, exact: bool) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, (list, tuple)):
        return f"[{', '.join(_written(v, exact) for v in value)}]"
    if isinstance(value, str):
        # JSON's escapes are those of TOML, but for one character that JSON leaves alone.
        return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")
    if isinstance(value, float):
        return repr(float(value))
    return _fraction(Fraction(value), exact)


def _fraction(x: Fraction, exact: bool) -> str:
    """A whole number, a decimal if it is meant as its digits, or a string."""
    if x.denominator == 1:
        return str(x.numerator)
    if exact and Fraction(repr(float(x))) == x:
        return repr(float(x))
    return f'"{_decimal(x) or x}"'


def _decimal(x: Fraction) -> str:
    """All digits of a decimal of up to `MOST_DIGITS` places; empty if it is none."""
    for places in range(1, MOST_DIGITS + 1):
        if 10**places % x.denominator == 0:
            whole, rest = divmod(
                abs(x.numerator) * 10**places // x.denominator, 10**places
            )
            return f"{'-' if x < 0 else ''}{whole}.{rest:0{places}}"
    return ""
