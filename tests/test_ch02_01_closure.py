"""2.1.3.5 exp and log of SE(3), products of exponentials, closing one loop."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.linalg import expm

from reference.carriers import UNIT_ROUNDOFF
from reference.ch02_01_closure import (
    closed_with,
    closure_residual,
    distinct_closures,
    product_of_exponentials,
    rounding,
    screws_at,
    wrapped,
)
from reference.ch02_01_displacement import chain, exp_se3, hats, log_se3
from reference.ch02_01_mobility import single_loop_mobility
from reference.ch02_01_singleloop import bennett_loop, loop_screws
from reference.ch02_01_structure import grubler

Array = np.ndarray

VECTORS = st.lists(st.floats(-1, 1), min_size=3, max_size=3).map(np.array)
ROUNDED = 40 * UNIT_ROUNDOFF
"""Of entries of a displacement by at most two; log and exp take about twenty each."""


def twist(axis: Array, angle: float, v: Array) -> Array:
    """A twist about a direction, by an angle."""
    u = axis + np.array([0, 0, 1.25])
    return np.concatenate([angle * u / np.linalg.norm(u), v])


@given(VECTORS, st.floats(0, np.pi), VECTORS)
def test_the_exponential_is_that_of_the_matrix(
    axis: Array, angle: float, v: Array
) -> None:
    X, S = np.zeros((4, 4)), twist(axis, angle, v)
    X[:3, :3], X[:3, 3] = hats(S[:3]), S[3:]
    assert np.abs(exp_se3(S) - expm(X)).max() < 10 * ROUNDED


@given(VECTORS, st.floats(0, np.pi - 1e-6), VECTORS)
def test_the_logarithm_undoes_the_exponential(
    axis: Array, angle: float, v: Array
) -> None:
    S = twist(axis, angle, v)
    assert np.abs(log_se3(exp_se3(S)) - S).max() < ROUNDED


@given(VECTORS, st.floats(-15, 0), VECTORS)
def test_no_digits_are_lost_near_half_a_turn(
    axis: Array, exponent: float, v: Array
) -> None:
    T = exp_se3(twist(axis, np.pi - 10**exponent, v))
    S = log_se3(T)
    assert np.abs(exp_se3(S) - T).max() < ROUNDED
    assert np.linalg.norm(S[:3]) == pytest.approx(np.pi - 10**exponent, rel=1e-14)


@given(VECTORS, st.floats(-150, 0), VECTORS)
def test_the_turn_keeps_its_digits_near_zero(
    axis: Array, exponent: float, v: Array
) -> None:
    angle = 10**exponent
    S = twist(axis, angle, v)
    assert np.abs(log_se3(exp_se3(S)) - S)[:3].max() < ROUNDED * angle


@pytest.mark.parametrize("axis", [*np.eye(3), *-np.eye(3), np.array([0.6, 0, -0.8])])
def test_half_a_turn_has_a_logarithm(axis: Array) -> None:
    T = exp_se3(np.array([*(np.pi * axis), 1.0, 2.0, 3.0]))
    assert np.abs(exp_se3(log_se3(T)) - T).max() < 2 * ROUNDED


def test_the_identity_has_the_logarithm_zero() -> None:
    assert not log_se3(np.eye(4)).any()
    assert np.array_equal(exp_se3(np.zeros(6)), np.eye(4))


# ------------------------------------------------------------------- products and loops

SEEDS = st.integers(0, 10_000)


@given(SEEDS)
def test_many_configurations_at_once_are_those_one_by_one(seed: int) -> None:
    rng = np.random.default_rng(seed)
    S, theta = rng.normal(size=(5, 6)), rng.normal(size=(3, 5))
    T, screws = chain(S, theta)
    for k, one in enumerate(theta):
        assert product_of_exponentials(S, one) == pytest.approx(T[k], rel=1e-12)
        assert screws_at(S, one) == pytest.approx(screws[k], rel=1e-12, abs=1e-12)


@given(SEEDS)
def test_the_screws_are_the_slopes_of_the_product(seed: int) -> None:
    rng = np.random.default_rng(seed)
    S, theta, h = rng.normal(size=(4, 6)), rng.normal(size=4), 1e-6
    back = np.linalg.inv(product_of_exponentials(S, theta))
    for k, screw in enumerate(screws_at(S, theta).T):
        step = h * np.eye(4)[k]
        ahead = log_se3(product_of_exponentials(S, theta + step) @ back)
        behind = log_se3(product_of_exponentials(S, theta - step) @ back)
        assert (ahead - behind) / (2 * h) == pytest.approx(screw, abs=1e-7)


SPREAD = loop_screws("chapter-parallelogram_spread")


def test_a_held_joint_stays_and_the_others_close_the_loop() -> None:
    start = np.array([0.3, 0.0, 0.0, 0.0])
    found = closed_with(SPREAD, start)
    assert found.theta[0] == 0.3
    assert found.residual <= rounding(SPREAD, found.theta)
    assert closure_residual(SPREAD, start) > 0.1
    assert wrapped(found.theta) == pytest.approx([0.3, -0.3, 0.3, 0.3], abs=1e-12)


def test_a_loop_that_cannot_close_says_how_far_it_is_open() -> None:
    above = np.eye(4)
    above[2, 3] = 1.0  # one metre out of its plane
    found = closed_with(SPREAD, np.array([0.3, 0.0, 0.0, 0.0]), 0, above)
    assert found.residual == pytest.approx(1.0, rel=1e-14)


def test_a_four_bar_has_two_closures_and_none_where_it_is_out_of_reach() -> None:
    starts = np.random.default_rng(1).uniform(-np.pi, np.pi, (100, 3))
    assert len(distinct_closures(SPREAD, 0.3, starts)) == 2
    apart = SPREAD.copy()
    apart[3, 4] -= 9.0  # the ground joint to x = -7 m, and the link to it longer
    assert distinct_closures(apart, 0.3, starts) == []


# -------------------------------------------------------------------------- mobility laws


@given(SEEDS, st.integers(1, 9))
def test_a_loop_of_general_screws_has_gruebler_s_mobility(seed: int, n: int) -> None:
    screws = np.random.default_rng(seed).normal(size=(n, 6)).tolist()
    assert single_loop_mobility(screws) == max(0, grubler(6, n, [1] * n))


@given(SEEDS, st.integers(3, 6))
def test_axes_through_one_point_move_as_a_planar_loop_does(seed: int, n: int) -> None:
    rng = np.random.default_rng(seed)
    p = rng.normal(size=3)
    screws = [[*u, *np.cross(p, u)] for u in rng.normal(size=(n, 3))]
    assert single_loop_mobility(screws) == grubler(3, n, [1] * n)


@given(SEEDS)
def test_the_rank_does_not_depend_on_the_frame(seed: int) -> None:
    rng = np.random.default_rng(seed)
    S, _ = bennett_loop(np.array([0.5, 1.0, 1.5, 2.0]))
    S[3] = 2 * S[0] - S[1]
    moved = screws_at(np.vstack([rng.normal(size=6), S]), np.array([1.0, 0, 0, 0, 0]))
    rows = moved.T[1:].tolist()
    assert single_loop_mobility(rows) == single_loop_mobility(S.tolist()) == 1
