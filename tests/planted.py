"""A run with an adapter that was changed to do something else."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from libcheck import ROOT, commands, worker
from libcheck.config import Settings
from libcheck.record import Record
from libcheck.run import execute
from libcheck.selection import Selection


def planted(
    folder: Path,
    monkeypatch: pytest.MonkeyPatch,
    change: tuple[str, str],
    library: str,
    model: str,
    names: tuple[str, ...],
) -> tuple[dict[str, Record], int]:
    """Run a library on a model after one replacement in the text of its adapter.

    Without a name of a model, what is asked is not about models.

    Returns:
        The failing records by name, and the exit status.
    """
    for name in ("adapters", "models"):
        ignored = shutil.ignore_patterns("__pycache__")
        shutil.copytree(ROOT / name, folder / name, ignore=ignored)
    old, new = change
    files = [folder / "adapters" / f"{n}.py" for n in (library, f"_{library}_robot")]
    texts = {file: file.read_text(encoding="utf-8") for file in files}
    (adapter,) = (file for file, text in texts.items() if old in text)
    assert texts[adapter].count(old) == 1
    adapter.write_text(texts[adapter].replace(old, new), encoding="utf-8")
    monkeypatch.setattr(worker, "ROOT", folder)
    settings = Settings(libraries=(library,), samples=10, jobs=1)
    chosen = Selection(models=(model,) if model else (), names=names)
    report, _ = execute(settings, chosen, ["libcheck"], lambda *_: None)
    assert {record.name for record in report.records} == set(names)
    failures = {record.name: record for record in report.failures}
    return failures, commands.status(report, chosen)
