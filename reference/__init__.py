"""The independent reference: every quantity of the chapters, in any carrier.

It imports no library under test and shares no code with an adapter.
"""

from collections.abc import Callable
from typing import NamedTuple

from reference import ch03_04_claims, ch03_04_laws, ch03_04_manipulator_equation
from reference.claim import Claim, Outcome
from reference.quantity import STAGES, Law, Quantity


class Chapter(NamedTuple):
    """A chapter of the text: number, title, quantities, laws and printed numbers."""

    number: str
    title: str
    quantities: dict[str, Quantity]
    laws: dict[str, Law]
    claims: Callable[[], list[Claim]]
    judge_claims: Callable[[set[str]], list[tuple[Claim, Outcome]]]


CHAPTERS = {
    "3.4": Chapter(
        "3.4",
        "Manipulator equation",
        ch03_04_manipulator_equation.QUANTITIES,
        ch03_04_laws.LAWS,
        ch03_04_claims.claims,
        ch03_04_claims.evaluate,
    )
}

__all__ = ["CHAPTERS", "STAGES", "Chapter", "Law", "Quantity"]
