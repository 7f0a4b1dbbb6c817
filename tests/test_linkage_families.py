"""The conditions of classical linkages, fulfilled by their stored numbers exactly."""

from __future__ import annotations

import itertools
from fractions import Fraction
from math import isqrt

import pytest

from models import linkage_named
from models.linkage import Number, Vector, cross

Line = tuple[Vector, Vector]


def lines(title: str) -> list[Line]:
    return [(pair.point, pair.axes[0]) for pair in linkage_named(title).pairs]


def dot(a: Vector, b: Vector) -> Number:
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]


def minus(a: Vector, b: Vector) -> Vector:
    return (a[0] - b[0], a[1] - b[1], a[2] - b[2])


def ends(axes: list[Line]) -> list[tuple[Line, Line]]:
    """The two axes of each link, in turn."""
    return list(itertools.pairwise([*axes, axes[0]]))


def twists(axes: list[Line]) -> list[Number]:
    """sin^2 of the angle between the axes of each link."""

    def twist(a: Vector, b: Vector) -> Number:
        c = cross(a, b)
        return Fraction(dot(c, c)) / (dot(a, a) * dot(b, b))

    return [twist(u, v) for (_, u), (_, v) in ends(axes)]


def lengths(axes: list[Line]) -> list[Number]:
    """Squared distance between the axes of each link; none may be parallel."""

    def distance(a: Line, b: Line) -> Number:
        c = cross(a[1], b[1])
        return Fraction(dot(minus(b[0], a[0]), c)) ** 2 / dot(c, c)

    return [distance(a, b) for a, b in ends(axes)]


def is_bennett(axes: list[Line]) -> bool:
    """Bennett 1903: opposite links equal, and sin(alpha) / a the same for all."""
    a, t = lengths(axes), twists(axes)
    return a[:2] == a[2:] and t[:2] == t[2:] and t[0] * a[1] == t[1] * a[0]


def test_the_bennett_linkage_fulfils_bennetts_condition() -> None:
    assert is_bennett(lines("Bennett 4R"))


def test_a_bennett_linkage_with_one_axis_moved_fulfils_it_no_more() -> None:
    axes = lines("Bennett 4R")
    (x, y, z), u = axes[2]
    assert not is_bennett([*axes[:2], ((x + Fraction(1, 10**15), y, z), u), axes[3]])


@pytest.mark.parametrize(
    "title",
    [
        "Bricard trihedral 6R",
        "Altmann 6R",
        "Threefold-symmetric Bricard / kaleidocycle 6",
    ],
)
def test_squares_of_odd_and_of_even_links_have_one_sum(title: str) -> None:
    axes = lines(title)
    a = lengths(axes)
    assert set(twists(axes)) == {1}
    assert sum(a[0::2]) == sum(a[1::2])


@pytest.mark.parametrize(
    "title", ["Threefold-symmetric Bricard / kaleidocycle 6", "Kaleidocycle 8R"]
)
def test_a_kaleidocycle_has_equal_links_at_right_angles(title: str) -> None:
    axes = lines(title)
    assert set(twists(axes)) == {1}
    assert len(set(lengths(axes))) == 1


@pytest.mark.parametrize(
    "title",
    [
        "Bricard line-symmetric 6R",
        "Bricard line-symmetric octahedral 6R",
        "Altmann 6R",
    ],
)
def test_opposite_links_of_a_line_symmetric_loop_are_equal(title: str) -> None:
    axes = lines(title)
    a = lengths(axes)
    t = twists(axes)
    assert a[:3] == a[3:]
    assert t[:3] == t[3:]


def test_consecutive_axes_of_the_octahedral_loop_meet() -> None:
    assert not any(lengths(lines("Bricard line-symmetric octahedral 6R")))


def test_a_link_of_myards_linkage_has_no_length_and_two_have_right_angles() -> None:
    axes = lines("Myard plane-symmetric 5R")
    assert lengths(axes).count(0) == 1
    assert twists(axes).count(1) == 2


# ------------------------------------------------------------------- Wohlhart's linkage


def feet(a: Line, b: Line) -> tuple[Number, Number]:
    """Where the common normal meets two axes, in their own lengths from their points."""
    (p, u), (q, v) = a, b
    w, uv = minus(q, p), dot(u, v)
    det = Fraction(dot(u, u) * dot(v, v) - uv * uv)
    s = (dot(w, u) * dot(v, v) - dot(w, v) * uv) / det
    t = (dot(w, u) * uv - dot(w, v) * dot(u, u)) / det
    return s, t


def offsets(axes: list[Line]) -> list[Number]:
    """Offset along each axis, in lengths of its direction."""
    n = len(axes)
    return [
        feet(axes[i], axes[(i + 1) % n])[0] - feet(axes[i - 1], axes[i])[1]
        for i in range(n)
    ]


def whole_length(u: Vector) -> int:
    """Of a direction whose numbers, and length, are whole."""
    whole = isqrt(int(dot(u, u)))
    assert whole * whole == dot(u, u)
    return whole


def sum_of_odd_offsets(axes: list[Line]) -> Number:
    R = offsets(axes)
    return sum(R[i] * whole_length(axes[i][1]) for i in (0, 2, 4))


WOHLHART = {
    "Wohlhart 6R": (True, True),
    "Wohlhart with R1+R3+R5!=0 (control)": (False, True),
    "Wohlhart with R2+R4+R6!=0 (control)": (True, False),
}
"""Whether the offsets along the odd axes have the sum 0, and whether the even are 0."""


@pytest.mark.parametrize("title", WOHLHART)
def test_wohlharts_linkage_and_its_controls_differ_in_their_offsets_only(
    title: str,
) -> None:
    axes = lines(title)
    a = lengths(axes)
    t = twists(axes)
    assert a[0::2] == a[1::2]
    assert t[0::2] == t[1::2]
    odd, even = sum_of_odd_offsets(axes), offsets(axes)[1::2]
    assert (odd == 0, not any(even)) == WOHLHART[title]


# --------------------------------------------------------------- Peaucellier and Lipkin


def test_peaucelliers_pen_and_crank_pin_are_inverse_points() -> None:
    """OP . OD = OA^2 - AP^2 whatever the pose, and the crank is as long as its ground."""
    points = [
        pair.point for pair in linkage_named("Peaucellier-Lipkin 8-bar 10R").pairs
    ]
    centre, O, _, P, _, A, _, B, _, D = points

    def square(a: Vector, b: Vector) -> Number:
        return dot(minus(a, b), minus(a, b))

    assert square(O, A) == square(O, B)
    assert square(A, P) == square(P, B) == square(B, D) == square(D, A)
    assert square(centre, P) == square(centre, O)
    assert dot(minus(P, O), minus(D, O)) == square(O, A) - square(A, P)
