"""Plain text: the matrix, then the chapter section by section, then every failure."""

from __future__ import annotations

from libcheck.record import Record, Report, Verdict
from libcheck.reporters import figures, structure, table
from libcheck.reporters.junit import details

SECTIONS = "①②③④⑤⑥⑦⑧⑨⑩"


def render(report: Report) -> str:
    """The whole report as text."""
    parts = [
        summary(report),
        _reference(report),
        _claims(report),
        mechanisms(report),
        figures.render(report),
        structure.render(report),
        _unsupported(report),
        known(report),
        failures(report),
        _agreeing(report),
        _provenance(report),
    ]
    return "\n\n".join(part for part in parts if part) + "\n"


def summary(report: Report) -> str:
    """The verdict and the library x quantity matrix."""
    lines = [table.verdict_sentence(report), ""]
    for kind, head in (("quantity", "quantity"), ("law", "law of the library's own")):
        lines += _matrix(report, kind, head)
    if table.libraries(report):
        lines.append(
            "cells: failing or known checks by verdict, then of the agreeing ones the worst "
            "error/bound\n(at most 1) and in brackets the fewest digits in agreement; -- the "
            "library has no call for it."
        )
    rows = structure.matrix(report)
    if rows:
        lines += [""] * bool(lines[-1]) + [table.aligned(rows)]
    return "\n".join(lines).rstrip()


def _matrix(report: Report, kind: str, head: str) -> list[str]:
    names, libraries = table.names(report, kind), table.libraries(report)
    if not libraries or (not names and kind == "law"):
        return []
    heads = [head, *(table.title(report, library) for library in libraries)]
    rows = [
        [n, *(table.cell(report, lib, n) for lib in libraries)]
        for n in names or ["import"]
    ]
    return [table.aligned([heads, *rows]), ""]


def _reference(report: Report) -> str:
    if not report.reference:
        return ""
    name, ratio = max(report.reference.items(), key=lambda item: item[1])
    return (
        "The reference's own float64 error over the bound, where certified by balls: "
        f"at most {ratio:.2g} ({name})."
    )


# ------------------------------------------------------------------------------- claims


def _claims(report: Report) -> str:
    claims = [r for r in report.records if r.kind == "claim"]
    if not claims:
        return ""
    counts = ", ".join(
        f"{sum(r.verdict == v.value for r in claims)} {v.value}"
        for v in Verdict
        if any(r.verdict == v.value for r in claims)
    )
    lines = [f"The text's own numbers: {counts}."]
    section = ""
    for record in claims:
        place = record.inputs.partition(":")[0]
        if place != section:
            section = place
            lines += ["", numbered(section)]
        lines += claim_lines(record)
    return "\n".join(lines)


def numbered(section: str) -> str:
    """A section as the chapter prints it: 3.4.5(2) is 3.4.5 with the circled two."""
    head, bracket, rest = section.partition("(")
    number = rest.rstrip(")")
    if not bracket or number not in map(str, range(1, len(SECTIONS) + 1)):
        return section
    return f"{head} {SECTIONS[int(number) - 1]}"


def claim_lines(record: Record) -> list[str]:
    """A claim: verdict, printed and our value, then what there is to say."""
    what = record.inputs.partition(": ")[2]
    lines = [
        f"  {record.verdict:9} {record.name}: {what}",
        f"            printed {record.expected or '-'} | ours {record.got or '-'}",
    ]
    return lines + table.wrapped(record.message, " " * 12)


# ----------------------------------------------------------- what was not simply agreed


def mechanisms(report: Report) -> str:
    """What must be known of a model to read its records: redundant and impossible rows."""
    said: dict[str, str] = {}
    for r in report.records:
        agreed = r.verdict == Verdict.AGREE.value and r.kind == "quantity"
        if r.message and (agreed or r.fault == "input") and r.model:
            said.setdefault(r.model, r.message)
    if not said:
        return ""
    lines = ["Of the mechanisms:"]
    for model, message in said.items():
        lines += table.wrapped(f"{model}: {message}", "  ")
    return "\n".join(lines)


def _unsupported(report: Report) -> str:
    reasons: dict[tuple[str, str], int] = {}
    for r in report.records:
        if r.verdict in (Verdict.UNSUPPORTED.value, Verdict.ABSENT.value):
            key = (r.library, f"{r.verdict} {r.message}")
            reasons[key] = reasons.get(key, 0) + 1
    if not reasons:
        return ""
    lines = ["Not checked, and why:"]
    lines += [f"  {n:5} {lib}: {why}" for (lib, why), n in sorted(reasons.items())]
    return "\n".join(lines)


def known(report: Report) -> str:
    """The known issues that showed, with the worst case of each, and stale ones."""
    shown: dict[str, list[Record]] = {}
    for r in report.records:
        if r.known:
            shown.setdefault(r.known, []).append(r)
    if not shown and not report.stale:
        return ""
    lines = ["Known issues:"] if shown else []
    for name, records in shown.items():
        worst = max(records, key=lambda r: r.ratio or 0.0)
        lines.append(f"  {name}: {len(records)} checks, fault: {worst.fault}")
        lines += table.wrapped(worst.message, "      ")
        lines += table.wrapped(_place(worst), "      ")
        lines.append(f"      {worst.command}")
    for name in report.stale:
        lines.append(f"  {name} no longer reproduces: delete it from known_issues.toml")
    return "\n".join(lines)


def _place(record: Record) -> str:
    """Where a known issue shows most: check, model, sample and numbers."""
    text = f"worst: {record.name} on {record.model}"
    if record.sample >= 0:
        text += f", sample {record.sample}"
    if record.error is not None and record.bound is not None:
        text += f": error {record.error:.2g}, bound {record.bound:.2g}"
    return text


def failures(report: Report) -> str:
    """Every failure with what a reader needs to see it."""
    if not report.failures:
        return ""
    lines = ["Failures:"]
    for record in report.failures:
        where = f" on {record.model}" if record.model else ""
        library = f"{record.library} {record.version}".strip()
        lines.append(f"  {record.verdict} {library}: {record.name}{where}")
        lines += table.wrapped(record.message, "      ")
        for fact in details(record).splitlines():
            lines += table.wrapped(fact, "      ")
    return "\n".join(lines)


def _agreeing(report: Report) -> str:
    """Every agreeing record of a library with its numbers, worst error/bound last."""
    agreeing = [
        r
        for r in report.records
        if r.verdict == Verdict.AGREE.value and r.kind in ("quantity", "law")
    ]
    if not agreeing:
        return ""
    rows = [["check", "model", "library", "error/bound", "digits", "grade", "sample"]]
    rows += [
        [
            r.name,
            r.model,
            r.library,
            "" if r.ratio is None else f"{r.ratio:.3g}",
            "" if r.digits is None else f"{r.digits:.1f}",
            r.grade,
            str(r.sample),
        ]
        for r in sorted(agreeing, key=lambda r: r.ratio or 0.0)
    ]
    return f"Every agreeing check, the worst sample of each:\n{table.aligned(rows)}"


def _provenance(report: Report) -> str:
    p = report.provenance
    models = p.get("models", {})
    facts = {k: v for k, v in p.items() if k not in ("models", "libraries", "packages")}
    lines = ["Made with:"]
    lines += [f"  {name}: {value}" for name, value in facts.items()]
    for group in ("libraries", "packages"):
        versions = ", ".join(f"{k} {v or '-'}" for k, v in p.get(group, {}).items())
        lines += table.wrapped(f"{group}: {versions}", "  ")
    hashes = ", ".join(f"{name} {digest}" for name, digest in models.items())
    return "\n".join([*lines, *table.wrapped(f"models: {hashes}", "  ")])
