"""2.1.3.4 The rank of a structure matrix: by elimination, exactly, and proven from below."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import NamedTuple

import numpy as np
from flint import arb, arb_mat, fmpq, fmpq_mat

from models.linkage import Number
from reference.carriers import precision

Array = np.ndarray

PIVOT_TOLERANCE = 1e-9
"""The chapter's: a pivot of this size or less ends the elimination."""
TRUSTED = 1e-10
"""Pivots below this share of the largest are not tried in a proof."""
BITS = 128


class Elimination(NamedTuple):
    """What elimination with full pivoting found.

    Attributes:
        rank: Number of pivots accepted.
        smallest_accepted: The smallest of them; infinite without one.
        largest_rejected: The largest entry left; 0 if none is.
    """

    rank: int
    smallest_accepted: float
    largest_rejected: float


def _pivots(A: Array, tolerance: float) -> tuple[list[float], float, Array, Array]:
    """Pivots accepted, the largest entry left, and the order of rows and columns."""
    A = np.array(A, float)
    m, n = A.shape
    rows, columns = np.arange(m), np.arange(n)
    accepted: list[float] = []
    for r in range(min(m, n)):
        rest = np.abs(A[r:, r:])
        i, j = divmod(int(rest.argmax()), n - r)
        size = float(rest[i, j])
        if size <= tolerance:
            return accepted, size, rows, columns
        accepted.append(size)
        i, j = r + i, r + j
        A[[r, i]], rows[[r, i]] = A[[i, r]], rows[[i, r]]
        A[:, [r, j]], columns[[r, j]] = A[:, [j, r]], columns[[j, r]]
        A[r + 1 :] -= np.outer(A[r + 1 :, r] / A[r, r], A[r])
    return accepted, 0.0, rows, columns


def eliminated(A: Array, tolerance: float = PIVOT_TOLERANCE) -> Elimination:
    """The rank by Gaussian elimination with full pivoting (2.1.5 `rank`)."""
    accepted, left, _, _ = _pivots(A, tolerance)
    return Elimination(len(accepted), min(accepted, default=np.inf), left)


def rational(x: Number) -> fmpq:
    """A number as the rational that it is."""
    exact = Fraction(x)
    return fmpq(exact.numerator, exact.denominator)


def exact_rank(A: Sequence[Sequence[Number]]) -> int:
    """The rank in rational arithmetic; a float is the rational number that it is."""
    if not A or not A[0]:
        return 0
    matrix = fmpq_mat(len(A), len(A[0]), [rational(x) for row in A for x in row])
    return int(matrix.rank())


def certified_rank(A: Array) -> int:
    """A proven lower bound of the rank of a matrix of doubles.

    Elimination picks a square part B; with Y near its inverse, ||I - Y B|| < 1 in balls
    proves that B is regular.  Fewer pivots are tried until the proof succeeds.
    """
    A = np.array(A, float)
    if not A.size:
        return 0
    accepted, _, rows, columns = _pivots(A, 0.0)
    largest = max(accepted, default=0.0)
    r = sum(size > TRUSTED * largest for size in accepted)
    while r and not _is_regular(A[np.ix_(rows[:r], columns[:r])]):
        r = int(0.9 * r)
    return r


def _is_regular(B: Array) -> bool:
    n = len(B)
    try:
        Y = np.linalg.inv(B)
    except np.linalg.LinAlgError:
        return False
    if not np.isfinite(Y).all():
        return False
    with precision(BITS):
        left = arb_mat(n, n, Y.ravel().tolist()) * arb_mat(n, n, B.ravel().tolist())
        off = (arb_mat(n, n, np.eye(n).ravel().tolist()) - left).entries()
        sums = [sum((abs(x) for x in off[i * n : i * n + n]), arb(0)) for i in range(n)]
        return all(bool(s < 1) for s in sums)
