"""Put one library through the quantities and laws of the chapters."""

from __future__ import annotations

import re
import sys
import threading
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from libcheck import ROOT, compare
from libcheck.blame import Outcome, assign
from libcheck.config import Settings
from libcheck.laws import Asked, judge_law
from libcheck.oracle import Oracle
from libcheck.record import Verdict
from libcheck.samples import Batch
from libcheck.worker import (
    LibraryError,
    LibraryUnsupported,
    Stopped,
    Worker,
    WorkerDied,
    WorkerTimeout,
)
from models import Model
from reference import Chapter, Law, Quantity
from reference.quantity import Array

PATIENCE = 3
"""A call that hung so often is not made again; its further records say so."""

OUT_OF_PATIENCE = f"not asked again: hung on {PATIENCE} models before"
LOADING = "on loading the model"

ADAPTERS_OWN = ("AttributeError", "NameError", "TypeError", "UnboundLocalError")
"""Exceptions that, raised by a line of the adapter, tell of a mistake in it.  Any other may
come from a compiled library that the line calls."""

ADDRESS = re.compile(r"\b0x[0-9a-f]{6,}\b")
"""What differs from run to run in a message."""

LAW_SAMPLES = (0, 2, 6, 7, 8, 9)
LAW_SAMPLES_MANY_JOINTS = (2, 8)


@dataclass(frozen=True)
class Task:
    """One model to check, and what of it."""

    chapter: Chapter
    model: Model
    quantities: tuple[Quantity, ...]
    laws: tuple[Law, ...]


@dataclass(frozen=True)
class Finding:
    """What a library did on one model."""

    task: Task
    outcomes: list[Outcome]
    stage: str


class ShapeError(ValueError):
    """The library's answer has the wrong shape."""


class Interrogation:
    """One library through all tasks; `worker` tells what it took."""

    def __init__(
        self,
        library: str,
        settings: Settings,
        oracle_of: Callable[[Model], Oracle],
        stopped: threading.Event,
    ) -> None:
        """Start the library's worker; `stopped` ends the work with `worker.Stopped`."""
        self.library, self.stopped = library, stopped
        self.oracle_of = oracle_of
        python = settings.python.get(library, sys.executable)
        self.worker = Worker(
            library, python, settings.timeout, settings.import_timeout, stopped
        )
        self.hung: Counter[str] = Counter()
        self.offers = set(self.worker.about.get("offers", ()))

    def findings(
        self, tasks: list[Task], begin: Callable[[str, str], None]
    ) -> Iterator[Finding]:
        """Go through the tasks; `begin` is told the library and the model."""
        for task in tasks:
            begin(self.library, task.model.name)
            yield self._on_model(task)

    def _on_model(self, task: Task) -> Finding:
        oracle = self.oracle_of(task.model)
        refusal = self.load(task.model)
        outcomes = [self._quantity(q, oracle, refusal) for q in task.quantities]
        failed = {o.name for o in outcomes if _no_numbers(o)}
        asked = self._asked(task)
        outcomes += [
            self._law(s, task, oracle, refusal, failed, asked) for s in task.laws
        ]
        by_name = {q.name: q for q in task.quantities}
        stage = assign(outcomes, oracle, by_name)
        for outcome in outcomes:
            outcome.value = None
            if outcome.judgement is not None:
                _number(outcome.judgement, oracle.numbers)
        return Finding(task, outcomes, stage)

    def load(self, model: Model) -> tuple[Verdict, str] | None:
        """Let the library read a model; the verdict and the reason where it does not."""
        if self.stopped.is_set():
            raise Stopped
        if self.hung[LOADING] >= PATIENCE:
            return Verdict.TIMEOUT, f"{LOADING}: {OUT_OF_PATIENCE}"
        try:
            self.worker.load(model.name, model)
        except LibraryUnsupported as error:
            return Verdict.UNSUPPORTED, error.reason
        except (LibraryError, WorkerDied) as error:
            verdict, message, _ = failure(error)
            self.hung[LOADING] += verdict is Verdict.TIMEOUT
            return verdict, f"{LOADING}: {message}"
        return None

    # ------------------------------------------------------------------- quantities

    def _quantity(
        self, quantity: Quantity, oracle: Oracle, refusal: tuple[Verdict, str] | None
    ) -> Outcome:
        outcome = Outcome("quantity", quantity.name, Verdict.AGREE, quantity.stage)
        if quantity.name in self.offers and quantity.refused(oracle.model):
            outcome.verdict, outcome.fault = Verdict.UNSUPPORTED, "input"
            outcome.message = quantity.refused(oracle.model)
            return outcome
        reason = self._why_not(quantity.name, refusal)
        if reason:
            outcome.verdict, outcome.message = reason
            return outcome
        batch = {name: oracle.batch[name] for name in quantity.inputs}
        try:
            value = self._compute(quantity, oracle.model, batch)
        except LibraryUnsupported as error:
            outcome.verdict, outcome.message = Verdict.UNSUPPORTED, error.reason
        except (LibraryError, WorkerDied, ShapeError) as error:
            self._note(outcome, error)
        else:
            outcome.judgement = compare.judge(oracle, quantity, value)
            outcome.verdict = outcome.judgement.verdict
            outcome.message = outcome.judgement.message or quantity.remark(oracle.model)
            if outcome.verdict is not Verdict.NONFINITE:
                outcome.value = value
        return outcome

    def _why_not(
        self, name: str, refusal: tuple[Verdict, str] | None
    ) -> tuple[Verdict, str] | None:
        if name not in self.offers:
            return Verdict.UNSUPPORTED, "the library has no call for it"
        if refusal is None and self.hung[name] >= PATIENCE:
            return Verdict.TIMEOUT, OUT_OF_PATIENCE
        return refusal

    def _compute(self, quantity: Quantity, model: Model, batch: Batch) -> Array:
        if self.stopped.is_set():
            raise Stopped
        value = self.worker.compute(quantity.name, model.name, batch).value
        sizes = quantity.sizes(model)
        if value.shape[1:] != sizes:
            raise ShapeError(f"shape {value.shape[1:]}, expected {sizes}")
        return value

    def _note(self, outcome: Outcome, error: Exception) -> None:
        verdict, outcome.message, sample = failure(error)
        if outcome.kind == "law":  # it counts evaluations of its own
            sample = None
        outcome.verdict = verdict
        outcome.fault = whose(error)
        outcome.judgement = compare.Judgement(
            verdict, -1 if sample is None else sample, wrong=_listed(sample)
        )
        self.hung[outcome.name] += verdict is Verdict.TIMEOUT

    # ------------------------------------------------------------------------- laws

    def _law(
        self,
        law: Law,
        task: Task,
        oracle: Oracle,
        refusal: tuple[Verdict, str] | None,
        failed: set[str],
        asked: Asked,
    ) -> Outcome:
        outcome = Outcome("law", law.name, Verdict.UNSUPPORTED, needs=law.needs)
        missing = [name for name in law.needs if name not in self.offers]
        lost = [name for name in law.needs if name in failed]
        refused = [task.chapter.quantities[n].refused(task.model) for n in law.needs]
        if missing:
            outcome.message = f"needs {', '.join(missing)}"
        elif any(refused):
            outcome.message, outcome.fault = next(filter(None, refused)), "input"
        elif refusal:
            outcome.message = refusal[1]
        elif lost:
            outcome.message = f"needs {', '.join(lost)}, which failed"
        else:
            outcome.message = law.silent(task.model)
        if outcome.message:
            return outcome
        try:
            self._judge_law(outcome, law, oracle, asked)
        except LibraryUnsupported as error:
            outcome.message = error.reason
        except (LibraryError, WorkerDied, ShapeError) as error:
            self._note(outcome, error)
        return outcome

    def _asked(self, task: Task) -> Asked:
        """The library as the laws see it; what one law asked, the next need not."""
        quantities = task.chapter.quantities

        def compute(name: str, batch: Batch) -> Array:
            return self._compute(quantities[name], task.model, batch)

        return Asked(task.model, quantities, compute)

    def _judge_law(
        self, outcome: Outcome, law: Law, oracle: Oracle, asked: Asked
    ) -> None:
        chosen = law_samples(oracle.numbers, oracle.model)
        batch = {name: rows[chosen] for name, rows in oracle.batch.items()}
        found = judge_law(law, asked, batch)
        if found.sample >= 0:
            found.sample = chosen[found.sample]
        found.wrong = [chosen[i] for i in found.wrong]
        outcome.judgement, outcome.verdict = found, found.verdict
        outcome.message = found.message

    def close(self) -> None:
        """End the worker."""
        self.worker.close()


def law_samples(numbers: tuple[int, ...], model: Model) -> list[int]:
    """Where laws are judged: at few samples, as a law asks for many evaluations.

    Returns:
        Positions in the batch whose samples have these numbers.
    """
    few = LAW_SAMPLES if model.nv <= 8 else LAW_SAMPLES_MANY_JOINTS
    chosen = [i for i, number in enumerate(numbers) if number in few]
    return chosen or [0]


def _number(judgement: compare.Judgement, numbers: tuple[int, ...]) -> None:
    """Replace positions in the batch by the numbers of the samples."""
    if judgement.sample >= 0:
        judgement.sample = numbers[judgement.sample]
    judgement.wrong = [numbers[i] for i in judgement.wrong]


def _no_numbers(outcome: Outcome) -> bool:
    return outcome.verdict.fails and outcome.value is None


def _listed(sample: int | None) -> list[int]:
    return [] if sample is None else [sample]


def failure(error: Exception) -> tuple[Verdict, str, int | None]:
    """Verdict, message and sample of a call that gave no numbers."""
    if isinstance(error, WorkerDied):
        hung = isinstance(error, WorkerTimeout)
        verdict = Verdict.TIMEOUT if hung else Verdict.CRASH
        return verdict, ADDRESS.sub("0x...", error.how), error.sample
    sample = error.sample if isinstance(error, LibraryError) else None
    return Verdict.ERROR, ADDRESS.sub("0x...", str(error)), sample


def whose(error: Exception) -> str:
    """A wrong shape or type, or a wrong call, is the adapter's; all else the library's."""
    if isinstance(error, ShapeError):
        return "adapter"
    if isinstance(error, LibraryError):
        frames = re.findall(r'^  File "(.+)", line', error.traceback, re.MULTILINE)
        raised_in = Path(frames[-1]) if frames else Path()
        ours = raised_in.parent == ROOT / "adapters"
        if ours and (
            raised_in.name == "_worker.py" or error.text.startswith(ADAPTERS_OWN)
        ):
            return "adapter"
    return "library"
