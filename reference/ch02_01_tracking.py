"""2.1.3.5 Finite mobility: following a linkage along a motion, step by step.

A step goes along the kernel of J in the direction of the last one, and Newton's method
closes the loops again.  Steps shrink where that fails and grow where it is easy.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from reference.ch02_01_displacement import Array
from reference.ch02_01_motion import CLOSED, Differential, Motion, Posture
from reference.rank import Rank, split

FIRST, LONGEST, SHORTEST = 0.04, 0.12, 1e-3
"""Steps, in rad and sizes of the linkage."""
EASY, HARD = 3, 8
"""Newton steps up to which a step may grow, and beyond which it counts as failed."""
DIP = 0.3
"""A smallest singular value under this share of the usual one is looked at closely."""
SINGULAR = 1e-5
"""Smallest singular value that, met on a track, counts as zero."""

WHOLE, STUCK, RIGID, NO_KERNEL = (
    "went the whole length",
    "no step, however short, closes the loops",
    "nothing can move from here",
    "what led on is gone",
)
"""Why a track stops."""


@dataclass(frozen=True)
class SingularPose:
    """A pose on a track where more can move at first order than beside it.

    Attributes:
        track: Number of the track, from 0.
        at: How far along it, in rad and sizes of the linkage.
        nullity: Instantaneous mobility there.
        smallest: The singular value that vanishes there, as far as it was followed.
        where: The joints that moved, in words.
    """

    track: int
    at: float
    nullity: int
    smallest: float
    where: str


@dataclass(frozen=True)
class Track:
    """One motion that was followed.

    Attributes:
        start: What it set out along, in words.
        length: How far it came, in rad and sizes of the linkage.
        steps: Number of steps.
        stop: Why it ended.
        nullity: Least instantaneous mobility on the way, the dimension of the motion.
        residual: Largest gap on the way.
        rank: Rank of J at its least clear on the way.
        singular: Singular poses met.
        end: Its last posture.
    """

    start: str
    length: float
    steps: int
    stop: str
    nullity: int
    residual: float
    rank: Rank
    singular: tuple[SingularPose, ...]
    end: Posture


@dataclass(frozen=True)
class _Point:
    at: float
    posture: Posture
    gap: float
    rank: Rank
    kernel: Array
    s: Array


def _point(at: float, posture: Posture, here: Differential) -> _Point:
    rank, kernel, _, s = split(here.J)
    return _Point(at, posture, here.widest, rank, kernel, s)


def _followed(
    motion: Motion, start: Posture, along: Array, length: float, why: list[str]
) -> Iterator[_Point]:
    """The points of a track; the reason why it ends is left in `why`."""
    here, at, h = _point(0.0, start, motion.differential(start)), 0.0, FIRST
    direction = along / np.linalg.norm(along)
    yield here
    while at < length:
        if not here.kernel.shape[1]:
            why.append(RIGID)
            return
        tangent = here.kernel @ (here.kernel.T @ direction)
        size = float(np.linalg.norm(tangent))
        if size < 0.1:
            why.append(NO_KERNEL)
            return
        tangent = tangent / size
        while True:
            tried, there, steps = motion.closed(motion.moved(here.posture, h * tangent))
            went = float(np.linalg.norm(tried.q - here.posture.q))
            if there.widest < CLOSED and steps <= HARD and 0.5 * h < went < 1.5 * h:
                break
            h /= 2
            if h < SHORTEST:
                why.append(STUCK)
                return
        direction = tried.q - here.posture.q
        direction = direction / np.linalg.norm(direction)
        at += went
        here = _point(at, tried, there)
        yield here
        h = min(1.5 * h, LONGEST) if steps <= EASY else h
    why.append(WHOLE)


def track(
    motion: Motion, start: Posture, along: Array, length: float, number: int, words: str
) -> Track:
    """Follow a linkage from a closed posture along rates (n,) of its joints.

    Args:
        motion: The linkage.
        start: A closed posture.
        along: Rates of the joints that keep it closed at least to first order.
        length: How far to go, in rad and sizes of the linkage.
        number: Number of the track, for the singular poses that it meets.
        words: What `along` is.
    """
    why: list[str] = []
    points = list(_followed(motion, start, along, length, why))
    moving = points[1:] or points
    nullity = min(motion.n - p.rank.rank for p in moving)
    clear = min(moving, key=lambda p: _clearness(p.rank))
    return Track(
        words,
        points[-1].at,
        len(points) - 1,
        why[0],
        nullity if len(points) > 1 else 0,
        max(p.gap for p in points),
        clear.rank,
        tuple(_singular_poses(motion, points, nullity, number)),
        points[-1].posture,
    )


def _clearness(rank: Rank) -> float:
    return rank.smallest / max(rank.next, 1e-17)


def _singular_poses(
    motion: Motion, points: list[_Point], nullity: int, number: int
) -> Iterator[SingularPose]:
    """Where the last singular value that counts on the track comes down to zero."""
    last = motion.n - nullity - 1
    if last < 0 or len(points) < 4:
        return
    sizes = np.array([p.s[last] for p in points])
    usual = float(np.median(sizes))
    for k in range(1, len(points) - 1):
        a, b, c = points[k - 1 : k + 2]
        if sizes[k] <= min(sizes[k - 1], sizes[k + 1]) and sizes[k] < DIP * usual:
            found = _least(motion, a, b, c, last)
            if found.s[last] < SINGULAR:
                more = int(np.sum(found.s > SINGULAR))
                yield SingularPose(
                    number,
                    found.at,
                    motion.n - more,
                    float(found.s[last]),
                    joints_in_words(motion, found.posture),
                )


def _least(motion: Motion, a: _Point, b: _Point, c: _Point, last: int) -> _Point:
    """The point between a and c where a singular value is least, by golden section."""
    for _ in range(40):
        left = b.at - a.at > c.at - b.at
        other = a if left else c
        share = 0.381966
        guess = b.posture.q + share * (other.posture.q - b.posture.q)
        moved = motion.moved(b.posture, guess - b.posture.q)
        posture, there, _ = motion.closed(moved)
        if there.widest > CLOSED:
            break
        new = _point(b.at + share * (other.at - b.at), posture, there)
        if new.s[last] < b.s[last]:
            a, b, c = (a, new, b) if left else (b, new, c)
        else:
            a, c = (new, c) if left else (a, new)
        if b.s[last] < SINGULAR / 10:
            break
    return b


def joints_in_words(motion: Motion, at: Posture) -> str:
    """The joints of one freedom that moved, with how far [rad | m]."""
    words = []
    for pair, columns in zip(motion.linkage.pairs, motion.columns, strict=True):
        if pair.f == 1 and abs(at.q[columns.start]) > 1e-9:
            scale = motion.size.length if pair.kind == "prismatic" else 1.0
            words.append(f"{pair.name} {scale * at.q[columns.start]:.4g}")
    return ", ".join(words[:6]) + (", ..." if len(words) > 6 else "")
