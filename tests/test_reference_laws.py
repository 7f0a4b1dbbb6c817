"""The laws hold for the reference at its worst samples, and see every quantity they need."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache

import numpy as np
import pytest

from libcheck.compare import Judgement
from libcheck.laws import Asked, judge_law
from libcheck.record import Verdict
from libcheck.samples import draw
from models import CATALOGUE, Model
from reference import CHAPTERS, Law

Array = np.ndarray
Batch = dict[str, Array]
Fault = Callable[[Array, Batch], Array]

QUANTITIES, LAWS = CHAPTERS["3.4"].quantities, CHAPTERS["3.4"].laws


def right(model: Model) -> Callable[[str, Batch], Array]:
    return lambda name, batch: QUANTITIES[name].value(model, batch)


@lru_cache(maxsize=2)
def sound(model: Model) -> Asked:
    """The reference's own answers, asked once for all laws."""
    return Asked(model, QUANTITIES, right(model))


@pytest.mark.parametrize("name", CATALOGUE)
def test_the_reference_obeys_every_law_that_speaks_about_a_model(name: str) -> None:
    model = CATALOGUE[name]
    batch = draw(model, 9, 2)  # all kinds of samples
    for law in LAWS.values():
        if not law.silent(model):
            found = judge_law(law, sound(model), batch)
            assert found.verdict is Verdict.AGREE, (law.name, found.ratio)


def test_laws_with_slopes_are_silent_about_many_joints_only() -> None:
    for law in LAWS.values():
        for model in CATALOGUE.values():
            why = law.silent(model)
            if "joints" in why and "plumb" not in why:
                assert model.nv > 12
    assert any(law.silent(CATALOGUE["chain_30"]) for law in LAWS.values())


# ----------------------------------------------------------------------- planted faults


def ninth_digit(value: Array, batch: Batch) -> Array:
    """Entries off by 1e-9 of the largest, each otherwise, by amounts that depend on q."""
    flat = value.reshape(len(value), -1).copy()
    q = batch["q"]
    amount = 1e-9 * (2 + np.sin(q @ np.arange(1, 1 + q.shape[1])))
    each = 1 + np.arange(flat.shape[1]) / flat.shape[1]
    flat += (amount * np.abs(flat).max(axis=1))[:, None] * each
    return flat.reshape(value.shape)


def turned_over(value: Array, batch: Batch) -> Array:
    return -value


def lifted(value: Array, batch: Batch) -> Array:
    value = value.copy()
    value[:, 0] += 1e-9
    return value


def of_one_joint_each(value: Array, batch: Batch) -> Array:
    """M_ii = 2 + sin q_i: then Mdot - 2 C~ is skew, as it is for a single joint."""
    diagonal: Array = np.eye(value.shape[-1]) * (2 + np.sin(batch["q"]))[:, None, :]
    return diagonal


SPECIAL: dict[str, Fault] = {
    "mass_matrix_is_positive_definite": turned_over,
    "gravity_vanishes_about_a_plumb_axis": lifted,
    "other_factorisation_is_not_skew": of_one_joint_each,
}
"""Laws that no ninth digit violates, by what violates them."""

CASES = [(law, need) for law in LAWS.values() for need in law.needs]


def judged_with(law: Law, model: Model, need: str, fault: Fault) -> Judgement:
    plain = right(model)

    def wrong(name: str, batch: Batch) -> Array:
        value = plain(name, batch)
        return fault(value, batch) if name == need else value

    batch = draw(model, 10, 2)
    some = {name: rows[[2, 5, 9]] for name, rows in batch.items()}
    return judge_law(law, Asked(model, QUANTITIES, wrong), some)


@pytest.mark.parametrize("name", ["arm_6r", "negative_axes"])
@pytest.mark.parametrize(
    ("law", "need"), CASES, ids=[f"{x.name}-{n}" for x, n in CASES]
)
def test_a_law_sees_a_fault_in_each_quantity_it_needs(
    law: Law, need: str, name: str
) -> None:
    fault = SPECIAL.get(law.name, ninth_digit)
    found = judged_with(law, CATALOGUE[name], need, fault)
    assert found.verdict is Verdict.DIFFER, found.ratio


@pytest.mark.parametrize("law", LAWS.values(), ids=lambda x: x.name)
def test_a_law_calls_a_nan_not_finite(law: Law) -> None:
    found = judged_with(
        law, CATALOGUE["arm_2r"], law.needs[0], lambda value, batch: value * np.nan
    )
    if not law.silent(CATALOGUE["arm_2r"]):
        assert found.verdict is Verdict.NONFINITE
