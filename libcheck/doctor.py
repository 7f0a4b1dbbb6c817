"""What is installed, what imports, which version, and what helps where it does not."""

from __future__ import annotations

import sys
from dataclasses import dataclass

from libcheck import selection
from libcheck.config import Settings
from libcheck.selection import Selection
from libcheck.worker import Worker

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
        for state in ("absent", "broken", "crashed"):
            if state in about:
                distribution = INSTALL.get(library, library)
                word = "install" if state == "absent" else "install --force-reinstall"
                advice = f"{python} -m pip {word} {distribution}"
                return Diagnosis(library, state, "", str(about[state]), advice, 0.0)
        offers = f"{len(about.get('offers', ()))} quantities, Python {about['python']}"
        version = str(about["version"])
        return Diagnosis(library, "ok", version, offers, "", worker.import_seconds)


def render(diagnoses: list[Diagnosis]) -> str:
    """The diagnoses as text."""
    lines = []
    for d in diagnoses:
        seconds = f", imports in {d.import_seconds:.1f} s" if d.state == "ok" else ""
        lines.append(f"{d.state:8} {d.library} {d.version}: {d.text}{seconds}")
        if d.advice:
            lines.append(f"         try: {d.advice}")
    return "\n".join(lines) + "\n"
