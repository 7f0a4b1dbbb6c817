"""Cross-validation harness for robotics dynamics libraries."""

import sys
from pathlib import Path

__version__ = "0.1.0"

_here = Path(__file__).resolve().parent

ROOT = _here / "_bundle" if (_here / "_bundle").is_dir() else _here.parent
"""Folder that holds the packages `reference`, `adapters` and `models`.

In a checkout they lie beside this package; a wheel carries them in `_bundle`, so that no
name as common as `models` is installed at the top of site-packages.
"""

sys.path.insert(
    0, str(ROOT)
)  # first: the working folder may hold a `models` of its own
