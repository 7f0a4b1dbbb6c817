"""The data of a figure as CSV."""

from __future__ import annotations

import csv
import io

from libcheck.record import Figure


def render(figure: Figure) -> str:
    """A header and one row per line; every number with the digits that identify it."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(figure.header)
    writer.writerows(figure.rows)
    return out.getvalue()
