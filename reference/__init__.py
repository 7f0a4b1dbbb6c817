"""The independent reference: every quantity of the chapters, in any carrier.

It imports no library under test and shares no code with an adapter.
"""

from collections.abc import Callable, Mapping
from typing import NamedTuple

from models import CATALOGUE, CLOSED_CHAINS, Model
from reference import (
    ch02_01_claims,
    ch02_01_figures,
    ch03_04_claims,
    ch03_04_laws,
    ch03_04_manipulator_equation,
    ch03_11_claims,
    ch03_11_constrained_dynamics,
    ch03_11_figures,
    ch03_11_laws,
)
from reference.claim import Claim, Outcome
from reference.law import Law
from reference.quantity import STAGES, Quantity, needs_loops
from reference.table import Table


class Chapter(NamedTuple):
    """A chapter of the text: what it defines, states and prints.

    Attributes:
        number: "3.4".
        title: Its title.
        quantities: By name, in the order of the text.
        laws: By name, in the order of the text.
        claims: Its printed numbers.
        judge_claims: Those of some ids, with their outcomes.
        models: The models that it is checked on.
        silent: Why it says nothing about a model; empty if it does.
        figures: The numbers behind its figures, by name; none unless it computes them.
    """

    number: str
    title: str
    quantities: dict[str, Quantity]
    laws: dict[str, Law]
    claims: Callable[[], list[Claim]]
    judge_claims: Callable[[set[str]], list[tuple[Claim, Outcome]]]
    models: Mapping[str, Model]
    silent: Callable[[Model], str]
    figures: Callable[[], dict[str, Table]] = dict


def _needs_a_tree(model: Model) -> str:
    return "it is no tree" if model.loops or model.tendons else ""


def _needs_constraints(model: Model) -> str:
    constrained = model.loops or model.tendons
    return "" if constrained else "no loops and no tendons"


CHAPTERS = {
    "2.1": Chapter(
        "2.1",
        "Mechanism structure and mobility",
        {},
        {},
        ch02_01_claims.claims,
        ch02_01_claims.evaluate,
        CLOSED_CHAINS,
        needs_loops,
        ch02_01_figures.figures,
    ),
    "3.4": Chapter(
        "3.4",
        "Manipulator equation",
        ch03_04_manipulator_equation.QUANTITIES,
        ch03_04_laws.LAWS,
        ch03_04_claims.claims,
        ch03_04_claims.evaluate,
        CATALOGUE,
        _needs_a_tree,
    ),
    "3.11": Chapter(
        "3.11",
        "Constrained dynamics and closed chains",
        ch03_11_constrained_dynamics.QUANTITIES,
        ch03_11_laws.LAWS,
        ch03_11_claims.claims,
        ch03_11_claims.evaluate,
        CLOSED_CHAINS,
        _needs_constraints,
        ch03_11_figures.figures,
    ),
}

__all__ = ["CHAPTERS", "STAGES", "Chapter", "Law", "Quantity", "Table"]
