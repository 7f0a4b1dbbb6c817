"""Settings of a run, from ``[tool.libcheck]`` of a TOML file."""

from __future__ import annotations

import os
import tomllib
from dataclasses import dataclass, field, fields, replace
from difflib import get_close_matches
from pathlib import Path
from typing import Any

from libcheck import ROOT

LIBRARIES = ("pinocchio", "mujoco", "drake", "roboticstoolbox", "modern_robotics")


class UsageError(Exception):
    """What the user asked for cannot be done; the message is one line that says why."""


@dataclass(frozen=True)
class Settings:
    """What to run and how.

    Attributes:
        libraries: Adapters to run, in the order of the report.
        python: Interpreter of an adapter, where it is not the one libcheck runs in.
        samples: Samples per model; None for the default of each model.
        seed: Seed of the samples.
        timeout: Time that one call of a library may take [s].
        import_timeout: Time that importing a library may take [s].
        jobs: Libraries that run at the same time.
        out: Folder of the reports.
    """

    libraries: tuple[str, ...] = LIBRARIES
    python: dict[str, str] = field(default_factory=dict)
    samples: int | None = None
    seed: int = 0
    timeout: float = 30.0
    import_timeout: float = 120.0
    jobs: int = field(default_factory=lambda: os.cpu_count() or 1)
    out: str = "reports"


KINDS: dict[str, tuple[type, ...]] = {
    "libraries": (list,),
    "python": (dict,),
    "samples": (int,),
    "seed": (int,),
    "timeout": (int, float),
    "import_timeout": (int, float),
    "jobs": (int,),
    "out": (str,),
}


def nearest(word: str, known: list[str]) -> str:
    """The hint that ends an error about an unknown name."""
    close = get_close_matches(word, known, 3)
    if close:
        return f"did you mean {' or '.join(close)}?"
    return f"known: {', '.join(known)}"


def read(path: Path | None) -> Settings:
    """The settings of a file, or of pyproject.toml in this folder if it has any.

    Raises:
        UsageError: If the file cannot be read, or holds an unknown key or a wrong value.
    """
    file = path or Path("pyproject.toml")
    if path is None and not file.exists():
        return Settings()
    try:
        document = tomllib.loads(file.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:  # not UTF-8, or not TOML
        reason = getattr(error, "strerror", None) or error
        raise UsageError(f"cannot read {file}: {reason}") from None
    tool = document.get("tool", {})
    table = tool.get("libcheck", {}) if isinstance(tool, dict) else {}
    if not isinstance(table, dict):
        raise UsageError(f"{file}: [tool.libcheck] is not a table")
    return _settings(table, file)


def _settings(table: dict[str, Any], file: Path) -> Settings:
    names = [f.name for f in fields(Settings)]
    for key, value in table.items():
        if key not in names:
            raise UsageError(
                f"{file}: [tool.libcheck] has no key {key!r}; {nearest(key, names)}"
            )
        if not isinstance(value, KINDS[key]) or isinstance(value, bool):
            wanted = " or ".join(kind.__name__ for kind in KINDS[key])
            raise UsageError(f"{file}: {key} = {value!r} is not of type {wanted}")
    for key in ("libraries", "python"):
        for name in table.get(key, ()):
            _adapter(name, f"{file}: {key}")
    for name, python in table.get("python", {}).items():
        if not isinstance(python, str):
            raise UsageError(f"{file}: python: {name} = {python!r} is not a path")
    if "libraries" in table:
        table = table | {"libraries": tuple(dict.fromkeys(table["libraries"]))}
    return checked(replace(Settings(), **table), str(file))


def _adapter(name: object, where: str) -> None:
    """Refuse a library for which there is no adapter."""
    folder = ROOT / "adapters"
    if not isinstance(name, str) or not (folder / f"{name}.py").is_file():
        names = sorted(f.stem for f in folder.glob("*.py") if f.stem[0] != "_")
        raise UsageError(f"{where}: no library {name!r}; {nearest(str(name), names)}")


def checked(settings: Settings, where: str) -> Settings:
    """The settings, if their numbers make sense.

    Raises:
        UsageError: If one does not.
    """
    for key, least in (("samples", 1), ("jobs", 1), ("seed", 0)):
        value = getattr(settings, key)
        if value is not None and value < least:
            raise UsageError(f"{where}: {key} must be {least} or more, not {value}")
    for key in ("timeout", "import_timeout"):
        if not getattr(settings, key) > 0:
            raise UsageError(f"{where}: {key} must be more than 0 s")
    return settings
