"""Published benchmarks of spatial closed chains: Bricard, governor, slider-crank, Stewart."""

from __future__ import annotations

from math import cos, pi, sin
from typing import Any

import numpy as np
import pytest

from models import CLOSED_CHAINS
from reference.ch03_04_manipulator_equation import kinetic_energy, potential_energy
from reference.ch03_11_motion import mechanism, no_forces
from reference.ch03_11_reduction import Reduced
from reference.closing import home
from reference.constraints import tendon_jacobian, tendon_lengths
from tests.kinematics import about, placed
from tests.mechanisms import (
    ACROSS,
    BALLS,
    FEET,
    energy_of_springs,
    governor,
    leg_angles,
    slider_crank,
    spring_damper_forces,
    tsai_platform,
)
from tests.motions import motion
from tests.test_ch03_11_benchmarks import VALUES

Array = np.ndarray

# ---------------------------------------------------------------------- Bricard's chain

BRICARD = CLOSED_CHAINS["bricard"]


def test_bricard_moves_through_the_converged_points_in_spite_of_redundant_rows() -> (
    None
):
    case = VALUES["a04"]["converged"]
    reduced = Reduced(BRICARD, [0], home(BRICARD))
    first = reduced.acceleration(np.zeros(1), np.zeros(1), no_forces)
    assert first.item() == pytest.approx(case["acceleration"], rel=1e-13)
    states = motion(reduced.rate, np.zeros(2), case["times"], 1e-11)
    energies = []
    again = Reduced(BRICARD, [0], home(BRICARD))
    for state, point in zip(states, case["P3"], strict=True):
        for z in np.linspace(again.q[0], state[0], 40):  # stay on the branch
            again.position(np.array([z]))
        q, v = again.state(state[:1], state[1:])
        assert np.abs(placed(BRICARD, tuple(q))[2][:3, 3] - point).max() < 1e-8
        batch = {"q": q[None], "v": v[None]}
        parts = (kinetic_energy, potential_energy)
        energies.append(sum(part.value(BRICARD, batch).item() for part in parts))
    expected = VALUES["a04"]["energy"]
    np.testing.assert_allclose(energies, expected, atol=1e-8 * abs(expected))


def test_all_representations_of_bricard_start_alike() -> None:
    q = home(BRICARD)
    a, lam = mechanism(BRICARD).acceleration(q, 0 * q, 0 * q)
    assert a[0] == pytest.approx(VALUES["a04"]["converged"]["acceleration"], rel=1e-13)
    at = mechanism(BRICARD).terms(q, 0 * q)
    assert np.linalg.matrix_rank(at.J, rtol=1e-10) == 4  # of six rows
    assert np.abs(at.M @ a + at.h - at.J.T @ lam).max() < 1e-13 * np.abs(at.h).max()


# ------------------------------------------------------------------------------ governor

GOVERNOR = governor()


def governed_rate(state: Array) -> Array:
    """d/dt of (height, two rises, v, energy taken): the turn of the shaft is cyclic."""
    q, v = np.concatenate([[0.0], state[:3]]), state[3:7]
    tau, power = spring_damper_forces(q, v)
    a = mechanism(GOVERNOR).acceleration(q, v, tau).a
    return np.concatenate([v[1:], a, [power]])


def energy_of_the_governor(state: Array) -> float:
    q, v = np.concatenate([[0.0], state[:3]]), state[3:7]
    batch = {"q": q[None], "v": v[None]}
    T, V = (
        kinetic_energy.value(GOVERNOR, batch),
        potential_energy.value(GOVERNOR, batch),
    )
    return (T + V).item() + energy_of_springs(q) + state[7]


def test_governor_rises_to_the_converged_heights_and_keeps_account_of_its_energy() -> (
    None
):
    case = VALUES["a05"]["converged"]
    start = np.zeros(8)
    start[:3], start[3] = home(GOVERNOR)[1:], 2 * pi
    states = motion(governed_rate, start, case["times"], 1e-11, "LSODA")  # stiff
    assert np.abs(states[:, 0] - case["height"]).max() < 1e-8
    end = states[-1]
    assert end[1] == pytest.approx(case["rise_at_10"], abs=1e-8)
    assert end[2] == pytest.approx(end[1], abs=1e-8)
    assert end[3] == pytest.approx(case["turning_at_10"], abs=1e-7)
    assert end[0] == pytest.approx(VALUES["a05"]["height_read_at_10"], abs=5e-3)
    energies = [energy_of_the_governor(x) for x in (start, *states)]
    np.testing.assert_allclose(energies, energies[0], rtol=1e-9)


def test_springs_of_the_governor_are_its_tendons() -> None:
    q, v = np.random.default_rng(0).normal(size=(2, 5, 4))
    q = np.array([0.0, 0.5, -0.5, -0.5]) + 0.1 * q
    lengths = tendon_lengths.value(GOVERNOR, {"q": q})
    L = tendon_jacobian.value(GOVERNOR, {"q": q})
    speeds = (L @ v[..., None])[..., 0]
    forces = -8e5 * (lengths - 0.5) - 4e4 * speeds
    tau = (L.mT @ forces[..., None])[..., 0]
    expected = np.array(
        [spring_damper_forces(*row)[0] for row in zip(q, v, strict=True)]
    )
    np.testing.assert_allclose(tau, expected, atol=1e-13 * 8e5)


# -------------------------------------------------------------------------- slider-crank

CRANK = slider_crank()


def twist(v: Array, q: Array) -> tuple[Array, Array]:
    """Angular velocity of the rod and velocity of its centre, by hand."""
    pose = placed(CRANK, tuple(q))
    across = pose[2][:3, 1]
    omega = np.array([v[2], 0.0, 0.0]) + v[3] * across
    centre = pose[3][:3, :3] @ [0.15, 0.0, 0.0]
    return omega, np.array([v[1], 0.0, 0.0]) + np.cross(omega, centre)


def test_slider_crank_starts_with_the_published_velocities() -> None:
    case = VALUES["slider_crank"]
    q, v = Reduced(CRANK, [0], home(CRANK)).state(np.zeros(1), np.array([case["rate"]]))
    omega, speed = twist(v, q)
    exact, atol = case["published"], 1e-14 * case["rate"]
    np.testing.assert_allclose(omega, exact["rod_angular_velocity"], atol=atol)
    np.testing.assert_allclose(speed, exact["rod_centre_velocity"], atol=atol)
    assert v[1] == pytest.approx(exact["slider_velocity"], abs=atol)


def test_slider_crank_moves_near_the_published_and_on_the_converged_path() -> None:
    case = VALUES["slider_crank"]
    published, converged = case["published"], case["converged"]
    reduced = Reduced(CRANK, [0], home(CRANK))
    start = np.array([0.0, case["rate"]])
    states = motion(reduced.rate, start, converged["times"], 1e-10)
    again, x = Reduced(CRANK, [0], home(CRANK)), []
    for angle in states[:, 0]:
        for z in np.linspace(again.q[0], angle, 60):  # stay on the branch
            q = again.position(np.array([z]))
        x.append(q[1])
    np.testing.assert_allclose(states[:, 0], converged["angle"], rtol=2e-9)
    np.testing.assert_allclose(x, converged["x"], atol=1e-8)
    near = [converged["times"].index(t) for t in published["times"]]
    np.testing.assert_allclose(np.array(x)[near], published["x"], atol=1e-4)


# ------------------------------------------------------------------------ Tsai's platform

TSAI = tsai_platform()
SPEED = 3.0
G = np.array([0.0, 0.0, -9.80665])
Posture = tuple[Array, Array, Array, Array, Array, Array]


def posture(pattern: str, t: float) -> Posture:
    """p, pdot, pddot, and yaw with its two rates along z."""
    s, c = sin(SPEED * t), cos(SPEED * t)
    course = np.array([s, SPEED * c, -(SPEED**2) * s])
    p, z = np.array([-1.5, 0.0, 1.0]), np.array([0.0, 0.0, 1.0])
    if pattern == "slide":
        d = 0.2 * np.outer(course, np.ones(3))
        return p + d[0], d[1], d[2], 0 * z, 0 * z, 0 * z
    y = pi / 6 * np.outer(course, z)
    return p, 0 * p, 0 * p, y[0], y[1], y[2]


def hat(a: Array) -> Array:
    return np.cross(np.eye(3), a)


def forces_by_virtual_work(at: Posture) -> Array:
    """Leg forces from the work of every tube in the platform's six virtual motions."""
    p, v, a, yaw, omega, alpha = at
    R = about((0, 0, 1), yaw[2])
    wrench = np.concatenate(
        [1.5 * (a - G), 0.08 * alpha]
    )  # inertia is the same all round
    rows = []
    for foot, ball in zip(FEET, BALLS, strict=True):
        r = R @ ball
        speed = v + np.cross(omega, r)
        acceleration = a + np.cross(alpha, r) + np.cross(omega, np.cross(omega, r))
        moved = np.hstack([np.eye(3), -hat(r)])  # of the ball, by the virtual motion
        wrench += leg_wrench(p + r - foot, speed, acceleration, moved)
        n = (p + r - foot) / np.linalg.norm(p + r - foot)
        rows.append(n @ moved)
    return np.linalg.solve(np.array(rows).T, wrench)


def leg_wrench(span: Array, speed: Array, acceleration: Array, moved: Array) -> Array:
    """What the inertia and weight of both tubes of a leg ask of the platform (6,).

    n is along the leg; its tubes do not spin about it and have no moment about it.
    """
    length = np.linalg.norm(span)
    n = span / length
    rate = n @ speed
    n_dot = (speed - rate * n) / length
    growth = n @ acceleration + length * n_dot @ n_dot
    n_ddot = (acceleration - growth * n - 2 * rate * n_dot) / length
    turned = (
        (np.eye(3) - np.outer(n, n)) @ moved / length
    )  # of n, by the virtual motion
    total = 2 * ACROSS * turned.T @ (n_ddot + n_dot @ n_dot * n)
    total += 0.1 * (0.5 * turned).T @ (0.5 * n_ddot - G)
    c = length - 0.5  # of the upper tube's centre
    centre = growth * n + 2 * rate * n_dot + c * n_ddot
    return total + 0.1 * (np.outer(n, n) @ moved + c * turned).T @ (centre - G)


def forces_by_cut_joints(at: Posture) -> tuple[Array, Array]:
    """Forces of the six slides and what the constraints then leave: inverse, then forward."""
    p, v, a, yaw, omega, alpha = at
    chain, n = mechanism(TSAI), TSAI.nv
    R = about((0, 0, 1), yaw[2])
    q = np.concatenate([p, yaw[::-1], leg_angles(p, R).ravel()])
    v, a = np.concatenate([v, omega[::-1]]), np.concatenate([a, alpha[::-1]])
    J = chain.terms(q, np.zeros(n)).J
    v = np.concatenate([v, np.linalg.solve(J[:, 6:], -J[:, :6] @ v)])
    terms = chain.terms(q, v)
    legs = np.linalg.solve(J[:, 6:], terms.gamma - J[:, :6] @ a)
    a = np.concatenate([a, legs])
    slides = np.eye(n)[:, 8::3]
    found = np.linalg.solve(np.hstack([slides, J.T]), terms.M @ a + terms.h)
    forward = chain.acceleration(q, v, slides @ found[:6])
    return found[:6], forward.a - a


@pytest.mark.parametrize(
    "case", VALUES["tsai"]["converged"], ids=lambda c: c["pattern"]
)
def test_leg_forces_of_tsais_platform_are_the_same_by_two_routes(
    case: dict[str, Any],
) -> None:
    for t, expected in zip(case["times"], case["forces"], strict=True):
        at = posture(case["pattern"], t)
        by_work, (by_tree, left) = forces_by_virtual_work(at), forces_by_cut_joints(at)
        assert np.abs(by_work - by_tree).max() < 1e-12 * np.abs(by_tree).max()
        assert np.abs(left).max() < 1e-12 * SPEED**2
        assert np.abs(by_tree - expected).max() <= 0.5001e-10  # ten decimals
