"""Known issues: listed, linked, and strict both ways.

An entry explains a failure only where library, version, quantity, model, verdict and kind of
sample all fit; an entry that does not reproduce where it should is stale.
"""

from __future__ import annotations

import re
import tomllib
from dataclasses import dataclass
from fnmatch import fnmatchcase
from pathlib import Path

from libcheck import ROOT
from libcheck.samples import kind_of


class KnownIssuesError(ValueError):
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

    def covers(self, library: str, version: str, name: str, model: str) -> bool:
        """Whether the issue says anything about this record."""
        return (
            library == self.library
            and in_range(version, self.versions)
            and any(fnmatchcase(name, pattern) for pattern in self.names)
            and any(fnmatchcase(model, pattern) for pattern in self.models)
        )

    def explains(self, verdict: str, wrong: list[int]) -> bool:
        """Whether it explains a failure at these samples."""
        kinds = {kind_of(i) for i in wrong}
        return verdict == self.verdict and (
            not self.samples or bool(wrong) and kinds <= set(self.samples)
        )


def read(path: Path | None = None) -> tuple[Issue, ...]:
    """The known issues of a file, by default the ones that come with the adapters.

    Raises:
        KnownIssuesError: If an entry lacks a key or has one too many.
    """
    file = path or ROOT / "adapters" / "known_issues.toml"
    try:
        entries = tomllib.loads(file.read_text(encoding="utf-8")).get("issue", [])
    except (OSError, tomllib.TOMLDecodeError) as error:
        raise KnownIssuesError(f"cannot read {file}: {error}") from None
    issues = []
    for entry in entries:
        plain = {k: tuple(v) if isinstance(v, list) else v for k, v in entry.items()}
        try:
            issues.append(Issue(**plain))
        except TypeError as error:
            raise KnownIssuesError(f"{file}: {entry.get('id', '?')}: {error}") from None
    return tuple(issues)


def in_range(version: str, bounds: str) -> bool:
    """Whether a version lies in a range such as ">=1.5,<1.6"."""
    mine = _numbers(version)
    for bound in filter(None, bounds.split(",")):
        match = re.fullmatch(r"\s*(>=|<=|==|<|>)\s*([\d.]+)\s*", bound)
        if match is None:
            raise KnownIssuesError(f"not a version range: {bounds!r}")
        operator, other = match[1], _numbers(match[2])
        width = max(len(mine), len(other))
        a, b = (x + (0,) * (width - len(x)) for x in (mine, other))
        holds = {
            ">=": a >= b,
            "<=": a <= b,
            "==": a == b,
            "<": a < b,
            ">": a > b,
        }
        if not holds[operator]:
            return False
    return True


def _numbers(version: str) -> tuple[int, ...]:
    match = re.match(r"\d+(\.\d+)*", version)
    return tuple(int(x) for x in match[0].split(".")) if match else ()
