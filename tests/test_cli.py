"""What a user types, and what becomes of it: one line on stderr and an exit status."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from libcheck import ROOT, cli, known, selection
from models import CATALOGUE
from reference import CHAPTERS

COMMANDS = ("all", "bench", "doctor", "list", "render", "run")
SMALL = ("--model", "arm_2r", "--library", "pinocchio", "--samples", "2")


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A working folder without any settings."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


# --------------------------------------------------------------------------------- usage


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ("run --library pinochio", "no library 'pinochio'; did you mean pinocchio?"),
        ("run --library zzz", "no library 'zzz'; known: pinocchio, mujoco"),
        ("run --chapter 3.5", "no chapter '3.5'; did you mean 3.4?"),
        ("run --model pand", "no model 'pand'; did you mean panda"),
        (
            "run --quantity mass_matrx",
            "no quantity 'mass_matrx'; did you mean mass_matrix",
        ),
        ("run --quantity kinetic_energy,", "an empty name in 'kinetic_energy,'"),
        ("run --library reference --quantity mass_matrix", "nothing to check"),
        ("list models --chapter 9", "no chapter '9'"),
        ("doctor --library reference", "no library 'reference'"),
        ("bench --library drakee", "no library 'drakee'; did you mean drake?"),
        ("bench --configurations 0", "--configurations must be 1 or more"),
        ("run --samples 0", "samples must be 1 or more, not 0"),
        ("run --samples -1", "samples must be 1 or more, not -1"),
        ("run --sample -1", "sample must be 0 or more, not -1"),
        ("run --samples many", "argument --samples: invalid int value: 'many'"),
        ("run --seed -1", "seed must be 0 or more"),
        ("run --jobs 0", "jobs must be 1 or more"),
        ("run --timeout 0", "timeout must be more than 0 s"),
        ("run --timeout nan", "timeout must be more than 0 s"),
        ("all --sample 3", "unrecognized arguments: --sample 3"),
        ("run --colour red", "unrecognized arguments: --colour red"),
        ("", "the following arguments are required: COMMAND"),
        ("fly", "invalid choice: 'fly'"),
        ("list", "the following arguments are required: what"),
        ("list stars", "invalid choice: 'stars'"),
        ("render", "the following arguments are required: file"),
        ("run --config none.toml", "cannot read none.toml: No such file or directory"),
        ("run --config .", "cannot read .: Is a directory"),
    ],
)
def test_what_cannot_be_done_is_said_in_one_line(
    folder: Path, capsys: pytest.CaptureFixture[str], words: str, message: str
) -> None:
    earlier = folder / "reports" / "report.json"
    earlier.parent.mkdir()
    earlier.write_text("an earlier report")
    assert cli.main(words.split()) == 2
    out, err = capsys.readouterr()
    assert message in err
    assert err.startswith("libcheck: ")
    assert err.count("\n") == 1
    assert out == ""
    assert [f.name for f in earlier.parent.iterdir()] == ["report.json"]
    assert earlier.read_text() == "an earlier report"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("[tool.libcheck]\nsample = 3", "has no key 'sample'; did you mean samples"),
        ("[tool.libcheck]\nsamples = 'many'", "samples = 'many' is not of type int"),
        ("[tool.libcheck]\nsamples = true", "samples = True is not of type int"),
        ("[tool.libcheck]\nsamples = 0", "samples must be 1 or more, not 0"),
        ("[tool.libcheck]\ntimeout = -1", "timeout must be more than 0 s"),
        (
            "[tool.libcheck]\nlibraries = 'drake'",
            "libraries = 'drake' is not of type list",
        ),
        (
            "[tool.libcheck]\nlibraries = ['drak']",
            "no library 'drak'; did you mean drake?",
        ),
        ("[tool.libcheck]\nlibraries = [3]", "no library 3; known: drake"),
        ("[tool.libcheck.python]\ndrak = 'python'", "python: no library 'drak'"),
        ("[tool.libcheck.python]\ndrake = 3", "python: drake = 3 is not a path"),
        ("tool = 3\n[a", "cannot read settings.toml: "),
        ("[tool]\nlibcheck = 3", "[tool.libcheck] is not a table"),
    ],
)
def test_settings_that_are_wrong_are_named(
    folder: Path, capsys: pytest.CaptureFixture[str], text: str, message: str
) -> None:
    (folder / "settings.toml").write_text(text)
    assert cli.main(["list", "models", "--config", "settings.toml"]) == 2
    err = capsys.readouterr().err
    assert message in err
    assert "settings.toml" in err
    assert err.count("\n") == 1


def test_settings_that_are_not_text_are_refused(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (folder / "pyproject.toml").write_bytes(b"\xff\xfe")
    assert cli.main(["list", "models"]) == 2
    assert "cannot read pyproject.toml" in capsys.readouterr().err


@pytest.mark.parametrize("text", ["", "tool = 3", "[tool.other]\nkey = 1"])
def test_a_project_file_of_others_is_none_of_our_business(
    folder: Path, text: str
) -> None:
    (folder / "pyproject.toml").write_text(text)
    assert cli.main(["list", "models"]) == 0


@pytest.mark.parametrize("out", ["file", "file/below"])
def test_a_folder_that_cannot_be_written_is_refused_before_the_run(
    folder: Path, capsys: pytest.CaptureFixture[str], out: str
) -> None:
    (folder / "file").write_text("in its place")
    assert cli.main(["run", *SMALL, "--out", out]) == 2
    assert f"cannot write to {out}: " in capsys.readouterr().err
    assert (folder / "file").read_text() == "in its place"


@pytest.mark.parametrize("words", ["run --model arm_2r", "list known"])
def test_a_malformed_list_of_known_issues_is_named(
    folder: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    words: str,
) -> None:
    (folder / "adapters").mkdir()
    (folder / "adapters" / "known_issues.toml").write_text("[[issue]]\nid = 'odd'")
    monkeypatch.setattr(known, "ROOT", folder)
    assert cli.main(words.split()) == 2
    err = capsys.readouterr().err
    assert "known_issues.toml: odd: no 'library'" in err
    assert err.count("\n") == 1


def test_a_known_issue_that_no_longer_reproduces_is_to_be_deleted(
    folder: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    (folder / "adapters").mkdir()
    (folder / "adapters" / "known_issues.toml").write_text(
        "[[issue]]\nid = 'gone'\nlibrary = 'pinocchio'\nnames = ['mass_matrix']\n"
        "models = ['*']\nverdict = 'CRASH'\nreason = 'why'\nlink = 'https://example.org'\n"
    )
    monkeypatch.setattr(known, "ROOT", folder)
    one = CHAPTERS["3.4"]._replace(models={"arm_2r": CATALOGUE["arm_2r"]})
    monkeypatch.setattr(selection, "CHAPTERS", {"3.4": one})
    words = ["run", "--library", "pinocchio", "--out", "out"]
    assert cli.main(words) == 4
    assert "known issues no longer reproduce: gone" in capsys.readouterr().out
    text = (folder / "out" / "3.4-libcheck-output.txt").read_text()
    assert "gone no longer reproduces: delete it from known_issues.toml" in text
    assert cli.main([*words, "--quantity", "mass_matrix"]) == 0, (
        "in part, nothing is stale"
    )


# ----------------------------------------------------------------------------- help etc.


@pytest.mark.parametrize("command", [(), *((name,) for name in COMMANDS)], ids=str)
def test_help_tells_the_exit_status(
    capsys: pytest.CaptureFixture[str], command: tuple[str, ...]
) -> None:
    assert cli.main([*command, "--help"]) == 0
    assert "exit status:" in capsys.readouterr().out


def test_the_version_is_told(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["--version"]) == 0
    assert capsys.readouterr().out.startswith("libcheck 0.")


def test_help_needs_no_numerics() -> None:
    code = (
        "import sys; from libcheck import cli; cli.main(['run', '--help']); "
        "sys.exit(any(m in sys.modules for m in ('numpy', 'scipy', 'flint')))"
    )
    subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, check=True, stdout=subprocess.DEVNULL
    )


@pytest.mark.parametrize("what", [name for name in cli.LISTS if name != "claims"])
def test_everything_there_is_can_be_listed(
    capsys: pytest.CaptureFixture[str], what: str
) -> None:
    assert cli.main(["list", what]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines
    assert all(line == line.rstrip() for line in lines)


def test_the_doctor_says_what_runs_and_what_helps(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (folder / "pyproject.toml").write_text(
        "[tool.libcheck]\nlibraries = ['pinocchio', '_absent', '_faulty']\n"
        "[tool.libcheck.python]\n_faulty = '/no/such/python'"
    )
    assert cli.main(["doctor"]) == 0
    out = capsys.readouterr().out
    assert "ok       pinocchio " in out
    assert "absent   _absent: ModuleNotFoundError" in out
    assert "-m pip install _absent" in out
    assert "broken   _faulty: cannot run /no/such/python" in out
    assert "try: name an interpreter in [tool.libcheck.python] _faulty" in out
    assert cli.main(["doctor", "--library", "_absent"]) == 3
    assert cli.main(["doctor", "--library", "pinocchio"]) == 0
