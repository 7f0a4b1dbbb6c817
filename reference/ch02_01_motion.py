"""2.1 A linkage in motion: postures, how far they are open, and what can move there.

Joints are in their closed reference pose; a posture holds, per joint, how far its second
link is displaced against its first.  Lengths are in units of the linkage's size and points
count from its middle, so that turns and shifts compare.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np

from models.linkage import Linkage, Pair
from reference.ch02_01_displacement import (
    EYE4,
    Array,
    bracket,
    displacement,
    inverse,
    small_displacement,
    turned,
)
from reference.rank import RANK_RTOL

CLOSED = 1e-12
"""Largest gap, in sizes of the linkage and rad, that counts as rounding."""
ITERATIONS = 10
"""Newton steps that a posture is given to close; near a regular one three do."""


class Size(NamedTuple):
    """Middle (3,) [m] and size [m] of a linkage."""

    middle: Array
    length: float


def size_of(linkage: Linkage) -> Size:
    """Middle and root-mean-square size of the points that its joints turn about."""
    turning = [p for p in linkage.pairs if p.kind not in ("prismatic", "fixed", "free")]
    if not turning:
        return Size(np.zeros(3), 1.0)
    points = np.array([[float(x) for x in p.point] for p in turning])
    middle = points.mean(axis=0)
    length = float(np.sqrt(((points - middle) ** 2).sum(axis=1).mean()))
    if length < 1e-9 * max(1.0, float(np.abs(points).max())):
        length = max(float(np.linalg.norm(middle)), 1.0) if len(turning) < 2 else 1.0
    return Size(middle, length)


def unit(axis: Array) -> Array:
    """An axis at length one."""
    return axis / np.linalg.norm(axis)


def _across(n: Array) -> tuple[Array, Array]:
    """Two unit vectors at right angles to n and to each other."""
    e = np.zeros(3)
    e[int(np.argmin(np.abs(n)))] = 1.0
    a = unit(np.cross(n, e))
    return a, np.cross(n, a)


def screws_of(pair: Pair, size: Size) -> Array:
    """Its unit screws (f, 6) in the reference pose."""
    p = (np.array([float(x) for x in pair.point]) - size.middle) / size.length
    axes = [unit(np.array([float(x) for x in axis])) for axis in pair.axes]

    def revolute(u: Array, pitch: float = 0.0) -> Array:
        return np.concatenate([u, np.cross(p, u) + pitch * u])

    def prismatic(u: Array) -> Array:
        return np.concatenate([np.zeros(3), u])

    pitch = float(pair.pitch) / size.length
    kinds: dict[str, Callable[[], list[Array]]] = {
        "fixed": list,
        "revolute": lambda: [revolute(axes[0])],
        "helical": lambda: [revolute(axes[0], pitch)],
        "prismatic": lambda: [prismatic(axes[0])],
        "cylindrical": lambda: [prismatic(axes[0]), revolute(axes[0])],
        "universal": lambda: [revolute(u) for u in axes],
        "spherical": lambda: [revolute(u) for u in np.eye(3)],
        "planar": lambda: [*map(prismatic, _across(axes[0])), revolute(axes[0])],
        "free": lambda: [*map(revolute, np.eye(3)), *map(prismatic, np.eye(3))],
    }
    return np.array(kinds[pair.kind]()).reshape(pair.f, 6)


@dataclass(frozen=True)
class Posture:
    """Where every joint of a linkage is.

    Attributes:
        q: Joint coordinates (n,); of a spherical or free joint the sum of its steps.
        T: Per joint the displacement (4, 4) of its second link against its first.
    """

    q: Array
    T: tuple[Array, ...]


class Differential(NamedTuple):
    """A linkage at a posture: gap (6 L,), Jacobian (6 L, n), and twists of its links."""

    gap: Array
    J: Array
    twists: Array


class Motion:
    """A linkage that can be displaced, closed again, and asked what moves.

    Attributes:
        linkage: The linkage.
        size: Its middle and length.
        screws: Per joint its screws (f, 6) in the reference pose.
        columns: Per joint its place among the n coordinates.
        n: Sum of the freedoms.
    """

    def __init__(self, linkage: Linkage) -> None:
        """Choose a spanning tree; the joints beside it close the loops."""
        self.linkage, self.size = linkage, size_of(linkage)
        self.screws = [screws_of(pair, self.size) for pair in linkage.pairs]
        ends = np.cumsum([0, *(pair.f for pair in linkage.pairs)])
        self.columns = [slice(int(a), int(b)) for a, b in itertools.pairwise(ends)]
        self.n = int(ends[-1])
        self.tree, self.chords = _spanning_tree(linkage)

    @cached_property
    def start(self) -> Posture:
        """The reference posture."""
        return Posture(np.zeros(self.n), tuple(EYE4 for _ in self.linkage.pairs))

    def moved(self, at: Posture, step: Array) -> Posture:
        """A posture after a step (n,) of the joints."""
        q = at.q + step
        T = []
        for pair, S, cols, old in zip(
            self.linkage.pairs, self.screws, self.columns, at.T, strict=True
        ):
            if pair.kind in ("spherical", "free"):
                T.append(displacement(step[cols] @ S, 1.0) @ old)
                continue
            new = EYE4
            for screw, x in zip(S, q[cols], strict=True):
                new = new @ displacement(screw, x)
            T.append(new)
        return Posture(q, tuple(T))

    def links(self, at: Posture) -> list[Array]:
        """Displacements (4, 4) of the links from the reference pose, along the tree."""
        D = [EYE4] * len(self.linkage.links)
        for k, forward in self.tree:
            pair = self.linkage.pairs[k]
            if forward:
                D[pair.second] = D[pair.first] @ at.T[k]
            else:
                D[pair.first] = D[pair.second] @ inverse(at.T[k])
        return D

    def local_screws(self, k: int, at: Posture) -> Array:
        """Screws (6, f) of joint k at a posture, in the axes of its first link."""
        S = self.screws[k]
        if self.linkage.pairs[k].kind in ("spherical", "free") or len(S) < 2:
            return S.T
        found, T = [], EYE4
        for screw, x in zip(S, at.q[self.columns[k]], strict=True):
            found.append(turned(T, screw[:, None])[:, 0])
            T = T @ displacement(screw, x)
        return np.array(found).T

    def differential(self, at: Posture) -> Differential:
        """How far it is open, and the rates of gap and links per joint."""
        D = self.links(at)
        pairs = self.linkage.pairs
        own = [
            turned(D[p.first], self.local_screws(k, at)) for k, p in enumerate(pairs)
        ]
        twists = np.zeros((len(D), 6, self.n))
        for k, forward in self.tree:
            a, b = pairs[k].first, pairs[k].second
            near, far, sign = (a, b, 1.0) if forward else (b, a, -1.0)
            twists[far] = twists[near]
            twists[far][:, self.columns[k]] += sign * own[k]
        gap, J = [np.zeros(0)], [np.zeros((0, self.n))]
        for k in self.chords:
            a, b = pairs[k].first, pairs[k].second
            gap.append(small_displacement(D[a] @ at.T[k] @ inverse(D[b])))
            rows = twists[a] - twists[b]
            rows[:, self.columns[k]] += own[k]
            J.append(rows)
        return Differential(np.concatenate(gap), np.concatenate(J), twists)

    def closed(self, at: Posture) -> tuple[Posture, float, int]:
        """Newton's method to a closed posture: posture, its gap, and the steps taken."""
        for steps in range(ITERATIONS):
            here = self.differential(at)
            gap = float(np.abs(here.gap).max(initial=0.0))
            if gap < CLOSED / 10:
                return at, gap, steps
            step = np.linalg.lstsq(here.J, -here.gap, rcond=RANK_RTOL)[0]
            if not np.isfinite(step).all() or np.abs(step).max() > 1.0:
                return at, np.inf, steps
            at = self.moved(at, step)
        gap = float(np.abs(self.differential(at).gap).max(initial=0.0))
        return at, gap, ITERATIONS

    def second_order(self, at: Posture, u: Array, own: list[Array]) -> Array:
        """J-dot u along rates u (n,): the gap's acceleration without joint accelerations.

        Args:
            at: A closed posture.
            u: Rates of the joints, which keep it closed.
            own: Per joint its screws (6, f) in the world.
        """
        pairs = self.linkage.pairs
        V = np.zeros((len(self.linkage.links), 6))
        A = np.zeros_like(V)

        def across(k: int, V_first: Array) -> tuple[Array, Array]:
            rate, bias = np.zeros(6), np.zeros(6)
            for screw, x in zip(own[k].T, u[self.columns[k]], strict=True):
                bias += bracket(V_first + rate, screw * x)
                rate = rate + screw * x
            return rate, bias

        for k, forward in self.tree:
            a, b = pairs[k].first, pairs[k].second
            if forward:
                rate, bias = across(k, V[a])
                V[b], A[b] = V[a] + rate, A[a] + bias
            else:
                rate, _ = across(k, np.zeros(6))
                V[a] = V[b] - rate
                A[a] = A[b] - across(k, V[a])[1]
        found = [np.zeros(0)]
        for k in self.chords:
            a, b = pairs[k].first, pairs[k].second
            found.append(A[a] + across(k, V[a])[1] - A[b])
        return np.concatenate(found)

    def world_screws(self, at: Posture) -> list[Array]:
        """Per joint its screws (6, f) at a posture, in the world."""
        D = self.links(at)
        pairs = enumerate(self.linkage.pairs)
        return [turned(D[p.first], self.local_screws(k, at)) for k, p in pairs]


def _spanning_tree(linkage: Linkage) -> tuple[list[tuple[int, bool]], list[int]]:
    """Joints of a tree from the ground, with whether each leads on; and the others."""
    reached, tree = {0}, []
    rest = list(range(len(linkage.pairs)))
    grown = True
    while grown:
        grown = False
        for k in list(rest):
            a, b = linkage.pairs[k].first, linkage.pairs[k].second
            if (a in reached) != (b in reached):
                tree.append((k, a in reached))
                reached |= {a, b}
                rest.remove(k)
                grown = True
    return tree, rest
