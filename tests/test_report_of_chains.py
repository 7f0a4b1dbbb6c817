"""What reports say of closed chains: figures, ranks, digits that are there to count."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from libcheck import cli, compare
from libcheck.oracle import Oracle
from libcheck.record import Figure, Record, Report, ReportError, from_data
from libcheck.reporters import csv, text
from libcheck.reporters import json as as_json
from libcheck.samples import draw
from models import CLOSED_CHAINS
from reference import CHAPTERS
from reference.ch03_11_constrained_dynamics import constrained_motion, softened_motion
from reference.constraints import constraint_error

AGREED = Record(
    "3.11", "quantity", "constrained_motion", "fourbar", "drake", "1.0", "AGREE",
    message="rank 2 of 3 rows",
)  # fmt: skip
LOCKED = replace(
    AGREED,
    model="welded",
    verdict="UNSUPPORTED",
    fault="input",
    message="over-constrained",
)
FIGURE = Figure(("t [s]", "name"), ((0.1, "a,b"), (2.5e-17, "c")))


def test_ranks_stand_in_a_section_of_their_own() -> None:
    plain = replace(AGREED, model="arm", message="")
    found = text.mechanisms(Report({}, (AGREED, LOCKED, plain, AGREED)))
    assert found.splitlines() == [
        "Of the mechanisms:",
        "  fourbar: rank 2 of 3 rows",
        "  welded: over-constrained",
    ]
    assert text.mechanisms(Report({}, (plain,))) == ""


def test_the_data_of_a_figure_survives_json_and_is_plain_csv() -> None:
    report = Report({}, (AGREED,), figures={"3.11-drift": FIGURE})
    assert from_data(json.loads(as_json.render(report))) == report
    assert csv.render(FIGURE) == 't [s],name\n0.1,"a,b"\n2.5e-17,c\n'


def test_a_figure_with_a_short_row_is_no_figure() -> None:
    data = Report({}, (), figures={"f": FIGURE}).as_data()
    data["figures"]["f"]["rows"] = [[1.0]]
    with pytest.raises(ReportError, match="a figure has the row"):
        from_data(data)


def test_a_whole_chapter_writes_its_figures_and_a_part_of_it_does_not(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    words = ["run", "--chapter", "3.11", "--library", "reference", "--quiet", "--out"]
    assert cli.main([*words, str(tmp_path / "all")]) == 0
    names = {path.stem for path in (tmp_path / "all").glob("*.csv")}
    assert names == {"3.11-drift", "3.11-fivebar", "3.11-torque_singularity"}
    some = [*words, str(tmp_path / "some"), "--quantity", "3.11-pen-trP"]
    assert cli.main(some) == 0
    assert not list((tmp_path / "some").glob("*.csv"))
    capsys.readouterr()


def test_figures_have_a_name_for_every_column() -> None:
    for name, figure in CHAPTERS["3.11"].figures().items():
        assert figure.rows, name
        assert all(len(row) == len(figure.header) for row in figure.rows)
        assert len(set(figure.header)) == len(figure.header)


def test_no_digit_is_counted_where_there_is_only_rounding() -> None:
    model = CLOSED_CHAINS["fourbar"]
    oracle = Oracle(model, draw(model, 9, 0))
    closed = compare.judge(oracle, constraint_error, oracle.value(constraint_error))
    assert (closed.verdict.value, closed.digits) == ("AGREE", None)
    off = compare.judge(oracle, constraint_error, oracle.value(constraint_error) + 1e-6)
    assert (off.verdict.value, off.digits) == ("DIFFER", 0.0)


def test_digits_of_a_motion_are_those_of_its_accelerations() -> None:
    model = CLOSED_CHAINS["fourbar"]
    oracle = Oracle(model, draw(model, 9, 0))
    value = oracle.value(constrained_motion).copy()
    value[:, 5] += 1e6  # the multiplier across the plane, which is free
    found = compare.judge(oracle, constrained_motion, value)
    assert found.verdict.value == "AGREE"
    assert found.digits is None or found.digits > 12
    soft = np.concatenate([oracle.value(constrained_motion), np.zeros((9, 3))], axis=1)
    assert compare.judge(oracle, softened_motion, soft).digits is None


def test_the_cost_of_representations_is_printed(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    from libcheck import bench_constraints
    from reference import ch03_11_cost as cost

    row = cost.Row("fourbar", "tree + cut joint, projection", 3, 2, 400.0, 2.0)
    energy = cost.EnergyRow(60.0, (-4.45e-4, -1.48e-5), 4.92)
    monkeypatch.setattr(bench_constraints, "cost_table", lambda repeat: [row])
    monkeypatch.setattr(bench_constraints, "energy_under_projection", lambda: [energy])
    assert cli.main(["bench", "--chapter", "3.11"]) == 0
    out = capsys.readouterr().out
    assert "fourbar    tree + cut joint, projection  3            2     400" in out
    assert "60     -4.45e-04   -1.48e-05    4.92" in out
    assert cli.main(["bench", "--chapter", "3.11", "--library", "drake"]) == 2
    assert "name no library" in capsys.readouterr().err
