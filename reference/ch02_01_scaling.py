"""2.1.3.4 Numbers of moderate size: lengths and axes at which a rank can be decided."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from math import frexp

from models.linkage import Linkage, LinkageError, Number, Vector
from reference.rank import RANK_RTOL

FARTHEST, NEAREST = RANK_RTOL**-0.5, RANK_RTOL
"""Lengths P [m] between which a rank can be decided.

They stand beside ones in the structure matrix: its singular values lie between about P and
1/P where P is large, between 1 and P where it is small, and below `RANK_RTOL` of the largest
they count as rounding.
"""


def moderate(linkage: Linkage) -> Linkage:
    """The same linkage, no axis far longer or shorter than one; refused if its size is.

    Raises:
        LinkageError: In one line that names the joint and the fix.
    """
    size = {
        pair.name: max(abs(float(x)) for x in (*pair.point, pair.pitch))
        for pair in linkage.pairs
    }
    largest = max(size, key=lambda name: size[name])
    P = size[largest]
    if P > FARTHEST:
        raise LinkageError(
            f"joint {largest!r}: {P:.3g} m is beyond the {FARTHEST:.0e} m up to which "
            "ranks are decided; move the origin to the mechanism or use a larger unit"
        )
    if 0 < P < NEAREST:
        raise LinkageError(
            f"joint {largest!r}: {P:.3g} m is the largest length, below the "
            f"{NEAREST:.0e} m down to which ranks are decided; use a smaller unit"
        )
    pairs = (replace(p, axes=tuple(map(_of_length, p.axes))) for p in linkage.pairs)
    return replace(linkage, pairs=tuple(pairs))


def _of_length(axis: Vector) -> Vector:
    """The axis; one far from length one times a power of two, which turns none."""
    largest = max(abs(float(x)) for x in axis)
    if 1 / FARTHEST <= largest <= FARTHEST:
        return axis
    x, y, z = (_scaled(component, -frexp(largest)[1]) for component in axis)
    return x, y, z


def _scaled(x: Number, exponent: int) -> Number:
    exact = Fraction(x) * Fraction(2) ** exponent
    return float(exact) if isinstance(x, float) else exact
