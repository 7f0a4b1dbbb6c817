"""The party at fault follows from evidence."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest

from libcheck.blame import HYPOTHESES, Hypothesis, Outcome, assign
from libcheck.compare import judge
from libcheck.oracle import Oracle
from libcheck.record import Verdict
from libcheck.samples import TINY, draw
from models import CATALOGUE, Body, Model
from reference import CHAPTERS, STAGES
from reference.quantity import Array

QUANTITIES = CHAPTERS["3.4"].quantities
COUNT = 10
SHOWS_ON = {
    "leaving the armature out of the model": ("arm_6r_geared", "mass_matrix"),
    "reversing gravity": ("arm_6r", "gravity_forces"),
    "switching gravity off": ("arm_6r", "gravity_forces"),
    "leaving out bodies fixed to the world": ("fixed_bodies", "potential_energy"),
    "dropping the turn of inertial frames": ("skew_axes", "mass_matrix"),
    "dropping the mass of fixed bodies": ("fixed_siblings", "mass_matrix"),
    "dropping the sign of negative axes": ("negative_axes", "frame_pose"),
}
"""By what a library does with the model: where that can be seen."""


def differing(oracle: Oracle, name: str, value: Array) -> Outcome:
    quantity = QUANTITIES[name]
    judgement = judge(oracle, quantity, value)
    return Outcome(
        "quantity", name, judgement.verdict, quantity.stage, judgement=judgement, value=value
    )  # fmt: skip


def blamed(
    model: Model, answers: dict[str, Array], laws: tuple[Outcome, ...] = ()
) -> Outcome:
    """The first of a library's answers, with the party at fault."""
    oracle = Oracle(model, draw(model, COUNT, seed=0))
    outcomes = [differing(oracle, name, value) for name, value in answers.items()]
    assign([*outcomes, *laws], oracle, QUANTITIES)
    return outcomes[0]


def answers_of(model: Model, *names: str) -> dict[str, Array]:
    """What a library with this model answers to the samples of the model of that name."""
    batch = draw(CATALOGUE[model.name], COUNT, seed=0)
    return {name: QUANTITIES[name].value(model, batch) for name in names}


def test_every_hypothesis_is_tried_here() -> None:
    of_answers = {"transposing the rotation", "swapping angular and linear"}
    assert {h.text for h in HYPOTHESES} == {*SHOWS_ON, *of_answers}


@pytest.mark.parametrize(
    "hypothesis", [h for h in HYPOTHESES if h.text in SHOWS_ON], ids=lambda h: h.text
)
def test_what_a_library_does_with_the_model_is_recognised(
    hypothesis: Hypothesis,
) -> None:
    model_name, name = SHOWS_ON[hypothesis.text]
    model = CATALOGUE[model_name]
    changed = hypothesis.model(model)
    assert changed is not None
    outcome = blamed(model, answers_of(changed, name))
    assert outcome.verdict is Verdict.DIFFER
    assert outcome.fault == hypothesis.party
    assert outcome.message == f"agrees after {hypothesis.text}"


def transposed(pose: Array) -> Array:
    return np.concatenate([pose[:, :, :3].mT, pose[:, :, 3:]], -1)


def swapped(jacobian: Array) -> Array:
    return np.concatenate([jacobian[:, 3:], jacobian[:, :3]], 1)


@pytest.mark.parametrize(
    ("name", "change", "text"),
    [
        ("frame_pose", transposed, "transposing the rotation"),
        ("frame_jacobian", swapped, "swapping angular and linear"),
        ("frame_velocity", swapped, "swapping angular and linear"),
    ],
)
def test_what_a_library_does_with_its_answer_is_recognised(
    name: str, change: Callable[[Array], Array], text: str
) -> None:
    model = CATALOGUE["skew_axes"]
    outcome = blamed(model, {name: change(answers_of(model, name)[name])})
    assert (outcome.fault, outcome.message) == ("convention", f"agrees after {text}")


def test_a_hypothesis_must_explain_every_sample() -> None:
    model = CATALOGUE["arm_6r"]
    up = replace(model, gravity=(0.0, 0.0, 9.81))
    value = answers_of(up, "gravity_forces")["gravity_forces"]
    value[9] *= 1.5
    assert "reversing" not in blamed(model, {"gravity_forces": value}).message


def test_wrong_at_tiny_angles_only_is_the_algorithm() -> None:
    model = CATALOGUE["arm_6r"]
    right = answers_of(model, "frame_pose")["frame_pose"]
    tiny = slice(1, 1 + len(TINY))
    right[tiny] = np.eye(3, 4)
    outcome = blamed(model, {"frame_pose": right})
    assert outcome.fault == "library"
    assert outcome.message == (
        f"wrong at {len(TINY)} of {COUNT} samples (tiny), right at others: the model is "
        "right, the algorithm is not"
    )


def heavier(model: Model) -> Model:
    """Another mass of the last body, which nothing known explains."""
    assert model.bodies[-1].inertia is not None
    inertia = model.bodies[-1].inertia._replace(mass=7.0)
    last: Body = replace(model.bodies[-1], inertia=inertia)
    return replace(model, bodies=(*model.bodies[:-1], last))


def test_another_model_that_is_consistent_with_itself_is_the_importers() -> None:
    model = CATALOGUE["arm_6r"]
    names = ("gravity_forces", "mass_matrix", "frame_pose")
    outcome = blamed(model, answers_of(heavier(model), *names))
    assert outcome.fault == "importer"
    assert outcome.message == "consistent with itself: it computes another model"


def test_what_breaks_laws_of_its_own_is_the_librarys() -> None:
    model = CATALOGUE["arm_6r"]
    law = Outcome("law", "some_law", Verdict.DIFFER, needs=("mass_matrix",))
    wrong = answers_of(heavier(model), "mass_matrix")
    outcome = blamed(model, wrong, (law,))
    assert outcome.fault == "library"
    assert outcome.message == "breaks its own laws: some_law"


def test_a_law_of_other_quantities_is_no_evidence() -> None:
    model = CATALOGUE["arm_6r"]
    law = Outcome("law", "some_law", Verdict.DIFFER, needs=("frame_pose",))
    outcome = blamed(model, answers_of(heavier(model), "mass_matrix"), (law,))
    assert outcome.fault == "importer"


def test_without_evidence_nobody_is_blamed() -> None:
    model = CATALOGUE["arm_6r"]
    outcome = blamed(model, answers_of(heavier(model), "gravity_forces"))
    assert outcome.fault == "undecided"


@pytest.mark.parametrize(
    ("verdict", "fault"),
    [
        (Verdict.CRASH, "library"),
        (Verdict.TIMEOUT, "library"),
        (Verdict.NONFINITE, "library"),
        (Verdict.UNDECIDED, "reference"),
        (Verdict.AGREE, ""),
        (Verdict.UNSUPPORTED, ""),
    ],
)
def test_other_verdicts_speak_for_themselves(verdict: Verdict, fault: str) -> None:
    model = CATALOGUE["arm_2r"]
    outcome = Outcome("quantity", "mass_matrix", verdict, "inertia")
    assign([outcome], Oracle(model, draw(model, 3, seed=0)), QUANTITIES)
    assert outcome.fault == fault


def test_a_fault_that_is_known_already_stays() -> None:
    model = CATALOGUE["arm_2r"]
    outcome = Outcome("quantity", "mass_matrix", Verdict.ERROR, fault="adapter")
    assign([outcome], Oracle(model, draw(model, 3, seed=0)), QUANTITIES)
    assert outcome.fault == "adapter"


def test_the_first_stage_is_the_first_in_the_order_of_stages() -> None:
    model = CATALOGUE["arm_2r"]
    oracle = Oracle(model, draw(model, 3, seed=0))
    outcomes = [
        differing(oracle, name, 1.0 + QUANTITIES[name].value(model, oracle.batch))
        for name in ("inverse_dynamics", "gravity_forces", "kinetic_energy")
    ]
    assert {o.stage for o in outcomes} == {"gravity", "velocity", "dynamics"}
    assert assign(outcomes, oracle, QUANTITIES) == "gravity"
    assert assign([], oracle, QUANTITIES) == ""
    assert STAGES.index("gravity") < STAGES.index("velocity") < STAGES.index("dynamics")
