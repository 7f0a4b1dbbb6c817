"""Claims of any chapter with other printed numbers than the text's."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from decimal import Decimal

from reference.claim import Claim, Outcome, half_unit

Outcomes = Mapping[str, tuple[Claim, Outcome]]


def numbers(outcomes: Outcomes) -> list[str]:
    """Ids of the claims whose printed numbers agree digit by digit."""
    return [
        name
        for name, (claim, outcome) in outcomes.items()
        if claim.printed
        and outcome.verdict == "AGREE"
        and claim.kind in ("exact", "approx", "count")
    ]


def with_another_digit(claim: Claim, units: int) -> Iterator[Claim]:
    """The claim with one of its numbers off by so many units of the last digit."""
    for i, printed in enumerate(claim.printed):
        changed = list(claim.printed)
        changed[i] = str(Decimal(printed) + 2 * units * half_unit(printed))
        yield replace(claim, printed=tuple(changed))
