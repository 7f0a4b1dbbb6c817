"""2.1.3.3 Which freedoms are idle and which constraints redundant, by name.

A user asks which, not only how many: the spin of a rod between two ball joints, the force
across the plane that a second hinge holds once more.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations

import numpy as np
from flint import fmpq_mat

from models.linkage import Linkage, Pair, Vector, cross
from reference.ch02_01_displacement import Array
from reference.ch02_01_mobility import is_rational
from reference.ch02_01_rank import rational
from reference.ch02_01_structure import AXES, Row, Rows, across, structure_matrix
from reference.rank import split

LARGEST = 3
"""Links that an idle freedom may move together."""
INDEPENDENT = 1e-9
"""What is left of a unit row, once the others are taken out, above which it counts."""


@dataclass(frozen=True)
class IdleFreedom:
    """A motion of some links that leaves all others at rest.

    Attributes:
        links: The links that move.
        joints: The joints that move.
        words: What it is.
    """

    links: tuple[str, ...]
    joints: tuple[str, ...]
    words: str


@dataclass(frozen=True)
class RedundantConstraint:
    """A direction in which a joint holds what the joints before it hold already.

    Attributes:
        joint: The joint.
        words: The direction.
    """

    joint: str
    words: str


def default_platform(linkage: Linkage) -> int:
    """The link whose freedom is of interest.

    The one that the linkage names; the last of an open chain; of the links with three joints
    or more the one with most; else the last link with a joint to the ground, the follower.
    """
    if linkage.platform is not None:
        return linkage.platform
    if len(linkage.pairs) == len(linkage.links) - 1:
        return len(linkage.links) - 1
    ends = [i for pair in linkage.pairs for i in (pair.first, pair.second)]
    degree = {i: ends.count(i) for i in range(1, len(linkage.links))}
    busiest = max(degree, key=lambda i: (degree[i], -i))
    if degree[busiest] >= 3:
        return busiest
    grounded = [max(p.first, p.second) for p in linkage.pairs if not p.first * p.second]
    return max(grounded)


# ------------------------------------------------------------------------ idle freedoms


def idle_freedoms(linkage: Linkage, platform: int) -> tuple[IdleFreedom, ...]:
    """Motions of up to three links that leave all others, the platform too, at rest.

    Each is counted once: what smaller sets of links can do is taken out of larger ones.
    """
    A = np.array([[float(x) for x in row] for row in structure_matrix(linkage)])
    known = np.zeros((A.shape[1], 0))
    found = []
    for links in _connected(linkage, platform):
        for motion in _alone(linkage, A, links).T:
            new = motion - known @ (known.T @ motion)
            new -= known @ (known.T @ new)
            if np.linalg.norm(new) > 1e-6:
                known = np.column_stack([known, new / np.linalg.norm(new)])
                found.append(_named(linkage, links, new))
    return tuple(found)


def _connected(linkage: Linkage, platform: int) -> Iterator[tuple[int, ...]]:
    """Sets of links joined with each other, the smallest first."""
    free = [i for i in range(1, len(linkage.links)) if i != platform]
    beside = {frozenset((p.first, p.second)) for p in linkage.pairs}
    for size in range(1, LARGEST + 1):
        for links in combinations(free, size):
            reached, more = {links[0]}, True
            while more:
                new = {
                    i
                    for i in links
                    if i not in reached and any({i, k} in beside for k in reached)
                }
                reached, more = reached | new, bool(new)
            if len(reached) == size:
                yield links


def _rates(linkage: Linkage) -> list[slice]:
    """Columns of A that hold the rates of each joint."""
    ends = np.cumsum([6 * (len(linkage.links) - 1), *(p.f for p in linkage.pairs)])
    return [slice(int(ends[k]), int(ends[k + 1])) for k in range(len(linkage.pairs))]


def _alone(linkage: Linkage, A: Array, links: tuple[int, ...]) -> Array:
    """Basis (columns of A) of the motions in which these links move and no others."""
    touched = [
        k for k, p in enumerate(linkage.pairs) if p.first in links or p.second in links
    ]
    rates = _rates(linkage)
    columns = [c for i in links for c in range(6 * (i - 1), 6 * i)]
    columns += [c for k in touched for c in range(rates[k].start, rates[k].stop)]
    rows = [r for k in touched for r in range(6 * k, 6 * k + 6)]
    _, kernel, _ = split(A[np.ix_(rows, columns)])
    whole = np.zeros((A.shape[1], kernel.shape[1]))
    whole[columns] = kernel
    return whole


def _named(linkage: Linkage, links: tuple[int, ...], u: Array) -> IdleFreedom:
    u = u / np.abs(u).max()
    moving = [i for i in links if np.abs(u[6 * (i - 1) : 6 * i]).max() > 1e-9]
    joints = tuple(
        p.name
        for p, columns in zip(linkage.pairs, _rates(linkage), strict=True)
        if np.abs(u[columns]).max(initial=0.0) > 1e-9
    )
    names = tuple(linkage.links[i] for i in moving)
    twist = u[6 * (moving[0] - 1) : 6 * moving[0]]
    words = f"{' and '.join(names)}: {_twist_in_words(twist)}, in {', '.join(joints)}"
    return IdleFreedom(names, joints, words)


def _twist_in_words(twist: Array) -> str:
    w, v = twist[:3], twist[3:]
    size = float(np.linalg.norm(w))
    if size < 1e-9:
        return f"shifts along {_direction(v)}"
    p = np.cross(w, v) / size**2
    pitch = float(w @ v) / size**2
    how = "spins" if abs(pitch) < 1e-9 else f"screws (pitch {pitch:.3g} m)"
    return f"{how} about {_direction(w)} through {_point(p)}"


def _direction(u: Array) -> str:
    u = u / np.linalg.norm(u)
    return _point(u if u[int(np.argmax(np.abs(u)))] > 0 else -u)


def _point(p: Array) -> str:
    return f"({', '.join(f'{x + 0.0:.4g}' for x in np.round(p, 12))})"


# ---------------------------------------------------------------- redundant constraints


def redundant_constraints(linkage: Linkage) -> tuple[RedundantConstraint, ...]:
    """The constraints that those of the joints before impose already.

    They are as many as the mobility exceeds Gruebler's count.  Which of a dependent set is
    the redundant one is a choice: here the last.
    """
    named, rows = [], []
    for pair in linkage.pairs:
        for words, wrench in _constraints(pair):
            named.append(RedundantConstraint(pair.name, words))
            row: Row = [0] * (6 * (len(linkage.links) - 1))
            for i, x in enumerate(wrench):
                for link, sign in ((pair.second, 1), (pair.first, -1)):
                    if link:
                        row[6 * (link - 1) + i] = sign * x
            rows.append(row)
    if not rows:
        return ()
    independent = _exactly(rows) if is_rational(linkage) else _by_projection(rows)
    return tuple(n for k, n in enumerate(named) if k not in independent)


def _exactly(rows: Rows) -> set[int]:
    """Rows that are no combination of those before them, in rational arithmetic."""
    columns = [rational(row[i]) for i in range(len(rows[0])) for row in rows]
    echelon, rank = fmpq_mat(len(rows[0]), len(rows), columns).rref()
    return {
        next(k for k in range(len(rows)) if echelon[i, k] != 0) for i in range(rank)
    }


def _by_projection(rows: Rows) -> set[int]:
    """The same in doubles: what is left of a row without those before it."""
    basis = np.zeros((0, len(rows[0])))
    found = set()
    for k, numbers in enumerate(rows):
        row = np.array(numbers, float)
        row = row / np.linalg.norm(row)
        for _ in range(2):
            row = row - basis.T @ (basis @ row)
        size = float(np.linalg.norm(row))
        if size > INDEPENDENT:
            basis = np.vstack([basis, row / size])
            found.add(k)
    return found


def _constraints(pair: Pair) -> list[tuple[str, Row]]:
    """What a joint holds: wrenches in the order of (omega, v), with their names."""
    u, a, b = _frame(pair)
    p = pair.point
    force = {name: [*cross(p, x), *x] for name, x in zip("uab", (u, a, b), strict=True)}
    moment: dict[str, Row] = {
        name: [*x, 0, 0, 0] for name, x in zip("uab", (u, a, b), strict=True)
    }
    held = _HELD[pair.kind]
    words = _WORDS.get(pair.kind, "its axis")
    found = [
        (f"force {_named_axis(n, words, x)}", force[n])
        for n, x in _pick(held[0], (u, a, b))
    ]
    if pair.kind == "helical":
        coupled = [
            f - pair.pitch * m for f, m in zip(force["u"], moment["u"], strict=True)
        ]
        found.append(("force along its axis, with the moment of the thread", coupled))
    found += [
        (f"moment {_named_axis(n, words, x, 'about')}", moment[n])
        for n, x in _pick(held[1], (u, a, b))
    ]
    return found


_HELD = {
    "fixed": ("uab", "uab"),
    "revolute": ("uab", "ab"),
    "prismatic": ("ab", "uab"),
    "helical": ("ab", "ab"),
    "cylindrical": ("ab", "ab"),
    "universal": ("uab", "b"),
    "spherical": ("uab", ""),
    "planar": ("u", "ab"),
    "free": ("", ""),
}
"""Forces and moments that a joint holds, along its axis u and two directions across.

The b of a universal joint is at right angles to both its axes.
"""

_WORDS = {"planar": "its normal", "spherical": "x", "fixed": "x"}


def _pick(names: str, axes: tuple[Vector, ...]) -> list[tuple[str, Vector]]:
    return [(n, axes["uab".index(n)]) for n in names]


def _named_axis(name: str, axis: str, x: Vector, way: str = "along") -> str:
    direction = _direction(np.array([float(c) for c in x]))
    if name == "u" and axis != "x":
        return f"{way} {axis} {direction}"
    return f"{way} {direction}"


def _frame(pair: Pair) -> tuple[Vector, Vector, Vector]:
    """The axis u of a joint and two directions a, b across it, in its own numbers."""
    if pair.kind == "universal":
        u, second = pair.axes
        b = cross(u, second)
        return u, cross(b, u), b
    if not pair.axes:
        return AXES[0], AXES[1], AXES[2]
    u = pair.axes[0]
    a = across(u)
    return u, a, cross(u, a)
