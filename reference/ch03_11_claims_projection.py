"""3.11 Claims on the algebra of M a + h = tau + J' lambda: identities, in rationals.

The pen's arm at a configuration whose half angles have rational tangents: what the chapter
derives is then equal or it is not, without rounding.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from typing import Any

import numpy as np
from flint import fmpq, fmpq_mat

from reference.carriers import Exact
from reference.carriers.ring import number
from reference.ch03_04_manipulator_equation import bias_forces, mass_matrix
from reference.ch03_11_claims_pen import ACROSS, PEN, pen_system, sampled
from reference.ch03_11_solvers import force_projection
from reference.claim import Claim, Judge, Outcome, judge_equal, judge_property
from reference.kinematics import frame_bias_acceleration, frame_jacobian
from reference.rank import rank_of
from reference.robot import robot

HALF_TANGENTS = (fmpq(1, 3), fmpq(-1, 2), fmpq(2, 5))
TORQUES = (fmpq(7, 10), fmpq(-3, 10), fmpq(1, 5))
EXACT = "without rounding"


@dataclass(frozen=True)
class Rational:
    """The terms of one state as rationals.

    Attributes:
        M: Mass matrix (3, 3).
        J: The constraint's row (1, 3).
        pose: Rows of the tool's Jacobian in the plane, angle, x and y (3, 3).
        h: C v + g (3, 1).
        gamma: -Jdot v (1, 1).
        v: Velocity with J v = 0 (3, 1).
        tau: Torques (3, 1).
    """

    M: fmpq_mat
    J: fmpq_mat
    pose: fmpq_mat
    h: fmpq_mat
    gamma: fmpq_mat
    v: fmpq_mat
    tau: fmpq_mat

    @property
    def P(self) -> fmpq_mat:  # noqa: N802 (the text's letter)
        """1 - J' G^-1 J M^-1 (L&P 8.99)."""
        return unit() - self.J.transpose() * self.G.inv() * self.J * self.M.inv()

    @property
    def G(self) -> fmpq_mat:  # noqa: N802 (the text's letter)
        """J M^-1 J'."""
        return self.J * self.M.inv() * self.J.transpose()

    def solved(self, sign: int) -> tuple[fmpq_mat, fmpq_mat]:
        """a and lambda of M a + h = tau + sign J' lambda, J a = gamma, by the full system."""
        row = self.J.tolist()[0]
        upper = [[*m, -sign * x] for m, x in zip(self.M.tolist(), row, strict=True)]
        K = fmpq_mat([*upper, [*row, fmpq(0)]])
        right = fmpq_mat([*(self.tau - self.h).tolist(), *self.gamma.tolist()])
        x = (K.inv() * right).tolist()
        return fmpq_mat(x[:3]), fmpq_mat(x[3:])


def unit() -> fmpq_mat:
    """The unit matrix (3, 3)."""
    return fmpq_mat([[fmpq(int(i == j)) for j in range(3)] for i in range(3)])


def _matrix(rows: Sequence[Sequence[Any]]) -> fmpq_mat:
    return fmpq_mat([[fmpq(number(x)) for x in row] for row in rows])


@cache
def rational() -> Rational:
    """The state: v is chosen in two joints, the third keeps the tip on its line."""
    la = Exact()
    arm, q = robot(PEN, la), la.variables(HALF_TANGENTS)
    pose = _matrix(frame_jacobian(arm, q).rows[2:5])
    row = pose.tolist()[ACROSS - 2]
    first, second = fmpq(3, 2), fmpq(-4, 5)
    speeds = [first, second, -(row[0] * first + row[1] * second) / row[2]]
    v = list(speeds)
    bias = frame_bias_acceleration(arm, q, v).rows[ACROSS]
    return Rational(
        _matrix(mass_matrix(arm, q).rows),
        _matrix([row]),
        pose,
        _matrix(bias_forces(arm, q, v).rows),
        -_matrix([bias]),
        _matrix([[x] for x in speeds]),
        _matrix([[x] for x in TORQUES]),
    )


def _identity(name: str, difference: Callable[[Rational], fmpq_mat]) -> Judge:
    """A difference that must vanish."""

    def judge(claim: Claim) -> Outcome:
        off = difference(rational()).tolist()
        holds = all(x == 0 for row in off for x in row)
        value = "0" if holds else f"{max(abs(float(x)) for r in off for x in r):.3g}"
        return judge_property(claim, holds, value, f"{name}, {EXACT}")

    return judge


def _weighted(s: Rational) -> fmpq_mat:
    """P_a = M^-1 P M."""
    return s.M.inv() * s.P * s.M


def _power_of_constraint(s: Rational) -> fmpq_mat:
    """What the constraint takes from a: M^-1 J' G^-1 gamma."""
    return s.M.inv() * s.J.transpose() * s.G.inv() * s.gamma


def projection_is_idempotent(claim: Claim) -> Outcome:
    """P P = P in rationals; what rounding leaves over the sampled states beside it."""
    s = pen_system(*sampled())
    P = force_projection(s)
    size = float(np.abs(P @ P - P).max())
    name = f"P P = P ({size:.1g} in float64 over {len(P)} states)"
    return _identity(name, lambda s: s.P * s.P - s.P)(claim)


def trace_of_the_projection(claim: Claim) -> Outcome:
    """Tr P."""
    P = rational().P
    trace = sum((P[i, i] for i in range(3)), fmpq(0))
    return judge_equal(claim, [Fraction(int(trace.p), int(trace.q))], EXACT)


def rank_of_the_projection(claim: Claim) -> Outcome:
    """By elimination in rationals, and by singular values over the sampled states."""
    ranks = {rank_of(P).rank for P in force_projection(pen_system(*sampled()))}
    remark = f"{EXACT}; by singular values {sorted(ranks)} over the sampled states"
    found = rational().P.rank()
    return judge_equal(claim, [found if ranks == {found} else -1], remark)


def projection_is_oblique(claim: Claim) -> Outcome:
    """P P = P and P J' = 0, while P is not symmetric."""
    s = rational()
    skew = max(abs(float(x)) for row in (s.P - s.P.transpose()).tolist() for x in row)
    kills = all(x == 0 for row in (s.P * s.J.transpose()).tolist() for x in row)
    along = (s.P * s.M).transpose() == s.P * s.M
    holds = s.P * s.P == s.P and kills and along and skew > 0
    message = (
        f"P P = P and P J' = 0, {EXACT}; P - P' has entries up to {skew:.3g}, so the "
        f"projection is orthogonal in the metric of M^-1 only"
    )
    return judge_property(claim, holds, f"{skew:.3g}", message)


def weighted_projection_needs_gamma(claim: Claim) -> Outcome:
    """P_a a = P_a M^-1 (tau - h) holds, but a is P_a a and M^-1 J' G^-1 gamma."""
    s = rational()
    a, _ = s.solved(1)
    P = _weighted(s)
    free = s.M.inv() * (s.tau - s.h)
    rest = a - P * a
    size = max(abs(float(x)) for row in rest.tolist() for x in row)
    holds = P * a == P * free and rest == _power_of_constraint(s) and size > 0
    message = (
        f"P_a a = P_a M^-1 (tau - h), {EXACT}; a itself is more by "
        f"M^-1 J' G^-1 gamma, here up to {size:.3g} rad/s^2"
    )
    return judge_property(claim, holds, f"{size:.3g} rad/s^2", message)


def _sign(s: Rational) -> fmpq_mat:
    """lambda + lambda_MR, the latter with the forces on the left."""
    return s.solved(1)[1] + s.solved(-1)[1]


def _equation(s: Rational) -> fmpq_mat:
    """M a + h - tau - J' lambda for the solution of the block system."""
    a, lam = s.solved(1)
    return s.M * a + s.h - s.tau - s.J.transpose() * lam


def _motion_forces(s: Rational) -> fmpq_mat:
    a, _ = s.solved(1)
    return s.P * s.tau - s.P * (s.M * a + s.h)


def _weighted_form(s: Rational) -> fmpq_mat:
    plain = unit() - s.M.inv() * s.J.transpose() * s.G.inv() * s.J
    return _weighted(s) - plain


def _task_inertia(s: Rational) -> fmpq_mat:
    """G^-1 - J^-T M J^-1 for the three rows of the tool's pose in the plane."""
    J = s.pose
    G = J * s.M.inv() * J.transpose()
    return G.inv() - J.inv().transpose() * s.M * J.inv()


CLAIMS: dict[str, Judge] = {
    "3.11-schur-sign": _identity("M a + h = tau + J' lambda", _equation),
    "3.11-mr-sign": _identity("lambda = -lambda_MR", _sign),
    "3.11-G-inverse-is-Lambda": _identity("G^-1 = J^-T M J^-1", _task_inertia),
    "3.11-pen-Ptau-identity": _identity("P tau = P (M a + h)", _motion_forces),
    "3.11-pen-P-oblique": projection_is_oblique,
    "3.11-pen-Pqdd-form": _identity("M^-1 P M = 1 - M^-1 J' G^-1 J", _weighted_form),
    "3.11-pen-Pqdd-gamma": weighted_projection_needs_gamma,
    "3.11-pen-rankP": rank_of_the_projection,
    "3.11-pen-trP": trace_of_the_projection,
    "3.11-pen-P-idempotent": projection_is_idempotent,
}
