"""3.11 Claims on torques of drives as multipliers and by virtual work: the five-bar moving."""

from __future__ import annotations

from collections.abc import Callable
from decimal import Decimal
from functools import cache
from typing import Any, NamedTuple

import numpy as np

from models import Model
from reference.carriers import UNIT_ROUNDOFF
from reference.ch03_11_claims_fivebar import DRIVES, MAXIMAL
from reference.ch03_11_parallel import (
    Driven,
    acceleration_under_drives,
    driven,
    multipliers,
    torques_by_multipliers,
    torques_by_virtual_work,
    velocity_map,
)
from reference.ch03_11_reduction import Reduced
from reference.ch03_11_rounding import solution_bound, solve_bound
from reference.ch03_11_solvers import System, by_schur_complement
from reference.claim import Claim, Judge, Outcome, judge_digits, judge_residual
from reference.measured import Measured
from reference.quantity import Array

MIDDLE, SWING = np.array([2.17, 0.919]), np.array([0.263, 0.204])
"""Of the drives' angles [rad]; fitted to the five printed torques, so no confirmation."""
AHEAD = np.array([0.0, np.pi / 6])
PERIOD, SAMPLES = 1.0, 200


class Drive(NamedTuple):
    """A motion of the drives: the mechanism's terms, accelerations and torques."""

    at: Driven
    v: Array
    a: Array
    torques: Array
    static: Array
    rates: Array


def drive(model: Model = MAXIMAL) -> Drive:
    """One period of theta = middle + swing sin(2 pi t + phase), 200 samples."""
    rate = 2 * np.pi / PERIOD
    phase = rate * PERIOD / SAMPLES * np.arange(SAMPLES)[:, None] + AHEAD
    angles = MIDDLE + SWING * np.sin(phase)
    speeds, rates = rate * SWING * np.cos(phase), -(rate**2) * SWING * np.sin(phase)
    chain = Reduced(model, DRIVES, np.array(model.home))
    states = [chain.state(*sample) for sample in zip(angles, speeds, strict=True)]
    q, v = (np.array(part) for part in zip(*states, strict=True))
    at, still = (driven(model, q, x, DRIVES) for x in (v, 0 * v))
    a = acceleration_under_drives(at, rates)
    static = torques_by_multipliers(still, 0 * a)
    return Drive(at, v, a, torques_by_multipliers(at, a), static, rates)


@cache
def _drive() -> Drive:
    return drive()


_NUMBERS: dict[str, Callable[[], list[Any]]] = {
    "3.11-fivebar-traj-tau1max": lambda: [np.abs(_drive().torques[:, 0]).max()],
    "3.11-fivebar-traj-tau2max": lambda: [np.abs(_drive().torques[:, 1]).max()],
    "3.11-fivebar-traj-tau1static": lambda: [np.abs(_drive().static[:, 0]).max()],
    "3.11-fivebar-traj-tau2static": lambda: [np.abs(_drive().static[:, 1]).max()],
    "3.11-fivebar-traj-dynpart": lambda: [
        np.abs(_drive().torques - _drive().static).max()
    ],
}


def _digits(name: str) -> Judge:
    remark = "five numbers, five fitted parameters of the motion"
    return lambda claim: judge_digits(claim, _NUMBERS[name](), remark)


def dynamic_share(claim: Claim) -> Outcome:
    """The printed quotient, from the printed numbers."""
    return judge_digits(claim, [100 * Decimal("0.34") / Decimal("1.76")])


def _torque_bounds(found: Drive) -> tuple[Array, Array]:
    """Rounding of the torques by multipliers and by virtual work, (N, 2).

    Both solve with 3 n u |A| |x|; sums of products err by n u times their size.
    """
    at, n = found.at, found.a.shape[1]
    lam = multipliers(at, found.a)[..., None]
    first = solve_bound(at.full_jacobian.mT, lam)[:, -len(DRIVES) :, 0]
    others = [i for i in range(n) if i not in DRIVES]
    Z = velocity_map(at)
    forces = np.abs(at.M @ found.a[..., None] + at.h[..., None])
    off = solve_bound(at.J[..., others], Z[:, others])
    sums = n * UNIT_ROUNDOFF * (np.abs(Z).mT @ forces)
    second = (off.mT @ forces[:, others] + sums)[..., 0]
    return first, second


def virtual_work_gives_the_multipliers(claim: Claim) -> Outcome:
    """Both torques along the motion."""
    found = _drive()
    work = torques_by_virtual_work(found.at, found.a)
    bounds = [b[..., None] for b in _torque_bounds(found)]
    left = Measured(found.torques[..., None], bounds[0])
    return judge_residual(claim, left, Measured(work[..., None], bounds[1]))


def accelerations_fulfil_the_constraints(claim: Claim) -> Outcome:
    """J_full a - (gamma; rates) along the motion: a stable solve leaves 3 n u |A| |x|."""
    found = _drive()
    A, right = found.at.full_jacobian, np.hstack([found.at.gamma, found.rates])
    left = (A @ found.a[..., None])[..., 0] - right
    size = np.abs(A) @ np.abs(found.a)[..., None]
    bound = 3 * A.shape[-1] * UNIT_ROUNDOFF * size
    return judge_residual(claim, Measured(left[..., None], bound))


def reproduced(found: Drive) -> tuple[Measured, float]:
    """What the motion under those torques differs by from the one asked for, and |a|."""
    at = found.at
    tau = np.zeros_like(found.a)
    tau[:, list(DRIVES)] = found.torques
    system = System(at.M, at.J, tau - at.h, at.gamma)
    own = by_schur_complement(system)
    torque_error = np.zeros((*tau.shape, 1))
    torque_error[:, list(DRIVES), 0] = _torque_bounds(found)[0]
    passed_on = np.abs(np.linalg.inv(at.M)) @ torque_error
    bound = 2 * solution_bound(system, own)[:, : tau.shape[1], None]
    asked = solve_bound(at.full_jacobian, found.a[..., None])
    off = (own.a - found.a)[..., None]
    return Measured(off, bound + asked + passed_on), float(np.abs(found.a).max())


def reproduced_by_forward_dynamics() -> float:
    """Largest deviation of the five-bar's own motion from the prescribed one."""
    return float(np.abs(reproduced(_drive())[0].value).max())


def drives_need_their_multipliers(claim: Claim) -> Outcome:
    """lambda_d given as torques to the undriven mechanism moves it as prescribed."""
    off, size = reproduced(_drive())
    remark = (
        f"the undriven five-bar under tau = + lambda_d moves as prescribed, "
        f"accelerations up to {size:.3g}"
    )
    return judge_residual(claim, off, remark=remark)


CLAIMS: dict[str, Judge] = {name: _digits(name) for name in _NUMBERS} | {
    "3.11-Jfull-transpose-sign": drives_need_their_multipliers,
    "3.11-fivebar-traj-19pct": dynamic_share,
    "3.11-fivebar-mult-vs-vw": virtual_work_gives_the_multipliers,
    "3.11-fivebar-acc-residual": accelerations_fulfil_the_constraints,
}
