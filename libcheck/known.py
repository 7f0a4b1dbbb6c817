"""Known issues: listed, linked, and strict both ways.

An entry explains a failure only where library, version, quantity, model, verdict and kind of
sample all fit; an entry that does not reproduce where it should is stale.
"""

from __future__ import annotations

import operator
import re
import tomllib
from dataclasses import MISSING, dataclass, fields
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any

from libcheck import ROOT
from libcheck.config import UsageError
from libcheck.record import Verdict
from libcheck.samples import KINDS, kind_of
from models import Model
from reference.closing import redundancy

FAULTS = ("library", "importer", "adapter", "convention")
MANY = ("names", "models", "samples")
"""Keys that hold a list."""

COMPARE = {
    ">=": operator.ge,
    "<=": operator.le,
    "==": operator.eq,
    "<": operator.lt,
    ">": operator.gt,
}


class KnownIssuesError(UsageError):
    """The file of known issues is not right; the message says where."""


@dataclass(frozen=True)
class Issue:
    """One known issue of a library.

    Attributes:
        id: Its name.
        library: Adapter.
        versions: Version range, e.g. ">=1.5,<1.6"; empty for all.
        names: Quantities and laws it makes fail (shell patterns).
        models: Models (shell patterns).
        verdict: The verdict it explains.
        samples: Kinds of sample at which it shows (see `samples.kind_of`); empty for all.
        rows: "redundant" if it shows only where rows of the constraints depend on each
            other; empty for any model.
        fault: Party at fault.
        reason: One sentence.
        link: Where it is reported or documented.
    """

    id: str
    library: str
    names: tuple[str, ...]
    models: tuple[str, ...]
    verdict: str
    reason: str
    link: str
    fault: str = "library"
    versions: str = ""
    samples: tuple[str, ...] = ()
    rows: str = ""

    def covers(self, library: str, version: str, name: str, model: str) -> bool:
        """Whether the issue says anything about this record."""
        return (
            library == self.library
            and in_range(version, self.versions)
            and any(fnmatchcase(name, pattern) for pattern in self.names)
            and any(fnmatchcase(model, pattern) for pattern in self.models)
        )

    def is_about(self, model: Model) -> bool:
        """Whether the constraints of a model are of the kind that it shows on."""
        return not self.rows or bool(model.loops and redundancy(model))

    def explains(self, verdict: str, wrong: list[int]) -> bool:
        """Whether it explains a failure at these samples."""
        kinds = {kind_of(i) for i in wrong}
        return verdict == self.verdict and (
            not self.samples or (bool(wrong) and kinds <= set(self.samples))
        )


def read(path: Path | None = None) -> tuple[Issue, ...]:
    """The known issues of a file, by default the ones that come with the adapters.

    Raises:
        KnownIssuesError: If the file or an entry of it is not right.
    """
    file = path or ROOT / "adapters" / "known_issues.toml"
    try:
        document = tomllib.loads(file.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise KnownIssuesError(f"cannot read {file}: {error}") from None
    entries = document.pop("issue", [])
    if document or not isinstance(entries, list):
        raise KnownIssuesError(f"{file}: holds something else than [[issue]]")
    issues: dict[str, Issue] = {}
    for number, entry in enumerate(entries, 1):
        name = entry.get("id", f"entry {number}") if isinstance(entry, dict) else number
        try:
            issue = _issue(entry)
        except (TypeError, ValueError, KnownIssuesError) as error:
            raise KnownIssuesError(f"{file}: {name}: {error}") from None
        if issue.id in issues:
            raise KnownIssuesError(f"{file}: {issue.id}: is there twice")
        issues[issue.id] = issue
    return tuple(issues.values())


def _issue(entry: dict[str, Any]) -> Issue:
    """An entry, if it says what an entry can say.

    Raises:
        TypeError: If a key is unknown or missing, or a value has the wrong type.
        ValueError: If a value is none of those that there are.
        KnownIssuesError: If its version range is none.
    """
    known = {f.name: f.default is MISSING for f in fields(Issue)}
    unknown = [key for key in entry if key not in known]
    missing = [key for key, needed in known.items() if needed and key not in entry]
    if unknown or missing:
        what = f"unknown key {unknown[0]!r}" if unknown else f"no {missing[0]!r}"
        raise TypeError(what)
    for key, value in entry.items():
        items = value if key in MANY else [value]
        if not isinstance(items, list) or not all(isinstance(x, str) for x in items):
            wanted = "a list of texts" if key in MANY else "text"
            raise TypeError(f"{key} = {value!r} is not {wanted}")
    values: dict[str, Any] = {
        key: tuple(value) if key in MANY else value for key, value in entry.items()
    }
    issue = Issue(**values)
    failing = [verdict.value for verdict in Verdict if verdict.fails]
    for key, given, valid in (
        ("verdict", [issue.verdict], failing),
        ("fault", [issue.fault], FAULTS),
        ("samples", issue.samples, KINDS),
        ("rows", filter(None, [issue.rows]), ("redundant",)),
    ):
        for value in given:
            if value not in valid:
                raise ValueError(f"{key} {value!r} is none of {', '.join(valid)}")
    in_range("0", issue.versions)
    return issue


def in_range(version: str, bounds: str) -> bool:
    """Whether a version lies in a range such as ">=1.5,<1.6"; an unknown one is in none.

    Raises:
        KnownIssuesError: If the range is none.
    """
    mine, holds = _numbers(version), True
    for bound in filter(None, bounds.split(",")):
        match = re.fullmatch(r"\s*(>=|<=|==|<|>)\s*(\d+(?:\.\d+)*)\s*", bound)
        if match is None:
            raise KnownIssuesError(f"not a version range: {bounds!r}")
        other = _numbers(match[2])
        width = max(len(mine), len(other))
        a, b = (x + (0,) * (width - len(x)) for x in (mine, other))
        holds = holds and mine != () and COMPARE[match[1]](a, b)
    return holds


def _numbers(version: str) -> tuple[int, ...]:
    match = re.match(r"\d+(\.\d+)*", version)
    return tuple(int(x) for x in match[0].split(".")) if match else ()
