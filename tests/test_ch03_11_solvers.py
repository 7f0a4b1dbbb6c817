"""Routes to one solution of M a = f + J' lambda, J a = gamma, and what they refuse."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
import pytest
from flint import fmpq_mat
from hypothesis import given
from hypothesis import strategies as st

from reference.carriers import UNIT_ROUNDOFF
from reference.ch03_11_rounding import solution_bound
from reference.ch03_11_solvers import (
    ContradictoryConstraintsError,
    DimensionError,
    RedundantConstraintsError,
    Solution,
    System,
    acceleration_projection,
    by_full_system,
    by_least_constraint,
    by_null_space,
    by_projection,
    by_schur_complement,
    checked_motion,
    contradiction,
    damped_motion,
    force_projection,
    inverse_constraint_inertia,
    least_motion,
    regularized_motion,
)
from reference.rank import rank_of
from tests.strategies import REPEATABLE

Array = np.ndarray

ROUTES: dict[str, Callable[[System], Array]] = {
    "full": lambda s: by_full_system(s).a,
    "schur": lambda s: by_schur_complement(s).a,
    "projection": by_projection,
    "null space": by_null_space,
    "gauss": by_least_constraint,
    "least": lambda s: least_motion(s).a,
}
WITH_MULTIPLIERS: dict[str, Callable[[System], Solution]] = {
    "full": by_full_system,
    "schur": by_schur_complement,
    "least": least_motion,
}

# -------------------------------------------------------------------- systems of integers


class Integers(NamedTuple):
    """A system of integers, which doubles hold exactly."""

    M: list[list[int]]
    J: list[list[int]]
    f: list[int]
    gamma: list[int]

    def floats(self) -> System:
        return System(*(np.array(x, float) for x in self))

    def solved(self) -> tuple[Array, Array]:
        """a and lambda by rational arithmetic, rounded once."""
        n, m = len(self.M), len(self.J)
        K = [[*row, *(-self.J[k][i] for k in range(m))] for i, row in enumerate(self.M)]
        K += [[*row, *([0] * m)] for row in self.J]
        x = fmpq_mat(K).solve(fmpq_mat([[b] for b in (*self.f, *self.gamma)]))
        values = np.array([float(e.p) / float(e.q) for e in x.entries()])
        return values[:n], values[n:]


@st.composite
def integers(draw: Any) -> Integers:
    """M = A A' + 1 and rows of full rank."""
    n = draw(st.integers(2, 6))
    m = draw(st.integers(1, n - 1))
    entry = st.integers(-3, 3)

    def table(rows: int, columns: int) -> list[list[int]]:
        return [[draw(entry) for _ in range(columns)] for _ in range(rows)]

    A = np.array(table(n, n))
    J = draw(
        st.just(table(m, n)).filter(lambda rows: fmpq_mat(rows).rank() == len(rows))
    )
    M = (A @ A.T + np.eye(n, dtype=int)).tolist()
    f, gamma = ([draw(st.integers(-9, 9)) for _ in range(k)] for k in (n, m))
    return Integers(M, J, f, gamma)


@pytest.mark.parametrize("name", ROUTES)
@REPEATABLE
@given(case=integers())
def test_a_route_errs_from_the_rational_solution_by_no_more_than_rounding(
    name: str, case: Integers
) -> None:
    system, (a, lam) = case.floats(), case.solved()
    bound = solution_bound(system, Solution(a, lam))
    found = ROUTES[name](system)
    assert np.all(np.abs(found - a) <= bound[: len(a)])
    if name in WITH_MULTIPLIERS:
        forces = WITH_MULTIPLIERS[name](system).multipliers
        assert np.all(np.abs(forces - lam) <= bound[len(a) :])


def test_three_masses_on_a_rope_solve_in_short_rationals() -> None:
    # a pulley without mass: m1 = 2, m2 = 3 hang on a rope, m3 = 6 is tied to m2
    case = Integers(
        [[2, 0, 0], [0, 3, 0], [0, 0, 6]], [[1, 1, 0], [0, 1, -1]], [20, 30, 60], [0, 0]
    )
    # m1 goes up by 70/11 of 10: (3 + 6 - 2) / (2 + 3 + 6); the rope holds 360/11
    a, lam = case.solved()
    np.testing.assert_array_equal(a, [-70 / 11, 70 / 11, 70 / 11])
    np.testing.assert_array_equal(lam, [-360 / 11, 3 * 70 / 11 - 30 + 360 / 11])
    for route in ROUTES.values():
        np.testing.assert_allclose(route(case.floats()), a, rtol=1e-14)


# ----------------------------------------------------------------------- random systems


def random_system(
    seed: int, n: int = 12, m: int = 8, batch: tuple[int, ...] = ()
) -> System:
    """A symmetric positive definite M and rows in general position."""
    draw = np.random.default_rng(seed).normal
    A = draw(size=(*batch, n, n))
    M = A @ A.mT + np.eye(n)
    return System(
        M, draw(size=(*batch, m, n)), draw(size=(*batch, n)), draw(size=(*batch, m))
    )


@pytest.mark.parametrize("seed", range(5))
def test_all_routes_agree_on_random_matrices(seed: int) -> None:
    system = random_system(seed)
    rigid = by_full_system(system)
    bound = solution_bound(system, rigid)
    found = {name: route(system) for name, route in ROUTES.items()}
    for name, a in found.items():
        assert np.all(np.abs(a - rigid.a) <= 2 * bound[:12]), name
    size = np.abs(rigid.a).max()
    assert max(np.abs(a - rigid.a).max() for a in found.values()) < 1e-12 * size


def test_batches_are_solved_like_their_samples() -> None:
    whole = random_system(9, batch=(2, 3))
    one = System(whole.M[1, 2], whole.J[1, 2], whole.f[1, 2], whole.gamma[1, 2])
    for route in WITH_MULTIPLIERS.values():
        many, single = route(whole), route(one)
        bound = solution_bound(one, single)
        assert np.all(np.abs(many.a[1, 2] - single.a) <= 2 * bound[:12])
        assert np.all(
            np.abs(many.multipliers[1, 2] - single.multipliers) <= 2 * bound[12:]
        )


@pytest.mark.parametrize(("n", "m"), [(3, 1), (5, 3), (12, 8)])
def test_projection_is_idempotent_and_keeps_n_less_m_directions(n: int, m: int) -> None:
    system = random_system(3, n, m)
    P, Pa = force_projection(system), acceleration_projection(system)
    # J' G^-1 J M^-1 errs by rounding times the conditions of its two inverses
    G = inverse_constraint_inertia(system)
    error = 4 * n * UNIT_ROUNDOFF * np.linalg.cond(G) * np.linalg.cond(system.M)
    size = np.linalg.norm(P, 2)
    for A in (P, Pa):
        assert (
            np.abs(A @ A - A).max() < 3 * error * max(size, np.linalg.norm(A, 2)) ** 2
        )
        assert np.trace(A) == pytest.approx(n - m, abs=n * error * size)
    assert np.linalg.matrix_rank(P, tol=1e-8) == n - m
    assert np.abs(P @ system.J.T).max() < error * size * np.abs(system.J).max()
    assert np.abs(P - P.T).max() > 0.1  # oblique


# ----------------------------------------------------------------------- dependent rows


def with_dependent_rows(seed: int, off: float = 0.0) -> tuple[System, System]:
    """Three rows, and the same with two more that repeat them; gamma of the last is off."""
    base = random_system(seed, 6, 3)
    mixed = np.vstack([np.eye(3), np.random.default_rng(seed + 1).normal(size=(2, 3))])
    gamma = mixed @ base.gamma + [0.0, 0.0, 0.0, 0.0, off]
    return base, System(base.M, mixed @ base.J, base.f, gamma)


def test_consistent_dependent_rows_leave_a_and_the_constraint_forces_unique() -> None:
    base, redundant = with_dependent_rows(4)
    expected, found = by_full_system(base), checked_motion(redundant)
    size, push = np.abs(expected.a).max(), base.J.T @ expected.multipliers
    assert rank_of(redundant.J).rank == 3
    for a in (found.a, by_null_space(redundant)):
        assert np.abs(a - expected.a).max() < 1e-12 * size
    forces = redundant.J.T @ found.multipliers
    assert np.abs(forces - push).max() < 1e-12 * np.abs(push).max()
    assert contradiction(redundant) < 1e-13 * np.abs(redundant.gamma).max()


def test_of_many_multipliers_the_shortest_is_returned() -> None:
    _, redundant = with_dependent_rows(5)
    lam = least_motion(redundant).multipliers
    left_null = np.linalg.svd(redundant.J)[0][:, 3:]  # what J' sends to zero
    assert (
        np.abs(redundant.J.T @ left_null).max() < 1e-14 * np.abs(redundant.J).max() * 5
    )
    assert np.abs(left_null.T @ lam).max() < 1e-12 * np.abs(lam).max()
    other = lam + left_null @ [1.0, -2.0]
    assert np.linalg.norm(other) > np.linalg.norm(lam)


def test_damping_is_wrong_by_the_first_power_of_mu() -> None:
    _, redundant = with_dependent_rows(6)
    a = least_motion(redundant).a
    shares = np.array([1e-3, 5e-4, 2.5e-4])
    s = np.linalg.eigvalsh(inverse_constraint_inertia(redundant))[
        -3:
    ]  # its nonzero part
    errors = [np.abs(damped_motion(redundant, mu * s[0]).a - a).max() for mu in shares]
    ratios = np.array(errors[:-1]) / errors[1:]
    # each part of lambda is off by the share mu / (s + mu) of itself
    assert np.all(np.abs(ratios - 2) < 4 * shares[:-1])


def test_regularised_rows_give_way_by_r_times_lambda() -> None:
    system = random_system(7, 5, 3)
    R = np.array([0.1, 0.2, 0.3])
    found = regularized_motion(system, R)
    left = system.J @ found.a + R * found.multipliers - system.gamma
    assert np.abs(left).max() < 1e-12 * np.abs(system.J).max() * np.abs(found.a).max()


# ---------------------------------------------------------------------- what is refused


def test_contradictory_rows_are_refused_with_the_numbers() -> None:
    _, system = with_dependent_rows(4, off=0.5)
    # what least squares leave of the 0.5, in the norm of M
    pattern = r"misses by 0\.\d+ where gamma reaches [\d.]+; rank 3 of 5 rows"
    with pytest.raises(ContradictoryConstraintsError, match=pattern):
        checked_motion(system)


def test_matrices_that_do_not_fit_are_refused_with_their_sizes() -> None:
    M, J, f, gamma = np.eye(3), np.ones((2, 3)), np.ones(3), np.ones(2)
    wrong = [
        ((np.eye(2), J, f, gamma), "M is 2x2"),
        ((M, J.T, f, gamma), "J is 3x2"),
        ((M, J, np.ones(4), gamma), "f has 4 entries"),
        ((M, J, f, np.ones(1)), "gamma 1: needs M 3x3 and J 1x3"),
    ]
    for parts, message in wrong:
        with pytest.raises(DimensionError, match=message):
            System(*parts)


@pytest.mark.parametrize(
    ("route", "message"),
    [
        (by_full_system, "the full system is singular"),
        (by_schur_complement, "G = J M.-1 J' is singular"),
        (by_least_constraint, "rank 1 of 2 rows"),
    ],
)
def test_routes_that_need_independent_rows_refuse_others(
    route: Callable[[System], Any], message: str
) -> None:
    rows, gamma = np.array([[1.0, 0.0, 0.0]] * 2), np.array([0.0, 1.0])
    twice = System(np.eye(3), rows, np.ones(3), gamma)
    with pytest.raises(RedundantConstraintsError, match=message):
        route(twice)


@pytest.mark.parametrize("name", ["full", "schur", "null space", "gauss", "least"])
def test_rows_that_depend_but_for_rounding_are_refused_or_solved(name: str) -> None:
    for seed in range(8):
        base, redundant = with_dependent_rows(seed)
        if name in ("full", "schur", "gauss"):
            with pytest.raises(RedundantConstraintsError, match="is singular: rank"):
                ROUTES[name](redundant)
            continue
        a = ROUTES[name](redundant)
        expected = by_full_system(base).a
        assert np.abs(a - expected).max() < 1e-11 * np.abs(expected).max()


def test_rank_tells_the_singular_values_on_both_sides_of_its_gap() -> None:
    rank = rank_of(np.diag([4.0, 2.0, 1e-12]))
    assert rank[:2] == (3, 2)
    assert (rank.largest, rank.smallest) == pytest.approx((4.0, 2.0))
    assert rank.next == pytest.approx(1e-12)
    assert rank.condition == pytest.approx(2.0)
    assert str(rank) == "rank 2 of 3 rows (singular values 4 to 2, next 1.0e-12)"
    assert rank_of(np.zeros((2, 3))).condition == np.inf
