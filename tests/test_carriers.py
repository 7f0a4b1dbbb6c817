"""The carriers agree: rationals, balls, float64 and magnitudes of the same formulas."""

from __future__ import annotations

from typing import Any

import flint
import numpy as np
import pytest
from flint import arb, fmpq, fmpq_mat
from hypothesis import given
from hypothesis import strategies as st

from models import CATALOGUE
from reference import ch03_04_manipulator_equation as chapter
from reference.carriers import (
    UNIT_ROUNDOFF,
    Ball,
    Exact,
    Magnitude,
    MagnitudeMatrix,
    Numpy,
    UndecidedError,
    precision,
)
from reference.carriers.ring import ONE, ZERO, RingMatrix, number
from reference.robot import robot
from tests.strategies import REPEATABLE, UNIT_AXES, rational_trees, rationals, states

BITS = 128
small = st.floats(-4, 4, allow_subnormal=False)
triples = st.tuples(small, small, small)


def encloses(ball: arb, x: fmpq) -> bool:
    """Whether a rational lies in a ball, but for 2^-2000; the rational is no exact arb."""
    with precision(2000):
        return bool(ball.overlaps(arb(x)))


def rows(A: RingMatrix) -> list[list[fmpq]]:
    return [[fmpq(number(x)) for x in row] for row in A.rows]


# ----------------------------------------------------------------- exact against balls


@st.composite
def moving(draw: Any) -> Any:
    model = draw(rational_trees(turned=False))  # no angle of the document but q
    return model, draw(states(model, 3))


@given(moving())
@REPEATABLE
def test_balls_enclose_the_rationals_of_the_same_formula(case: Any) -> None:
    model, (q, v, a) = case
    exact, formula = robot(model, Exact()), chapter.inverse_dynamics
    truth = [row[0] for row in rows(formula(exact, q, v, a))]
    turning = [link.turning for link in exact.links]
    with precision(BITS):
        la = Ball()
        angles = [
            2 * arb(x).atan() if turns else arb(x)
            for x, turns in zip(q, turning, strict=True)
        ]
        rates = [[arb(x) for x in vector] for vector in (v, a)]
        balls = formula(robot(model, la), angles, *rates).m.entries()
    for ball, x in zip(balls, truth, strict=True):
        assert encloses(ball, x)
        assert float(ball.rad()) < 2.0**-90 * (1 + abs(float(x.p) / float(x.q)))


@given(rationals, st.sampled_from(UNIT_AXES))
@REPEATABLE
def test_a_rational_rotation_is_orthogonal_and_keeps_its_axis(
    t: fmpq, direction: tuple[float, float, float]
) -> None:
    la = Exact()
    assert la.sin(t) ** 2 + la.cos(t) ** 2 == 1
    axis = la.normalized(la.const([[x] for x in direction]))
    R = la.rotation(axis, t)
    assert rows(R @ R.mT) == rows(la.eye(3))
    assert rows(R @ axis) == rows(axis)
    assert rows(la.hat(R @ axis)) == rows(R @ la.hat(axis) @ R.mT)


@given(st.floats(-1e6, 1e6))
@REPEATABLE
def test_a_scalar_is_the_double_in_every_carrier(x: float) -> None:
    exact = fmpq(*x.as_integer_ratio())
    assert fmpq(number(Exact().scalar(x))) == exact
    assert number(Numpy().scalar(x)) == x
    ball = Ball().scalar(x)
    assert ball.is_exact()
    assert encloses(ball, exact)


def test_an_axis_of_irrational_length_is_refused_by_rationals() -> None:
    la = Exact()
    with pytest.raises(ValueError, match="irrational"):
        la.normalized(la.const([[1.0], [1.0], [0.0]]))


# ------------------------------------------------------------------- structure, solving

scalars = st.one_of(st.just(ZERO), st.just(ONE), rationals)
matrices = st.lists(
    st.lists(scalars, min_size=3, max_size=3), min_size=3, max_size=3
).map(RingMatrix)


@given(matrices, matrices, scalars)
@REPEATABLE
def test_structural_zeros_and_ones_change_no_result(
    A: RingMatrix, B: RingMatrix, x: Any
) -> None:
    plain_A, plain_B = (fmpq_mat(rows(M)) for M in (A, B))
    for found, expected in (
        (A @ B, plain_A * plain_B),
        (A + B, plain_A + plain_B),
        (A - B, plain_A - plain_B),
        (-A, -plain_A),
        (A * x, plain_A * fmpq(number(x))),
        (A.mT, plain_A.transpose()),
    ):
        assert fmpq_mat(rows(found)) == expected
    assert number(Exact().one - x) == 1 - fmpq(number(x))


@given(matrices, matrices)
@REPEATABLE
def test_the_three_eliminations_solve_the_same_equation(
    A: RingMatrix, B: RingMatrix
) -> None:
    la = Exact()
    S = A @ A.mT + la.eye(3)
    x = la.solve(S, B)
    assert rows(S @ x) == rows(B)
    integers = [[ONE, ZERO], [ZERO, ONE]]
    assert rows(la.solve(RingMatrix(integers), RingMatrix(integers))) == [
        [1, 0],
        [0, 1],
    ]
    with precision(BITS):
        balls = Ball()
        left, right = (
            balls.table([[arb(y) for y in row] for row in rows(M)]) for M in (S, B)
        )
        found = balls.solve(left, right).m.entries()
    exact = [y for row in rows(x) for y in row]
    assert all(encloses(ball, y) for ball, y in zip(found, exact, strict=True))


def test_division_of_structural_ones_stays_rational() -> None:
    la = Exact()
    two = number(la.entry(la.eye(1) + la.eye(1), 0, 0))
    half = la.entry(la.divided(la.eye(1), two), 0, 0)
    assert half == fmpq(1, 2)
    assert isinstance(half, fmpq)


def test_a_singular_matrix_is_undecided_in_balls() -> None:
    la = Ball()
    with pytest.raises(UndecidedError):
        la.solve(la.zeros(2, 2), la.zeros(2, 1))


def test_values_and_bounds_of_a_batch_are_those_of_each_sample() -> None:
    model = CATALOGUE["branch"]
    rng = np.random.default_rng([3, 1])
    batch = {k: rng.uniform(-3, 3, (4, model.nv)) for k in ("q", "v", "a", "tau")}
    for quantity in chapter.QUANTITIES.values():
        values = quantity.value(model, batch)
        bounds = [] if quantity.residual else quantity.bounds(model, batch)
        for i in range(4):
            one = {k: x[i : i + 1] for k, x in batch.items()}
            assert np.array_equal(quantity.value(model, one)[0], values[i])
            alone = quantity.bounds(model, one) if bounds else []
            for bound, own in zip(bounds, alone, strict=True):
                assert np.array_equal(own[0], bound[i])


# ---------------------------------------------------------------------------- precision


def test_precision_is_restored_inside_out_and_values_keep_theirs() -> None:
    before = flint.ctx.prec
    with precision(200):
        with precision(64):
            assert flint.ctx.prec == 64
        assert flint.ctx.prec == 200
        third = 1 / arb(3)
    assert flint.ctx.prec == before
    assert third.rel_accuracy_bits() > 190


# --------------------------------------------------------------------------- magnitudes


def two_norm(A: np.ndarray) -> float:
    return float(np.linalg.norm(A, 2))


def defect(found: np.ndarray, balls: Any) -> np.ndarray:
    """|float64 - ball|, entry by entry, rounded up."""
    pairs = zip(found.ravel(), balls.m.entries(), strict=True)
    errors = [float((arb(float(x)) - ball).abs_upper()) for x, ball in pairs]
    return np.array(errors).reshape(found.shape)


directions = st.sampled_from([(1.0, 0.0, 0.0), (0.0, -1.0, 0.0)]) | triples.filter(
    lambda v: max(map(abs, v)) > 0.1
)


@given(directions, st.floats(-1e4, 1e4))
@REPEATABLE
def test_a_rotation_in_float64_errs_within_its_magnitude(
    direction: tuple[float, float, float], angle: float
) -> None:
    column = [[x] for x in direction]

    def rotation(la: Any) -> Any:
        axis = la.normalized(la.const(column))
        return axis, la.rotation(axis, la.variables([angle])[0])

    axis, R = (Numpy().array(A, ()) for A in rotation(Numpy()))
    with precision(BITS):
        true_axis, true_R = rotation(Ball())
        errors = defect(axis, true_axis), defect(R, true_R)
    for error, size in zip(errors, rotation(Magnitude()), strict=True):
        assert two_norm(error) <= UNIT_ROUNDOFF * float(size.error[0, 0])


@given(*[st.lists(triples, min_size=3, max_size=3)] * 2, triples)
@REPEATABLE
def test_products_and_sums_of_blocks_err_within_their_magnitude(
    first: Any, second: Any, vector: Any
) -> None:
    def formula(la: Any) -> Any:
        A, B, c = la.const(first), la.const(second), la.const([[x] for x in vector])
        left = A @ (la.hat(c) @ B - B) + A @ la.hat(c).mT
        return left @ la.hat(c) @ c, left

    values = formula(Numpy())
    with precision(BITS):
        errors = [
            defect(Numpy().array(A, ()), ball)
            for A, ball in zip(values, formula(Ball()), strict=True)
        ]
    for A, error, size in zip(values, errors, formula(Magnitude()), strict=True):
        assert two_norm(error) <= UNIT_ROUNDOFF * float(size.error[0, 0])
        largest = float(size.size[0, 0])
        assert two_norm(Numpy().array(A, ())) <= largest * (1 + 2.0**-40)  # norm's own


@given(*[st.lists(triples, min_size=3, max_size=3)] * 2)
@REPEATABLE
def test_one_product_of_exact_blocks_errs_within_its_magnitude(
    first: Any, second: Any
) -> None:
    def product(la: Any) -> Any:
        return la.const(first) @ la.const(second)

    with precision(BITS):
        error = defect(Numpy().array(product(Numpy()), ()), product(Ball()))
    A, B = (
        MagnitudeMatrix([[two_norm(np.array(x))]], [[0.0]]) for x in (first, second)
    )
    assert two_norm(error) <= UNIT_ROUNDOFF * float((A @ B).error[0, 0])


@given(st.lists(triples, min_size=3, max_size=3), triples)
@REPEATABLE
def test_no_column_is_longer_than_its_magnitude(first: Any, vector: Any) -> None:
    plain, sizes = Numpy(), Magnitude()
    w = [[x] for x in vector]
    for found, size in (
        (plain.moments_map(plain.const(w)), sizes.moments_map(sizes.const(w))),
        (plain.hat(plain.const(w)), sizes.hat(sizes.const(w))),
        (plain.const(first), sizes.const(first)),
    ):
        columns = np.linalg.norm(plain.array(found, ()), axis=0)
        assert np.all(columns <= size.size[0].max() * (1 + 2.0**-40))


def test_spatial_shapes_count_three_entries_as_one_block() -> None:
    la = Magnitude()
    spatial = la.block([[la.eye(3), la.zeros(3, 3)], [la.eye(3), la.eye(3)]])
    assert spatial.size.shape == (2, 2)
    upper, lower = la.split(la.block([[la.zeros(3, 1)], [la.eye(3)]]))
    assert (upper.size[0, 0], lower.size[0, 0]) == (0, 1)


def test_a_batch_of_speeds_goes_with_constants_of_the_model() -> None:
    la = Magnitude()
    speeds = la.variables(np.array([[1.0, -2.0], [3.0, 0.0]]))
    column = la.block([[la.eye(1) * speeds[0]], [la.eye(1)]])
    assert column.size.tolist() == [[[1.0], [1.0]], [[3.0], [1.0]]]
