"""From what a library did to the records of a report."""

from __future__ import annotations

import shlex
import threading
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace

import numpy as np

from libcheck.blame import Outcome
from libcheck.config import Settings
from libcheck.interrogate import Finding
from libcheck.known import Issue
from libcheck.oracle import Oracle
from libcheck.record import Record, Verdict
from libcheck.samples import DEFAULT, KINDS, kind_of
from libcheck.selection import NUMPY, STRUCTURE
from models import Model
from reference import CHAPTERS

MOST_ENTRIES = 36
"""An array of more entries is shown by its worst row, or by its worst entry."""


@dataclass
class Book:
    """The records of a run; several libraries may write into it at a time.

    Attributes:
        settings: The settings of the run.
        config: The option that names their file, repeated in commands that reproduce.
        files: The options that name models of the user's, likewise.
        issues: The known issues.
        records: What was found so far.
        reference: By quantity, the reference's own worst float64 error over its bound.
        due: Known issues that the run has come across.
        reproduced: Those of them that explain a failure.
    """

    settings: Settings
    issues: tuple[Issue, ...]
    config: tuple[str, ...] = ()
    files: tuple[str, ...] = ()
    records: list[Record] = field(default_factory=list)
    reference: dict[str, float] = field(default_factory=dict)
    due: set[str] = field(default_factory=set)
    reproduced: set[str] = field(default_factory=set)
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def keep(
        self, finding: Finding, oracle: Oracle, library: str, version: str
    ) -> None:
        """Write down what a library did on one model."""
        with self._lock:
            for outcome in finding.outcomes:
                judgement = outcome.judgement
                if judgement is not None and outcome.kind == "quantity":
                    worst = self.reference.get(outcome.name, 0.0)
                    worst = max(worst, judgement.reference_ratio)
                    self.reference[outcome.name] = worst
                model = finding.task.model
                key = library, version, outcome.name, model.name
                wrong = judgement.wrong if judgement else []
                kinds = {kind_of(i) for i in oracle.numbers}
                issue = self._issue(key, outcome.verdict, wrong, kinds, model)
                record = _record(finding, outcome, issue, library, version)
                failed = judgement.sample if judgement and outcome.verdict.fails else -1
                command = self.command(
                    record.chapter, library, outcome.name, model.name, failed
                )
                record = replace(record, command=command)
                self.records.append(_with_numbers(record, finding, outcome, oracle))

    def enter(self, records: Iterable[Record]) -> None:
        """Write down records that are complete but for the known issue that explains one."""
        with self._lock:
            self.records += [self._explained(record) for record in records]

    def _explained(self, record: Record) -> Record:
        key = record.library, record.version, record.name, record.model
        wrong = [record.sample] if record.sample >= 0 else []
        issue = self._issue(key, Verdict(record.verdict), wrong, set(KINDS))
        if issue is None:
            return record
        message = f"{_said(issue, record.verdict)} -- {record.message}"
        return replace(
            record, verdict=Verdict.KNOWN.value, fault=issue.fault, known=issue.id,
            message=message,
        )  # fmt: skip

    def unusable(self, library: str, about: dict[str, object], chapters: str) -> None:
        """Write down a library that is not installed or does not import."""
        if "absent" in about:
            verdict, fault = Verdict.ABSENT, ""
            message = f"not installed: {about['absent']}"
        elif "broken" in about:
            verdict, fault = Verdict.ERROR, str(about.get("fault", "library"))
            message = f"does not import: {about['broken']}"
        else:
            verdict, fault = Verdict.CRASH, "library"
            message = f"died on import: {about.get('crashed', '')}"
        words = [
            "python",
            "-m",
            "libcheck",
            "doctor",
            *self.config,
            "--library",
            library,
        ]
        record = Record(
            chapters, "quantity", "import", "", library, "", verdict.value, fault,
            message=message, command=shlex.join(words),
        )  # fmt: skip
        with self._lock:
            self.records.append(record)

    def stale(self) -> tuple[str, ...]:
        """Known issues that did not reproduce although they should have."""
        if (self.settings.samples or DEFAULT) < DEFAULT:
            return ()  # too few samples to tell
        return tuple(sorted(self.due - self.reproduced))

    def _issue(
        self,
        key: tuple[str, str, str, str],
        verdict: Verdict,
        wrong: list[int],
        kinds: set[str],
        model: Model | None = None,
    ) -> Issue | None:
        """The known issue that explains an outcome; notes which ones were due and seen.

        Args:
            key: Library, version, name of the check, and name of the model.
            verdict: Of the outcome.
            wrong: Samples at which it fails.
            kinds: Kinds of all samples that were asked for.
            model: The model, where an issue may be about some models only.
        """
        if verdict is Verdict.UNSUPPORTED:
            return None
        found = None
        for issue in self.issues:
            if not issue.covers(*key):
                continue
            if model is not None and not issue.is_about(model):
                continue
            if not issue.samples or kinds & set(issue.samples):
                self.due.add(issue.id)
            if verdict.fails and issue.explains(verdict.value, wrong):
                self.reproduced.add(issue.id)
                found = found or issue
        return found

    def command(
        self, chapter: str, library: str, name: str, model: str = "", failed: int = -1
    ) -> str:
        """The command that reproduces a record.

        Args:
            chapter: Chapter number.
            library: Adapter.
            name: Name of the check.
            model: Name of the model; a check of none has no samples.
            failed: The sample at which it failed, -1 without one.
        """
        words = ["python", "-m", "libcheck", "run", *self.config, *self.files]
        words += ["--chapter", chapter, "--library", library, "--quantity", name]
        if model:
            words += ["--model", model]
            if failed >= 0:
                words += ["--sample", str(failed)]
            elif self.settings.samples is not None:
                words += ["--samples", str(self.settings.samples)]
            if self.settings.seed:
                words += ["--seed", str(self.settings.seed)]
        return shlex.join(words)


def _said(issue: Issue, verdict: str) -> str:
    return f"{verdict}: {issue.reason} ({issue.link})"


def _record(
    finding: Finding, outcome: Outcome, issue: Issue | None, library: str, version: str
) -> Record:
    message, fault, verdict = outcome.message, outcome.fault, outcome.verdict
    if issue is not None:
        verdict, fault = Verdict.KNOWN, issue.fault
        more = f" -- {message}" if message and outcome.fault != "undecided" else ""
        message = _said(issue, outcome.verdict.value) + more
    return Record(
        finding.task.chapter.number,
        outcome.kind,
        outcome.name,
        finding.task.model.name,
        library,
        version,
        verdict.value,
        fault,
        finding.stage if outcome.verdict is Verdict.DIFFER else "",
        message=message,
        known=issue.id if issue else "",
    )


def _with_numbers(
    record: Record, finding: Finding, outcome: Outcome, oracle: Oracle
) -> Record:
    judgement = outcome.judgement
    if judgement is None:
        return record
    record = replace(
        record,
        error=judgement.error,
        bound=judgement.bound,
        ratio=judgement.ratio,
        digits=judgement.digits,
        sample=judgement.sample,
        samples=len(oracle.numbers),
        grade=judgement.grade,
    )
    if not outcome.verdict.fails or judgement.sample < 0:
        return record
    chapter = finding.task.chapter
    statement = (chapter.quantities | chapter.laws)[outcome.name]
    row = oracle.numbers.index(judgement.sample)
    inputs = {name: oracle.batch[name][row] for name in statement.inputs}
    return replace(
        record,
        entry=str(list(judgement.entry)) if judgement.entry else "",
        inputs="; ".join(f"{name} = {shown(x)}" for name, x in inputs.items()),
        expected=shown(judgement.expected, judgement.entry),
        got=shown(judgement.got, judgement.entry),
    )


def shown(value: object, entry: tuple[int, ...] = ()) -> str:
    """Numbers as text, each with the digits that identify it; of many, the worst row."""
    if value is None:
        return ""
    array = np.asarray(value)
    if array.size <= MOST_ENTRIES or not entry:
        return str(array.tolist())
    if array.ndim > 1 and array[entry[0]].size <= MOST_ENTRIES:
        return f"row {entry[0]}: {array[entry[0]].tolist()}"
    return f"entry {list(entry)}: {array[entry]}"


def order(names: Iterable[str]) -> Callable[[Record], tuple[object, ...]]:
    """Sort by chapter, kind, name in the order of the text, model, library."""
    position = {
        (chapter.number, name): i
        for chapter in CHAPTERS.values()
        for i, name in enumerate((*chapter.quantities, *chapter.laws, *STRUCTURE))
    }
    places = {number: i for i, number in enumerate(CHAPTERS)}
    kinds = {"quantity": 0, "law": 1, "structure": 2, "claim": 3}
    libraries = {name: i for i, name in enumerate((*names, NUMPY))}

    def key(r: Record) -> tuple[object, ...]:
        place = -1 if r.name == "import" else places[r.chapter]
        if r.kind == "claim":  # as the text prints them
            return (place, kinds[r.kind])
        rank = position.get((r.chapter, r.name), -1)
        if r.name == "joint_sizes":  # of each library its own models
            return (place, kinds[r.kind], rank, libraries[r.library], r.model)
        return (place, kinds[r.kind], rank, r.name, r.model, libraries[r.library])

    return key
