"""The bounds bound, the tolerances see, and nothing is wider than its derivation."""

from __future__ import annotations

import numpy as np
import pytest
from flint import arb

from libcheck.compare import ratio_of
from libcheck.samples import draw
from models import CATALOGUE, Model
from reference import CHAPTERS, Quantity
from reference.carriers import Ball, Magnitude, precision
from reference.ch03_04_manipulator_equation import mass_matrix_by_jacobians
from reference.robot import robot

CHAPTER = CHAPTERS["3.4"]
BY_VALUE = [q for q in CHAPTER.quantities.values() if q.residual is None]
MODELS = list(CATALOGUE.values())
SAMPLES = [0, 1, 3, 5, 7, 9]
"""Zero, two tiny ones, a half turn, a fast and a random one."""

Array = np.ndarray


def batch_of(model: Model) -> dict[str, Array]:
    return {name: rows[SAMPLES] for name, rows in draw(model, 10, 0).items()}


def certified_error(
    quantity: Quantity, model: Model, batch: dict[str, Array], value: Array, i: int
) -> Array:
    balls = quantity.certified(model, batch, i, 128)
    pairs = zip(value[i].ravel(), balls, strict=True)
    errors = [float((arb(float(x)) - ball).abs_upper()) for x, ball in pairs]
    return np.array(errors).reshape(value[i].shape)


@pytest.mark.parametrize("quantity", BY_VALUE, ids=lambda q: q.name)
@pytest.mark.parametrize("model", MODELS, ids=lambda m: m.name)
def test_the_own_bound_bounds_and_takes_little_of_the_tolerance(
    model: Model, quantity: Quantity
) -> None:
    batch = batch_of(model)
    value = quantity.value(model, batch)
    own, tolerance = quantity.bounds(model, batch)
    assert np.all(own <= tolerance)
    for i in range(len(SAMPLES) if model.nv <= 12 else 2):
        error = certified_error(quantity, model, batch, value, i)
        assert np.all(error <= own[i])
        assert ratio_of(error, tolerance[i]).max(initial=0.0) < 0.05


def test_both_routes_to_the_mass_matrix_have_overlapping_balls() -> None:
    for model in MODELS[:8]:
        q = draw(model, 9, 3)["q"][8]
        with precision(128):
            la = Ball()
            r, x = robot(model, la), la.variables(q)
            first = CHAPTER.quantities["mass_matrix"](r, x).m.entries()
            second = mass_matrix_by_jacobians(r, x).m.entries()
        assert all(a.overlaps(b) for a, b in zip(first, second, strict=True))


def test_a_constant_is_the_double_and_not_its_decimal_text() -> None:
    with precision(128):
        tenth = Ball().scalar(0.1)
        assert tenth == arb(0.1)
        assert tenth != arb("0.1")


def test_a_magnitude_refuses_what_has_no_magnitude() -> None:
    la = Magnitude()
    with pytest.raises(NotImplementedError):
        la.sin(la.one)
    with pytest.raises(NotImplementedError):
        la.solve(la.eye(3), la.eye(3))
