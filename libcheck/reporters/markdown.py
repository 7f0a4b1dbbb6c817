"""Markdown in a stable order, so that two reports diff well."""

from __future__ import annotations

from libcheck.record import Record, Report, Verdict
from libcheck.reporters import structure, table
from libcheck.reporters.junit import details


def render(report: Report) -> str:
    """The report as Markdown."""
    parts = ["# libcheck report", table.verdict_sentence(report)]
    for kind, head in (
        ("quantity", "Quantities"),
        ("law", "Laws of the libraries' own"),
    ):
        names = table.names(report, kind)
        if names:
            parts.append(f"## {head}\n\n{_matrix(report, names)}")
    rows = structure.matrix(report)
    if rows:
        parts.append(f"## Structure\n\n{_table(rows[0], rows[1:])}")
        parts.append(f"```text\n{structure.render(report)}\n```")
    loud = [r for r in report.records if r.kind != "claim" and _is_loud(r)]
    if loud:
        parts.append(f"## Known issues and failures\n\n{_rows(loud)}")
    for record in report.failures:
        head = (
            f"### {record.verdict}: {record.name} of {record.library} on {record.model}"
        )
        parts.append(f"{head}\n\n{record.message}\n\n```text\n{details(record)}\n```")
    claims = [r for r in report.records if r.kind == "claim"]
    if claims:
        parts.append(f"## Printed numbers\n\n{_claims(claims)}")
    parts.append(f"## Made with\n\n{_provenance(report)}")
    return "\n\n".join(parts) + "\n"


def _is_loud(record: Record) -> bool:
    return record.verdict not in (Verdict.AGREE.value, Verdict.UNSUPPORTED.value)


def _table(head: list[str], rows: list[list[str]]) -> str:
    lines = [head, ["---"] * len(head), *rows]
    return "\n".join(f"| {' | '.join(map(_escaped, line))} |" for line in lines)


def _escaped(text: str) -> str:
    return text.replace("|", "\\|").replace("\n", " ")


def _matrix(report: Report, names: list[str]) -> str:
    libraries = table.libraries(report)
    head = ["", *(table.title(report, library) for library in libraries)]
    rows = [[n, *(table.cell(report, lib, n) for lib in libraries)] for n in names]
    note = (
        "Worst error/bound over the models, at most 1 where all agree; in brackets the "
        "fewest digits in agreement."
    )
    return f"{_table(head, rows)}\n\n{note}"


def _rows(records: list[Record]) -> str:
    head = ["verdict", "library", "check", "model", "fault", "error/bound", "message"]
    rows = [
        [
            r.verdict,
            f"{r.library} {r.version}".strip(),
            r.name,
            r.model,
            r.fault,
            "" if r.ratio is None else f"{r.ratio:.2g}",
            r.message,
        ]
        for r in records
    ]
    return _table(head, rows)


def _claims(claims: list[Record]) -> str:
    head = ["claim", "what", "printed", "ours", "verdict", "message"]
    rows = [[r.name, r.inputs, r.expected, r.got, r.verdict, r.message] for r in claims]
    return _table(head, rows)


def _provenance(report: Report) -> str:
    rows = [[k, str(v)] for k, v in report.provenance.items()]
    return _table(["", ""], rows)
