"""The closed chains close at home, and have the ranks that mechanics says they have."""

from __future__ import annotations

from dataclasses import replace
from math import cos, hypot, pi, sin

import numpy as np
import pytest

from models import (
    CATALOGUE,
    CLOSED_CHAINS,
    MODELS,
    Model,
    named,
    summary,
)
from tests.kinematics import (
    U,
    about,
    closure,
    frames,
    jacobian,
    mass_and_weight,
    placed,
)

Array = np.ndarray
each = pytest.mark.parametrize("model", CLOSED_CHAINS.values(), ids=lambda m: m.name)


def singular_values(model: Model) -> Array:
    return np.linalg.svd(jacobian(model, model.home), compute_uv=False)


# --------------------------------------------------------------------------------- closure


@each
def test_home_closes_every_loop_to_rounding(model: Model) -> None:
    assert len(model.home) == model.nq
    poses = placed(model, model.home).values()
    size = 1 + max(float(np.abs(T[:3, 3]).max()) for T in poses)
    for kind, first, second in frames(model, model.home):
        # three roundings of each pose, at most 15 bodies deep
        assert np.abs(first[:3, 3] - second[:3, 3]).max() <= 16 * 3 * U * size
        if kind == "frame":
            assert np.abs(first[:3, :3] - second[:3, :3]).max() <= 16 * 3 * U


RANKS = {
    "fourbar": (3, 2),
    "fourbar_welded": (6, 3),
    "fourbar_maximal": (12, 8),
    "fivebar": (3, 2),
    "fivebar_maximal": (15, 10),
    "double_fourbar": (6, 4),
    "andrews": (9, 6),
    "bricard": (6, 4),
    "stewart": (0, 0),
    "stewart_legs": (18, 18),
    "twin_arms": (6, 6),
    "twin_arms_pinned": (3, 3),
    "spatial_chain": (9, 9),
}
"""Rows and rank: two of three rows hold in the plane; coordinates less rank is mobility."""


@each
def test_the_rank_at_home_is_that_of_the_mechanism(model: Model) -> None:
    rows, rank = RANKS[model.name]
    if not rows:
        assert not model.loops
        return
    s = singular_values(model)
    assert jacobian(model, model.home).shape == (rows, model.nv)
    assert s[rank - 1] > 1e-3
    assert np.all(s[rank:] < 1e-9)  # the differences err by h^2 and by rounding over h
    mobility = model.nv - rank
    expected = {"fivebar": 2, "fivebar_maximal": 2, "fourbar_welded": 0}
    expected |= {"stewart_legs": 6, "twin_arms": 6, "twin_arms_pinned": 9}
    assert mobility == (expected | {"spatial_chain": 3}).get(model.name, 1)


def test_the_fourbar_has_the_lengths_of_the_text_and_the_coupler_on_the_left() -> None:
    model = named("fourbar")
    crank, coupler, rocker = model.home
    assert crank == 0.75
    b = (0.32 * cos(crank), 0.32 * sin(crank))
    c = (0.97 + 0.9 * cos(rocker), 0.9 * sin(rocker))
    assert hypot(c[0] - b[0], c[1] - b[1]) == pytest.approx(1.27, abs=4 * U)
    assert (0.97 - b[0]) * (c[1] - b[1]) - (0 - b[1]) * (c[0] - b[0]) > 0
    assert abs(coupler) <= pi
    for body, length in zip(model.bodies, (0.32, 1.27, 0.9), strict=True):
        assert body.inertia is not None
        assert body.inertia.mass == length
        assert body.inertia.moments[5] == length * length * length / 12


def test_the_fivebar_reaches_its_point_with_the_elbows_outward() -> None:
    model = named("fivebar")
    at = placed(model, model.home)
    assert frames(model, model.home)[0][1][:2, 3] == pytest.approx([0, 0.4], abs=4 * U)
    assert at[1][0, 3] < -0.15
    assert at[3][0, 3] > 0.15
    assert at[1][0, 3] == pytest.approx(-at[3][0, 3], abs=4 * U)


def test_the_squeezer_of_the_test_set_closes_where_its_own_formulas_say() -> None:
    beta, Theta, gamma, delta, Phi, epsilon, Omega = named("andrews").home
    e = (
        0.007 * cos(beta) - 0.028 * cos(beta + Theta),
        0.007 * sin(beta) - 0.028 * sin(beta + Theta),
    )
    ends = [
        (-0.03635 + 0.035 * sin(gamma), 0.03273 - 0.035 * cos(gamma)),
        (
            -0.06934 + 0.04 * cos(delta) + 0.02 * sin(Phi + delta),
            -0.00227 + 0.04 * sin(delta) - 0.02 * cos(Phi + delta),
        ),
        (
            -0.06934 + 0.04 * sin(epsilon) + 0.02 * cos(Omega + epsilon),
            -0.00227 - 0.04 * cos(epsilon) + 0.02 * sin(Omega + epsilon),
        ),
    ]
    model = named("andrews")
    for loop, end in zip(frames(model, model.home), ends, strict=True):
        assert loop[1][:2, 3] == pytest.approx(e, abs=2 * U)
        assert loop[2][:2, 3] == pytest.approx(end, abs=2 * U)


def test_bricard_is_exact_and_its_last_hinge_is_about_x() -> None:
    model = named("bricard")
    assert not closure(model, model.home).any()
    axis = np.diff([loop[1][:3, 3] for loop in frames(model, model.home)], axis=0)
    assert axis.tolist() == [[0.5, 0.0, 0.0]]


def test_the_legs_of_the_platforms_are_as_long_as_their_feet_and_balls_are_apart() -> (
    None
):
    free, legs = named("stewart"), named("stewart_legs")
    at = placed(free, free.home)[5]
    R = about((0, 1, 0), -0.06) @ about((1, 0, 0), -0.07)
    assert np.abs(at[:3, :3] - R).max() < 4 * U
    assert at[:3, 3] == pytest.approx([-0.15, 0.08, 0.33], abs=U)
    for tendon, slide in zip(free.tendons, legs.home[8::3], strict=True):
        foot, ball = (np.array(point.pose.p) for point in tendon.points)
        assert np.linalg.norm(foot) == pytest.approx(0.4)
        assert np.linalg.norm(ball) == pytest.approx(0.25)
        length = np.linalg.norm(at[:3, :3] @ ball + at[:3, 3] - foot)
        assert slide == pytest.approx(length, abs=8 * U)


def from_rest(model: Model, tau: Array, rank: int) -> Array:
    """Acceleration at rest at home: Gauss' principle in the null space of the rows."""
    M, weight = mass_and_weight(model, model.home)
    N = np.linalg.svd(jacobian(model, model.home))[2][rank:].T
    return N @ np.linalg.solve(N.T @ M @ N, N.T @ (tau + weight))


def test_bricard_starts_as_the_benchmark_of_iftomm_does() -> None:
    model = named("bricard")
    a = from_rest(model, np.zeros(5), 4)
    # 1.9580838323353 rad/s^2 by another formulation; the rows are differences, h^2 wrong
    assert np.abs(a) == pytest.approx(np.full(5, 1.9580838323353), abs=1e-8)


def test_the_squeezer_starts_as_the_test_set_prints() -> None:
    model = named("andrews")
    at = placed(model, model.home)[2]
    way = (at @ [0.02, -0.018, 0.0, 1.0])[:2] - [0.014, 0.072]
    length = float(np.linalg.norm(way))
    pull = -4530 * (length - 0.07785) / length * way
    arm = (at @ [0.02, -0.018, 0.0, 1.0])[:2] - at[:2, 3]
    tau = np.zeros(7)
    tau[0], tau[2] = 0.033, arm[0] * pull[1] - arm[1] * pull[0]
    expected = [14222.443919954114, -10666.832939965585, 0, 0, 0, 0, 0]
    assert from_rest(model, tau, 6) == pytest.approx(expected, abs=1e-4)


def test_upright_cranks_fall_as_one_degree_of_freedom_does() -> None:
    """((N + 1)/3 + N) a = ((N + 1)/2 + N) g sin(theta), N = 2; at 0.3 rad, by hand."""
    model = named("double_fourbar")
    theta = 0.3
    q = (-theta, theta, -theta, theta, -theta)
    assert np.abs(closure(model, q)).max() < 16 * U
    leaning = replace(model, home=q)
    a = from_rest(leaning, np.zeros(5), 4)
    expected = -(3.5 / 3) * 9.81 * sin(theta)
    assert a[0] == pytest.approx(expected, abs=1e-8)


@each
def test_frames_have_names_of_their_own(model: Model) -> None:
    frames_named = [frame.name for frame in (model.tool, *model.marks)]
    assert len(set(frames_named)) == len(frames_named)


def test_all_models_have_one_name_and_one_sentence() -> None:
    assert {**CATALOGUE, **CLOSED_CHAINS} == MODELS
    assert len(MODELS) == len(CATALOGUE) + len(CLOSED_CHAINS)
    for name, model in MODELS.items():
        assert named(name) is model
        assert summary(model)[0] == name == model.name
        assert summary(model)[1].endswith(".")
