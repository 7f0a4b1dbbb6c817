"""Linkages of chapter 2.1, built by hand in whole numbers and fractions."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction as Q

from models.linkage import Linkage, Number, Pair, Vector, cross

X: Vector = (1, 0, 0)


def revolute(name: str, a: int, b: int, p: Vector, u: Vector) -> Pair:
    """A hinge about u through p."""
    return Pair(name, "revolute", a, b, p, (u,))


def sarrus(x: Number, z: Number) -> Linkage:
    """Two legs of three hinges in planes at right angles; (x, 0, z) is a middle hinge."""
    y = (0, -1, 0)
    return Linkage(
        "sarrus",
        ("ground", "platform", "a1", "a2", "b1", "b2"),
        (
            revolute("a1", 0, 2, (1, 0, 0), y),
            revolute("a2", 2, 3, (x, 0, z), y),
            revolute("a3", 3, 1, (1, 0, 2 * z), y),
            revolute("b1", 0, 4, (0, 1, 0), X),
            revolute("b2", 4, 5, (0, x, z), X),
            revolute("b3", 5, 1, (0, 1, 2 * z), X),
        ),
        platform=1,
    )


def bennett(scale: Q = Q(1)) -> Linkage:
    """A skew quadrilateral, its own image in a half turn, with axes across its sides.

    Opposite links are equal and nothing is offset, so Bennett's condition holds; another
    scale than 1 turns the first axis out of place.
    """
    p, q = (Q(3), Q(0), Q(2)), (Q(0), Q(5), Q(0))
    turn = [(-p[0], -p[1], p[2]), (-q[0], -q[1], q[2])]
    points: list[Vector] = [p, q, turn[0], turn[1]]
    sides = [minus(points[(k + 1) % 4], points[k]) for k in range(4)]
    axes = [cross(sides[k - 1], sides[k]) for k in range(4)]
    axes[0] = (axes[0][0], axes[0][1], axes[0][2] * scale)
    pairs = tuple(
        revolute(f"j{k + 1}", k, (k + 1) % 4, points[k], axes[k]) for k in range(4)
    )
    return Linkage("bennett", ("ground", "crank", "coupler", "rocker"), pairs)


def minus(a: Vector, b: Vector) -> Vector:
    """a - b."""
    return (a[0] - b[0], a[1] - b[1], a[2] - b[2])


def along(a: Vector, k: Number, u: Vector) -> Vector:
    """a + k u."""
    return (a[0] + k * u[0], a[1] + k * u[1], a[2] + k * u[2])


def stewart(bottom: str) -> Linkage:
    """A Stewart-Gough platform of general shape, with legs "U" or "S" at the ground."""
    low = [(5, 1, 0), (3, 4, 0), (-3, 5, 1), (-5, 0, 0), (-2, -4, 0), (3, -5, -1)]
    high = [(3, 2, 6), (2, 3, 7), (-2, 3, 6), (-3, 2, 6), (-1, -2, 7), (2, -3, 6)]
    names, pairs = ["ground", "platform"], []
    for k, (p, q) in enumerate(zip(low, high, strict=True), 1):
        i, u = len(names), minus(q, p)
        names += [f"lower_{k}", f"upper_{k}"]
        axes = (cross(u, X), X) if bottom == "U" else ()
        kind = "universal" if bottom == "U" else "spherical"
        pairs += [
            Pair(f"base_{k}", kind, 0, i, p, axes),
            Pair(f"slide_{k}", "prismatic", i, i + 1, p, (u,)),
            Pair(f"ball_{k}", "spherical", i + 1, 1, q),
        ]
    return Linkage("stewart", tuple(names), tuple(pairs), platform=1)


def delta() -> Linkage:
    """Three legs of an arm and a parallelogram with a ball joint at each corner."""
    names, pairs = ["ground", "platform"], []
    around: list[tuple[Number, Number]] = [
        (1, 0),
        (Q(-3, 5), Q(4, 5)),
        (Q(-5, 13), Q(-12, 13)),
    ]
    for k, (x, y) in enumerate(around, 1):
        i, t = len(names), (-y, x, 0)
        base, elbow, ankle = (3 * x, 3 * y, 0), (5 * x, 5 * y, -1), (x, y, -6)
        names += [f"{n}_{k}" for n in ("arm", "top", "left", "right", "foot")]
        arm, top, left, right, foot = range(i, i + 5)
        pairs += [
            revolute(f"r{k}1", 0, arm, base, t),
            revolute(f"r{k}2", arm, top, elbow, t),
            Pair(f"s{k}1", "spherical", top, left, along(elbow, 1, t)),
            Pair(f"s{k}2", "spherical", left, foot, along(ankle, 1, t)),
            Pair(f"s{k}3", "spherical", top, right, along(elbow, -1, t)),
            Pair(f"s{k}4", "spherical", right, foot, along(ankle, -1, t)),
            revolute(f"r{k}3", foot, 1, ankle, t),
        ]
    return Linkage("delta", tuple(names), tuple(pairs), platform=1)


def in_doubles(linkage: Linkage) -> Linkage:
    """The same with every number rounded to a double."""
    pairs = [
        replace(p, point=doubles(p.point), axes=tuple(map(doubles, p.axes)))
        for p in linkage.pairs
    ]
    return replace(linkage, pairs=tuple(pairs))


def doubles(u: Vector) -> Vector:
    """A vector in doubles."""
    return float(u[0]), float(u[1]), float(u[2])
