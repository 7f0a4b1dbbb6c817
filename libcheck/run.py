"""Run every check of a selection against every library."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from concurrent.futures import FIRST_EXCEPTION, ThreadPoolExecutor, wait
from dataclasses import dataclass, field

from libcheck import known, selection, structure
from libcheck.booking import Book, order
from libcheck.claims import claim_records, figures_of
from libcheck.config import Settings
from libcheck.interrogate import Interrogation
from libcheck.oracle import Oracle
from libcheck.provenance import provenance
from libcheck.record import Report
from libcheck.samples import default_count, draw
from libcheck.selection import Selection
from libcheck.worker import Stopped
from models import Model

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
    book: Book
    times: Times = field(default_factory=Times)
    versions: dict[str, str] = field(default_factory=dict)
    stopped: threading.Event = field(default_factory=threading.Event)
    _oracles: dict[str, Oracle] = field(default_factory=dict)
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def oracle(self, model: Model) -> Oracle:
        """The reference's answers for a model, shared by all libraries."""
        with self._lock:
            if model.name not in self._oracles:
                first, count = 0, self.settings.samples or default_count(model)
                if self.chosen.sample is not None:
                    first, count = self.chosen.sample, 1
                batch = draw(model, count, self.settings.seed, first)
                numbers = tuple(range(first, first + count))
                self._oracles[model.name] = Oracle(model, batch, numbers)
            return self._oracles[model.name]

    def account(self, asked: Interrogation, cpu: float) -> None:
        """Add what a library took, and the CPU time of the thread that asked it."""
        with self._lock:
            self.times.imports += asked.worker.import_seconds
            self.times.calls += asked.worker.library_seconds
            self.times.libraries_cpu += asked.worker.cpu_seconds
            self.times.reference_cpu += cpu


def execute(
    settings: Settings, chosen: Selection, command: list[str], begin: Begin
) -> tuple[Report, Times]:
    """Run a selection; `begin` is told each library and model as it is taken up.

    An interrupt ends the run early; the report then holds what was done.
    """
    run = Run(settings, chosen, _book(settings, command))
    start = time.perf_counter()
    names = selection.libraries(chosen, settings)
    interrupted, figures = False, {}
    try:
        if selection.asks_libraries(chosen):
            _ask_libraries(run, names, begin)
        before = time.thread_time()
        run.book.enter(structure.of_numpy(chosen, run.book))
        if selection.wants_claims(chosen):
            run.book.records += claim_records(chosen)
            figures = figures_of(chosen)
        run.times.reference_cpu += time.thread_time() - before
    except KeyboardInterrupt:
        interrupted = True
    run.times.wall = time.perf_counter() - start
    notes = {"interrupted": True} if interrupted else {}
    report = Report(
        provenance(settings, run.versions, command, chosen.files) | notes,
        tuple(sorted(run.book.records, key=order(names))),
        dict(sorted(run.book.reference.items())),
        () if chosen.is_partial or interrupted else run.book.stale(),
        _texts(chosen),
        figures,
    )
    return report, run.times


def _book(settings: Settings, command: list[str]) -> Book:
    config, files = (_repeated(command, option) for option in ("--config", "--file"))
    return Book(settings, known.read(), config, files)


def _repeated(command: list[str], option: str) -> tuple[str, ...]:
    """An option of a command line, wherever it stands, with its values."""
    found: list[str] = []
    for i, word in enumerate(command):
        if word == option:
            found += command[i : i + 2]
        elif word.startswith(f"{option}="):
            found.append(word)
    return tuple(found)


def _ask_libraries(run: Run, names: list[str], begin: Begin) -> None:
    """Ask all libraries, some at a time; whatever ends one early ends all."""
    with ThreadPoolExecutor(max_workers=run.settings.jobs) as pool:
        try:
            futures = [pool.submit(_ask_library, run, name, begin) for name in names]
            for future in wait(futures, return_when=FIRST_EXCEPTION).done:
                future.result()
        except BaseException:
            run.stopped.set()
            raise


def _ask_library(run: Run, library: str, begin: Begin) -> None:
    if run.stopped.is_set():
        return
    before = time.thread_time()
    try:
        asked = Interrogation(library, run.settings, run.oracle, run.stopped)
    except Stopped:
        return
    try:
        about = asked.worker.about
        version = str(about.get("version", ""))
        run.versions[library] = version
        if not asked.worker.usable:
            chapters = ", ".join(c.number for c in selection.chapters(run.chosen))
            run.book.unusable(library, about, chapters)
            return
        for finding in asked.findings(selection.tasks(run.chosen), begin):
            oracle = run.oracle(finding.task.model)
            run.book.keep(finding, oracle, library, version)
        run.book.enter(structure.of_library(asked, run.chosen, run.book))
    except Stopped:
        pass  # what is done stays
    finally:
        run.account(asked, time.thread_time() - before)
        asked.close()


def _texts(chosen: Selection) -> dict[str, str]:
    texts = {}
    for chapter in selection.chapters(chosen):
        for q in chapter.quantities.values():
            texts[q.name] = f"{q.symbol} [{q.unit}] ({q.source}): {q.text}"
        for statement in chapter.laws.values():
            texts[statement.name] = f"({statement.source}): {statement.text}"
    for name, words in selection.STRUCTURE.items():
        if selection.wants_structure(chosen, name):
            texts[name] = words
    return texts
