"""Write files whole or not at all."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path

from libcheck.config import UsageError


def writable_folder(folder: Path) -> None:
    """Make a folder, and refuse one that cannot be written to.

    Raises:
        UsageError: Naming the folder and the reason.
    """
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder):
            pass
    except OSError as error:
        raise UsageError(f"cannot write to {folder}: {error.strerror}") from None


def write(path: Path, text: str) -> None:
    """Write a text file so that readers see the old one or the whole new one."""
    handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
    try:
        with os.fdopen(handle, "w", encoding="utf-8") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        os.chmod(name, 0o644)
        os.replace(name, path)
    except BaseException:
        Path(name).unlink(missing_ok=True)
        raise
