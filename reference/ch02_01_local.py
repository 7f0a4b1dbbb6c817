"""2.1.6 What the second order says of a pose: which first-order motions go on.

A velocity u = K a of the kernel of J goes on to second order if some acceleration closes
the loops: W' (Jdot u) = 0 for every W of the kernel of J'.  These are quadrics in a.  If
all vanish, every velocity goes on (the pose is regular to this order); if no a but zero
fulfils them, none does and the linkage is shaky; else the branches that meet in the pose
leave along the solutions.  After Mueller, J. Mechanisms Robotics 8(4), 2016.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from reference.ch02_01_displacement import Array
from reference.ch02_01_motion import Motion, Posture
from reference.rank import Rank, split

FLAT = 1e-9
"""Quadrics below this, for unit velocities of a linkage of unit size, count as zero."""
STARTS = 40
SAME = 1e-5


@dataclass(frozen=True)
class Local:
    """A closed posture to second order.

    Attributes:
        rank: Rank of J.
        kernel: Basis (n, d) of the velocities that keep the loops closed.
        quadrics: Symmetric matrices (k, d, d), empty where the second order adds nothing.
        directions: Velocities (n,) of unit length that go on to second order; of a regular
            posture none are listed, for all do.
    """

    rank: Rank
    kernel: Array
    quadrics: Array
    directions: tuple[Array, ...]

    @property
    def nullity(self) -> int:
        """Instantaneous mobility."""
        return self.kernel.shape[1]

    @property
    def is_regular(self) -> bool:
        """Whether every velocity goes on to second order."""
        return not len(self.quadrics)

    @property
    def is_stuck(self) -> bool:
        """Whether no velocity goes on to second order."""
        return not self.is_regular and not self.directions

    def __str__(self) -> str:
        """In words."""
        if not self.nullity:
            return "no velocity at all"
        if self.is_regular:
            return "every velocity goes on to second order"
        if self.is_stuck:
            return "no velocity goes on to second order: shaky, a motion of first order only"
        count = len(self.directions)
        return (
            f"of {self.nullity} velocities, {count} "
            f"{'direction goes' if count == 1 else 'directions go'} on to second order"
        )


def local(motion: Motion, at: Posture, seed: int = 0) -> Local:
    """A closed posture to second order."""
    here = motion.differential(at)
    found, K, W, _ = split(here.J)
    quadrics = _quadrics(motion, here.screws, K, W)
    directions = _directions(quadrics, seed) if len(quadrics) else []
    return Local(found, K, quadrics, tuple(K @ a for a in directions))


def _quadrics(motion: Motion, screws: list[Array], K: Array, W: Array) -> Array:
    """The quadrics W' (Jdot K a), independent ones only."""
    d = K.shape[1]
    if not d or not W.shape[1]:
        return np.zeros((0, d, d))
    table: dict[tuple[int, int], Array] = {}
    for i in range(d):
        for j in range(i, d):
            u = K[:, i] + (K[:, j] if j > i else 0.0)
            table[i, j] = W.T @ motion.second_order(u, screws)
    Q = np.zeros((W.shape[1], d, d))
    for (i, j), value in table.items():
        Q[:, i, j] = Q[:, j, i] = (
            value if i == j else (value - table[i, i] - table[j, j]) / 2
        )
    _, s, Vt = np.linalg.svd(Q.reshape(len(Q), -1), full_matrices=False)
    counted = s > FLAT
    return (s[counted, None] * Vt[counted]).reshape(-1, d, d)


def _directions(Q: Array, seed: int) -> list[Array]:
    """Unit solutions a of all quadrics, up to sign, from random starts."""
    d = Q.shape[1]
    rng = np.random.default_rng(seed)
    starts = [np.ones(1)] if d == 1 else rng.normal(size=(STARTS, d))
    scale = np.abs(Q).max()
    found: list[Array] = []
    for a in starts:
        a = a / np.linalg.norm(a)
        for _ in range(60):
            gap = np.einsum("kij,i,j->k", Q, a, a)
            slope = 2 * np.einsum("kij,j->ki", Q, a)
            slope -= np.outer(slope @ a, a)  # along the sphere only
            step = np.linalg.lstsq(slope, -gap, rcond=1e-9)[0]
            a = a + step * min(1.0, 0.5 / max(float(np.linalg.norm(step)), 1e-300))
            a = a / np.linalg.norm(a)
        gap = np.abs(np.einsum("kij,i,j->k", Q, a, a)).max()
        known = any(min(np.abs(a - b).max(), np.abs(a + b).max()) < SAME for b in found)
        if gap < 1e-10 * scale and not known:
            found.append(a)
    return found
