"""2.1.3 Counting the freedoms of a mechanism, and the structure matrix that decides them.

Matrices are lists of rows in the linkage's own numbers: exact where the linkage is.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from models.linkage import Linkage, Number, Pair, Vector, cross

Array = np.ndarray

Row = list[Number]
Rows = list[Row]

AXES: tuple[Vector, ...] = ((1, 0, 0), (0, 1, 0), (0, 0, 1))


def grubler(m: int, N: int, f: Sequence[int]) -> int:
    """Gruebler's count M = m (N - 1 - J) + sum f (2.1.3.2).

    Args:
        m: Freedom of a body: 3 in the plane, 6 in space.
        N: Number of links, the ground counted.
        f: Freedom of each joint.
    """
    return m * (N - 1 - len(f)) + sum(f)


def grubler_by_loops(m: int, L: int, f: Sequence[int]) -> int:
    """The same by independent loops: M = sum f - m L (2.1.3.2)."""
    return sum(f) - m * L


def independent_loops(N: int, J: int) -> int:
    """L = J - N + 1 of a connected mechanism (2.1.3.2)."""
    return J - N + 1


# ------------------------------------------------------------------------- joint screws


def _plus(a: Vector, b: Vector) -> Vector:
    return (a[0] + b[0], a[1] + b[1], a[2] + b[2])


def _times(k: Number, a: Vector) -> Vector:
    return (k * a[0], k * a[1], k * a[2])


def revolute(u: Vector, p: Vector, pitch: Number = 0) -> Row:
    """Screw (u, p x u + h u) of an axis u through p, any length; h is its pitch (2.1.4)."""
    return [*u, *_plus(cross(p, u), _times(pitch, u))]


def prismatic(u: Vector) -> Row:
    """Screw (0, u) of a translation along u (2.1.4)."""
    return [0, 0, 0, *u]


def across(n: Vector) -> Vector:
    """A direction at right angles to n, in its own numbers."""
    sizes = [abs(float(x)) for x in n]
    return cross(n, AXES[sizes.index(min(sizes))])


def pair_screws(pair: Pair) -> Rows:
    """The screws (omega, v) of what a joint allows, in world axes, one per freedom."""
    p, axes = pair.point, pair.axes
    if pair.kind in ("revolute", "universal"):
        return [revolute(u, p) for u in axes]
    if pair.kind == "helical":
        return [revolute(axes[0], p, pair.pitch)]
    if pair.kind == "prismatic":
        return [prismatic(axes[0])]
    if pair.kind == "cylindrical":
        return [revolute(axes[0], p), prismatic(axes[0])]
    if pair.kind == "spherical":
        return [revolute(u, p) for u in AXES]
    if pair.kind == "planar":
        n = axes[0]
        a = across(n)
        return [prismatic(a), prismatic(cross(n, a)), revolute(n, p)]
    if pair.kind == "free":
        return [*(revolute(u, (0, 0, 0)) for u in AXES), *map(prismatic, AXES)]
    return []


# --------------------------------------------------------------------- structure matrix


def structure_matrix(linkage: Linkage) -> Rows:
    """A, (6 J, 6 (N - 1) + sum f): V_second - V_first - sum_k S_k rate_k = 0 (2.1.3.4).

    Unknowns are the twists of the links but the ground, then the rates of the joints.
    """
    before = 6 * (len(linkage.links) - 1)
    columns = before + sum(pair.f for pair in linkage.pairs)
    A: Rows = []
    done = before
    for pair in linkage.pairs:
        screws = pair_screws(pair)
        for i in range(6):
            row: Row = [0] * columns
            if pair.second:
                row[6 * (pair.second - 1) + i] = 1
            if pair.first:
                row[6 * (pair.first - 1) + i] = -1
            for k, screw in enumerate(screws):
                row[done + k] = -screw[i]
            A.append(row)
        done += len(screws)
    return A


def in_doubles(A: Rows) -> Array:
    """A matrix of numbers rounded to doubles."""
    return np.array([[float(x) for x in row] for row in A])


def without_link(A: Rows, e: int) -> Rows:
    """A' of the platform's freedom: A without the columns of link e (2.1.3.4)."""
    return [row[: 6 * (e - 1)] + row[6 * e :] for row in A]


PARTS = {"omega": range(3), "v": range(3, 6)}


def with_condition(A: Rows, e: int, part: str) -> Rows:
    """A with the rows that hold a part ("omega" or "v") of link e's twist at zero (2.1.5)."""
    held: Rows = []
    for i in PARTS[part]:
        row: Row = [0] * len(A[0])
        row[6 * (e - 1) + i] = 1
        held.append(row)
    return [*A, *held]


# ------------------------------------------------------------------------ planar motion

PARALLEL = 1e-12
"""Sine up to which directions in doubles count as parallel."""


def _exact(u: Vector) -> bool:
    return not any(isinstance(x, float) for x in u)


def _is_parallel(a: Vector, b: Vector) -> bool:
    c = cross(a, b)
    if _exact(a) and _exact(b):
        return not any(c)
    return _norm2(c) <= PARALLEL**2 * _norm2(a) * _norm2(b)


def _is_across(a: Vector, b: Vector) -> bool:
    dot = sum(x * y for x, y in zip(a, b, strict=True))
    if _exact(a) and _exact(b):
        return not dot
    return float(dot) ** 2 <= PARALLEL**2 * _norm2(a) * _norm2(b)


def _norm2(a: Vector) -> float:
    return sum(float(x) ** 2 for x in a)


def planar_freedoms(linkage: Linkage) -> tuple[int, ...] | None:
    """Freedom of each joint within the plane that all moves in; None if there is none.

    Everything moves in one plane if revolute axes are parallel to its normal and
    translations at right angles to it; a spherical joint turns about the normal only.
    """
    normals = [p.axes[0] for p in linkage.pairs if p.kind in ("revolute", "planar")]
    if not normals:
        return None
    n, found = normals[0], []
    for pair in linkage.pairs:
        if pair.kind in ("revolute", "planar") and _is_parallel(pair.axes[0], n):
            found.append(pair.f)
        elif pair.kind == "prismatic" and _is_across(pair.axes[0], n):
            found.append(1)
        elif pair.kind in ("spherical", "fixed"):
            found.append(min(pair.f, 1))
        else:
            return None
    return tuple(found)
