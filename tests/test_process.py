"""The program as a process of its own: terminals, pipes and interrupts."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import termios
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from libcheck import ROOT, exits

SMALL = ("--model", "arm_2r", "--library", "pinocchio", "--samples", "2")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A working folder without any settings."""
    return tmp_path


def started(*words: str, folder: Path) -> subprocess.Popen[str]:
    """The program in a process group of its own."""
    return subprocess.Popen(
        [sys.executable, "-m", "libcheck", *words],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        process_group=0,
    )


def test_a_run_writes_reports_and_is_quiet_without_a_terminal(folder: Path) -> None:
    run = started("run", *SMALL, folder=folder)
    out, err = run.communicate(timeout=60)
    assert (run.returncode, err) == (0, "")
    assert out.startswith("no check fails: ")
    assert {f.name for f in (folder / "reports").iterdir()} == {
        "report.json", "report.xml", "report.md", "3.4-libcheck-output.txt",
    }  # fmt: skip


def test_progress_is_shown_on_a_terminal_only(folder: Path) -> None:
    ours, theirs = os.openpty()
    termios.tcsetwinsize(theirs, (24, 120))
    words = [sys.executable, "-m", "libcheck", "run", *SMALL, "--quiet"]
    where = {**os.environ, "PYTHONPATH": str(ROOT)}
    subprocess.run(words, cwd=folder, env=where, stderr=theirs, check=True, timeout=60)
    os.close(theirs)
    shown = os.read(ours, 10_000).decode()
    os.close(ours)
    assert "pinocchio on arm_2r" in shown


def test_a_reader_that_has_had_enough_is_no_bug(folder: Path) -> None:
    run = started("list", "quantities", folder=folder)
    assert run.stdout is not None
    assert run.stderr is not None
    run.stdout.close()
    err = run.stderr.read()
    run.stderr.close()
    assert (run.wait(60), err) == (exits.EXIT_PIPE, "")


def workers_of(library: str) -> list[str]:
    """Processes that serve a library."""
    found = []
    for entry in Path("/proc").glob("[0-9]*/cmdline"):
        try:
            words = entry.read_bytes().decode(errors="replace").split("\0")
        except OSError:
            continue
        if any(w.endswith("_worker.py") for w in words) and library in words:
            found.append(entry.parent.name)
    return found


def wait_for(condition: Callable[[], bool]) -> None:
    deadline = time.monotonic() + 30
    while not condition():
        assert time.monotonic() < deadline
        time.sleep(0.05)


@pytest.mark.skipif(not Path("/proc").is_dir(), reason="lists processes by /proc")
def test_an_interrupt_ends_the_run_at_once_and_keeps_what_is_done(folder: Path) -> None:
    """The library hangs in a call that may take a minute."""
    (folder / "pyproject.toml").write_text(
        "[tool.libcheck]\nlibraries = ['pinocchio', '_faulty']\ntimeout = 60\n"
    )
    others = set(workers_of("_faulty"))
    words = ("--model", "arm_2r", "--quantity", "mass_matrix,inverse_dynamics")
    run = started("run", *words, "--samples", "1", "--jobs", "1", folder=folder)
    wait_for(lambda: len(set(workers_of("_faulty")) - others) > 0)
    time.sleep(1.0)  # by now it hangs
    os.killpg(run.pid, signal.SIGINT)
    begun = time.monotonic()
    out, err = run.communicate(timeout=60)
    assert time.monotonic() - begun < 5
    assert (run.returncode, err) == (130, "")
    assert "interrupted" in out
    report = (folder / "reports" / "report.json").read_text()
    assert '"interrupted": true' in report
    assert '"library": "pinocchio"' in report
    assert not set(workers_of("_faulty")) - others
