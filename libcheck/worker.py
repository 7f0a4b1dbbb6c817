"""A library in a process of its own, under an interpreter of its own.

The parent never imports a library, so none can take it down: a crash, a hang, an exit
or rubbish on the pipe ends the worker, and the next request starts a new one.
"""

from __future__ import annotations

import shutil
import tempfile
import threading
from pathlib import Path
from types import TracebackType
from typing import NamedTuple, Self

import numpy as np
from numpy.typing import NDArray

from adapters._wire import Arrays, Header, pack
from libcheck import ROOT
from libcheck.process import Process, Stopped, WorkerDied, WorkerTimeout
from models import Model, to_data

UNUSABLE = ("absent", "broken", "crashed")
"""What `Worker.about` holds, with a reason, when the library could not be imported."""


class LibraryError(Exception):
    """The library raised an exception.

    Attributes:
        text: "Type: message" of the exception.
        sample: Index of the sample, None while loading.
        traceback: Where it was raised.
    """

    def __init__(self, text: str, sample: int | None, traceback: str) -> None:
        """Keep what the library said."""
        super().__init__(text)
        self.text = text
        self.sample = sample
        self.traceback = traceback


class LibraryUnsupported(Exception):
    """The library has no words for the model or the quantity; says why."""

    def __init__(self, reason: str) -> None:
        """Keep the reason."""
        super().__init__(reason)
        self.reason = reason


class Answer(NamedTuple):
    """A quantity at all samples, and what it took.

    Attributes:
        value: One row per sample, shape (N, ...).
        seconds: Time within the library, all calls together.
        per_call: Median time of a call, None unless it was asked for.
    """

    value: NDArray[np.float64]
    seconds: float
    per_call: float | None = None


class Worker:
    """Runs one adapter under one interpreter; starts again after it has died.

    Attributes:
        about: What the worker said of itself: library, version, python, numpy, offers,
            import_seconds; or one of "absent", "broken" and "crashed" with a reason.
        library_seconds: Time spent within the library since the start.
    """

    def __init__(
        self,
        adapter: str,
        python: str,
        timeout: float = 60.0,
        import_timeout: float = 120.0,
        stopped: threading.Event | None = None,
    ) -> None:
        """Start it; what goes wrong with that is found in `about`, not raised.

        Args:
            adapter: Name of a module in `adapters`.
            python: The interpreter of the library.
            timeout: Seconds that one call of the library may take.
            import_timeout: Seconds that importing it may take.
            stopped: Set by another thread, makes a request raise `Stopped`.

        Raises:
            Stopped: If that happened meanwhile.
        """
        self.adapter = adapter
        self.python = python
        self.timeout = timeout
        self.import_timeout = import_timeout
        self.library_seconds = 0.0
        self._stopped = stopped or threading.Event()
        self._cpu_of_the_dead = 0.0
        self._cpu = 0.0
        self._models: dict[str, Model] = {}
        self._loaded: set[str] = set()
        self._process: Process | None = None
        self._folder = Path(tempfile.mkdtemp(prefix="libcheck-"))
        try:
            self.about: Header = self._start()
        except BaseException:
            self.close()
            raise

    @property
    def usable(self) -> bool:
        """Whether the library could be imported."""
        return not any(key in self.about for key in UNUSABLE)

    @property
    def import_seconds(self) -> float:
        """Time that importing the library took."""
        return float(self.about.get("import_seconds", 0.0))

    @property
    def cpu_seconds(self) -> float:
        """Processor time, up to the last answer of each process there has been."""
        return self._cpu_of_the_dead + self._cpu

    # ------------------------------------------------------------------------- requests

    def load(self, key: str, model: Model) -> None:
        """Build the library's robot from a model, under a key for later requests.

        Raises:
            LibraryUnsupported: If the library has no words for the model.
            LibraryError: If the library refused it.
            WorkerDied: If the process ended.
        """
        self._models[key] = model
        self._loaded.discard(key)
        self._ask({"op": "load", "key": key, "model": to_data(model)}, {})
        self._loaded.add(key)

    def compute(
        self, quantity: str, key: str, inputs: dict[str, NDArray[np.float64]]
    ) -> Answer:
        """A quantity at every sample.

        Args:
            quantity: Name of a function of the adapter.
            key: Key of a model that was loaded.
            inputs: Arrays by the name of the input, one row per sample.

        Raises:
            LibraryUnsupported: If the library has no words for it.
            LibraryError: If the library raised.
            WorkerDied: If the process ended; the next request starts a new one.
        """
        return self._computed({"op": "compute", "quantity": quantity}, key, inputs)

    def measure(
        self,
        quantity: str,
        key: str,
        inputs: dict[str, NDArray[np.float64]],
        repeat: int,
    ) -> Answer:
        """As `compute`, every sample several times, with the median time of a call."""
        request = {"op": "time", "quantity": quantity, "repeat": repeat}
        return self._computed(request, key, inputs)

    def loop_seconds(
        self, quantity: str, key: str, inputs: dict[str, NDArray[np.float64]]
    ) -> float:
        """Time of the library's bare call in a Python loop over all rows [s]."""
        self._ready(key)
        request = {"op": "loop", "quantity": quantity, "key": key}
        return float(self._ask(request, inputs)[0]["seconds"])

    def joint_sizes(self) -> dict[str, tuple[int, int]]:
        """(nq, nv) of each joint model that the library has, by the library's name.

        Raises:
            LibraryUnsupported: If it has none to ask for.
            LibraryError: If the library raised, or its answer is no pair of integers.
            WorkerDied: If the process ended.
        """
        sizes = self._ask({"op": "sizes"}, {})[0]["sizes"]
        return {name: (nq, nv) for name, (nq, nv) in sizes.items()}

    def _ready(self, key: str) -> None:
        if key not in self._models:
            raise KeyError(f"no model was loaded as {key!r}")
        if self._process is None or key not in self._loaded:
            self.load(key, self._models[key])

    def _computed(
        self, request: Header, key: str, inputs: dict[str, NDArray[np.float64]]
    ) -> Answer:
        self._ready(key)
        header, arrays = self._ask({**request, "key": key}, inputs)
        return Answer(arrays["value"], header["seconds"], header.get("per_call"))

    def _ask(self, request: Header, inputs: Arrays) -> tuple[Header, Arrays]:
        if self._process is None:
            about = self._start()
            if self._process is None:
                reason = next(about[k] for k in UNUSABLE if k in about)
                raise WorkerDied(f"does not start: {reason}")
        frame = pack(request, inputs)
        samples = max((len(rows) for rows in inputs.values()), default=0)
        try:
            header, arrays = self._process.ask(frame, samples, self.timeout)
        except BaseException:  # whatever it was, the process has not survived it
            self._forget()
            raise
        self._account(header)
        if "unsupported" in header:
            raise LibraryUnsupported(header["unsupported"])
        if "error" in header:
            where = header.get("traceback", "")
            raise LibraryError(header["error"], header.get("sample"), where)
        return header, arrays

    # ------------------------------------------------------------------- life and death

    def _start(self) -> Header:
        """Start a process and hear what it says of itself."""
        script = str(ROOT / "adapters" / "_worker.py")
        command = [self.python, script, self.adapter]
        try:
            process = Process(command, self._folder, self._stopped)
        except OSError as error:
            reason = f"cannot run {self.python}: {error.strerror}"
            return {"broken": reason, "fault": "input"}
        try:
            about, _ = process.hear(self.import_timeout)
        except WorkerDied as death:
            return {"crashed": death.how}
        self._account(about)
        if "offers" in about:
            self._process = process
        else:
            process.end()
        return about

    def _account(self, header: Header) -> None:
        self._cpu = float(header.get("cpu_seconds", self._cpu))
        self.library_seconds += float(header.get("seconds", 0.0))

    def _forget(self) -> None:
        """The process is gone, and the models that it had loaded."""
        self._process = None
        self._loaded.clear()
        self._cpu_of_the_dead += self._cpu
        self._cpu = 0.0

    def close(self) -> None:
        """End the process and remove its files."""
        if self._process is not None:
            self._process.end()
        self._forget()
        shutil.rmtree(self._folder, ignore_errors=True)

    def __enter__(self) -> Self:
        """Itself."""
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Close it."""
        self.close()


__all__ = [
    "Answer",
    "LibraryError",
    "LibraryUnsupported",
    "Stopped",
    "Worker",
    "WorkerDied",
    "WorkerTimeout",
]
