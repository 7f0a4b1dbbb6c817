"""3.4 Claims on dM/dq and on the factorisations of C v."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

import numpy as np

from reference.carriers import UNIT_ROUNDOFF, Matrix, Scalar
from reference.ch03_04_claims_inertia import ARM, SEED, OwnAnswers, sampled_poses
from reference.ch03_04_laws import mass_matrix_rate_is_c_plus_its_transpose
from reference.ch03_04_manipulator_equation import (
    coriolis_matrix,
    mass_matrix,
    mass_matrix_gradient,
    mass_matrix_rate,
    other_coriolis_matrix,
)
from reference.ch03_04_properties import (
    coriolis_gain,
    mass_matrix_bound,
    measured,
    skew_addition,
    symmetric_part,
)
from reference.claim import Claim, Outcome, judge_residual, undecided
from reference.measured import Measured, beside, column
from reference.robot import Robot

Array = np.ndarray

# ----------------------------------------------------------- 3.4.5(3), (4): dM/dq and C


def _gradient_table(robot: Robot, q: list[Scalar]) -> Matrix:
    """dM_ij/dq_k in row i, column n k + j."""
    la, n = robot.la, robot.nv
    rows = [[la.zero] * (n * n) for _ in range(n)]
    for (i, j, k), slope in mass_matrix_gradient(robot, q).items():
        rows[i][n * k + j] = rows[j][n * k + i] = slope
    return la.table(rows)


def gradient_is_central_difference(claim: Claim) -> Outcome:
    """dM/dq against (M(q + h) - M(q - h)) / 2h, h = 1e-6.

    Along a joint M_ij is a trigonometric polynomial of degree two, no larger than mbar,
    so that |M_ij'''| <= 8 mbar (Bernstein): the truncation is at most 8 mbar h^2 / 6.
    """
    h, n, q = 1e-6, ARM.nv, sampled_poses(ARM, 200)
    analytic = measured(ARM, _gradient_table, q)
    truncation = 8 * mass_matrix_bound(ARM) * h**2 / 6
    parts = []
    for k in range(n):
        step = h * np.eye(n)[k]
        ends = [measured(ARM, mass_matrix.compute, q + s * step) for s in (1.0, -1.0)]
        # q + h is rounded: the slope, no more than 2 mbar, times u |q| at either end
        moved = UNIT_ROUNDOFF * 2 * mass_matrix_bound(ARM) * (np.abs(q[:, k]) + h)
        bound = ends[0].bound + ends[1].bound + 2 * moved[:, None, None]
        rise = Measured(ends[0].value - ends[1].value, bound) * (1 / (2 * h))
        exact = analytic.columns(n * k, n * (k + 1))
        parts.append(exact - Measured(rise.value, rise.bound + truncation))
    both = np.concatenate([p.value for p in parts])
    bounds = np.concatenate([p.bound for p in parts])
    return judge_residual(claim, Measured(both, bounds), remark="200 poses")


@cache
def _velocity_sample() -> tuple[Array, Array, Array, Measured, Measured, Measured]:
    """q, v, s and Mdot, C, C~ there; v and s normal, of unit variance."""
    rng = np.random.default_rng([SEED, 4])
    q = sampled_poses(ARM)
    v, s = rng.normal(size=(2, *q.shape))
    formulas = (mass_matrix_rate, coriolis_matrix.compute, other_coriolis_matrix)
    rate, C, other = (measured(ARM, formula, q, v) for formula in formulas)
    return q, v, s, rate, C, other


def _quadratic(x: Array, A: Measured) -> Measured:
    return column(x).mT @ (A @ column(x))


def christoffel_is_skew(claim: Claim) -> Outcome:
    """N + N' of N = Mdot - 2 C."""
    *_, rate, C, _ = _velocity_sample()
    return judge_residual(claim, symmetric_part(rate, C))


def rate_is_sum(claim: Claim) -> Outcome:
    """The law, with Mdot from values of M alone."""
    q, v, *_ = _velocity_sample()
    sides = mass_matrix_rate_is_c_plus_its_transpose.sides
    return judge_residual(claim, *sides(OwnAnswers(ARM), q[:200], v[:200]))


def other_gives_same_forces(claim: Claim) -> Outcome:
    """C~ v against C v."""
    _, v, _, _, C, other = _velocity_sample()
    return judge_residual(claim, other @ column(v), C @ column(v))


def other_is_not_skew(claim: Claim) -> Outcome:
    """The symmetric part of Mdot - 2 C~ exceeds its rounding bound by far."""
    *_, rate, _, other = _velocity_sample()
    found = symmetric_part(rate, other)
    size = float(np.abs(found.value).max())
    return undecided(
        claim, [size], "not zero, as stated; the size is that of the sampled velocities"
    )


def other_is_blind_along_v(claim: Claim) -> Outcome:
    """v'(Mdot - 2 C~) v."""
    _, v, _, rate, _, other = _velocity_sample()
    return judge_residual(claim, _quadratic(v, rate - other * 2.0))


def christoffel_vanishes_along_any_s(claim: Claim) -> Outcome:
    """s'(Mdot - 2 C) s."""
    _, _, s, rate, C, _ = _velocity_sample()
    return judge_residual(claim, _quadratic(s, rate - C * 2.0))


def other_does_not_vanish_along_s(claim: Claim) -> Outcome:
    """s'(Mdot - 2 C~) s."""
    _, _, s, rate, _, other = _velocity_sample()
    size = float(np.abs(_quadratic(s, rate - other * 2.0).value).max())
    return undecided(
        claim, [size], "not zero, as stated; the size is that of the sampled v and s"
    )


def addition_stays_skew(claim: Claim) -> Outcome:
    """Both properties of C + K."""
    _, v, _, rate, C, _ = _velocity_sample()
    K = skew_addition(v)
    left = beside([symmetric_part(rate, C + K), K @ column(v)])
    size = float(np.abs(K.value).max())
    return judge_residual(
        claim, left, remark=f"K has entries up to {size:.2g} kg m^2/s"
    )


def coriolis_gain_of_the_sample(claim: Claim) -> Outcome:
    """The largest |C|_F / |v|; a lower bound of its supremum."""
    _, v, _, _, C, _ = _velocity_sample()
    return undecided(
        claim,
        [float(coriolis_gain(C.value, v).max())],
        "depends on the arm and on the sampled velocities",
    )


CLAIMS: dict[str, Callable[[Claim], Outcome]] = {
    "3.4-dM-fd": gradient_is_central_difference,
    "3.4-Mdot-skew": christoffel_is_skew,
    "3.4-Mdot-sum": rate_is_sum,
    "3.4-Ctilde-qd": other_gives_same_forces,
    "3.4-Ctilde-notskew": other_is_not_skew,
    "3.4-qd-quad": other_is_blind_along_v,
    "3.4-s-quad-C": christoffel_vanishes_along_any_s,
    "3.4-s-quad-Ct": other_does_not_vanish_along_s,
    "3.4-K-skew": addition_stays_skew,
    "3.4-kc": coriolis_gain_of_the_sample,
}
