"""The reports of a real run, read again: the same bytes every time."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest

from libcheck import cli
from libcheck.record import SCHEMA_VERSION, Record, Report, ReportError, from_data

PLAIN = Record("3.4", "quantity", "mass_matrix", "panda", "drake", "1.0", "AGREE")
KEYS = {
    "chapter", "kind", "name", "model", "library", "version", "verdict", "fault", "error",
    "bound", "ratio", "digits", "sample", "message", "known",
}  # fmt: skip


@pytest.fixture(scope="module")
def written(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The reports of a real run, with failures in it."""
    folder = tmp_path_factory.mktemp("reports")
    (folder / "settings.toml").write_text(
        "[tool.libcheck]\nlibraries = ['pinocchio', '_faulty', '_absent']\ntimeout = 0.5\n"
    )
    assert run(folder) == 1
    return folder


def run(folder: Path) -> int:
    """Write reports into a folder of the same name each time."""
    names = "mass_matrix,kinetic_energy,inverse_dynamics,bias_forces,mass_matrix_is_symmetric"
    before = Path.cwd()
    os.chdir(folder)
    try:
        words = [
            "run",
            "--config",
            "settings.toml",
            "--model",
            "arm_2r",
            "--samples",
            "9",
        ]
        return cli.main([*words, "--quantity", names, "--out", "out", "--quiet"])
    finally:
        os.chdir(before)


def test_json_holds_every_record_with_its_keys(written: Path) -> None:
    def no_constant(name: str) -> float:
        raise AssertionError(f"{name} is not JSON")

    words = (written / "out" / "report.json").read_text(encoding="utf-8")
    data = json.loads(words, parse_constant=no_constant)
    assert data["schema_version"] == SCHEMA_VERSION
    assert data["provenance"]["command"].startswith("python -m libcheck run ")
    assert all(set(record) >= KEYS for record in data["records"])
    assert {r["verdict"] for r in data["records"]} >= {
        "AGREE", "CRASH", "TIMEOUT", "DIFFER", "NONFINITE", "ABSENT", "UNSUPPORTED",
    }  # fmt: skip
    assert sum(data["counts"].values()) == len(data["records"])


def test_two_runs_write_the_same_bytes(written: Path) -> None:
    first = {f.name: f.read_bytes() for f in (written / "out").iterdir()}
    assert run(written) == 1
    assert {f.name: f.read_bytes() for f in (written / "out").iterdir()} == first


def test_render_writes_the_same_files_again(written: Path, tmp_path: Path) -> None:
    report = str(written / "out" / "report.json")
    assert cli.main(["render", report, "--out", str(tmp_path / "again")]) == 0
    assert {f.name: f.read_bytes() for f in (tmp_path / "again").iterdir()} == {
        f.name: f.read_bytes() for f in (written / "out").iterdir()
    }


@pytest.mark.parametrize(
    ("form", "name"),
    [
        ("text", "3.4-libcheck-output.txt"),
        ("md", "report.md"),
        ("xml", "report.xml"),
        ("json", "report.json"),
    ],
)
def test_render_prints_any_format(
    written: Path, capsys: pytest.CaptureFixture[str], form: str, name: str
) -> None:
    assert (
        cli.main(["render", str(written / "out" / "report.json"), "--format", form])
        == 0
    )
    assert capsys.readouterr().out == (written / "out" / name).read_text(
        encoding="utf-8"
    )


def changed(**changes: Any) -> dict[str, Any]:
    return Report({}, (PLAIN,)).as_data() | changes


def record(**changes: Any) -> dict[str, Any]:
    data = Report({}, (PLAIN,)).as_data()
    data["records"][0] |= changes
    return data


@pytest.mark.parametrize(
    "data",
    [
        {},
        [],
        3,
        changed(schema_version=SCHEMA_VERSION + 1),
        changed(schema_version=None),
        changed(provenance=3),
        changed(records=3),
        changed(records=[3]),
        changed(records=[{}]),
        changed(reference=[3]),
        record(verdict="MAYBE"),
        record(kind="rumour"),
        record(ratio="large"),
        record(sample=None),
        record(message=3),
    ],
    ids=str,
)
def test_what_is_no_report_is_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], data: Any
) -> None:
    with pytest.raises(ReportError):
        from_data(data)
    path = tmp_path / "report.json"
    path.write_text(json.dumps(data))
    assert cli.main(["render", str(path)]) == 2
    err = capsys.readouterr().err
    assert err.startswith(f"libcheck: {path}: ")
    assert err.count("\n") == 1


@pytest.mark.parametrize(
    "words", [b"", b"rubbish", b"\xff\xfe", b"[" * 100_000, b'{"schema_version": NaN}']
)
def test_a_file_that_is_no_json_is_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], words: bytes
) -> None:
    path = tmp_path / "report.json"
    path.write_bytes(words)
    assert cli.main(["render", str(path)]) == 2
    assert cli.main(["render", str(tmp_path / "none.json")]) == 2
    assert capsys.readouterr().err.count("\n") == 2


def test_no_line_ends_in_spaces(written: Path) -> None:
    for name in ("report.md", "3.4-libcheck-output.txt"):
        lines = (written / "out" / name).read_text(encoding="utf-8").splitlines()
        assert [line for line in lines if line != line.rstrip()] == []


def test_records_are_in_the_order_of_the_text(written: Path) -> None:
    data = json.loads((written / "out" / "report.json").read_text(encoding="utf-8"))
    order = [(r["name"], r["library"]) for r in data["records"]]
    assert order[:4] == [
        ("import", "_absent"),
        ("mass_matrix", "pinocchio"),
        ("mass_matrix", "_faulty"),
        ("kinetic_energy", "pinocchio"),
    ]
