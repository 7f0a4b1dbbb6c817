"""Tables of numbers and names, as the figures of a chapter are drawn from."""

from __future__ import annotations

from typing import NamedTuple


class Table(NamedTuple):
    """Columns under names with units, row by row."""

    header: tuple[str, ...]
    rows: tuple[tuple[float | str, ...], ...]
