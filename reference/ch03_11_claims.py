"""3.11 What the chapter prints, judged: claims/ch03_11.toml with our values."""

from __future__ import annotations

from collections.abc import Container

from reference import (
    ch03_11_claims_constraints,
    ch03_11_claims_drift,
    ch03_11_claims_drives,
    ch03_11_claims_fivebar,
    ch03_11_claims_pen,
    ch03_11_claims_projection,
    ch03_11_claims_stewart,
)
from reference.ch03_11_claims_drives import reproduced_by_forward_dynamics
from reference.claim import Claim, Judge, Outcome, judged, load, undecided

_LIBRARY = (
    "a matter of the library; the records of this run compare it with the reference on "
    "this mechanism, quantity by quantity"
)


def library_agrees(claim: Claim) -> Outcome:
    """Not a matter of the reference."""
    return undecided(claim, [], _LIBRARY)


def library_reproduces_the_motion(claim: Claim) -> Outcome:
    """Not a matter of the reference, which reproduces the motion too."""
    own = reproduced_by_forward_dynamics()
    return undecided(claim, [], f"{_LIBRARY}; the reference closes to {own:.1g}")


CLAIMS: dict[str, Judge] = {
    "3.11-pin-fourbar": library_agrees,
    "3.11-fivebar-pin": library_agrees,
    "3.11-fivebar-pin-fd": library_reproduces_the_motion,
    **ch03_11_claims_constraints.CLAIMS,
    **ch03_11_claims_drift.CLAIMS,
    **ch03_11_claims_drives.CLAIMS,
    **ch03_11_claims_fivebar.CLAIMS,
    **ch03_11_claims_pen.CLAIMS,
    **ch03_11_claims_projection.CLAIMS,
    **ch03_11_claims_stewart.CLAIMS,
}
"""What computes our side of each claim, by the claim's id."""


def claims() -> list[Claim]:
    """The claims of the chapter, in the order of the text."""
    return list(load("3.11"))


def evaluate(ids: Container[str] | None = None) -> list[tuple[Claim, Outcome]]:
    """The claims of the chapter, of some ids or all, with their outcomes."""
    return judged("3.11", CLAIMS, ids)
