"""Who is at fault: decided from evidence, never from the library's name.

Evidence is, in this order: a known convention that removes the difference; agreement at
ordinary samples, which proves the model right and the algorithm wrong elsewhere; the library's
own laws; and the stage at which it first differs.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np

from libcheck.compare import Judgement, judge
from libcheck.oracle import Oracle
from libcheck.record import Verdict
from libcheck.samples import kind_of
from models import Body, Model, Pose
from reference import STAGES, Quantity
from reference.quantity import Array


class Hypothesis(NamedTuple):
    """What a library may have done with the model or with its answer.

    Attributes:
        party: Who is at fault if it is true.
        text: What it did, after "agrees after".
        model: The model it then computed, None if it does not touch this one.
        answer: The answer as it should have been converted, None to take it as it is.
    """

    party: str
    text: str
    model: Callable[[Model], Model | None] = lambda model: model
    answer: Callable[[Quantity, Array], Array | None] = lambda quantity, value: value


def _without_armature(model: Model) -> Model | None:
    if not any(b.joint.armature for b in model.bodies):
        return None
    bodies = tuple(
        replace(b, joint=replace(b.joint, armature=0.0)) for b in model.bodies
    )
    return replace(model, bodies=bodies)


def _gravity_times(factor: float) -> Callable[[Model], Model | None]:
    def changed(model: Model) -> Model | None:
        x, y, z = (factor * c for c in model.gravity)
        return replace(model, gravity=(x, y, z))

    return changed


def _inertial_turns_dropped(model: Model) -> Model | None:
    turned = [b.inertia and any(b.inertia.pose.rotation[-3:]) for b in model.bodies]
    if not any(turned):
        return None
    bodies = tuple(
        replace(b, inertia=b.inertia._replace(pose=Pose(b.inertia.pose.p)))
        if b.inertia
        else b
        for b in model.bodies
    )
    return replace(model, bodies=bodies)


def _fixed_mass_dropped(model: Model) -> Model | None:
    fixed = [not b.joint.nv and b.inertia is not None for b in model.bodies]
    if not any(fixed):
        return None
    bodies = tuple(b if b.joint.nv else replace(b, inertia=None) for b in model.bodies)
    return replace(model, bodies=bodies)


def _base_mass_dropped(model: Model) -> Model | None:
    still = [model.carrier(i) < 0 for i in range(len(model.bodies))]
    if not any(still):
        return None
    bodies = tuple(
        replace(b, inertia=None) if fixed else b
        for b, fixed in zip(model.bodies, still, strict=True)
    )
    return replace(model, bodies=bodies)


def _axes_made_positive(model: Model) -> Model | None:
    def positive(body: Body) -> Body:
        x, y, z = body.joint.axis
        if sum(map(bool, (x, y, z))) != 1:
            return body
        return replace(body, joint=replace(body.joint, axis=(abs(x), abs(y), abs(z))))

    bodies = tuple(map(positive, model.bodies))
    return None if bodies == model.bodies else replace(model, bodies=bodies)


def _transposed(quantity: Quantity, value: Array) -> Array | None:
    if quantity.name == "frame_pose":
        return np.concatenate([value[..., :3].mT, value[..., 3:]], -1)
    return None


def _halves_swapped(quantity: Quantity, value: Array) -> Array | None:
    if quantity.shape[:1] == ("6",):
        return np.concatenate([value[:, 3:], value[:, :3]], 1)
    return None


HYPOTHESES = (
    Hypothesis(
        "convention", "leaving the armature out of the model", _without_armature
    ),
    Hypothesis("convention", "reversing gravity", _gravity_times(-1.0)),
    Hypothesis("convention", "switching gravity off", _gravity_times(0.0)),
    Hypothesis("convention", "transposing the rotation", answer=_transposed),
    Hypothesis("convention", "swapping angular and linear", answer=_halves_swapped),
    Hypothesis(
        "convention", "leaving out bodies fixed to the world", _base_mass_dropped
    ),
    Hypothesis(
        "importer", "dropping the turn of inertial frames", _inertial_turns_dropped
    ),
    Hypothesis("importer", "dropping the mass of fixed bodies", _fixed_mass_dropped),
    Hypothesis("importer", "dropping the sign of negative axes", _axes_made_positive),
)


@dataclass
class Outcome:
    """What came of one check, before it becomes a record.

    Attributes:
        kind: "quantity" or "law".
        name: Its name.
        verdict: The verdict.
        stage: Stage of the quantity, empty for a law.
        needs: The quantities that a law asks for.
        judgement: How the numbers compare, None if none came.
        message: What there is to say.
        fault: Party at fault.
        value: The library's values of a quantity that differs.
    """

    kind: str
    name: str
    verdict: Verdict
    stage: str = ""
    needs: tuple[str, ...] = ()
    judgement: Judgement | None = None
    message: str = ""
    fault: str = ""
    value: Array | None = None


def explained(oracle: Oracle, quantity: Quantity, value: Array) -> Hypothesis | None:
    """The first hypothesis under which the library's values agree at every sample."""
    for hypothesis in HYPOTHESES:
        model = hypothesis.model(oracle.model)
        answer = hypothesis.answer(quantity, value)
        if model is None or answer is None:
            continue
        if model is oracle.model and answer is value:
            continue
        other = Oracle(model, oracle.batch, oracle.numbers)
        if judge(other, quantity, answer).verdict is Verdict.AGREE:
            return hypothesis
    return None


def assign(
    outcomes: list[Outcome], oracle: Oracle, quantities: dict[str, Quantity]
) -> str:
    """Write the party at fault into every failing outcome of one library on one model.

    Returns:
        The stage in which the library first differs, empty if in none.
    """
    stages = {o.stage for o in outcomes if o.verdict is Verdict.DIFFER and o.stage}
    first = next((stage for stage in STAGES if stage in stages), "")
    for outcome in _open(outcomes):
        judgement = outcome.judgement
        if outcome.verdict is Verdict.UNDECIDED:
            outcome.fault = "reference"
        elif outcome.verdict is not Verdict.DIFFER or judgement is None:
            outcome.fault = "library"
        elif outcome.kind == "law":
            outcome.fault = "library"
            outcome.message = "the library's own answers contradict each other"
        else:
            _blame_difference(outcome, judgement, outcomes, oracle, quantities, first)
    return first


def _open(outcomes: list[Outcome]) -> Iterator[Outcome]:
    return (o for o in outcomes if o.verdict.fails and not o.fault)


def _blame_difference(
    outcome: Outcome,
    judgement: Judgement,
    outcomes: list[Outcome],
    oracle: Oracle,
    quantities: dict[str, Quantity],
    first: str,
) -> None:
    if outcome.value is not None:
        found = explained(oracle, quantities[outcome.name], outcome.value)
        if found is not None:
            outcome.fault = found.party
            outcome.message = f"agrees after {found.text}"
            return
    count = len(oracle.batch["q"])
    right = sorted(set(range(count)) - set(judgement.wrong))
    kinds = [kind_of(number) for number in oracle.numbers]
    if any(kinds[i] in ("random", "fast") for i in right):
        wrong_kinds = sorted({kinds[i] for i in judgement.wrong})
        outcome.fault = "library"
        outcome.message = (
            f"wrong at {len(judgement.wrong)} of {count} samples ({', '.join(wrong_kinds)}), "
            "right at others: the model is right, the algorithm is not"
        )
        return
    broken = [
        o.name
        for o in outcomes
        if o.kind == "law" and o.verdict is Verdict.DIFFER and outcome.name in o.needs
    ]
    if broken:
        outcome.fault = "library"
        outcome.message = f"breaks its own laws: {', '.join(broken)}"
    elif first in ("kinematics", "inertia"):
        outcome.fault = "importer"
        outcome.message = "consistent with itself: it computes another model"
    else:
        outcome.fault = "undecided"
        outcome.message = (
            "it breaks none of its laws, and no known convention explains it"
        )
