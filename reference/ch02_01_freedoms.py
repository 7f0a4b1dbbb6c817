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
from reference.ch02_01_structure import (
    AXES,
    Row,
    Rows,
    across,
    in_doubles,
    structure_matrix,
)
from reference.ch02_01_words import direction, twist_in_words
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


# ------------------------------------------------------------------------ idle freedoms


def idle_freedoms(linkage: Linkage, platform: int) -> tuple[IdleFreedom, ...]:
    """Motions of up to three links that leave all others, the platform too, at rest.

    Each is counted once: what smaller sets of links can do is taken out of larger ones.
    """
    A = in_doubles(structure_matrix(linkage))
    known: list[tuple[tuple[int, ...], Array]] = []
    for links in _connected(linkage, platform):
        for as_one in (True, False)[: len(links)]:
            for motion in _alone(linkage, A, links, as_one):
                if _left(motion, [u for _, u in known]) is not None:
                    inside = [u for others, u in known if {*others} <= {*links}]
                    own = None if as_one else _left(motion, inside)
                    known.append((links, motion if own is None else own))
    return tuple(_named(linkage, links, u, known) for links, u in known)


def _left(motion: Array, known: list[Array]) -> Array | None:
    """What of a motion the known ones do not explain; None if nothing is left."""
    if not known:
        return motion
    K = np.array(known).T
    left = motion - K @ np.linalg.lstsq(K, motion, rcond=None)[0]
    return left if np.linalg.norm(left) > 1e-6 * np.linalg.norm(motion) else None


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


def _alone(linkage: Linkage, A: Array, links: tuple[int, ...], as_one: bool) -> Array:
    """Basis, in rows, of the motions of these links alone, or of them as one body."""
    ends = [{p.first, p.second} & {*links} for p in linkage.pairs]
    rows = [r for k, e in enumerate(ends) if e for r in range(6 * k, 6 * k + 6)]
    moving = [k for k, e in enumerate(ends) if e and not (as_one and len(e) == 2)]
    rates = _rates(linkage)
    unknowns = np.eye(A.shape[1])
    twists = [unknowns[:, 6 * (i - 1) : 6 * i] for i in links]
    W = np.hstack(
        [
            *([sum(twists)] if as_one else twists),
            *(unknowns[:, rates[k]] for k in moving),
        ]
    )
    return _echelon((W @ split(A[rows] @ W).kernel).T)


def _echelon(rows: Array) -> Array:
    """The same space, each row with an entry that the others have zero."""
    rows, done = rows.copy(), 0
    for column in range(rows.shape[1]):
        if done == len(rows):
            break
        k = done + int(np.abs(rows[done:, column]).argmax())
        if abs(rows[k, column]) > 1e-6:
            rows[[done, k]] = rows[[k, done]]
            rows[done] /= rows[done, column]
            others = np.arange(len(rows)) != done
            rows[others] -= np.outer(rows[others, column], rows[done])
            done += 1
    return rows


def _named(
    linkage: Linkage,
    links: tuple[int, ...],
    u: Array,
    known: list[tuple[tuple[int, ...], Array]],
) -> IdleFreedom:
    """A motion in words: the twist of a link that has none of its own, where there is one."""
    u = u / np.abs(u).max()
    moving = [i for i in links if np.abs(u[6 * (i - 1) : 6 * i]).max() > 1e-9]
    joints = tuple(
        p.name
        for p, columns in zip(linkage.pairs, _rates(linkage), strict=True)
        if np.abs(u[columns]).max(initial=0.0) > 1e-9
    )
    names = tuple(linkage.links[i] for i in moving)
    smaller = {i for others, _ in known if len(others) < len(links) for i in others}
    shown = min(moving, key=lambda i: i in smaller)
    twists = u[: 6 * (len(linkage.links) - 1)].reshape(-1, 6)
    one = all(np.abs(twists[i - 1] - twists[shown - 1]).max() < 1e-9 for i in moving)
    whose = "" if one else f"{linkage.links[shown]} "
    how = f"{whose}{twist_in_words(twists[shown - 1])}"
    words = f"{' and '.join(names)}: {how}, in {', '.join(joints)}"
    return IdleFreedom(names, joints, words)


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
    steps, rank = fmpq_mat(len(rows[0]), len(rows), columns).rref()
    return {next(k for k in range(len(rows)) if steps[i, k] != 0) for i in range(rank)}


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
    frame = dict(zip("uab", _frame(pair), strict=True))
    force = {n: [*cross(pair.point, x), *x] for n, x in frame.items()}
    moment: dict[str, Row] = {n: [*x, 0, 0, 0] for n, x in frame.items()}
    words = {
        n: f"{_AXIS.get(pair.kind, 'its axis ') * (n == 'u')}"
        f"{direction(np.array(x, float))}"
        for n, x in frame.items()
    }
    forces, moments = _HELD[pair.kind]
    found = [(f"force along {words[n]}", force[n]) for n in forces]
    if pair.kind == "helical":
        thread = zip(force["u"], moment["u"], strict=True)
        coupled = [f - pair.pitch * m for f, m in thread]
        found.append(("force along its axis, with the moment of the thread", coupled))
    found += [(f"moment about {words[n]}", moment[n]) for n in moments]
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

_AXIS = {"planar": "its normal ", "spherical": "", "fixed": ""}
"""What u is called, if not the axis."""


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
