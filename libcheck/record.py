"""What a run found: verdicts, records, and the report of them all."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, fields
from enum import Enum
from typing import Any

SCHEMA_VERSION = 1
KINDS = ("quantity", "law", "structure", "claim")


class Verdict(Enum):
    """Outcome of one check."""

    AGREE = "AGREE"  # within the bound on every sample
    KNOWN = "KNOWN"  # fails as a listed, linked issue says
    DIFFER = "DIFFER"  # certainly beyond the bound on some sample
    NONFINITE = "NONFINITE"  # NaN or infinity where a number is due
    ERROR = "ERROR"  # the library raised, or answered with the wrong shape
    CRASH = "CRASH"  # the library ended its process
    TIMEOUT = "TIMEOUT"  # the library did not answer in time
    UNSUPPORTED = "UNSUPPORTED"  # the library does not offer this
    ABSENT = "ABSENT"  # the library is not installed
    UNDECIDED = "UNDECIDED"  # no certain answer
    ERRATUM = "ERRATUM"  # a printed statement of the text is wrong

    @property
    def fails(self) -> bool:
        """Whether a library's record with this verdict makes a run fail."""
        return self in FAILING


FAILING = {
    Verdict.DIFFER,
    Verdict.NONFINITE,
    Verdict.ERROR,
    Verdict.CRASH,
    Verdict.TIMEOUT,
    Verdict.UNDECIDED,
}


@dataclass(frozen=True)
class Record:
    """One check of one library on one model, or one claim of the text.

    Attributes:
        chapter: Chapter number.
        kind: "quantity", "law", "structure" or "claim".
        name: Name of the quantity or law, what of structure, or the claim's id.
        model: Name of the model, of the library's joint model, or of the linkage.
        library: Name of the adapter; "reference" for a claim, "numpy" for its own ranks.
        version: Version of the library.
        verdict: A name of `Verdict`.
        fault: Party at fault where it fails: library, importer, adapter, convention, input,
            reference, text or undecided; empty otherwise.
        stage: Stage in which the library first differs on this model.
        error: Largest error, at the worst sample; None where nothing was compared.
        bound: The bound at that entry.
        ratio: error / bound.
        digits: Decimal digits in agreement, relative to the largest entry.
        sample: Worst sample, -1 without one.
        samples: How many samples were compared.
        entry: Worst entry of a failure there, e.g. "[0, 2]"; empty for a scalar.
        grade: "A" inside the link-frame bound, "B" inside the world-frame bound.
        message: What there is to say, in one paragraph.
        known: Id of the known issue that explains the failure.
        inputs: Inputs at the worst sample of a failure, as text; of a claim, what it is about.
        expected: The certified value there, or the printed one.
        got: The library's value there, or ours.
        command: The command that reproduces the record.
    """

    chapter: str
    kind: str
    name: str
    model: str
    library: str
    version: str
    verdict: str
    fault: str = ""
    stage: str = ""
    error: float | None = None
    bound: float | None = None
    ratio: float | None = None
    digits: float | None = None
    sample: int = -1
    samples: int = 0
    entry: str = ""
    grade: str = ""
    message: str = ""
    known: str = ""
    inputs: str = ""
    expected: str = ""
    got: str = ""
    command: str = ""

    def __post_init__(self) -> None:
        """Infinity and NaN are no numbers to a report: JSON has no words for them."""
        for name in ("error", "bound", "ratio", "digits"):
            value = getattr(self, name)
            if value is not None and not math.isfinite(value):
                object.__setattr__(self, name, None)

    @property
    def key(self) -> tuple[str, str, str, str, str, str]:
        """What identifies it in a report."""
        return (
            self.chapter, self.kind, self.name, self.model, self.library, self.version
        )  # fmt: skip

    @property
    def fails(self) -> bool:
        """Whether it makes a run fail."""
        if self.kind == "claim":
            return self.verdict == Verdict.DIFFER.value
        return Verdict(self.verdict).fails


@dataclass(frozen=True)
class Figure:
    """The data of a figure of the text: named columns, and rows of numbers or names."""

    header: tuple[str, ...]
    rows: tuple[tuple[float | str, ...], ...]


@dataclass(frozen=True)
class Report:
    """All records of a run and what they were made with.

    Attributes:
        provenance: Versions, platform, seed, command line.
        records: The records, sorted.
        reference: By quantity, the reference's own worst float64 error over its bound.
        stale: Ids of known issues that did not reproduce although they should have.
        texts: By chapter and name, what a quantity or law states: symbol, source, sentence.
        figures: By chapter and name, e.g. "3.11-drift", the data of the text's figures.
    """

    provenance: Mapping[str, Any]
    records: tuple[Record, ...]
    reference: Mapping[str, float] = field(default_factory=dict)
    stale: tuple[str, ...] = ()
    texts: Mapping[str, str] = field(default_factory=dict)
    figures: Mapping[str, Figure] = field(default_factory=dict)

    def counts(self) -> dict[str, int]:
        """Number of records by verdict, in the order of `Verdict`."""
        found = [r.verdict for r in self.records]
        return {v.value: found.count(v.value) for v in Verdict if v.value in found}

    @property
    def failures(self) -> list[Record]:
        """The records that make the run fail."""
        return [r for r in self.records if r.fails]

    def as_data(self) -> dict[str, Any]:
        """The report as JSON data."""
        return {
            "schema_version": SCHEMA_VERSION,
            "provenance": dict(self.provenance),
            "counts": self.counts(),
            "reference": dict(self.reference),
            "stale": list(self.stale),
            "texts": dict(self.texts),
            "records": [_finite(asdict(r)) for r in self.records],
            "figures": {name: asdict(f) for name, f in self.figures.items()},
        }


def _finite(fields: dict[str, Any]) -> dict[str, Any]:
    """A record as JSON can hold it: a ratio to a bound of zero becomes null."""
    return {
        name: None if isinstance(x, float) and not math.isfinite(x) else x
        for name, x in fields.items()
    }


class ReportError(ValueError):
    """The data is not a report of this schema."""


def from_data(data: Any) -> Report:
    """The report that `Report.as_data` wrote.

    Raises:
        ReportError: If it is not one.
    """
    if not isinstance(data, dict) or "schema_version" not in data:
        raise ReportError("not a libcheck report: no schema_version")
    if data["schema_version"] != SCHEMA_VERSION:
        raise ReportError(
            f"schema_version {data['schema_version']!r}, this libcheck reads "
            f"{SCHEMA_VERSION}"
        )
    try:
        provenance, records = dict(data["provenance"]), data["records"]
        return Report(
            provenance,
            tuple(_record_from(r) for r in records),
            dict(data.get("reference", {})),
            tuple(data.get("stale", ())),
            dict(data.get("texts", {})),
            {n: _figure_from(f) for n, f in dict(data.get("figures", {})).items()},
        )
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        reason = f"{type(error).__name__}: {error}"
        raise ReportError(f"not a libcheck report: {reason}") from error


def _figure_from(data: Any) -> Figure:
    """A figure, if it is a table."""
    figure = Figure(tuple(data["header"]), tuple(tuple(row) for row in data["rows"]))
    for row in (figure.header, *figure.rows):
        if len(row) != len(figure.header) or not all(
            isinstance(x, int | float | str) for x in row
        ):
            raise ValueError(f"a figure has the row {row!r}")
    return figure


def _record_from(data: dict[str, Any]) -> Record:
    """A record, if all that it holds is of the right type."""
    kinds = {"str": (str,), "int": (int,), "float | None": (int, float, type(None))}
    known = {f.name: kinds[str(f.type)] for f in fields(Record)}
    record = Record(**{key: value for key, value in data.items() if key in known})
    for name, kind in known.items():
        if not isinstance(getattr(record, name), kind):
            raise TypeError(f"{name} = {getattr(record, name)!r}")
    if record.kind not in KINDS:
        raise ValueError(f"no kind of record {record.kind!r}")
    Verdict(record.verdict)
    return record
