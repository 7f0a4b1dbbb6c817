"""2.1 A linkage in motion: postures, how far they are open, and what can move there.

Joints are in their closed reference pose; a posture holds, per joint, how far its second
link is displaced against its first.  Lengths are in units of the linkage's size and points
count from its middle, so that turns and shifts compare.
"""

from __future__ import annotations

import itertools
from dataclasses import dataclass, replace
from functools import cached_property
from typing import NamedTuple

import numpy as np

from models.linkage import Linkage, Pair, Vector
from reference.ch02_01_displacement import (
    EYE4,
    Array,
    bracket,
    exp_se3,
    inverse,
    log_se3,
    turned,
)
from reference.ch02_01_structure import pair_screws
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
    points = np.array([_floats(p.point) for p in turning])
    middle = points.mean(axis=0)
    length = float(np.sqrt(((points - middle) ** 2).sum(axis=1).mean()))
    if length < 1e-9 * max(1.0, float(np.abs(points).max())):
        length = max(float(np.linalg.norm(middle)), 1.0) if len(turning) < 2 else 1.0
    return Size(middle, length)


def screws_of(pair: Pair, size: Size) -> Array:
    """Its screws (f, 6) in the reference pose, about axes of length one."""
    point = (_floats(pair.point) - size.middle) / size.length
    scaled = replace(
        pair,
        point=_vector(point),
        axes=tuple(map(_unit, pair.axes)),
        pitch=float(pair.pitch) / size.length,
    )
    return np.array(pair_screws(scaled), float).reshape(pair.f, 6)


def _vector(x: Array) -> Vector:
    a, b, c = x.tolist()
    return a, b, c


def _unit(axis: Vector) -> Vector:
    u = _floats(axis)
    return _vector(u / np.linalg.norm(u))


def _floats(x: Vector) -> Array:
    return np.array(x, dtype=float)


@dataclass(frozen=True)
class Posture:
    """Where every joint of a linkage is.

    Attributes:
        q: Joint coordinates (n,); of a spherical or free joint the sum of its steps.
        T: Per joint the displacement (4, 4) of its second link against its first.
        screws: Per joint its screws (6, f), in the axes of its first link.
    """

    q: Array
    T: tuple[Array, ...]
    screws: tuple[Array, ...]


class Differential(NamedTuple):
    """A linkage at a posture.

    Attributes:
        gap: How far each loop is open, as the twist that closes it (6 L,).
        J: Rate of the gap per joint (6 L, n).
        screws: Per joint its screws (6, f) in the world.
    """

    gap: Array
    J: Array
    screws: list[Array]

    @property
    def widest(self) -> float:
        """The largest entry of the gap."""
        return float(np.abs(self.gap).max(initial=0.0))


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
        still = tuple(EYE4 for _ in self.linkage.pairs)
        return Posture(np.zeros(self.n), still, tuple(S.T for S in self.screws))

    def moved(self, at: Posture, step: Array) -> Posture:
        """A posture after a step (n,) of the joints."""
        q = at.q + step
        factors = exp_se3(q[:, None] * np.concatenate(self.screws))
        T, screws = [], []
        for pair, S, columns, old in zip(
            self.linkage.pairs, self.screws, self.columns, at.T, strict=True
        ):
            if pair.kind in ("spherical", "free"):
                T.append(exp_se3(step[columns] @ S) @ old)
                screws.append(S.T)
                continue
            here, turning = EYE4, []
            for screw, factor in zip(S, factors[columns], strict=True):
                turning.append(turned(here, screw[:, None]))
                here = here @ factor
            T.append(here)
            screws.append(np.concatenate([np.zeros((6, 0)), *turning], axis=1))
        return Posture(q, tuple(T), tuple(screws))

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

    def differential(self, at: Posture) -> Differential:
        """How far it is open, and the rates of the gap."""
        D, pairs = self.links(at), self.linkage.pairs
        screws = [turned(D[p.first], S) for p, S in zip(pairs, at.screws, strict=True)]
        twists = np.zeros((len(D), 6, self.n))
        for k, forward in self.tree:
            a, b = pairs[k].first, pairs[k].second
            near, far, sign = (a, b, 1.0) if forward else (b, a, -1.0)
            twists[far] = twists[near]
            twists[far][:, self.columns[k]] += sign * screws[k]
        round_trips = np.zeros((len(self.chords), 4, 4))
        J = np.zeros((len(self.chords), 6, self.n))
        for i, k in enumerate(self.chords):
            a, b = pairs[k].first, pairs[k].second
            round_trips[i] = D[a] @ at.T[k] @ inverse(D[b])
            J[i] = twists[a] - twists[b]
            J[i][:, self.columns[k]] += screws[k]
        return Differential(log_se3(round_trips).ravel(), J.reshape(-1, self.n), screws)

    def closed(self, at: Posture) -> tuple[Posture, Differential, int]:
        """Newton's method to a closed posture; what it is there, and the steps taken.

        Where a step would leave the neighbourhood it gives up, with a gap of infinity.
        """
        here = self.differential(at)
        for steps in range(ITERATIONS):
            if here.widest < CLOSED / 10:
                return at, here, steps
            step = np.linalg.lstsq(here.J, -here.gap, rcond=RANK_RTOL)[0]
            if not np.isfinite(step).all() or np.abs(step).max() > 1.0:
                return at, here._replace(gap=np.full_like(here.gap, np.inf)), steps
            at = self.moved(at, step)
            here = self.differential(at)
        return at, here, ITERATIONS

    def linkage_at(self, at: Posture) -> Linkage:
        """The linkage in another posture, its numbers rounded."""
        D, size, pairs = self.links(at), self.size, []
        for pair in self.linkage.pairs:
            first, second = D[pair.first], D[pair.second]
            p = (_floats(pair.point) - size.middle) / size.length
            p = size.middle + size.length * (first[:3, :3] @ p + first[:3, 3])
            carried = (first, second)[: len(pair.axes)]
            axes = tuple(
                _vector(T[:3, :3] @ _floats(u))
                for T, u in zip(carried, pair.axes, strict=True)
            )
            pairs.append(replace(pair, point=_vector(p), axes=axes))
        return replace(self.linkage, pairs=tuple(pairs), exact=False)

    def second_order(self, u: Array, screws: list[Array]) -> Array:
        """J-dot u along rates u (n,): the gap's acceleration without joint accelerations.

        Args:
            u: Rates of the joints, which keep it closed.
            screws: Per joint its screws (6, f) in the world.
        """
        pairs = self.linkage.pairs
        V = np.zeros((len(self.linkage.links), 6))
        A = np.zeros_like(V)

        def across(k: int, V_first: Array) -> tuple[Array, Array]:
            rate, bias = np.zeros(6), np.zeros(6)
            for screw, x in zip(screws[k].T, u[self.columns[k]], strict=True):
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
