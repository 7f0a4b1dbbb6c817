"""JUnit XML, for continuous integration: one suite per library, one case per record."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import groupby
from xml.etree import ElementTree as ET

from libcheck.record import Record, Report, Verdict

SKIPPED = {Verdict.ABSENT.value, Verdict.UNSUPPORTED.value}
ERRORS = {Verdict.ERROR.value, Verdict.CRASH.value, Verdict.TIMEOUT.value}
NOT_XML = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def render(report: Report) -> str:
    """The report as JUnit XML."""
    root = ET.Element("testsuites", {"name": "libcheck", **_counts(report.records)})
    by_library = sorted(report.records, key=lambda r: r.library)
    for library, group in groupby(by_library, key=lambda r: r.library):
        records = list(group)
        suite = ET.SubElement(root, "testsuite", {"name": library, **_counts(records)})
        for record in records:
            _case(suite, record)
    ET.indent(root)
    return ET.tostring(root, encoding="unicode", xml_declaration=True) + "\n"


def _counts(records: Sequence[Record]) -> dict[str, str]:
    failing = [r for r in records if r.fails]
    errors = [r for r in failing if r.verdict in ERRORS]
    skipped = [r for r in records if r.verdict in SKIPPED]
    return {
        "tests": str(len(records)),
        "failures": str(len(failing) - len(errors)),
        "errors": str(len(errors)),
        "skipped": str(len(skipped)),
    }


def _case(suite: ET.Element, record: Record) -> None:
    case = ET.SubElement(
        suite,
        "testcase",
        classname=f"{record.chapter}.{record.kind}.{record.name}",
        name=f"{record.model or '-'}[{record.library} {record.version}]".replace(
            " ]", "]"
        ),
    )
    text = _clean(record.message)
    if record.verdict in SKIPPED:
        ET.SubElement(case, "skipped", message=text or record.verdict)
    elif record.fails:
        tag = "error" if record.verdict in ERRORS else "failure"
        found = ET.SubElement(case, tag, type=record.verdict, message=text)
        found.text = _clean(details(record))
    elif record.verdict != Verdict.AGREE.value:
        ET.SubElement(case, "system-out").text = f"{record.verdict}: {text}"


def details(record: Record) -> str:
    """What a reader needs to see the failure, one fact a line."""
    facts = {
        "party at fault": record.fault,
        "stage": record.stage,
        "error / bound": _ratio(record),
        "sample": "" if record.sample < 0 else str(record.sample),
        "inputs": record.inputs,
        "worst entry": record.entry,
        "expected": record.expected,
        "got": record.got,
        "reproduce": record.command,
    }
    return "\n".join(f"{name}: {fact}" for name, fact in facts.items() if fact)


def _ratio(record: Record) -> str:
    if record.error is None or record.bound is None:
        return ""
    quotient = f"{record.error:.3g} / {record.bound:.3g}"
    return quotient if record.ratio is None else f"{quotient} = {record.ratio:.3g}"


def _clean(text: str) -> str:
    return NOT_XML.sub("?", text)
