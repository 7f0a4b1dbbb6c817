"""What is installed, what imports, which version, and what helps where it does not."""

from __future__ import annotations

import shutil
import sys
from dataclasses import dataclass

from libcheck import selection
from libcheck.config import Settings
from libcheck.selection import Selection
from libcheck.worker import UNUSABLE, Worker

INSTALL = {
    "pinocchio": "pin",
    "mujoco": "mujoco",
    "drake": "drake",
    "roboticstoolbox": "roboticstoolbox-python",
    "modern_robotics": "modern_robotics",
}
"""Distribution of each library on PyPI."""


@dataclass(frozen=True)
class Diagnosis:
    """The state of one library.

    Attributes:
        library: Name of the adapter.
        state: "ok", "absent", "broken" or "crashed".
        version: Its version.
        text: What it offers, or why it cannot be used.
        advice: What to do about it.
        import_seconds: Time that the import took.
    """

    library: str
    state: str
    version: str
    text: str
    advice: str
    import_seconds: float


def diagnose(settings: Settings, chosen: Selection) -> list[Diagnosis]:
    """Try to import every library, each in a process of its own."""
    names = selection.libraries(chosen, settings)
    return [_diagnose(name, settings) for name in names]


def _diagnose(library: str, settings: Settings) -> Diagnosis:
    python = settings.python.get(library, sys.executable)
    with Worker(library, python, settings.timeout, settings.import_timeout) as worker:
        about = worker.about
        for state in UNUSABLE:
            if state in about:
                reason = str(about[state])
                advice = _advice(library, state, python)
                return Diagnosis(library, state, "", reason, advice, 0.0)
        offers = f"{len(about.get('offers', ()))} quantities, Python {about['python']}"
        version = str(about["version"])
        return Diagnosis(library, "ok", version, offers, "", worker.import_seconds)


def _advice(library: str, state: str, python: str) -> str:
    if shutil.which(python) is None:
        return f"name an interpreter in [tool.libcheck.python] {library}"
    word = "install" if state == "absent" else "install --force-reinstall"
    return f"{python} -m pip {word} {INSTALL.get(library, library)}"


def render(diagnoses: list[Diagnosis]) -> str:
    """The diagnoses as text."""
    lines = []
    for d in diagnoses:
        seconds = f", imports in {d.import_seconds:.1f} s" if d.state == "ok" else ""
        title = f"{d.library} {d.version}".strip()
        lines.append(f"{d.state:8} {title}: {d.text}{seconds}")
        if d.advice:
            lines.append(f"{'':8} try: {d.advice}")
    return "\n".join(lines) + "\n"
