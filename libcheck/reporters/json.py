"""JSON: the record of a run, from which every other format can be rendered again."""

from __future__ import annotations

import json

from libcheck.record import Report


def render(report: Report) -> str:
    """The report as JSON, keys in a fixed order."""
    data = report.as_data()
    return json.dumps(data, indent=1, ensure_ascii=False, allow_nan=False) + "\n"
