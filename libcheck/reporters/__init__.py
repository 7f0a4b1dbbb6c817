"""One module per format; each renders a report to text."""

from libcheck.reporters import json, junit, markdown, text

REPORTERS = {"json": json, "xml": junit, "md": markdown}
"""Written as report.json, report.xml and report.md."""

__all__ = ["REPORTERS", "json", "junit", "markdown", "text"]
