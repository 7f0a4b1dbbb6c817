"""The library x quantity matrix that text and Markdown begin with."""

from __future__ import annotations

import textwrap

from libcheck.record import Record, Report, Verdict

WIDTH = 100
"""Of a line of text."""
QUIET = (Verdict.AGREE.value, Verdict.UNSUPPORTED.value)


def aligned(rows: list[list[str]]) -> str:
    """Rows of words, the first one a head, in columns."""
    widths = [max(len(row[i]) for row in rows) for i in range(len(rows[0]))]
    ruled = [rows[0], ["-" * width for width in widths], *rows[1:]]
    padded = (
        "  ".join(word.ljust(width) for word, width in zip(row, widths, strict=True))
        for row in ruled
    )
    return "\n".join(line.rstrip() for line in padded)


def wrapped(text: str, indent: str, hanging: str = "") -> list[str]:
    """Lines of a paragraph; those after the first have the hanging indent, if any."""
    return textwrap.wrap(
        text, WIDTH, initial_indent=indent, subsequent_indent=hanging or indent,
        break_long_words=False, break_on_hyphens=False,
    )  # fmt: skip


def libraries(report: Report) -> list[str]:
    """The libraries: ones that failed to start, then the others in the order of the run."""
    kinds = ("quantity", "law")
    found = dict.fromkeys(r.library for r in report.records if r.kind in kinds)
    return list(found)


def title(report: Report, library: str) -> str:
    """A library with its version."""
    versions = {r.version for r in report.records if r.library == library and r.version}
    return " ".join([library, *sorted(versions)])


def names(report: Report, kind: str) -> list[str]:
    """Names of the records of a kind, in the order of the report."""
    found = dict.fromkeys(
        r.name for r in report.records if r.kind == kind and r.name != "import"
    )
    return list(found)


def cell(report: Report, library: str, name: str) -> str:
    """One cell: the worst verdict over the models, worst error/bound, fewest digits."""
    records = [r for r in report.records if r.library == library]
    started = [r for r in records if r.name != "import"]
    if records and not started:
        return records[0].verdict
    mine = [r for r in started if r.name == name]
    if not mine:
        return ""
    loud = sorted({r.verdict for r in mine if r.verdict not in QUIET}, key=_gravity)
    agreeing = [r for r in mine if r.verdict == Verdict.AGREE.value]
    words = [f"{v} {sum(r.verdict == v for r in mine)}" for v in loud]
    if agreeing:
        words.append(worst(agreeing))
    return ", ".join(words) or "--"


def _gravity(verdict: str) -> int:
    order = list(Verdict)
    fails = Verdict(verdict).fails
    return order.index(Verdict(verdict)) - (len(order) if fails else 0)


def worst(records: list[Record]) -> str:
    """Worst error/bound of agreeing records, and their fewest digits."""
    ratios = [r.ratio for r in records if r.ratio is not None]
    digits = [r.digits for r in records if r.digits is not None]
    text = f"{max(ratios):.1g}" if ratios else "ok"
    return f"{text} ({min(digits):.0f})" if digits else text


def verdict_sentence(report: Report) -> str:
    """The verdict of a run in one sentence, with all its counts."""
    counts = report.counts()
    failures = report.failures
    listed = ", ".join(f"{n} {verdict}" for verdict, n in counts.items())
    if failures:
        who = sorted({r.library for r in failures})
        head = (
            f"{len(failures)} of {len(report.records)} checks fail ({', '.join(who)})"
        )
    elif report.stale:
        head = f"known issues no longer reproduce: {', '.join(report.stale)}"
    elif not report.records:
        head = "nothing was checked"
    else:
        head = "no check fails"
    if report.provenance.get("interrupted"):
        head = f"interrupted; of what was done, {head}"
    return f"{head}: {listed or 'no records'}."
