"""3.11 Claims on constraints as such: pins, corrections, dependent rows, index, gains."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from reference.carriers import UNIT_ROUNDOFF
from reference.ch03_11_claims_drift import MAXIMAL, start
from reference.ch03_11_motion import Mechanism, mechanism
from reference.ch03_11_rounding import residual_bound, solution_bound
from reference.ch03_11_solvers import (
    ContradictoryConstraintsError,
    System,
    by_full_system,
    by_null_space,
    by_schur_complement,
    checked_motion,
    inverse_constraint_inertia,
    least_motion,
)
from reference.claim import (
    Claim,
    Judge,
    Outcome,
    judge_equal,
    judge_property,
    judge_residual,
)
from reference.constraints import constraint_bias_acceleration
from reference.measured import Measured
from reference.rank import rank_of

SEED = 311

# ---------------------------------------------------------------------- of the four-bar


def pin_gamma_is_centripetal(claim: Claim) -> Outcome:
    """-Jdot v of every pin against R_a r_a w_a^2 - R_b r_b w_b^2, 8 u of each term."""
    rng = np.random.default_rng([311, 1])
    q, v = rng.normal(size=(2, 50, MAXIMAL.nv))
    sample = {"q": q, "v": v}
    found = -constraint_bias_acceleration.value(MAXIMAL, sample)
    own = constraint_bias_acceleration.bounds(MAXIMAL, sample)[0]
    formula, size = np.zeros_like(found), np.zeros_like(found)
    for k, loop in enumerate(MAXIMAL.loops):
        for sign, frame in ((1.0, loop.first), (-1.0, loop.second)):
            if frame.body < 0:
                continue
            x, y, _ = frame.pose.p
            c, s = np.cos(q[:, frame.body]), np.sin(q[:, frame.body])
            w = v[:, frame.body, None] ** 2
            turned = np.stack([c * x - s * y, s * x + c * y], axis=1)
            formula[:, 3 * k : 3 * k + 2] += sign * turned * w
            size[:, 3 * k : 3 * k + 2] += (abs(x) + abs(y)) * w
    left = Measured(found[..., None], own[..., None])
    right = Measured(formula[..., None], 8 * UNIT_ROUNDOFF * size[..., None])
    return judge_residual(claim, left, right, "four pins, 50 states, also open ones")


def correction_closes_the_loops(claim: Claim) -> Outcome:
    """J delta + Phi of the first correction, at states that are a little open."""
    chain, (q, v) = mechanism(MAXIMAL), start()
    left, allowed, after = [], [], 0.0
    for k in range(10):
        open_q = q + 0.01 * np.sin(k + np.arange(len(q)))
        at = chain.terms(open_q, v)
        system = System(at.M, at.J, 0 * v, -at.error)
        found = chain.solution(system)
        left.append(at.J @ found.a + at.error)
        allowed.append(residual_bound(system, found)[len(q) :])
        closed, _ = chain.projected(open_q, v, steps=6)
        after = max(after, chain.violation(closed, v)[0])
    residual = Measured(np.array(left)[..., None], np.array(allowed)[..., None])
    remark = f"Newton's steps then bring |Phi| from 1e-2 to {after:.1g} m"
    return judge_residual(claim, residual, remark=remark)


class _Counting(Mechanism):
    """A mechanism that counts the systems it solves."""

    solved = 0

    def solution(self, system: System) -> Any:
        """a and lambda, counted."""
        self.solved += 1
        return super().solution(system)


def solves_of_a_projection(claim: Claim) -> Outcome:
    """Systems solved by one projection."""
    chain = _Counting(MAXIMAL)
    chain.projected(*start())
    return judge_equal(
        claim, [chain.solved], "three for q, one for v; the four stages come on top"
    )


# ---------------------------------------------------------------------- of any mechanism


def random_system(seed: int) -> System:
    """12 coordinates, 8 constraints; M positive definite."""
    rng = np.random.default_rng([SEED, seed])
    root = rng.normal(size=(12, 12))
    M = root @ root.T / 12 + np.eye(12)
    J, f, gamma = rng.normal(size=(8, 12)), rng.normal(size=12), rng.normal(size=8)
    return System(M, J, f, gamma)


def routes_agree_on_random_matrices(claim: Claim) -> Outcome:
    """Full system and null space against the Schur complement, twenty systems."""
    off, allowed, sizes = [], [], []
    for seed in range(20):
        s = random_system(seed)
        found, whole = by_schur_complement(s), by_full_system(s)
        bound = 2 * solution_bound(s, found)
        off += [whole.a - found.a, by_null_space(s) - found.a]
        allowed += [bound[:12], bound[:12]]
        sizes.append(float(np.abs(found.a).max()))
    apart = Measured(np.array(off)[..., None], np.array(allowed)[..., None])
    remark = f"twenty systems, |a| up to {max(sizes):.2g}"
    return judge_residual(claim, apart, remark=remark)


def dependent_rows_leave_multipliers_open(claim: Claim) -> Outcome:
    """A ninth row that is the sum of two: fitting, then contradicting."""
    s = random_system(0)
    row, sum_of_two = s.J[0] + s.J[1], s.gamma[0] + s.gamma[1]
    more = replace(s, J=np.vstack([s.J, row]), gamma=np.append(s.gamma, sum_of_two))
    G = inverse_constraint_inertia(more)
    singular = rank_of(G).rank == 8 and rank_of(more.J).rank == 8
    plain, found = by_schur_complement(s), least_motion(more)
    other = found.multipliers + np.array([1.0, 1.0, *[0.0] * 6, -1.0])
    change = float(np.abs(more.J.T @ (other - found.multipliers)).max())
    apart = float(np.abs(found.a - plain.a).max())
    unique = apart <= 4 * float(solution_bound(s, plain)[:12].max())
    try:
        checked_motion(replace(more, gamma=np.append(s.gamma, sum_of_two + 1.0)))
        refused = False
    except ContradictoryConstraintsError:
        refused = True
    message = (
        f"with a ninth row that is the sum of two G has rank 8 of 9 and lambda + (1, 1, "
        f"0, ..., -1) changes J' lambda by {change:.1g}; a stays unique ({apart:.1g} "
        f"off), which the chapter does not say; where gamma contradicts the sum there is "
        f"no solution"
    )
    holds = singular and unique and refused and change < 1e-14
    return judge_property(claim, holds, "rank 8 of 9", message)


def index_is_three(claim: Claim) -> Outcome:
    """How often Phi = 0 must be differentiated for a rate of every unknown.

    lambda stands in neither Phi nor J v; it does in J a = gamma, after two, and where its
    matrix G is regular there, a third gives its rate (Hairer and Wanner II, VII.1).
    """
    q, v = start()
    at = mechanism(MAXIMAL).terms(q, v)
    G = inverse_constraint_inertia(System(at.M, at.J, -at.h, at.gamma))
    found = rank_of(G)
    index = 2 + 1 if found.rank == len(G) else 0
    remark = f"J a = gamma has lambda with the regular matrix G: {found}"
    return judge_equal(claim, [index], remark)


def equal_gains_are_critical(claim: Claim) -> Outcome:
    """Roots of s^2 + 2 alpha s + beta^2 below, at and above alpha = beta."""

    def discriminant(alpha: int, beta: int) -> int:
        return alpha * alpha - beta * beta

    critical = all(discriminant(g, g) == 0 for g in (5, 20, 100))
    between = discriminant(19, 20) < 0 < discriminant(21, 20)
    message = (
        "the roots -alpha +- sqrt(alpha^2 - beta^2) are both -alpha; complex with alpha "
        "below beta, two real ones above"
    )
    return judge_property(claim, critical and between, "double root -alpha", message)


CLAIMS: dict[str, Judge] = {
    "3.11-pin-planar-gamma": pin_gamma_is_centripetal,
    "3.11-rank-deficient-J": dependent_rows_leave_multipliers_open,
    "3.11-index3": index_is_three,
    "3.11-baum-critical": equal_gains_are_critical,
    "3.11-projection-delta-sign": correction_closes_the_loops,
    "3.11-spd-12x8-solvers": routes_agree_on_random_matrices,
    "3.11-projection-count": solves_of_a_projection,
}
