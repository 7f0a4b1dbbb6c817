"""The bounds bound, the tolerances see, and nothing is wider than its derivation."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import lru_cache
from typing import Any

import numpy as np
import pytest
from flint import arb, ctx

from libcheck.compare import ratio_of
from libcheck.laws import Asked, judge_law
from libcheck.record import Verdict
from libcheck.samples import draw
from models import CATALOGUE, Model, Pose, Rpy
from reference import CHAPTERS, Law, Quantity
from reference.carriers import Ball, Magnitude, Numpy, UndecidedError, precision
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


def heavier(model: Model, factor: float) -> Model:
    last = model.moving[-2]
    body = model.bodies[last]
    assert body.inertia is not None
    other = replace(
        body, inertia=body.inertia._replace(mass=body.inertia.mass * factor)
    )
    return replace(
        model, bodies=(*model.bodies[:last], other, *model.bodies[last + 1 :])
    )


def longer(model: Model, factor: float) -> Model:
    last = model.moving[-1]
    body = model.bodies[last]
    x, y, z = (factor * c for c in body.placement.p)
    other = replace(body, placement=Pose((x, y, z), body.placement.rotation))
    return replace(
        model, bodies=(*model.bodies[:last], other, *model.bodies[last + 1 :])
    )


def turned(model: Model, factor: float) -> Model:
    last = model.moving[2]
    body = model.bodies[last]
    roll, pitch, yaw = body.placement.rotation[-3:]
    rotation = Rpy(roll + factor - 1, pitch, yaw)
    other = replace(body, placement=Pose(body.placement.p, rotation))
    return replace(
        model, bodies=(*model.bodies[:last], other, *model.bodies[last + 1 :])
    )


@pytest.mark.parametrize("name", ["arm_6r", "ur5", "skew_axes"])
@pytest.mark.parametrize("fault", [heavier, longer, turned], ids=lambda f: f.__name__)
def test_a_change_in_the_eleventh_digit_of_one_parameter_is_seen(
    name: str, fault: Callable[[Model, float], Model]
) -> None:
    model = CATALOGUE[name]
    batch = draw(model, 40, 0)
    wrong = fault(model, 1 + 1e-11)
    seen = False
    for name_ in (
        "mass_matrix",
        "gravity_forces",
        "inverse_dynamics",
        "frame_jacobian",
    ):
        quantity = CHAPTER.quantities[name_]
        difference = np.abs(quantity.value(wrong, batch) - quantity.value(model, batch))
        seen |= bool(np.any(difference > quantity.tolerance(model, batch)))
    assert seen


def test_the_tolerance_grows_with_the_distance_from_the_world_only_in_the_wide_grade() -> (
    None
):
    near, far = CATALOGUE["skew_axes"], CATALOGUE["far_base"]
    M = CHAPTER.quantities["mass_matrix"]
    q = {"q": np.zeros((1, 6))}
    (own_near, wide_near), (own_far, wide_far) = M.bounds(near, q), M.bounds(far, q)
    assert wide_far.max() > 10 * wide_near.max()
    assert own_far.max() < 2 * own_near.max()


def test_entries_that_are_zero_by_structure_have_no_tolerance() -> None:
    tree = CATALOGUE["branch"]  # joints 3 and 4 are on different arms
    _, tolerance = CHAPTER.quantities["mass_matrix"].bounds(
        tree, {"q": np.ones((1, 6))}
    )
    assert tolerance[0, 2, 3] == 0
    assert tolerance[0, 2, 1] > 0


def test_both_routes_to_the_mass_matrix_have_overlapping_balls() -> None:
    for model in MODELS[:8]:
        q = draw(model, 9, 3)["q"][8]
        with precision(128):
            la = Ball()
            r, x = robot(model, la), la.variables(q)
            first = CHAPTER.quantities["mass_matrix"](r, x).m.entries()
            second = mass_matrix_by_jacobians(r, x).m.entries()
        assert all(a.overlaps(b) for a, b in zip(first, second, strict=True))


def test_precision_is_restored_even_after_an_error() -> None:
    before = ctx.prec
    try:
        with precision(300):
            assert ctx.prec == 300
            raise UndecidedError
    except UndecidedError:
        assert ctx.prec == before


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


def test_elimination_solves() -> None:
    la = Numpy()
    rng = np.random.default_rng([4, 1])
    A = rng.normal(size=(4, 4))
    S = A @ A.T + np.eye(4)
    x = la.solve(la.table(S.tolist()), la.column([1.0, 2.0, 3.0, 4.0]))
    found = la.array(x, ())[:, 0]
    residual = np.abs(S @ found - [1, 2, 3, 4]).max()
    assert residual < 100 * 2.0**-53 * np.abs(S).max() * np.abs(found).max()


# --------------------------------------------------------------------------------- laws


def reference_answers(model: Model) -> Callable[[str, dict[str, Array]], Array]:
    def compute(name: str, batch: dict[str, Array]) -> Array:
        return CHAPTER.quantities[name].value(model, batch)

    return compute


def judged(law: Law, model: Model, compute: Any) -> Any:
    asked = Asked(model, CHAPTER.quantities, compute)
    return judge_law(law, asked, law_batch(model))


@lru_cache
def law_batch(model: Model) -> dict[str, Array]:
    return {name: rows[[0, 2, 8]] for name, rows in draw(model, 9, 1).items()}


SMALL = [m for m in MODELS if m.nv <= 9]


@pytest.mark.parametrize("law", CHAPTER.laws.values(), ids=lambda s: s.name)
def test_the_reference_obeys_the_law_on_every_small_model(law: Law) -> None:
    for model in SMALL:
        if not law.silent(model):
            found = judged(law, model, reference_answers(model))
            assert found.verdict is Verdict.AGREE, model.name


def last_digits(value: Array, batch: dict[str, Array]) -> Array:
    """The largest entry of the answer off by 1e-9."""
    flat = value.reshape(len(value), -1).copy()
    worst = np.argmax(np.abs(flat), axis=1)
    flat[np.arange(len(flat)), worst] *= 1 + 1e-9
    return flat.reshape(value.shape)


def lopsided(value: Array, batch: dict[str, Array]) -> Array:
    value = value.copy()
    value[:, 0, -1] += 1e-9
    return value


def negative(value: Array, batch: dict[str, Array]) -> Array:
    value = value.copy()
    value[:, -1, -1] *= -1
    return value


def depends_on_q1(value: Array, batch: dict[str, Array]) -> Array:
    return value + 1e-9 * np.sin(batch["q"][:, 0])[:, None, None]


def about_the_plumb_axis(value: Array, batch: dict[str, Array]) -> Array:
    value = value.copy()
    value[:, 0] += 1e-9
    return value


FAULTS: dict[str, tuple[str, Any]] = {
    "mass_matrix_is_symmetric": ("mass_matrix", lopsided),
    "mass_matrix_is_positive_definite": ("mass_matrix", negative),
    "mass_matrix_has_structural_zeros": ("mass_matrix", depends_on_q1),
    "gravity_vanishes_about_a_plumb_axis": ("gravity_forces", about_the_plumb_axis),
}


BY_DIGITS = [
    s for s in CHAPTER.laws.values() if s.name != "other_factorisation_is_not_skew"
]
"""That one is violated by another M, not by another digit: see the test below."""


@pytest.mark.parametrize("law", BY_DIGITS, ids=lambda s: s.name)
def test_the_law_catches_a_fault_in_what_it_asks_for(law: Law) -> None:
    model = CATALOGUE["ur5"]
    target, fault = FAULTS.get(law.name, (law.needs[-1], last_digits))
    right = reference_answers(model)

    def wrong(name: str, batch: dict[str, Array]) -> Array:
        value = right(name, batch)
        return fault(value, batch) if name == target else value

    found = judged(law, model, wrong)
    assert found.verdict is Verdict.DIFFER
    assert found.ratio > 1


def test_skewness_of_the_other_factorisation_is_caught() -> None:
    """A one-joint-like M = m(q) 1 on two joints: Mdot - 2 C~ vanishes for n = 1 only."""
    law = CHAPTER.laws["other_factorisation_is_not_skew"]
    model = CATALOGUE["arm_2r"]

    def one_joint(name: str, batch: dict[str, Array]) -> Array:
        q = batch["q"][:, 0]
        M = np.zeros((len(q), 2, 2))
        M[:, 0, 0], M[:, 1, 1] = 2 + np.sin(q), 1.0
        return M

    found = judged(law, model, one_joint)
    assert found.verdict is Verdict.DIFFER
