"""Representations of one mechanism, faults that show, and motions that stay closed."""

from __future__ import annotations

from math import cos, sin

import numpy as np
import pytest
from scipy.linalg import expm

from models import CLOSED_CHAINS, Model
from models.maximal import maximal_configuration
from reference.ch03_04_manipulator_equation import kinetic_energy, potential_energy
from reference.ch03_11_constrained_dynamics import constrained_motion
from reference.ch03_11_fourbar import FourBar
from reference.ch03_11_motion import integrated, mechanism, no_forces, runge_kutta
from reference.ch03_11_reduction import Reduced
from reference.ch03_11_rounding import solution_bound
from reference.ch03_11_solvers import Solution, System
from reference.closing import home
from reference.constraints import constraint_jacobian
from tests.kinematics import U
from tests.motions import double_fourbar_rate, free_rate, motion

Array = np.ndarray

TREE, MAXIMAL = CLOSED_CHAINS["fourbar"], CLOSED_CHAINS["fourbar_maximal"]
SPEED = 5.8


def state_at(angle: float, speed: float = SPEED) -> tuple[Array, Array]:
    """The four-bar as a tree, its crank turned from home to an angle."""
    reduced = Reduced(TREE, [0], home(TREE))
    for z in np.linspace(TREE.home[0], angle, 60):
        reduced.position(np.array([z]))
    return reduced.state(np.array([angle]), np.array([speed]))


def on_bodies(x: Array) -> Array:
    """Angles of crank, coupler and rocker, or rates, from those of the joints."""
    return np.array([x[0], x[0] + x[1], x[2]])


def in_maximal(q: Array, v: Array) -> tuple[Array, Array]:
    """The same state in maximal coordinates, the velocities by hand."""
    Q = np.array(maximal_configuration(TREE, q.tolist()))
    crank, coupler, rocker = on_bodies(q)
    w = on_bodies(v)

    def spun(r: float, angle: float, rate: float) -> Array:
        return r * rate * np.array([-sin(angle), cos(angle)])

    centres = (
        spun(0.16, crank, w[0]),
        spun(0.32, crank, w[0]) + spun(0.635, coupler, w[1]),
        spun(0.45, rocker, w[2]),
    )
    return Q, np.concatenate([[*c, x] for c, x in zip(centres, w, strict=True)])


# ----------------------------------------------------------------------- representations

ANGLES = [-2.5, -1.2, 0.1, 0.75, 1.9, 3.0]


@pytest.mark.parametrize("angle", ANGLES)
def test_three_representations_give_one_acceleration_and_one_force(
    angle: float,
) -> None:
    q, v = state_at(angle)
    tree = mechanism(TREE).acceleration(q, v, 0 * v)
    Q, V = in_maximal(q, v)
    maximal = mechanism(MAXIMAL).acceleration(Q, V, 0 * V)
    reduced = Reduced(TREE, [0], q)
    alone = reduced.acceleration(q[:1], v[:1], no_forces)
    size = np.abs(tree.a).max()
    assert np.abs(on_bodies(tree.a) - maximal.a[2::3]).max() < 1e-12 * size
    assert abs(alone.item() - tree.a[0]) < 1e-12 * size
    # the force at the cut: of the tree, of the last loop of the maximal model, and what
    # holds the rocker by itself
    rocker = TREE.bodies[2].inertia
    assert rocker is not None
    about_end = rocker.moments[5] + rocker.mass * 0.45**2
    weight = -9.81 * rocker.mass * 0.45 * cos(q[2])
    moment = about_end * tree.a[2] - weight
    tip = 0.9 * np.array([cos(q[2]), sin(q[2])])
    force = -tree.multipliers  # on the rocker, by the coupler
    largest = np.abs(tree.multipliers).max()
    assert np.abs(maximal.multipliers[-2:] - tree.multipliers).max() < 1e-12 * largest
    assert abs(tip[0] * force[1] - tip[1] * force[0] - moment) < 1e-12 * largest


@pytest.mark.parametrize("angle", ANGLES)
def test_the_reduced_fourbar_is_lagranges_equation_of_one_coordinate(
    angle: float,
) -> None:
    # I a + I' w^2 / 2 + V' = 0, slopes by central differences of order four
    h = 1e-3

    def terms(theta: float) -> tuple[float, float]:
        q, v = state_at(theta, 1.0)
        batch = {"q": q[None], "v": v[None]}
        T = kinetic_energy.value(TREE, batch).item()
        return 2 * T, potential_energy.value(TREE, batch).item()

    at = {k: np.array(terms(angle + k * h)) for k in (-2, -1, 0, 1, 2)}
    slopes = (8 * (at[1] - at[-1]) - (at[2] - at[-2])) / (12 * h)
    coarse = (at[2] - at[-2]) / (4 * h)
    fine = (at[1] - at[-1]) / (2 * h)
    expected = -(slopes[0] * SPEED**2 / 2 + slopes[1]) / at[0][0]
    # what two orders differ by, times h^2, is more than order four errs
    error = np.abs(coarse - fine) @ [SPEED**2 / 2, 1.0] / at[0][0]
    q, v = state_at(angle)
    found = Reduced(TREE, [0], q).acceleration(q[:1], v[:1], no_forces).item()
    assert abs(found - expected) < max(0.01 * error, 1e-9 * abs(found))
    assert FourBar(TREE).acceleration(angle, SPEED) == pytest.approx(found, rel=1e-12)


def test_reduced_double_fourbar_is_a_pendulum() -> None:
    # each crank turns about its end, couplers only move: theta'' = 7/6 g sin(theta)
    rate = double_fourbar_rate(CLOSED_CHAINS["double_fourbar"])
    for theta in (-2.9, -1.0, 0.3, 1.2, 2.0):
        _, a = rate(np.array([theta, 1.7]))
        assert a == pytest.approx(3.5 / 3 * 9.81 * sin(theta), abs=1e-12 * 9.81)


def test_runge_kutta_of_the_reduced_fourbar_meets_dop853_of_the_closed_form() -> None:
    bars = FourBar(TREE)

    def rate(y: Array) -> Array:
        return np.array([y[1], bars.acceleration(*y)])

    start = np.array([TREE.home[0], SPEED])
    (exact,) = motion(rate, start, [0.5], 1e-13)
    errors = []
    for step in (0.01, 0.005):
        reduced, state = Reduced(TREE, [0], home(TREE)), start
        for _ in range(round(0.5 / step)):
            state = runge_kutta(reduced.rate, state, step)
        errors.append(np.abs(state - exact).max())
    assert errors[0] / errors[1] == pytest.approx(16, rel=0.25)
    assert errors[1] < 1e-5


# -------------------------------------------------------------------------------- faults


def judged(found: Solution, state: tuple[Array, Array]) -> float:
    """Largest residual of a solution over what is allowed of any library."""
    q, v = state
    n, m = len(q), constraint_jacobian.sizes(TREE)[0]
    lam = np.zeros(m)
    lam[mechanism(TREE).rows] = found.multipliers
    batch = {"q": q[None], "v": v[None], "tau": np.zeros((1, n))}
    batch["solution"] = np.concatenate([found.a, lam])[None]
    equation = constrained_motion.equation()
    left, allowed = equation.value(TREE, batch), equation.tolerance(TREE, batch)
    return float((np.abs(left) / np.where(allowed > 0, allowed, np.inf)).max())


def test_gamma_left_out_and_a_multiplier_of_the_other_sign_are_seen() -> None:
    q, v = state_at(1.9)
    chain = mechanism(TREE)
    right, at = chain.acceleration(q, v, 0 * v), chain.terms(q, v)
    still = chain.solution(System(at.M, at.J, -at.h, 0 * at.gamma))
    turned = right._replace(multipliers=-right.multipliers)  # L&P (8.93)
    assert judged(right, (q, v)) < 1
    assert judged(still, (q, v)) > 1e6
    assert judged(turned, (q, v)) > 1e6
    # and by more than the solution could err
    system = System(at.M, at.J, -at.h, at.gamma)
    bound = solution_bound(system, right)[: len(q)]
    assert np.abs(still.a - right.a).max() > 1e6 * bound.max()


# --------------------------------------------------------------------- staying closed


@pytest.mark.parametrize(
    "name", ["fourbar", "fourbar_maximal", "stewart_legs", "bricard"]
)
def test_after_projection_the_violation_is_rounding(name: str) -> None:
    model = CLOSED_CHAINS[name]
    chain, draw = mechanism(model), np.random.default_rng(1)
    q = home(model) + 1e-3 * draw.uniform(-1, 1, model.nv)
    v = draw.uniform(-1, 1, model.nv)
    before = chain.violation(q, v)
    after = chain.violation(*chain.projected(q, v))
    assert min(before) > 1e-5
    # three Newton steps: 1e-3 squared three times is below rounding; 15 bodies deep at most
    assert max(after) < 100 * U * (1 + np.abs(q).max()) * (1 + np.abs(v).max())


@pytest.mark.parametrize("gains", [(5.0, 5.0), (20.0, 20.0), (3.0, 12.0)])
def test_baumgartes_equation_holds_along_an_open_motion(
    gains: tuple[float, float],
) -> None:
    chain, n = mechanism(MAXIMAL), MAXIMAL.nv
    q, v = in_maximal(*state_at(0.75))
    draw = np.random.default_rng(2)
    q, v = q + 1e-3 * draw.uniform(-1, 1, n), v + 1e-2 * draw.uniform(-1, 1, n)

    def rate(state: Array) -> Array:
        x, w = state[:n], state[n:]
        return np.concatenate([w, chain.acceleration(x, w, 0 * w, gains).a])

    alpha, beta = gains
    at = chain.terms(q, v)
    start = np.stack([at.error, at.J @ v])
    A = np.array([[0.0, 1.0], [-(beta**2), -2 * alpha]])
    times, rtol = [0.05, 0.1, 0.2], 1e-11
    states = motion(rate, np.concatenate([q, v]), times, rtol)
    for t, state in zip(times, states, strict=True):
        at = chain.terms(state[:n], state[n:])
        found = np.stack([at.error, at.J @ state[n:]])
        # the state errs by some rtol; its rates by that times the gains and the speed
        atol = 100 * rtol * np.array([[1.0], [beta + SPEED]])
        assert np.all(np.abs(found - expm(A * t) @ start) < atol)


def off(model: Model, projecting: bool) -> tuple[float, float]:
    start = in_maximal(*state_at(0.75)) if model is MAXIMAL else state_at(0.75)
    found = integrated(model, start, 0.01, 1.0, projecting=projecting)
    return float(found.position.max()), float(found.speed.max())


@pytest.mark.parametrize("model", [TREE, MAXIMAL], ids=lambda m: m.name)
def test_projected_motions_stay_closed_where_plain_ones_drift(model: Model) -> None:
    plain, projected = off(model, False), off(model, True)
    assert plain[0] > 1e-7
    assert projected[0] < 20 * U * 2  # coordinates within 2 m, a few roundings deep
    assert projected[1] < 20 * U * 2 * 50  # speeds within 50 rad/s


def test_tree_and_maximal_coordinates_move_alike() -> None:
    q, v = state_at(0.75)
    (tree,) = motion(free_rate(mechanism(TREE)), np.concatenate([q, v]), [0.5], 1e-12)
    start = np.concatenate(in_maximal(q, v))
    (bodies,) = motion(free_rate(mechanism(MAXIMAL)), start, [0.5], 1e-12)
    assert np.abs(on_bodies(tree[:3]) - bodies[2:9:3]).max() < 1e-10
    assert np.abs(on_bodies(tree[3:]) - bodies[11::3]).max() < 1e-9
    assert abs(tree[0] - TREE.home[0]) > 0.5
