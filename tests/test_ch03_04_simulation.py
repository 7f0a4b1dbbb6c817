"""Motions of chapter 3.4: order of the integrators, energy, work, conserved momentum."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from scipy.integrate import solve_ivp

from models import CATALOGUE
from reference import ch03_04_simulation as simulation
from reference.ch03_04_manipulator_equation import (
    forward_dynamics,
    inverse_dynamics,
    potential_energy,
)

Array = np.ndarray

TWO, SIX = CATALOGUE["arm_2r"], CATALOGUE["arm_6r"]
START = ((0.4, -0.7), (0.5, 1.0))


def closed_form_acceleration(q: Array, v: Array) -> Array:
    """Acceleration of the free 2R arm with unit lengths and masses (L&P 8.9-8.11)."""
    c, s, c1, c12 = np.cos(q[1]), np.sin(q[1]), np.cos(q[0]), np.cos(q[0] + q[1])
    M = np.array([[3 + 2 * c, 1 + c], [1 + c, 1]])
    coriolis = s * np.array([-2 * v[0] * v[1] - v[1] ** 2, v[0] ** 2])
    return np.linalg.solve(M, -coriolis - 9.81 * np.array([2 * c1 + c12, c12]))


def end_of_fall() -> Array:
    """State after 0.6 s by DOP853 on the closed form."""

    def rate(t: float, y: Array) -> Array:
        return np.concatenate([y[2:], closed_form_acceleration(y[:2], y[2:])])

    start = np.concatenate(START)
    solution = solve_ivp(rate, (0, 0.6), start, "DOP853", rtol=1e-12, atol=1e-13)
    return solution.y[:, -1]


@pytest.mark.parametrize(("method", "order"), [("rk4", 4), ("euler", 1)])
def test_an_integrator_converges_to_an_independent_solution_with_its_order(
    method: str, order: float
) -> None:
    steps, errors, exact = (0.01, 0.005, 0.0025, 0.00125), [], end_of_fall()
    for h in steps:
        motion = simulation.simulate(TWO, START, h, 0.6, method=method)
        state = np.concatenate([motion.q[-1], motion.v[-1]])
        errors.append(np.abs(state - exact).max())
    assert simulation.observed_order(steps, errors) == pytest.approx(order, abs=0.15)


@pytest.mark.parametrize("name", ["arm_2r", "skew_axes", "prismatic", "branch"])
def test_straight_line_code_gives_the_carriers_numbers(name: str) -> None:
    model = CATALOGUE[name]
    q, v, tau = np.random.default_rng(3).uniform(-3, 3, (3, 4, model.nv))
    computed = simulation.straight_line(model, forward_dynamics.compute, 3)
    batch = {"q": q, "v": v, "tau": tau}
    rows = [
        computed(*row) for row in zip(*(x.tolist() for x in (q, v, tau)), strict=True)
    ]
    np.testing.assert_allclose(rows, forward_dynamics.value(model, batch), rtol=1e-13)


def test_work_of_torques_is_the_change_of_energy() -> None:
    torque = simulation.pd_control((20.0, 10.0), (2.0, 1.0), (0.0, 0.0))
    errors = []
    for h in (0.004, 0.002):
        motion = simulation.simulate(TWO, START, h, 0.6, torque=torque)
        errors.append(simulation.energy_error(TWO, motion))
    assert abs(motion.work[-1]) > 1
    assert errors[0] < 1e-6
    assert errors[1] < errors[0] / 10


def test_gravity_does_work_and_it_is_minus_the_change_of_v() -> None:
    power = simulation.gravity_power(TWO)
    fall = simulation.simulate(TWO, ((0, 0), (0, 0)), 0.001, 0.3, power=power)
    V = potential_energy.value(TWO, {"q": fall.q[[0, -1]]})
    assert fall.work[-1] > 1
    assert fall.work[-1] == pytest.approx(V[0] - V[1], abs=1e-9)


def test_first_momentum_is_conserved_about_a_plumb_axis_only() -> None:
    start = ((0.3, -0.4, 0.8, 0.5, 0.7, 0.2), (0.3, 0.2, -0.4, 0.5, 0.3, -0.2))
    tilted = replace(SIX, name="tilted", gravity=(3.0, 0.0, -9.3))
    drifts = [
        simulation.momentum_drift(model, simulation.simulate(model, start, 0.004, 0.3))
        for model in (SIX, tilted)
    ]
    assert drifts[0] < 1e-5
    assert drifts[1] > 1e-2


def test_inverse_dynamics_returns_the_torques_of_a_simulated_state() -> None:
    q, v, tau = np.random.default_rng(4).uniform(-3, 3, (3, 5, SIX.nv))
    a = forward_dynamics.value(SIX, {"q": q, "v": v, "tau": tau})
    back = inverse_dynamics.value(SIX, {"q": q, "v": v, "a": a})
    np.testing.assert_allclose(back, tau, atol=1e-10)
