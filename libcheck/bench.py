"""Time the libraries, and the batched reference beside Pinocchio called in a Python loop.

The reference and the loop are timed in turns within one run, so that their ratio holds on a
machine whose speed drifts.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Mapping
from statistics import median

import numpy as np

from libcheck import selection
from libcheck.config import Settings
from libcheck.reporters.table import aligned
from libcheck.samples import draw
from libcheck.selection import Selection
from libcheck.worker import LibraryError, LibraryUnsupported, Worker, WorkerDied
from models import CATALOGUE, Model
from reference import CHAPTERS, Quantity
from reference.quantity import Array

CHUNK = 2500
"""Configurations that the reference takes at a time: a working set that fits the cache."""
ROUNDS = 5
REPEAT = 5
STATES = 20
MODELS = ("arm_6r", "ur5", "panda")
BESIDE = ("mass_matrix", "inverse_dynamics")
PACE = "pinocchio"


def run(settings: Settings, chosen: Selection, configurations: int) -> str:
    """The tables as text."""
    models = [CATALOGUE[name] for name in chosen.models or MODELS]
    quantities = list(CHAPTERS["3.4"].quantities.values())
    parts = []
    for model in models:
        rows = [
            _library(name, model, quantities, settings)
            for name in selection.libraries(chosen, settings)
        ]
        head = [
            "median us per call, with the adapter's conversions",
            *(q.name for q in quantities),
        ]
        turned = list(map(list, zip(head, *rows, strict=True)))
        parts.append(f"{model.name}, {model.nv} joints\n{aligned(turned)}")
        if PACE in selection.libraries(chosen, settings):
            by_name = {q.name: q for q in quantities}
            parts.append(_beside(model, by_name, settings, configurations))
    return "\n\n".join(parts) + "\n"


def _library(
    library: str, model: Model, quantities: list[Quantity], settings: Settings
) -> list[str]:
    """A column: the library, then its median time of a call per quantity [us]."""
    python = settings.python.get(library, sys.executable)
    batch = draw(model, STATES + 8, settings.seed)
    column = [library]
    with Worker(library, python, settings.timeout, settings.import_timeout) as worker:
        for quantity in quantities:
            inputs = {name: batch[name][8:] for name in quantity.inputs}
            column.append(_time(worker, model, quantity.name, inputs))
    return column


def _time(worker: Worker, model: Model, name: str, inputs: Mapping[str, Array]) -> str:
    if not worker.usable:
        return "absent"
    if name not in worker.about.get("offers", ()):
        return "--"
    try:
        worker.load(model.name, model)
        per_call = worker.measure(name, model.name, dict(inputs), REPEAT).per_call
    except LibraryUnsupported:
        return "--"
    except (LibraryError, WorkerDied) as error:
        return type(error).__name__
    return f"{1e6 * (per_call or 0.0):.1f}"


def _beside(
    model: Model, quantities: Mapping[str, Quantity], settings: Settings, count: int
) -> str:
    python = settings.python.get(PACE, sys.executable)
    batch = draw(model, min(count, 200), settings.seed)
    repeats = -(-count // len(batch["q"]))
    whole = {name: _tiled(rows, repeats, count) for name, rows in batch.items()}
    rows = [["quantity", "reference us", f"{PACE} us", "ratio"]]
    with Worker(PACE, python, 600.0, settings.import_timeout) as worker:
        if not worker.usable:
            return f"{PACE} cannot be run; no ratio to it"
        worker.load(model.name, model)
        for name in BESIDE:
            ours, theirs = _in_turns(worker, model, quantities[name], whole)
            ratio = median(a / b for a, b in zip(ours, theirs, strict=True))
            rows.append(
                [name, f"{median(ours):.2f}", f"{median(theirs):.2f}", f"{ratio:.2f}"]
            )
    head = (
        f"{count} configurations: batched reference per configuration, {PACE} in a loop"
    )
    return f"{head}\n{aligned(rows)}"


def _tiled(rows: Array, repeats: int, count: int) -> Array:
    """Enough samples for a timing; what they are does not matter to the arithmetic."""
    return np.tile(rows, (repeats, 1))[:count]


def _in_turns(
    worker: Worker, model: Model, quantity: Quantity, batch: Mapping[str, Array]
) -> tuple[list[float], list[float]]:
    """Microseconds per configuration of the reference and of the library, in turns."""
    inputs = {name: batch[name] for name in quantity.inputs}
    count = len(next(iter(inputs.values())))
    ours, theirs = [], []
    for _ in range(ROUNDS):
        start = time.perf_counter()
        for i in range(0, count, CHUNK):
            quantity.value(
                model, {name: x[i : i + CHUNK] for name, x in inputs.items()}
            )
        ours.append(1e6 * (time.perf_counter() - start) / count)
        seconds = worker.loop_seconds(quantity.name, model.name, inputs)
        theirs.append(1e6 * seconds / count)
    return ours, theirs
