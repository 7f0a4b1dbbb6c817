"""The text's tables in plain text: those whose rows have names."""

from __future__ import annotations

from libcheck.record import Figure, Report
from libcheck.reporters import table


def render(report: Report) -> str:
    """Every table with named rows; those of numbers alone are curves, and stay CSV."""
    parts = [
        f"Table {name}:\n{table.aligned(_cells(figure))}"
        for name, figure in report.figures.items()
        if figure.rows and isinstance(figure.rows[0][0], str)
    ]
    return "\n\n".join(parts)


def _cells(figure: Figure) -> list[list[str]]:
    return [list(figure.header), *([_cell(x) for x in row] for row in figure.rows)]


def _cell(x: float | str) -> str:
    return f"{x:.3g}" if isinstance(x, float) else str(x)
