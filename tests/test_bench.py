"""The bench runs and prints its tables; how fast anything is, is not tested."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from libcheck import cli


def test_the_bench_prints_its_tables(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    words = ["bench", "--library", "pinocchio", "--model", "arm_2r"]
    assert cli.main([*words, "--configurations", "50"]) == 0
    out = capsys.readouterr().out
    assert out.startswith("arm_2r, 2 joints\n")
    assert re.search(
        r"^quantity +reference us +pinocchio us +ratio$", out, re.MULTILINE
    )
    rows = re.findall(r"^(\w+) +[\d.]+ +[\d.]+ +[\d.]+$", out, re.MULTILINE)
    assert rows == ["mass_matrix", "inverse_dynamics"]


def test_a_library_that_fails_is_named_in_the_table(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "pyproject.toml").write_text(
        "[tool.libcheck]\nlibraries = ['_faulty', '_absent']\ntimeout = 0.2\n"
    )
    assert cli.main(["bench", "--model", "arm_2r"]) == 0
    out = capsys.readouterr().out
    assert re.search(r"^mass_matrix +WorkerDied +absent$", out, re.MULTILINE)
    assert re.search(r"^inverse_dynamics +WorkerTimeout +absent$", out, re.MULTILINE)
    assert re.search(r"^joint_torque_regressor +-- +absent$", out, re.MULTILINE)
