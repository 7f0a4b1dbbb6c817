"""Run every check of a selection against every library, and gather the records."""

from __future__ import annotations

import shlex
import threading
import time
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field, replace

import numpy as np

from libcheck import known, selection
from libcheck.blame import Outcome
from libcheck.claims import claim_records
from libcheck.config import Settings
from libcheck.interrogate import Finding, Interrogation, Stopped
from libcheck.oracle import Oracle
from libcheck.provenance import provenance
from libcheck.record import Record, Report, Verdict
from libcheck.samples import default_count, draw, kind_of
from libcheck.selection import Selection
from models import Model
from reference import CHAPTERS

Begin = Callable[[str, str], None]


@dataclass
class Times:
    """Where a run spent its time [s]; wall is the user's, the rest is CPU or the library's.

    Attributes:
        wall: From start to end.
        imports: Importing the libraries, one after the other.
        calls: Within the libraries' own functions.
        libraries_cpu: CPU of all workers.
        reference_cpu: CPU of the reference, its bounds and balls, and of the claims.
        reports_cpu: CPU of writing the reports.
    """

    wall: float = 0.0
    imports: float = 0.0
    calls: float = 0.0
    libraries_cpu: float = 0.0
    reference_cpu: float = 0.0
    reports_cpu: float = 0.0


@dataclass
class Run:
    """One run: its settings, what it found so far, and what it took."""

    settings: Settings
    chosen: Selection
    issues: tuple[known.Issue, ...]
    times: Times = field(default_factory=Times)
    records: list[Record] = field(default_factory=list)
    reference: dict[str, float] = field(default_factory=dict)
    reproduced: set[str] = field(default_factory=set)
    due: set[str] = field(default_factory=set)
    versions: dict[str, str] = field(default_factory=dict)
    stopped: threading.Event = field(default_factory=threading.Event)
    _oracles: dict[str, Oracle] = field(default_factory=dict)

    def oracle(self, model: Model) -> Oracle:
        """The reference's answers for a model, shared by all libraries."""
        if model.name not in self._oracles:
            seed, sample = self.settings.seed, self.chosen.sample
            count = self.settings.samples or default_count(model)
            if sample is None:
                batch, numbers = draw(model, count, seed), tuple(range(count))
            else:
                whole = draw(model, sample + 1, seed)
                batch = {name: rows[sample:] for name, rows in whole.items()}
                numbers = (sample,)
            self._oracles[model.name] = Oracle(model, batch, numbers)
        return self._oracles[model.name]


def execute(
    settings: Settings, chosen: Selection, command: list[str], begin: Begin
) -> tuple[Report, Times]:
    """Run a selection; `begin` is told each library and model as it is taken up.

    An interrupt ends the run early; the report then holds what was done.
    """
    run = Run(settings, chosen, known.read())
    start = time.perf_counter()
    names = selection.libraries(chosen, settings)
    interrupted = _ask_libraries(run, names, begin)
    before = time.thread_time()
    if selection.wants_claims(chosen) and not interrupted:
        begin("reference", "claims")
        run.records += claim_records(chosen)
    run.times.reference_cpu += time.thread_time() - before
    run.times.reference_cpu += sum(o.cpu_seconds for o in run._oracles.values())
    run.times.wall = time.perf_counter() - start
    stale = () if chosen.is_partial or interrupted else _stale(run)
    notes = {"interrupted": True} if interrupted else {}
    report = Report(
        provenance(settings, run.versions, command) | notes,
        tuple(sorted(run.records, key=_order(names))),
        {name: run.reference[name] for name in sorted(run.reference)},
        stale,
        _texts(chosen),
    )
    return report, run.times


def _ask_libraries(run: Run, names: list[str], begin: Begin) -> bool:
    """Ask all libraries, some at a time; returns whether the user interrupted."""
    with ThreadPoolExecutor(max_workers=run.settings.jobs) as pool:
        futures = [pool.submit(_ask_library, run, name, begin) for name in names]
        try:
            for future in futures:
                future.result()
        except KeyboardInterrupt:
            run.stopped.set()
            return True
    return False


def _ask_library(run: Run, library: str, begin: Begin) -> None:
    tasks = selection.tasks(run.chosen)
    if run.stopped.is_set():
        return
    asked = Interrogation(library, run.settings, run.oracle, run.stopped)
    try:
        about = asked.worker.about
        version = str(about.get("version", ""))
        run.versions[library] = version
        if not asked.worker.usable:
            run.records.append(_unusable(run, library, about))
            return
        for finding in asked.findings(tasks, begin):
            _keep(run, finding, library, version)
    except Stopped:
        pass  # the user interrupted; what is done stays
    finally:
        run.times.imports += asked.worker.import_seconds
        run.times.calls += asked.worker.library_seconds
        run.times.libraries_cpu += asked.worker.cpu_seconds
        asked.close()


def _unusable(run: Run, library: str, about: dict[str, object]) -> Record:
    """The row of a library that is not installed or does not import."""
    if "absent" in about:
        verdict, fault, message = Verdict.ABSENT, "", f"not installed: {about['absent']}"
    elif "broken" in about:
        verdict, fault = Verdict.ERROR, "library"
        message = f"does not import: {about['broken']}"
    else:
        verdict, fault = Verdict.CRASH, "library"
        message = f"died on import: {about.get('crashed', '')}"
    command = f"python -m libcheck doctor --library {library}"
    chapter = ", ".join(c.number for c in selection.chapters(run.chosen))
    return Record(
        chapter, "quantity", "import", "", library, "", verdict.value, fault,
        message=message, command=command,
    )  # fmt: skip


# ------------------------------------------------------------------------------ records


def _keep(run: Run, finding: Finding, library: str, version: str) -> None:
    for outcome in finding.outcomes:
        judgement = outcome.judgement
        if judgement is not None and outcome.kind == "quantity":
            worst = max(run.reference.get(outcome.name, 0.0), judgement.reference_ratio)
            run.reference[outcome.name] = worst
        run.records.append(_record(run, finding, outcome, library, version))


def _record(
    run: Run, finding: Finding, outcome: Outcome, library: str, version: str
) -> Record:
    oracle, judgement = run.oracle(finding.task.model), outcome.judgement
    model, fails = finding.task.model.name, outcome.verdict.fails
    issue = _issue(run, outcome, library, version, model)
    message, fault, verdict = outcome.message, outcome.fault, outcome.verdict
    if issue is not None:
        verdict, fault = Verdict.KNOWN, issue.fault
        message = f"{issue.reason} ({issue.link})" + (f" -- {message}" if message else "")
    record = Record(
        finding.task.chapter.number, outcome.kind, outcome.name, model, library, version,
        verdict.value, fault, finding.stage if fails else "", message=message,
        known=issue.id if issue else "", command=_command(run, finding, outcome, library),
    )  # fmt: skip
    if judgement is None:
        return record
    if fails and judgement.sample >= 0:
        record = replace(
            record,
            inputs=_inputs(oracle, judgement.sample),
            expected=_array(judgement.expected),
            got=_array(judgement.got),
        )
    return replace(
        record,
        error=_finite(judgement.error),
        bound=_finite(judgement.bound),
        ratio=_finite(judgement.ratio),
        digits=_finite(judgement.digits),
        sample=judgement.sample,
        samples=len(oracle.numbers),
        grade=judgement.grade,
    )


def _finite(value: float | None) -> float | None:
    """A number that JSON can hold, else None."""
    return value if value is not None and np.isfinite(value) else None


def _issue(
    run: Run, outcome: Outcome, library: str, version: str, model: str
) -> known.Issue | None:
    """The known issue that explains an outcome; notes which ones were due and seen."""
    if outcome.verdict is Verdict.UNSUPPORTED:
        return None
    wrong = outcome.judgement.wrong if outcome.judgement else []
    kinds = {kind_of(i) for i in run._oracles[model].numbers}
    found = None
    for issue in run.issues:
        if not issue.covers(library, version, outcome.name, model):
            continue
        if not issue.samples or kinds & set(issue.samples):
            run.due.add(issue.id)
        if outcome.verdict.fails and issue.explains(outcome.verdict.value, wrong):
            run.reproduced.add(issue.id)
            found = found or issue
    return found


def _stale(run: Run) -> tuple[str, ...]:
    return tuple(sorted(run.due - run.reproduced))


def _command(run: Run, finding: Finding, outcome: Outcome, library: str) -> str:
    words = ["python", "-m", "libcheck", "run"]
    words += ["--chapter", finding.task.chapter.number, "--library", library]
    words += ["--quantity", outcome.name, "--model", finding.task.model.name]
    judgement = outcome.judgement
    if outcome.verdict.fails and judgement is not None and judgement.sample >= 0:
        words += ["--sample", str(judgement.sample)]
    elif run.settings.samples is not None:
        words += ["--samples", str(run.settings.samples)]
    if run.settings.seed:
        words += ["--seed", str(run.settings.seed)]
    return shlex.join(words)


def _inputs(oracle: Oracle, sample: int) -> str:
    row = oracle.numbers.index(sample)
    return "; ".join(f"{name} = {_array(x[row])}" for name, x in oracle.batch.items())


def _array(value: object) -> str:
    if value is None:
        return ""
    array = np.asarray(value)
    with np.printoptions(precision=17, floatmode="maxprec", threshold=400, linewidth=10**6):
        return " ".join(np.array_str(array).split())


def _order(names: Iterable[str]) -> Callable[[Record], tuple[object, ...]]:
    """Sort by chapter, kind, name in the order of the text, model, library."""
    statements = [
        name for c in CHAPTERS.values() for name in ("import", *c.quantities, *c.laws)
    ]
    position = {name: i for i, name in enumerate(statements)}
    kinds = {"quantity": 0, "law": 1, "claim": 2}
    libraries = {name: i for i, name in enumerate(names)}

    def key(r: Record) -> tuple[object, ...]:
        rank = position.get(r.name, len(position))
        library = libraries.get(r.library, len(libraries))
        order = (r.chapter, kinds[r.kind], rank, "" if r.kind == "claim" else r.name)
        return (*order, r.model if r.kind != "claim" else "", library)

    return key


def _texts(chosen: Selection) -> dict[str, str]:
    texts = {}
    for chapter in selection.chapters(chosen):
        for q in chapter.quantities.values():
            texts[q.name] = f"{q.symbol} [{q.unit}] ({q.source}): {q.text}"
        for statement in chapter.laws.values():
            texts[statement.name] = f"({statement.source}): {statement.text}"
    return texts
