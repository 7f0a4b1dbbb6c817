"""Constraints and constrained motion: bounds hold, faults show, no answer is named."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from flint import arb

from libcheck.compare import Judgement, judge, ratio_of
from libcheck.oracle import Oracle
from libcheck.record import Verdict
from libcheck.samples import draw
from models import CLOSED_CHAINS, Model, read_mjcf
from reference import CHAPTERS, Quantity
from reference.ch03_11_constrained_dynamics import (
    constrained_motion,
    default_constrained_acceleration,
    softened_motion,
    stabilized_motion,
    velocity_level_acceleration,
)
from reference.ch03_11_equations import sap_regularization, with_fitted_multipliers
from reference.ch03_11_solvers import System, least_motion, regularized_motion
from reference.closing import (
    constraint_rank,
    gap,
    locked,
)
from reference.constraints import constraint_jacobian
from reference.quantity import plain_numpy_robot

Array = np.ndarray
CHAPTER = CHAPTERS["3.11"]
DATA = Path(__file__).parent / "data"
FOURBAR, WELDED = CLOSED_CHAINS["fourbar"], CLOSED_CHAINS["fourbar_welded"]
CASES = [
    (model, quantity)
    for model in CLOSED_CHAINS.values()
    for quantity in CHAPTER.quantities.values()
    if not quantity.silent(model)
]
each = pytest.mark.parametrize(
    ("model", "quantity"), CASES, ids=[f"{m.name}-{q.name}" for m, q in CASES]
)


def few(model: Model) -> dict[str, Array]:
    """Home, two tiny states, a fast and a random one."""
    return {name: rows[[0, 1, 3, 7, 8]] for name, rows in draw(model, 9, 1).items()}


# ------------------------------------------------------------------------------ bounds


@each
def test_the_own_bound_bounds(model: Model, quantity: Quantity) -> None:
    batch = few(model)
    if quantity.residual is not None:
        solution = quantity.completed(model, batch, quantity.value(model, batch))
        batch, quantity = batch | {"solution": solution}, quantity.equation()
    value, (own, tolerance) = (
        quantity.value(model, batch),
        quantity.bounds(model, batch),
    )
    assert np.all(own <= tolerance * (1 + 1e-12))
    for i in range(5 if model.nv <= 6 else 2):
        balls = quantity.certified(model, batch, i, 128)
        error = np.array(
            [
                float((arb(float(x)) - ball).abs_upper())
                for x, ball in zip(value[i].ravel(), balls, strict=True)
            ]
        )
        assert np.all(error <= own[i].ravel())
        assert ratio_of(error, tolerance[i].ravel()).max(initial=0.0) < 0.1


def judged(quantity: Quantity, model: Model, factor: float) -> Judgement:
    """The reference's own answer with one entry off by a share of the largest."""
    oracle = Oracle(model, few(model))
    value = oracle.value(quantity).copy()
    flat = value.reshape(len(value), -1)
    flat[:, 0] += factor * np.maximum(np.abs(flat).max(axis=1), 1e-3)
    return judge(oracle, quantity, value)


@each
def test_a_right_answer_agrees_and_one_off_in_the_seventh_digit_differs(
    model: Model, quantity: Quantity
) -> None:
    assert judged(quantity, model, 0.0).verdict is Verdict.AGREE
    if locked(model) and quantity.stage == "constrained":
        return  # nothing moves, and such a question is refused
    digit = 1e-2 if quantity is velocity_level_acceleration else 1e-7
    assert judged(quantity, model, digit).verdict is Verdict.DIFFER


# -------------------------------------------------------------------------- planted


def moving(model: Model) -> tuple[Oracle, System]:
    """Random states, and the terms of their equations."""
    batch = {name: rows[8:] for name, rows in draw(model, 12, 1).items()}
    values = {
        name: CHAPTER.quantities[name].value(model, batch)
        for name in (
            "mass_matrix",
            "bias_forces",
            "constraint_jacobian",
            "constraint_bias_acceleration",
        )
    }
    system = System(
        values["mass_matrix"],
        values["constraint_jacobian"],
        batch["tau"] - values["bias_forces"],
        -values["constraint_bias_acceleration"],
    )
    return Oracle(model, batch), system


@pytest.mark.parametrize("name", ["fourbar", "fivebar", "stewart_legs", "twin_arms"])
def test_constraints_without_jdot_v_differ(name: str) -> None:
    """What MuJoCo up to 3.6.0 solved: J a = 0."""
    oracle, system = moving(CLOSED_CHAINS[name])
    found = least_motion(replace(system, gamma=0 * system.gamma))
    value = np.concatenate([found.a, found.multipliers], axis=1)
    assert judge(oracle, constrained_motion, value).verdict is Verdict.DIFFER
    assert (
        judge(oracle, default_constrained_acceleration, found.a).verdict
        is Verdict.DIFFER
    )


def test_soft_constraints_without_jdot_v_differ() -> None:
    oracle, system = moving(FOURBAR)
    R = np.full(system.gamma.shape, 1e-3)
    for gamma, verdict in (
        (system.gamma, Verdict.AGREE),
        (0 * system.gamma, Verdict.DIFFER),
    ):
        found = regularized_motion(replace(system, gamma=gamma), R)
        value = np.concatenate([found.a, found.multipliers, R], axis=1)
        assert judge(oracle, softened_motion, value).verdict is verdict


def test_multipliers_of_the_other_sign_differ() -> None:
    """Modern Robotics writes them on the other side."""
    oracle, system = moving(FOURBAR)
    found = least_motion(system)
    value = np.concatenate([found.a, -found.multipliers], axis=1)
    assert judge(oracle, constrained_motion, value).verdict is Verdict.DIFFER


def test_huge_multipliers_do_not_hide_a_wrong_acceleration() -> None:
    """The part of lambda that J' sends to zero is free, but it buys no tolerance."""
    oracle, system = moving(FOURBAR)
    found = least_motion(system)
    across = found.multipliers.copy()
    across[:, 2] += 1e12  # the row across the plane
    right = np.concatenate([found.a, across], axis=1)
    assert judge(oracle, constrained_motion, right).verdict is Verdict.AGREE
    wrong = np.concatenate([found.a + 1e-6, across], axis=1)
    assert judge(oracle, constrained_motion, wrong).verdict is Verdict.DIFFER


def test_a_damped_solution_differs() -> None:
    oracle, system = moving(FOURBAR)
    soft = regularized_motion(system, np.full(system.gamma.shape, 1e-6))
    value = np.concatenate([soft.a, soft.multipliers], axis=1)
    assert judge(oracle, constrained_motion, value).verdict is Verdict.DIFFER


def test_stabilisation_left_out_differs() -> None:
    model = FOURBAR
    oracle = Oracle(model, few(model))
    assert np.abs(gap(model, oracle.batch["q_open"])[1:]).min() > 1e-4
    unstabilised = oracle.batch | {"gains": 0 * oracle.batch["gains"]}
    value = stabilized_motion.value(model, unstabilised)
    assert judge(oracle, stabilized_motion, value).verdict is Verdict.DIFFER


def test_a_velocity_level_answer_is_that_of_gamma_zero_but_for_its_regularisation() -> (
    None
):
    oracle, system = moving(FOURBAR)
    zero = replace(system, gamma=0 * system.gamma)
    value = velocity_level_acceleration.value(FOURBAR, oracle.batch)
    rigid = least_motion(zero).a
    off = np.abs(value - rigid).max(axis=1) / np.abs(rigid).max(axis=1)
    assert 1e-6 < off.max() < 1e-2
    R = sap_regularization(system, plain_numpy_robot(FOURBAR))
    assert np.allclose(value, regularized_motion(zero, R).a, rtol=1e-12)
    exact = judge(oracle, velocity_level_acceleration, least_motion(system).a)
    assert exact.verdict is Verdict.DIFFER


def test_an_acceleration_alone_is_given_the_multipliers_that_fit_it() -> None:
    oracle, system = moving(CLOSED_CHAINS["twin_arms"])
    found = least_motion(system)
    full = with_fitted_multipliers(oracle.model, oracle.batch, found.a)
    scale = np.abs(found.multipliers).max()
    assert np.abs(full[:, 12:] - found.multipliers).max() < 1e-9 * scale


# ------------------------------------------------------------------ an outside derivation


def test_the_four_bar_of_a_report_moves_as_derived_by_virtual_power() -> None:
    """MuJoCo issue 278: the state, and a, lambda computed at 40 digits by other means."""
    case = json.loads((DATA / "four_bar_expected.json").read_text(encoding="utf-8"))
    model = read_mjcf((DATA / "four_bar.xml").read_text(encoding="utf-8"))
    batch = {name: np.array([case[name]]) for name in ("q", "v", "tau")}
    assert gap(model, batch["q"])[0] < 1e-15
    found = constrained_motion.value(model, batch)[0]
    expected = np.array(case["qdd"])
    assert np.abs(found[:3] - expected).max() < 1e-13 * np.abs(expected).max() * 10
    assert np.allclose(found[[3, 5]], case["lam_xz"], rtol=1e-12)
    assert constraint_rank(model).rank == case["rankJ"]
    J = constraint_jacobian.value(model, batch)[0]
    assert np.abs(J - np.array(case["Jc"])).max() < 1e-15 * 4
