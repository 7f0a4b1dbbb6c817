"""3.4 What the chapter prints, judged: claims/ch03_04.toml with our values."""

from __future__ import annotations

from collections.abc import Container
from fractions import Fraction

import numpy as np
from flint import fmpq

from models import CATALOGUE
from reference import (
    ch03_04_claims_coriolis,
    ch03_04_claims_inertia,
    ch03_04_claims_motion,
    ch03_04_claims_tool,
)
from reference.carriers import UNIT_ROUNDOFF, Exact
from reference.carriers.ring import RingMatrix, number
from reference.ch03_04_manipulator_equation import mass_matrix
from reference.ch03_04_properties import (
    inverse_tool_inertia,
    measured,
    operational_space_inertia,
)
from reference.claim import (
    Claim,
    Judge,
    Outcome,
    judge_digits,
    judge_equal,
    judge_residual,
    judged,
    load,
    undecided,
)
from reference.kinematics import frame_jacobian
from reference.measured import Measured, above
from reference.robot import robot

Array = np.ndarray

TWO_LINKS = CATALOGUE["arm_2r"]

# ------------------------------------------------- 3.4.5(1): the 2R arm of Lynch & Park


def _upper(A: Array) -> list[float]:
    return [float(A[0, 0, 0]), float(A[0, 0, 1]), float(A[0, 1, 1])]


def _at(degrees: float) -> tuple[Array, Array]:
    """M (1, 2, 2) and the planar position Jacobian (1, 2, 2) at (0, degrees)."""
    batch = {"q": np.radians([[0.0, degrees]])}
    J = frame_jacobian.value(TWO_LINKS, batch)[:, 3:5]
    return mass_matrix.value(TWO_LINKS, batch), J


def _at_right_angle() -> tuple[RingMatrix, RingMatrix]:
    """M and the planar position Jacobian at (0, 90 deg), where tan(q / 2) is (0, 1)."""
    la = Exact()
    arm, q = robot(TWO_LINKS, la), la.variables([fmpq(0), fmpq(1)])
    return mass_matrix(arm, q), RingMatrix(frame_jacobian(arm, q).rows[3:5])


def _fractions(A: RingMatrix) -> list[Fraction]:
    found = []
    for i, j in ((0, 0), (0, 1), (1, 1)):
        x = fmpq(number(A.rows[i][j]))
        found.append(Fraction(int(x.p), int(x.q)))
    return found


def mass_matrix_at_90(claim: Claim) -> Outcome:
    """In rational arithmetic."""
    return judge_equal(claim, _fractions(_at_right_angle()[0]), "without rounding")


def tool_inertia_at_90(claim: Claim) -> Outcome:
    """Lambda = (J M^-1 J')^-1 in rational arithmetic."""
    la = Exact()
    M, J = _at_right_angle()
    inverse = J @ la.solve(M, J.mT)
    found = _fractions(la.solve(inverse, la.eye(2)))
    return judge_equal(claim, found, "without rounding")


def mass_matrix_at_150(claim: Claim) -> Outcome:
    """(3 + 2 c2, 1 + c2, 1)."""
    return judge_digits(claim, _upper(_at(150)[0]))


def tool_inertia_at_150(claim: Claim) -> Outcome:
    """(1/s2^2, c2/s2, 2)."""
    return judge_digits(claim, _upper(operational_space_inertia(*_at(150))))


def inverse_tool_inertia_at_150(claim: Claim) -> Outcome:
    """Its inverse."""
    return judge_digits(claim, _upper(inverse_tool_inertia(*_at(150))))


def closed_forms(claim: Claim) -> Outcome:
    """M, and Lambda put back into J' Lambda J = M, at angles away from the singularity.

    The closed forms, for theta1 = 0, are M = (3 + 2c, 1 + c, 1) and Lambda = (1/s^2,
    c/s, 2); their own rounding is at most 8 u of each entry, 2 u of it from c or s.
    """
    bends = np.radians(np.arange(10.0, 171.0, 5.0))
    c, s = np.cos(bends), np.sin(bends)
    q = np.stack([0 * bends, bends], axis=1)
    M = measured(TWO_LINKS, mass_matrix.compute, q)
    J = measured(TWO_LINKS, frame_jacobian.compute, q).rows(3, 5)
    closed_M = _closed(3 + 2 * c, 1 + c, 0 * c + 1, np.full_like(c, 5.0))
    closed_L = _closed(1 / s**2, c / s, 0 * c + 2, 1 / s**2)
    left = above(M, J.mT @ closed_L @ J)
    return judge_residual(claim, left, above(closed_M, M))


def _closed(a: Array, b: Array, d: Array, size: Array) -> Measured:
    """A symmetric 2x2 matrix with rounding 8 u of a size."""
    value = np.stack([a, b, b, d], axis=1).reshape(-1, 2, 2)
    bound = 8 * UNIT_ROUNDOFF * np.maximum(np.abs(value), size[:, None, None])
    return Measured(value, bound)


# ------------------------------------------------------------------------- the chapter


def libraries_agree(claim: Claim) -> Outcome:
    """Not a matter of the reference."""
    reason = (
        "the chapter's states are not printed; the records of this run compare each "
        "library with the reference, quantity by quantity"
    )
    return undecided(claim, [], reason)


CLAIMS: dict[str, Judge] = {
    "3.4-2R-closed-form": closed_forms,
    "3.4-2R-M-90": mass_matrix_at_90,
    "3.4-2R-M-150": mass_matrix_at_150,
    "3.4-2R-L-90": tool_inertia_at_90,
    "3.4-2R-L-150": tool_inertia_at_150,
    "3.4-2R-Linv-150": inverse_tool_inertia_at_150,
    "3.4-libs": libraries_agree,
    **ch03_04_claims_inertia.CLAIMS,
    **ch03_04_claims_coriolis.CLAIMS,
    **ch03_04_claims_motion.CLAIMS,
    **ch03_04_claims_tool.CLAIMS,
}
"""What computes our side of each claim, by the claim's id."""


def claims() -> list[Claim]:
    """The claims of the chapter, in the order of the text."""
    return list(load("3.4"))


def evaluate(ids: Container[str] | None = None) -> list[tuple[Claim, Outcome]]:
    """The claims of the chapter, of some ids or all, with their outcomes."""
    return judged("3.4", CLAIMS, ids)
