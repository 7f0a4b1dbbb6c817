"""Structure in words: how many checks agree, then sizes, mobilities and ranks one by one."""

from __future__ import annotations

from libcheck.record import Record, Report, Verdict
from libcheck.reporters import table

HANGING = " " * 6
AGREE = Verdict.AGREE.value


def records(report: Report, name: str = "") -> list[Record]:
    """The records on structure, all or those of a name."""
    return [r for r in report.records if r.kind == "structure" and name in ("", r.name)]


def matrix(report: Report) -> list[list[str]]:
    """What was asked by libraries, a head first; empty without any such record."""
    libraries = list(dict.fromkeys(r.library for r in records(report)))
    if not libraries:
        return []
    head = ["structure", *(table.title(report, library) for library in libraries)]
    rows = [
        [name, *(_cell(report, library, name) for library in libraries)]
        for name in table.names(report, "structure")
    ]
    return [head, *rows]


def _cell(report: Report, library: str, name: str) -> str:
    mine = [r.verdict for r in records(report, name) if r.library == library]
    if not mine:
        return ""
    asked = [v for v in mine if v not in (AGREE, Verdict.UNSUPPORTED.value)]
    words = [f"{v} {asked.count(v)}" for v in sorted(set(asked))]
    if AGREE in mine:
        words.append(f"{mine.count(AGREE)} equal")
    return ", ".join(words) or "--"


def render(report: Report) -> str:
    """Every number on structure that a library gave."""
    parts = [_sizes(report), _mobilities(report), _ranks(report)]
    return "\n\n".join(part for part in parts if part)


def _answered(report: Report, name: str) -> list[Record]:
    return [r for r in records(report, name) if r.got]


def _sizes(report: Report) -> str:
    by_size: dict[tuple[str, str], list[str]] = {}
    for r in _answered(report, "joint_sizes"):
        by_size.setdefault((r.library, r.got), []).append(r.model)
    if not by_size:
        return ""
    lines = ["(nq, nv) of the joint models, as the libraries say:"]
    for (library, size), joints in by_size.items():
        lines += table.wrapped(f"{library} {size}: {', '.join(joints)}", "  ", HANGING)
    return "\n".join(lines)


def _mobilities(report: Report) -> str:
    found = _answered(report, "mobility")
    if not found:
        return ""
    libraries = list(dict.fromkeys(r.library for r in found))
    rows = [["mechanism", "reference", *libraries]]
    notes = []
    for model in dict.fromkeys(r.model for r in found):
        mine = {r.library: r for r in found if r.model == model}
        first = next(iter(mine.values()))
        given = [mine[name].got if name in mine else "--" for name in libraries]
        rows.append([model, first.expected, *given])
        notes += table.wrapped(f"{model}: {first.message}", "  ", HANGING)
    head = (
        "Mobility, nv - rank of the libraries' own constraints, at the tightest sample:"
    )
    return "\n".join([head, table.aligned(rows), "", *notes])


def _ranks(report: Report) -> str:
    found = _answered(report, "matrix_rank")
    if not found:
        return ""
    lines = ["Ranks of the structure matrices:"]
    for r in found:
        lines += table.wrapped(f"{r.model}: {r.message}", "  ", HANGING)
    return "\n".join(lines)
