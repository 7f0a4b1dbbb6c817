"""3.11 What rounding may leave of M a = f + J' lambda, J a = gamma, and change in a and lambda.

The bounds are those that libraries are judged by (see `ch03_11_equations`), for float64
terms that are taken as they are.
"""

from __future__ import annotations

import numpy as np

from reference.carriers import UNIT_ROUNDOFF
from reference.ch03_11_solvers import Solution, System, full_matrix, stretch

Array = np.ndarray


def residual_bound(system: System, found: Solution) -> Array:
    """Bound on the residual of a stable solution, (N, n + m).

    Elimination of n + m equations may leave 3 (n + m) u times the absolute terms of each
    row, where a counts with its parts: the free acceleration and what each multiplier adds.
    """
    n, m = system.f.shape[-1], system.gamma.shape[-1]
    share = 3 * (n + m) * UNIT_ROUNDOFF
    lam = np.abs(found.multipliers)[..., None]
    parts = stretch(system, found)[..., None]
    d = np.sqrt(system.M.diagonal(axis1=-2, axis2=-1))[..., None]
    size = np.abs(system.J)
    upper = d * (d.mT @ parts) + size.mT @ lam
    return share * np.concatenate([upper, size @ parts], axis=-2)[..., 0]


def solution_bound(system: System, found: Solution) -> Array:
    """Bound on the error of a stable solution (a, lambda): |K^-1| times the residual's."""
    K = full_matrix(system)
    residual = residual_bound(system, found)[..., None]
    bound: Array = (np.abs(np.linalg.inv(K)) @ residual)[..., 0]
    return bound


def solve_bound(A: Array, x: Array) -> Array:
    """Bound on the error of x = A^-1 b by a stable solve, for columns x (N, n, k).

    A x = b is left with 3 n u |A| |x|.
    """
    left = 3 * A.shape[-1] * UNIT_ROUNDOFF * (np.abs(A) @ np.abs(x))
    bound: Array = np.abs(np.linalg.inv(A)) @ left
    return bound
