"""Measured numbers: whatever the true operands are, the bound of the result holds."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from flint import fmpq
from hypothesis import given
from hypothesis import strategies as st

from reference.carriers import Exact
from reference.carriers.ring import number
from reference.measured import (
    Measured,
    above,
    axial,
    beside,
    column,
    exactly,
    hats,
    smallest_eigenvalue,
)
from tests.strategies import REPEATABLE, UNIT_AXES, rationals

Array = np.ndarray
FIRST_ORDER = 1 + 2.0**-40
"""Bounds are of first order and computed in float64: both are beyond 40 bits."""

seeds = st.integers(0, 10**6)


def exact(A: Array) -> Array:
    """The entries as fractions."""
    return np.array([Fraction(float(x)) for x in A.ravel()]).reshape(A.shape)


def uncertain(seed: int, rows: int = 3, columns: int = 3) -> tuple[Measured, Array]:
    """A measured matrix, and a true one at the very edge of its bound, in fractions."""
    rng = np.random.default_rng(seed)
    size = 10.0 ** rng.integers(-6, 6, (1, rows, columns))
    value = rng.normal(size=size.shape) * size
    bound = np.abs(value) * 10.0 ** rng.integers(-16, -9, size.shape)
    side = np.array([Fraction(int(s)) for s in rng.choice([-1, 0, 1], size.size)])
    return Measured(value, bound), exact(value) + exact(bound) * side.reshape(
        size.shape
    )


def holds(found: Measured, truth: Array) -> bool:
    error = np.abs(exact(found.value) - truth)
    return bool(np.all(error <= exact(found.bound * FIRST_ORDER)))


BINARY: dict[str, Callable[[Any, Any], Any]] = {
    "sum": lambda A, B: A + B,
    "difference": lambda A, B: A - B,
    "product": lambda A, B: A @ B,
    "sum of products": lambda A, B: A @ B - B @ A,
}


@pytest.mark.parametrize("name", BINARY)
@given(seeds)
@REPEATABLE
def test_an_operation_bounds_its_error(name: str, seed: int) -> None:
    (A, true_A), (B, true_B) = uncertain(seed), uncertain(seed + 1)
    assert holds(BINARY[name](A, B), BINARY[name](true_A, true_B))


@given(seeds, st.floats(-1e3, 1e3, allow_subnormal=False))
@REPEATABLE
def test_a_multiple_bounds_its_error(seed: int, factor: float) -> None:
    A, true_A = uncertain(seed)
    if factor == 0 or abs(factor) > 1e-100:  # no underflow
        assert holds(A * factor, true_A * Fraction(factor))


def test_a_bound_a_hundredth_smaller_would_not_hold() -> None:
    A, true_A = uncertain(3)
    narrow = Measured(A.value, A.bound * 0.99)
    assert holds(A, true_A)
    assert not holds(narrow, true_A)


@given(seeds)
@REPEATABLE
def test_parts_and_wholes_carry_their_bounds_along(seed: int) -> None:
    (A, true_A), (B, true_B) = uncertain(seed), uncertain(seed + 1)
    mask = np.eye(3, dtype=bool)
    for found, truth in (
        (-A, -true_A),
        (A.mT, true_A.swapaxes(1, 2)),
        (A.rows(1, 3), true_A[:, 1:]),
        (A.columns(0, 2), true_A[..., :2]),
        (beside([A, B]), np.concatenate([true_A, true_B], -1)),
        (above(A, B), np.concatenate([true_A, true_B], -2)),
        (A.where(mask), true_A * mask),
    ):
        assert found.value.shape == truth.shape
        assert holds(found, truth)
    assert np.all(A.where(mask).bound[0][~mask] == 0)


@given(seeds)
@REPEATABLE
def test_hats_and_their_axes_carry_their_bounds_along(seed: int) -> None:
    v, true_v = uncertain(seed, 3, 1)
    x, y, z = true_v[0, :, 0]
    o = Fraction(0)
    truth = np.array([[[o, -z, y], [z, o, -x], [-y, x, o]]])
    assert holds(hats(v), truth)
    assert holds(axial(hats(v)), true_v)
    A, true_A = uncertain(seed + 1)
    skew = (true_A - true_A.swapaxes(1, 2))[0] / 2
    assert holds(axial(A), np.array([[[skew[2, 1]], [skew[0, 2]], [skew[1, 0]]]]))


def test_inputs_are_exact() -> None:
    assert np.all(column([[1.0, 0.1]]).bound == 0)
    assert column([[1.0, 0.1]]).value.shape == (1, 2, 1)
    assert np.all(exactly([[[0.1]]]).bound == 0)


@given(
    st.lists(st.integers(-50, 50), min_size=3, max_size=3),
    st.sampled_from(UNIT_AXES),
    rationals,
)
@REPEATABLE
def test_the_smallest_eigenvalue_is_within_its_bound(
    eigenvalues: list[int], direction: tuple[float, float, float], t: fmpq
) -> None:
    la = Exact()
    R = la.rotation(la.normalized(la.const([[x] for x in direction])), t)
    D = la.table(
        [[fmpq(eigenvalues[i]) * (i == j) for j in range(3)] for i in range(3)]
    )
    true_A = [
        [Fraction(int(x.p), int(x.q)) for x in map(fmpq, map(number, row))]
        for row in (R @ D @ R.mT).rows
    ]
    value = np.array([[float(x) for x in row] for row in true_A])
    error = np.abs(exact(value) - np.array(true_A)).astype(float)
    found = smallest_eigenvalue(Measured(value[None], error[None] * FIRST_ORDER))
    assert holds(found, np.array([[[Fraction(min(eigenvalues))]]]))
