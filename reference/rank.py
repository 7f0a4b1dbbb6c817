"""The numerical rank of a matrix, with the gap that decides it."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

Array = np.ndarray

RANK_RTOL = 1e-10
"""Singular values below this part of the largest count as zero; the gap is reported."""


class Rank(NamedTuple):
    """Rank of one matrix, and the singular values on both sides of the gap.

    Attributes:
        rows: Number of rows.
        rank: How many singular values count.
        smallest: The last that counts; 0 without one.
        next: The first that does not; 0 if all count.
        largest: The largest.
    """

    rows: int
    rank: int
    smallest: float
    next: float
    largest: float

    @property
    def condition(self) -> float:
        """largest / smallest."""
        return self.largest / self.smallest if self.smallest else np.inf

    def __str__(self) -> str:
        """In words, with the numbers."""
        below = f", next {self.next:.1e}" if self.rank < self.rows else ""
        return (
            f"rank {self.rank} of {self.rows} rows (singular values "
            f"{self.largest:.3g} to {self.smallest:.3g}{below})"
        )


class Split(NamedTuple):
    """A matrix (m, n) of rank r by its singular vectors.

    Attributes:
        rank: Its rank.
        kernel: Basis (n, n - r) of what it takes to zero.
        cokernel: Basis (m, m - r) of what its transpose takes to zero.
        values: Its singular values, the largest first.
    """

    rank: Rank
    kernel: Array
    cokernel: Array
    values: Array


def split(J: Array) -> Split:
    """One matrix (m, n) by its singular vectors."""
    U, s, Vt = np.linalg.svd(J)
    found = _counted(s, len(J))
    return Split(found, Vt[found.rank :].T, U[:, found.rank :], s)


def rank_of(J: Array) -> Rank:
    """Rank of one matrix (m, n) by its singular values."""
    return _counted(np.linalg.svd(J, compute_uv=False), len(J))


def _counted(s: Array, rows: int) -> Rank:
    largest = float(s[0]) if len(s) else 0.0
    rank = int(np.sum(s > RANK_RTOL * largest)) if largest else 0
    smallest = float(s[rank - 1]) if rank else 0.0
    following = float(s[rank]) if rank < len(s) else 0.0
    return Rank(rows, rank, smallest, following, largest)
