"""The laws of constrained motion hold for the reference and see a fault in each need."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

from libcheck.compare import Judgement
from libcheck.laws import Asked, judge_law
from libcheck.record import Verdict
from libcheck.samples import draw
from models import CLOSED_CHAINS, Model
from reference import CHAPTERS, Law
from reference.carriers import Numpy
from reference.ch03_11_equations import system
from reference.ch03_11_solvers import inverse_constraint_inertia, regularized_motion
from reference.closing import locked
from reference.quantity import plain_numpy_robot

Array = np.ndarray
Batch = dict[str, Array]
Compute = Callable[[str, Batch], Array]

CHAPTER = CHAPTERS["3.11"]
QUANTITIES, LAWS = CHAPTER.quantities, CHAPTER.laws


def spoken(law: Law, model: Model) -> bool:
    """Whether the law says anything about the model."""
    silent = law.silent(model) or any(QUANTITIES[n].silent(model) for n in law.needs)
    return not silent and not any(QUANTITIES[n].refused(model) for n in law.needs)


def softened(model: Model, batch: Batch, with_rate: bool = True) -> Array:
    """A library with soft constraints: R = (1 - d) / d times the mean diagonal of G."""
    la = Numpy()
    inputs = (la.variables(batch[name]) for name in ("q", "v", "tau"))
    terms = system(plain_numpy_robot(model), *inputs)
    G = inverse_constraint_inertia(terms)
    size = np.trace(G, axis1=1, axis2=2)[:, None] / G.shape[1]
    d = batch["impedance"]
    R = (1 - d) / d * size * np.ones_like(terms.gamma)
    if not with_rate:
        terms = type(terms)(terms.M, terms.J, terms.f, 0 * terms.gamma)
    found = regularized_motion(terms, R)
    return np.concatenate([found.a, found.multipliers, R], axis=1)


def right(model: Model) -> Compute:
    """A library that computes as the reference does, but for soft constraints."""

    def compute(name: str, batch: Batch) -> Array:
        if name == "softened_motion":
            return softened(model, batch)
        return QUANTITIES[name].value(model, batch)

    return compute


@pytest.mark.parametrize("model", CLOSED_CHAINS.values(), ids=lambda m: m.name)
def test_the_reference_obeys_every_law_that_speaks_about_a_model(model: Model) -> None:
    batch, asked = draw(model, 9, 2), Asked(model, QUANTITIES, right(model))
    laws = [law for law in LAWS.values() if spoken(law, model)]
    assert laws
    for law in laws:
        found = judge_law(law, asked, batch)
        assert found.verdict is Verdict.AGREE, (law.name, found.ratio)
        assert found.ratio is not None
        assert found.ratio < 0.6, law.name


def judged(
    law: Law, model: Model, need: str, fault: Callable[[Array], Array]
) -> Judgement:
    plain = right(model)

    def wrong(name: str, batch: Batch) -> Array:
        value = plain(name, batch)
        return fault(value) if name == need else value

    rows = {name: x[[5, 8, 9]] for name, x in draw(model, 10, 2).items()}
    return judge_law(law, Asked(model, QUANTITIES, wrong), rows)


def off(value: Array) -> Array:
    """Each entry by another part, up to 2e-6, of the largest."""
    flat = value.reshape(len(value), -1)
    share = 1e-6 * (1 + np.arange(flat.shape[1]) / flat.shape[1])
    amount = np.abs(flat).max(axis=1, keepdims=True) * share
    return (flat + amount).reshape(value.shape)


CASES = [
    (law, need, "stewart" if "tendon" in need or "tendon" in law.name else name)
    for law in LAWS.values()
    for need in law.needs
    for name in ("fourbar", "twin_arms_pinned")
]


@pytest.mark.parametrize(
    ("law", "need", "name"), CASES, ids=[f"{x.name}-{n}-{m}" for x, n, m in CASES]
)
def test_a_law_sees_a_fault_in_each_quantity_it_needs(
    law: Law, need: str, name: str
) -> None:
    model = CLOSED_CHAINS[name]
    assert spoken(law, model)
    found = judged(law, model, need, off)
    assert found.verdict is Verdict.DIFFER, found.ratio


def test_forces_beside_the_constraints_are_another_laws_business() -> None:
    """A multiplier off by a little still does no work, but breaks the equation of motion."""
    model = CLOSED_CHAINS["fourbar"]
    law = LAWS["constrained_motion_solves_its_own_equations"]
    assert judged(law, model, "constrained_motion", off).verdict is Verdict.DIFFER


def test_soft_constraints_without_jdot_v_do_not_vanish_with_their_softness() -> None:
    """MuJoCo up to 3.6.0."""
    model = CLOSED_CHAINS["fourbar"]

    def without(name: str, batch: Batch) -> Array:
        if name == "softened_motion":
            return softened(model, batch, with_rate=False)
        return QUANTITIES[name].value(model, batch)

    batch = {name: x[8:] for name, x in draw(model, 10, 2).items()}
    law = LAWS["softness_vanishes_with_the_regularisation"]
    found = judge_law(law, Asked(model, QUANTITIES, without), batch)
    assert found.verdict is Verdict.DIFFER


def test_the_rigid_limit_is_reached_to_nine_digits() -> None:
    law = LAWS["softness_vanishes_with_the_regularisation"]
    for name in ("fourbar", "fivebar", "twin_arms_pinned", "stewart_legs"):
        model = CLOSED_CHAINS[name]
        batch = {n: x[7:] for n, x in draw(model, 8, 2).items()}
        asked = Asked(model, QUANTITIES, right(model))
        left, rigid = law.sides(asked, *(batch[n] for n in law.inputs))
        error = np.abs(left.value - rigid.value).max()
        assert error < 1e-9 * np.abs(rigid.value).max(), name


def test_a_tendon_that_pulls_where_it_should_push_is_seen() -> None:
    model = CLOSED_CHAINS["stewart"]
    law, plain = LAWS["positive_tendon_forces_push"], right(model)

    def pulling(name: str, batch: Batch) -> Array:
        if name == "tendon_driven_acceleration":
            batch = batch | {"f": -batch["f"]}
        return plain(name, batch)

    batch = draw(model, 1, 0)
    found = judge_law(law, Asked(model, QUANTITIES, pulling), batch)
    assert found.verdict is Verdict.DIFFER
    value = pulling("tendon_driven_acceleration", batch)[0]
    assert abs(value[2] + 2 * 9.81) < 1e-10  # held up the wrong way: twice the weight


def test_locked_mechanisms_are_spoken_of_in_their_constraints_only() -> None:
    model = CLOSED_CHAINS["fourbar_welded"]
    assert locked(model)
    assert [law.name for law in LAWS.values() if spoken(law, model)] == [
        "constraint_bias_is_jacobian_rate_times_v"
    ]
