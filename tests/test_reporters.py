"""The report of a run: one record, several formats, the same bytes every time."""

from __future__ import annotations

import json
import os
from dataclasses import replace
from pathlib import Path
from xml.etree import ElementTree as ET

import numpy as np
import pytest

from libcheck import files
from libcheck.booking import shown
from libcheck.record import (
    Record,
    Report,
    Verdict,
    from_data,
)
from libcheck.reporters import REPORTERS, junit, markdown, table, text
from libcheck.reporters import json as as_json

PLAIN = Record(
    "3.4", "quantity", "mass_matrix", "panda", "drake", "1.0", "AGREE",
    error=1e-17, bound=1e-15, ratio=0.01, digits=15.9, sample=3, samples=32, grade="A",
    command="python -m libcheck run",
)  # fmt: skip
FAILED = replace(
    PLAIN, verdict="DIFFER", ratio=1e9, digits=2.0, grade="", fault="library",
    stage="inertia", entry="[0, 1]", message="wrong", inputs="q = [0.1]", expected="[1.0]",
    got="[2.0]",
)  # fmt: skip


def every_verdict() -> Report:
    """One record of each verdict."""
    records = [
        replace(
            PLAIN, verdict=v.value, model=f"model_{i:02}", message=f"says {v.value}"
        )
        for i, v in enumerate(Verdict)
        if v is not Verdict.ERRATUM
    ]
    claim = replace(PLAIN, kind="claim", name="3.4-M1", library="reference", version="")
    erratum = replace(
        claim, verdict="ERRATUM", inputs="3.4.5(2): mass [kg]", expected="1"
    )
    return Report({"seed": 0, "models": {"panda": "abc"}}, (*records, erratum))


def test_a_report_survives_json() -> None:
    report = every_verdict()
    assert from_data(json.loads(as_json.render(report))) == report


def test_infinity_is_no_number_to_a_report() -> None:
    record = replace(PLAIN, ratio=np.inf, error=np.nan, digits=-np.inf, bound=0.0)
    assert (record.ratio, record.error, record.digits) == (None, None, None)
    assert record.bound == 0.0


# --------------------------------------------------------------------------------- JUnit


def test_junit_counts_and_sorts_the_verdicts() -> None:
    root = ET.fromstring(junit.render(every_verdict()))
    assert {
        name: int(root.attrib[name])
        for name in ("tests", "failures", "errors", "skipped")
    } == {"tests": 11, "failures": 3, "errors": 3, "skipped": 2}
    cases = list(root.iter("testcase"))
    assert len(cases) == 11
    by_tag = {
        tag: {e.attrib.get("type") or e.attrib["message"] for e in root.iter(tag)}
        for tag in ("failure", "error", "skipped")
    }
    assert by_tag == {
        "failure": {"DIFFER", "NONFINITE", "UNDECIDED"},
        "error": {"ERROR", "CRASH", "TIMEOUT"},
        "skipped": {"says ABSENT", "says UNSUPPORTED"},
    }


def test_junit_has_one_suite_for_each_library() -> None:
    root = ET.fromstring(junit.render(every_verdict()))
    assert [s.attrib["name"] for s in root] == ["drake", "reference"]
    assert sum(int(s.attrib["tests"]) for s in root) == int(root.attrib["tests"])


def test_control_characters_do_not_break_xml() -> None:
    message = 'NUL \0, ESC \x1b, lone surrogate \ud800, <&"> and ÿ 機'
    report = Report({}, (replace(FAILED, message=message),))
    root = ET.fromstring(junit.render(report).encode("utf-8"))
    (failure,) = root.iter("failure")
    assert failure.attrib["message"] == 'NUL ?, ESC ?, lone surrogate ?, <&"> and ÿ 機'


def test_a_failure_is_told_with_all_that_is_known() -> None:
    told = junit.details(FAILED).splitlines()
    assert told == [
        "party at fault: library",
        "stage: inertia",
        "error / bound: 1e-17 / 1e-15 = 1e+09",
        "sample: 3",
        "inputs: q = [0.1]",
        "worst entry: [0, 1]",
        "expected: [1.0]",
        "got: [2.0]",
        "reproduce: python -m libcheck run",
    ]
    for render in (text.render, markdown.render, junit.render):
        page = render(Report({}, (FAILED,)))
        assert all(line.partition(": ")[2] in page for line in told)


# ---------------------------------------------------------------------- Markdown and text


def test_markdown_tables_survive_pipes_and_line_ends() -> None:
    message = "a | b\nc"
    page = markdown.render(Report({}, (replace(FAILED, message=message),)))
    (row,) = [line for line in page.splitlines() if "a \\| b" in line]
    assert row.endswith("a \\| b c |")


def test_a_cell_tells_failures_first_then_the_worst_that_agrees() -> None:
    records = (
        PLAIN,
        replace(PLAIN, model="ur5", ratio=0.5, digits=12.2),
        replace(PLAIN, model="arm_2r", verdict="KNOWN"),
        replace(FAILED, model="arm_6r"),
    )
    report = Report({}, records)
    assert table.cell(report, "drake", "mass_matrix") == "DIFFER 1, KNOWN 1, 0.5 (12)"
    assert table.cell(report, "drake", "frame_pose") == ""


@pytest.mark.parametrize(
    ("report", "sentence"),
    [
        (Report({}, (PLAIN,)), "no check fails: 1 AGREE."),
        (Report({}, (PLAIN, FAILED)), "1 of 2 checks fail (drake): 1 AGREE, 1 DIFFER."),
        (
            Report({}, (PLAIN,), stale=("old",)),
            "known issues no longer reproduce: old: 1 AGREE.",
        ),
        (Report({}, ()), "nothing was checked: no records."),
        (
            Report({"interrupted": True}, (PLAIN,)),
            "interrupted; of what was done, no check fails: 1 AGREE.",
        ),
    ],
)
def test_the_verdict_is_one_sentence(report: Report, sentence: str) -> None:
    assert table.verdict_sentence(report) == sentence
    for render in (text.render, markdown.render):
        assert sentence in render(report)


def test_a_section_is_numbered_as_the_text_does() -> None:
    assert text.numbered("3.4.5(2)") == "3.4.5 ②"
    for other in ("3.4.5", "3.4.5(0)", "3.4.5(11)", "3.4.5(a)"):
        assert text.numbered(other) == other


def test_numbers_are_shown_with_the_digits_that_identify_them() -> None:
    assert shown(np.array([0.1, -0.0, 1e-9])) == "[0.1, -0.0, 1e-09]"
    assert shown(np.float64(1 / 3)) == "0.3333333333333333"
    assert shown(None) == ""


def test_of_a_large_matrix_the_worst_row_is_shown() -> None:
    matrix = np.arange(81.0).reshape(9, 9)
    assert shown(matrix, (1, 2)).startswith("row 1: [9.0, 10.0, 11.0")
    assert shown(np.zeros((6, 6)), (1, 2)).startswith("[[0.0, ")
    wide = np.arange(360.0).reshape(6, 60)
    assert shown(wide, (1, 2)) == "entry [1, 2]: 62.0"


# --------------------------------------------------------------------------------- files


def test_a_write_that_fails_leaves_the_old_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "report.json"
    files.write(path, "old")

    def full(descriptor: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(OSError, match="No space left"):
        files.write(path, "new")
    assert path.read_text() == "old"
    assert [f.name for f in tmp_path.iterdir()] == ["report.json"]


def test_every_format_is_written_as_report() -> None:
    assert set(REPORTERS) == {"json", "xml", "md"}
