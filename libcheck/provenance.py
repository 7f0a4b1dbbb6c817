"""What a report was made with, so that a red one can be attributed."""

from __future__ import annotations

import hashlib
import json
import platform
import shlex
from collections.abc import Sequence
from importlib.metadata import PackageNotFoundError, version
from typing import Any

import numpy as np

from libcheck import __version__
from libcheck.config import Settings
from models import MODELS, Model, to_data

SUITE_VERSION = "3"
"""Raised when a rule, a sample or a model changes, so that verdicts may change with it."""


def provenance(
    settings: Settings,
    versions: dict[str, str],
    command: list[str],
    files: Sequence[Model] = (),
) -> dict[str, Any]:
    """Versions, platform, seed and command line; no clock, so that two runs diff cleanly."""
    models = MODELS | {model.name: model for model in files}
    return {
        "command": shlex.join(command),
        "libcheck": __version__,
        "suite": SUITE_VERSION,
        "seed": settings.seed,
        "samples": settings.samples or "default of each model",
        "libraries": {name: versions.get(name, "") for name in sorted(versions)},
        "python": platform.python_version(),
        "packages": {
            name: _version(name) for name in ("numpy", "scipy", "python-flint")
        },
        "blas": _blas(),
        "os": platform.platform(),
        "cpu": _cpu(),
        "models": {name: _fingerprint(model) for name, model in sorted(models.items())},
    }


def _version(distribution: str) -> str:
    try:
        return version(distribution)
    except PackageNotFoundError:
        return ""


def _blas() -> str:
    config: Any = np.show_config(mode="dicts")
    blas = config.get("Build Dependencies", {}).get("blas", {})
    return f"{blas.get('name', '?')} {blas.get('version', '')}".strip()


def _cpu() -> str:
    try:
        with open("/proc/cpuinfo", encoding="utf-8") as file:
            for line in file:
                if line.startswith("model name"):
                    return line.partition(":")[2].strip()
    except OSError:
        pass
    return platform.processor() or platform.machine()


def _fingerprint(model: Model) -> str:
    data = json.dumps(to_data(model), sort_keys=True)
    return hashlib.sha256(data.encode()).hexdigest()[:16]
