"""The printed numbers of a chapter as records."""

from __future__ import annotations

from libcheck import selection
from libcheck.record import Figure, Record, Verdict
from libcheck.selection import REFERENCE, Selection
from reference import Chapter
from reference.claim import Claim, Outcome


def claim_ids() -> list[str]:
    """The ids of all claims of all chapters."""
    every = Selection()
    return [claim.id for c in selection.chapters(every) for claim in c.claims()]


def claim_records(chosen: Selection) -> list[Record]:
    """Judge the claims of a selection."""
    records = []
    for chapter in selection.chapters(chosen):
        wanted = [
            claim
            for claim in chapter.claims()
            if selection.wants_claim(chosen, claim.id, claim.model)
        ]
        if wanted:
            ids = {claim.id for claim in wanted}
            judged = chapter.judge_claims(ids)
            records += [_record(chapter, claim, outcome) for claim, outcome in judged]
    return records


def figures_of(chosen: Selection) -> dict[str, Figure]:
    """The data of the figures of the chapters, where a run is about whole chapters."""
    if chosen.names or chosen.models:
        return {}
    return {
        f"{chapter.number}-{name}": Figure(*table)
        for chapter in selection.chapters(chosen)
        for name, table in chapter.figures().items()
    }


def _record(chapter: Chapter, claim: Claim, outcome: Outcome) -> Record:
    printed = " ".join(claim.printed)
    verdict = Verdict(outcome.verdict)
    return Record(
        chapter.number,
        "claim",
        claim.id,
        claim.model,
        REFERENCE,
        "",
        verdict.value,
        fault="text" if verdict is Verdict.ERRATUM else "",
        error=outcome.error,
        ratio=outcome.ratio,
        digits=outcome.digits,
        message=outcome.message,
        expected=printed,
        got=outcome.value,
        inputs=f"{claim.section}: {claim.quantity} ({claim.status})",
        command=f"python -m libcheck run --library {REFERENCE} --quantity {claim.id}",
    )
