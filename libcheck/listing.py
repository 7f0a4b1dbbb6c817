"""Listings of what there is."""

from __future__ import annotations

from collections.abc import Callable

from libcheck import known, selection
from libcheck.claims import claim_records
from libcheck.config import Settings
from libcheck.reporters.text import claim_lines, numbered
from libcheck.selection import Selection
from models import linkages, summary


def _lines(rows: list[tuple[str, ...]]) -> str:
    if not rows:
        return "none\n"
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    padded = (
        "  ".join(w.ljust(n) for w, n in zip(r, widths, strict=True)) for r in rows
    )
    return "".join(f"{line.rstrip()}\n" for line in padded)


def _chapters(chosen: Selection, settings: Settings) -> str:
    return _lines([(c.number, c.title) for c in selection.chapters(chosen)])


def _models(chosen: Selection, settings: Settings) -> str:
    rows: list[tuple[str, ...]] = []
    for model in selection.known_models(chosen).values():
        name, text = summary(model)
        rows.append((name, f"{model.nv} joints", text))
    return _lines(rows)


def _linkages(chosen: Selection, settings: Settings) -> str:
    rows: list[tuple[str, ...]] = []
    for linkage in linkages().values():
        known = "" if linkage.mobility is None else f"mobility {linkage.mobility}"
        rows.append(
            (linkage.name, f"{len(linkage.pairs)} joints", known, linkage.title)
        )
    return _lines(rows)


def _libraries(chosen: Selection, settings: Settings) -> str:
    return "".join(f"{name}\n" for name in settings.libraries)


def _quantities(chosen: Selection, settings: Settings) -> str:
    return _lines(
        [
            (c.number, q.name, q.symbol, q.unit, q.source, q.text)
            for c in selection.chapters(chosen)
            for q in c.quantities.values()
        ]
    )


def _laws(chosen: Selection, settings: Settings) -> str:
    return _lines(
        [
            (c.number, statement.name, statement.source, statement.text.splitlines()[0])
            for c in selection.chapters(chosen)
            for statement in c.laws.values()
        ]
    )


def _known(chosen: Selection, settings: Settings) -> str:
    issues = known.read()
    if not issues:
        return "no known issues\n"
    return "".join(
        f"{i.id}: {i.library} {i.versions or 'all versions'}: {i.verdict}\n"
        f"    {i.reason}\n    {i.link}\n"
        for i in issues
    )


def _claims(chosen: Selection, settings: Settings) -> str:
    lines: list[str] = []
    section = ""
    for record in claim_records(chosen):
        place = record.inputs.partition(":")[0]
        if place != section:
            section = place
            lines.append(numbered(section))
        lines += claim_lines(record)
    return "".join(f"{line}\n" for line in lines)


LISTS: dict[str, Callable[[Selection, Settings], str]] = {
    "chapters": _chapters,
    "claims": _claims,
    "known": _known,
    "laws": _laws,
    "libraries": _libraries,
    "linkages": _linkages,
    "models": _models,
    "quantities": _quantities,
}
