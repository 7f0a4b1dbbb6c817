"""3.4 Claims on the energy of motions and on linearity in the inertial parameters."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from decimal import Decimal
from functools import cache
from itertools import pairwise

import numpy as np

from models import Inertia, Model, Pose
from models.tree import Vec3
from reference.ch03_04_claims_inertia import ARM, SEED, OwnAnswers, sampled_poses
from reference.ch03_04_laws import inverse_dynamics_is_linear_in_parameters
from reference.ch03_04_manipulator_equation import joint_torque_regressor
from reference.ch03_04_properties import measured, numerical_rank, zero_columns
from reference.ch03_04_simulation import (
    Trajectory,
    energy_error,
    first_momentum,
    momentum_drift,
    observed_order,
    pd_control,
    simulate,
)
from reference.claim import (
    Claim,
    Outcome,
    judge_digits,
    judge_equal,
    judge_property,
    judge_residual,
    undecided,
)
from reference.measured import Measured, above

Array = np.ndarray

# ----------------------------------------------------------------- 3.4.5(5): simulation

STEPS = (0.004, 0.002, 0.001)
START = ((0.3, -0.4, 0.8, 0.5, 0.7, 0.2), (0.3, 0.2, -0.4, 0.5, 0.3, -0.2))
STIFFNESS = (60.0, 60.0, 30.0, 5.0, 1.0, 0.5)
DAMPING = (6.0, 6.0, 3.0, 0.5, 0.1, 0.05)


@cache
def _free_motions() -> tuple[Trajectory, ...]:
    return tuple(simulate(ARM, START, h, 2.0) for h in STEPS)


@cache
def _driven_motions() -> tuple[Trajectory, ...]:
    torque = pd_control(STIFFNESS, DAMPING, (0.0,) * 6)
    return tuple(simulate(ARM, START, h, 2.0, torque=torque) for h in STEPS)


def _errors(measure: Callable[[Model, Trajectory], float], driven: bool) -> list[float]:
    motions = _driven_motions() if driven else _free_motions()
    return [measure(ARM, motion) for motion in motions]


def energy_errors(claim: Claim) -> Outcome:
    """RK4 at three steps, from a state of our own."""
    errors = _errors(energy_error, driven=False)
    order = observed_order(STEPS, errors)
    reason = f"another initial state; our errors fall with order {order:.2f}"
    return undecided(claim, errors, reason)


def energy_ratios(claim: Claim) -> Outcome:
    """Ratios of our errors, and whether the printed ratios fit the printed errors."""
    a, b, c = _errors(energy_error, driven=False)
    fits = (
        "the printed errors allow 16.8 to 17.7 and 18.4 to 20.3, so the ratios fit them"
    )
    return undecided(claim, [a / b, b / c], f"another initial state; {fits}")


def euler_against_runge_kutta(claim: Claim) -> Outcome:
    """The printed quotient, from the printed numbers."""
    return judge_digits(claim, [Decimal("2.92") / Decimal("1.5e-4")])


def fastest_of_joint_four(claim: Claim) -> Outcome:
    """Free motion at 2 ms."""
    speed = float(np.abs(_free_motions()[1].v[:, 3]).max())
    return undecided(claim, [speed], "another initial state")


def work_of_the_torques(claim: Claim) -> Outcome:
    """PD with gains of our own."""
    work = float(_driven_motions()[-1].work[-1])
    reason = f"gains and start are not printed; with our own the work is {work:.6g} J"
    return undecided(claim, [], reason)


def work_is_change_of_energy(claim: Claim) -> Outcome:
    """The balance of our PD motion at three steps."""
    errors = _errors(energy_error, driven=True)
    order = observed_order(STEPS, errors)
    change = abs(_driven_motions()[-1].work[-1])
    reason = (
        f"gains and start are not printed; with our own the balance of {change:.3g} J "
        f"closes to {errors[-1]:.1g} J at 1 ms, order {order:.2f}: the identity holds"
    )
    return undecided(claim, [], reason)


def first_momentum_is_conserved(claim: Claim) -> Outcome:
    """Drift of p1 in our free motions: what the chapter left unchecked."""
    drifts = _errors(momentum_drift, driven=False)
    start = abs(float(first_momentum(ARM, _free_motions()[0])[0]))
    ratios = ", ".join(f"{x / y:.0f}" for x, y in pairwise(drifts))
    reason = (
        f"another initial state; halving the step divides our drift by {ratios}, so "
        f"it is the integrator's"
    )
    return undecided(claim, [drifts[1], drifts[1] / start], reason)


# ------------------------------------------------------------------ 3.4.5(6): regressor


@cache
def _motion_sample() -> dict[str, Array]:
    """q, v, a of 40 states."""
    rng = np.random.default_rng([SEED, 6])
    v, a = rng.normal(size=(2, 40, ARM.nv))
    return {"q": sampled_poses(ARM, 40), "v": v, "a": a}


@cache
def _regressor() -> Measured:
    """Y of the 40 states, one below the other, as one matrix (1, 240, 60)."""
    Y = measured(ARM, joint_torque_regressor.compute, *_motion_sample().values())
    width = 10 * ARM.nv
    return Measured(Y.value.reshape(1, -1, width), Y.bound.reshape(1, -1, width))


def _with_random_inertias(model: Model) -> Model:
    """The same joints with parameters that need not be physical."""
    rng = np.random.default_rng([SEED, 7])

    def vec() -> Vec3:
        x, y, z = rng.normal(size=3).tolist()
        return (x, y, z)

    bodies = tuple(
        replace(b, inertia=Inertia(float(rng.normal()), Pose(vec()), (*vec(), *vec())))
        for b in model.bodies
    )
    return replace(model, name=f"{model.name}, random", bodies=bodies)


def torques_are_linear(claim: Claim) -> Outcome:
    """Y of the arm times pi, physical and random, against inverse dynamics."""
    sample = _motion_sample()
    law = inverse_dynamics_is_linear_in_parameters.sides
    arms = [OwnAnswers(ARM), OwnAnswers(_with_random_inertias(ARM))]
    sides = [law(arm, **sample) for arm in arms]
    residuals = [left - right for left, right in sides]
    torque = max(float(np.abs(right.value).max()) for _, right in sides)
    remark = f"torques up to {torque:.2g} N m"
    return judge_residual(claim, above(*residuals), remark=remark)


def count_zero_columns(claim: Claim) -> Outcome:
    """Columns of Y within their rounding bound of zero."""
    Y = _regressor()
    return judge_equal(claim, [len(zero_columns(Y.value[0], Y.bound[0]))])


def zero_columns_are_of_link_one(claim: Claim) -> Outcome:
    """Link 1's columns are m, m c, Ixx, Ixy, Iyy, Ixz, Iyz, Izz; the last one stays."""
    Y = _regressor()
    zeros = zero_columns(Y.value[0], Y.bound[0])
    value = ", ".join(map(str, zeros))
    message = "columns of m1, h1 and five moments; column 9, Izz, is not zero"
    return judge_property(claim, zeros == list(range(9)), value, message)


def rank_of_the_regressor(claim: Claim) -> Outcome:
    """Rank by singular values, with the gap that makes it safe."""
    found = numerical_rank(_regressor().value[0])
    remark = f"sigma_r / sigma_r+1 = {found.gap:.2g}"
    return judge_equal(claim, [found.rank], remark)


CLAIMS: dict[str, Callable[[Claim], Outcome]] = {
    "3.4-rk4-errors": energy_errors,
    "3.4-rk4-ratios": energy_ratios,
    "3.4-euler": euler_against_runge_kutta,
    "3.4-qd4": fastest_of_joint_four,
    "3.4-work": work_of_the_torques,
    "3.4-work-balance": work_is_change_of_energy,
    "3.4-p1": first_momentum_is_conserved,
    "3.4-regressor-lin": torques_are_linear,
    "3.4-regressor-zero": count_zero_columns,
    "3.4-link1-columns": zero_columns_are_of_link_one,
    "3.4-regressor-rank": rank_of_the_regressor,
}
