"""3.11 M a = f + J' lambda, J a = gamma: one solution, several routes (float64, batched).

Every route takes matrices with any leading batch shape: M (..., n, n), J (..., m, n),
f = tau - h (..., n), gamma (..., m).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import quadprog

from reference.rank import RANK_RTOL, rank_of

Array = np.ndarray

CONSISTENT_RTOL = 1e-8
"""A right side counts as outside the range of J beyond this part of its size."""


class ConstraintError(ValueError):
    """Constraints that cannot be solved as they stand; the message has the numbers."""


class DimensionError(ConstraintError):
    """Matrices whose sizes do not fit together."""


class RedundantConstraintsError(ConstraintError):
    """Rows of J that depend on each other: the multipliers are not unique."""


class ContradictoryConstraintsError(ConstraintError):
    """No acceleration fulfils J a = gamma."""


class Solution(NamedTuple):
    """Accelerations a (..., n) and multipliers lambda (..., m)."""

    a: Array
    multipliers: Array


@dataclass(frozen=True)
class System:
    """The terms of M a = f + J' lambda, J a = gamma.

    Attributes:
        M: Mass matrix, symmetric and positive definite.
        J: Constraint Jacobian.
        f: tau - h.
        gamma: -Jdot v, with stabilisation if there is any.
    """

    M: Array
    J: Array
    f: Array
    gamma: Array

    def __post_init__(self) -> None:
        """Refuse sizes that do not fit.

        Raises:
            DimensionError: Naming the sizes.
        """
        n, m = self.f.shape[-1], self.gamma.shape[-1]
        if self.M.shape[-2:] != (n, n) or self.J.shape[-2:] != (m, n):
            raise DimensionError(
                f"M is {_by(self.M)}, J is {_by(self.J)}, f has {n} entries and gamma "
                f"{m}: needs M {n}x{n} and J {m}x{n}"
            )

    @property
    def free_acceleration(self) -> Array:
        """a_u = M^-1 f, without constraints."""
        return solved(self.M, self.f)


def _by(A: Array) -> str:
    return "x".join(map(str, A.shape[-2:]))


def solved(A: Array, b: Array) -> Array:
    """A^-1 b for vectors b (..., n)."""
    return np.linalg.solve(A, b[..., None])[..., 0]


def times(A: Array, x: Array) -> Array:
    """A x for vectors x (..., n)."""
    product: Array = (A @ x[..., None])[..., 0]
    return product


def full_matrix(system: System, R: Array | None = None) -> Array:
    """K = [[M, -J'], [J, R]], R diagonal (..., m) and zero without one; (..., n + m, n + m)."""
    m, n = system.J.shape[-2:]
    K = np.zeros((*system.J.shape[:-2], n + m, n + m))
    K[..., :n, :n], K[..., :n, n:], K[..., n:, :n] = system.M, -system.J.mT, system.J
    if R is not None:
        K[..., n:, n:] = R[..., None] * np.eye(m)
    return K


def stretch(system: System, found: Solution) -> Array:
    """|a| + |a_u| + sum_k |M^-1 J_k' lambda_k|, what a is added up from, (..., n)."""
    spread = np.abs(np.linalg.solve(system.M, system.J.mT))
    direct = np.abs(found.a) + np.abs(system.free_acceleration)
    return direct + times(spread, np.abs(found.multipliers))


# -------------------------------------------------- routes that need independent rows


def _refuse_dependent_rows(system: System, singular: str) -> None:
    """Rows that depend on each other, be it but for rounding, have no such route.

    Raises:
        RedundantConstraintsError: Saying what is singular, with the rank.
    """
    m, n = system.J.shape[-2:]
    for J in system.J.reshape(-1, m, n):
        rank = rank_of(J)
        if rank.rank < m:
            raise RedundantConstraintsError(f"{singular} is singular: {rank}")


def by_full_system(system: System) -> Solution:
    """[[M, -J'], [J, 0]] (a, lambda) = (f, gamma), 3.11.3.2.

    Raises:
        RedundantConstraintsError: If the matrix is singular.
    """
    _refuse_dependent_rows(system, "the full system")
    n, K = system.f.shape[-1], full_matrix(system)
    x = solved(K, np.concatenate([system.f, system.gamma], -1))
    return Solution(x[..., :n], x[..., n:])


def inverse_constraint_inertia(system: System) -> Array:
    """G = J M^-1 J', the Schur complement (..., m, m), 3.11.3.2."""
    return system.J @ np.linalg.solve(system.M, system.J.mT)


def by_schur_complement(system: System) -> Solution:
    """lambda = G^-1 (gamma - J M^-1 f), a = M^-1 (f + J' lambda), 3.11.3.2.

    Raises:
        RedundantConstraintsError: If G is singular.
    """
    _refuse_dependent_rows(system, "G = J M^-1 J'")
    return independent_motion(system)


def independent_motion(system: System) -> Solution:
    """The same for rows that are known to be independent: nothing is checked."""
    J, free = system.J, system.free_acceleration
    G = inverse_constraint_inertia(system)
    lam = solved(G, system.gamma - times(J, free))
    return Solution(solved(system.M, system.f + times(J.mT, lam)), lam)


def force_projection(system: System) -> Array:
    """P = 1 - J' G^-1 J M^-1, which removes what acts on the constraints (L&P 8.99).

    Raises:
        RedundantConstraintsError: If G is singular.
    """
    _refuse_dependent_rows(system, "G = J M^-1 J'")
    n, J = system.M.shape[-1], system.J
    weighted = np.linalg.solve(system.M, J.mT).mT
    G = inverse_constraint_inertia(system)
    return np.eye(n) - J.mT @ np.linalg.solve(G, weighted)


def acceleration_projection(system: System) -> Array:
    """P_a = M^-1 P M (L&P 8.101)."""
    return np.linalg.solve(system.M, force_projection(system) @ system.M)


def by_projection(system: System) -> Array:
    """a = M^-1 P f + M^-1 J' G^-1 gamma; L&P (8.100) lacks the second term.

    Raises:
        RedundantConstraintsError: If G is singular.
    """
    projected = times(force_projection(system), system.f)
    G = inverse_constraint_inertia(system)
    constrained = times(system.J.mT, solved(G, system.gamma))
    return solved(system.M, projected + constrained)


# ------------------------------------------------------ routes for dependent rows too


def by_null_space(system: System) -> Array:
    """a = Z z + a_p with J Z = 0 and Z' M Z z = Z' (f - M a_p), of one sample, 3.11.3.3."""
    from scipy.linalg import null_space  # late: SciPy takes long to import

    Z = null_space(system.J, rcond=RANK_RTOL)
    particular = np.linalg.lstsq(system.J, system.gamma, rcond=RANK_RTOL)[0]
    reduced = np.linalg.solve(
        Z.T @ system.M @ Z, Z.T @ (system.f - system.M @ particular)
    )
    a: Array = Z @ reduced + particular
    return a


def by_least_constraint(system: System) -> Array:
    """Gauss: a minimises (a - a_u)' M (a - a_u) / 2 under J a = gamma, of one sample.

    Solved as a quadratic programme by the dual active-set method of Goldfarb and Idnani.

    Raises:
        RedundantConstraintsError: If the rows of J depend on each other.
    """
    _refuse_dependent_rows(system, "the programme's equality")
    a: Array = quadprog.solve_qp(
        system.M, system.f, system.J.T, system.gamma, meq=len(system.J)
    )[0]
    return a


def least_motion(system: System) -> Solution:
    """The solution for rows of any rank: a is unique, lambda the shortest of many.

    Rows that depend on each other leave a as it is if they do not contradict each other;
    of lambda only J' lambda is unique, and the solution of least norm is returned.  Where
    they do contradict, J a = gamma holds in the sense of least squares: see `contradiction`.
    """
    L = np.linalg.cholesky(system.M)
    scaled = np.linalg.solve(L, system.J.mT).mT
    U, s, Vt = np.linalg.svd(scaled, full_matrices=False)
    keep = s > RANK_RTOL * s[..., :1]
    inverse = np.where(keep, 1.0 / np.where(keep, s, 1.0), 0.0)
    free = system.free_acceleration
    short = system.gamma - times(system.J, free)
    along = inverse * times(U.mT, short)
    a = free + solved(L.mT, times(Vt.mT, along))
    return Solution(a, times(U, inverse * along))


def regularized_motion(system: System, R: Array) -> Solution:
    """J a + R lambda = gamma with R diagonal, (..., m): (G + R) lambda = gamma - J a_u."""
    m, J, free = system.gamma.shape[-1], system.J, system.free_acceleration
    G = inverse_constraint_inertia(system) + R[..., None] * np.eye(m)
    lam = solved(G, system.gamma - times(J, free))
    return Solution(solved(system.M, system.f + times(J.mT, lam)), lam)


def damped_motion(system: System, mu: float) -> Solution:
    """(G + mu 1) lambda = gamma - J a_u: regular for any rank, wrong by the order of mu."""
    return regularized_motion(system, np.full(system.gamma.shape, mu))


def contradiction(system: System) -> float:
    """Largest entry of gamma outside the range of J, over all samples."""
    a = least_motion(system).a
    return float(np.abs(system.gamma - times(system.J, a)).max(initial=0.0))


def checked_motion(system: System) -> Solution:
    """`least_motion` of one sample, if there is one.

    Raises:
        ContradictoryConstraintsError: If no acceleration fulfils J a = gamma.
    """
    off = contradiction(system)
    size = float(np.abs(system.gamma).max(initial=0.0))
    if off > CONSISTENT_RTOL * max(size, 1e-12):
        raise ContradictoryConstraintsError(
            f"J a = gamma has no solution: it misses by {off:.3g} where gamma reaches "
            f"{size:.3g}; {rank_of(system.J)}"
        )
    return least_motion(system)
