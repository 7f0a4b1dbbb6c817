"""A library in a process of its own, under an interpreter of its own.

The parent never imports a library, so none can take it down: a crash, a hang, an exit
or rubbish on the pipe ends the worker, and the next request starts a new one.
"""

from __future__ import annotations

import contextlib
import mmap
import os
import select
import shutil
import signal
import subprocess
import tempfile
import time
from pathlib import Path
from types import TracebackType
from typing import NamedTuple, Self

import numpy as np
from numpy.typing import NDArray

from adapters._wire import (
    NO_SAMPLE,
    PROGRESS,
    Arrays,
    Header,
    WireError,
    pack,
    unpack,
)
from libcheck import ROOT
from models import Model, to_data

UNUSABLE = ("absent", "broken", "crashed")
"""What `Worker.about` holds, with a reason, when the library could not be imported."""

TICK = 0.05
"""Seconds between two looks at the progress of a silent worker."""

LAST_GASP = 5.0
"""Seconds that a process may take to end once it has closed its pipe."""

ONE_THREAD = {
    f"{library}_NUM_THREADS": "1"
    for library in ("OPENBLAS", "OMP", "MKL", "NUMEXPR", "VECLIB_MAXIMUM")
}
"""Timings and rounding must not depend on the number of cores."""


class WorkerDied(Exception):
    """The worker's process ended.

    Attributes:
        how: What ended it, in words.
        sample: Index of the sample in work, None if it was not computing.
    """

    def __init__(self, how: str, sample: int | None = None) -> None:
        """Say how, and at which sample."""
        super().__init__(how if sample is None else f"{how} (sample {sample})")
        self.how = how
        self.sample = sample


class WorkerTimeout(WorkerDied):
    """The worker was killed because a call took too long."""


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
    ) -> None:
        """Start it; what goes wrong with that is found in `about`, not raised.

        Args:
            adapter: Name of a module in `adapters`.
            python: The interpreter of the library.
            timeout: Seconds that one call of the library may take.
            import_timeout: Seconds that importing it may take.
        """
        self.adapter = adapter
        self.python = python
        self.timeout = timeout
        self.import_timeout = import_timeout
        self.library_seconds = 0.0
        self._samples = 0
        self._cpu_of_the_dead = 0.0
        self._cpu = 0.0
        self._models: dict[str, Model] = {}
        self._loaded: set[str] = set()
        self._process: subprocess.Popen[bytes] | None = None
        self._folder = Path(tempfile.mkdtemp(prefix="libcheck-"))
        progress = self._folder / "progress"
        progress.write_bytes(PROGRESS.pack(NO_SAMPLE, 0))
        with open(progress, "r+b") as file:
            self._progress = mmap.mmap(file.fileno(), PROGRESS.size)
        self.about: Header = self._start()

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
        self._progress[:] = PROGRESS.pack(NO_SAMPLE, 0)
        self._samples = max((len(rows) for rows in inputs.values()), default=0)
        frame = pack(request, inputs)
        try:
            self._write(frame)
            header, arrays = unpack(lambda size: self._read(size, self.timeout))
        except (EOFError, BrokenPipeError) as error:
            raise self._death() from error
        except WireError as error:  # written at some time by now: no sample to blame
            self._bury()
            raise WorkerDied(f"answered rubbish: {error}") from error
        except (
            BaseException
        ):  # an interrupt, too: its answer would be taken for the next
            self._bury()
            raise
        self._account(header)
        if "unsupported" in header:
            raise LibraryUnsupported(header["unsupported"])
        if "error" in header:
            where = header.get("traceback", "")
            raise LibraryError(header["error"], header.get("sample"), where)
        return header, arrays

    def _account(self, header: Header) -> None:
        self._cpu = float(header.get("cpu_seconds", self._cpu))
        self.library_seconds += float(header.get("seconds", 0.0))

    # ------------------------------------------------------------------- life and death

    def _start(self) -> Header:
        """Start a process and hear what it says of itself."""
        with open(self._folder / "stderr", "wb") as stderr:
            try:
                self._process = subprocess.Popen(
                    [
                        self.python,
                        str(ROOT / "adapters" / "_worker.py"),
                        self.adapter,
                        str(self._folder / "progress"),
                    ],
                    stdin=subprocess.PIPE,
                    stdout=subprocess.PIPE,
                    stderr=stderr,
                    env={**os.environ, **ONE_THREAD},
                    start_new_session=True,
                    bufsize=0,
                )
            except OSError as error:
                return {"broken": f"cannot run {self.python}: {error.strerror}"}
        os.set_blocking(self._stdin(), False)
        try:
            about, _ = unpack(lambda size: self._read(size, self.import_timeout))
        except WorkerDied as death:
            self._bury()
            return {"crashed": death.how}
        except EOFError:
            return {"crashed": self._death().how}
        except WireError as error:
            self._bury()
            return {"crashed": f"answered rubbish: {error}"}
        self._account(about)
        if "offers" not in about:
            self._bury()
        return about

    def _death(self) -> WorkerDied:
        """How a process that closed its pipe ended."""
        assert self._process is not None
        sample = self._sample()
        try:
            code = self._process.wait(LAST_GASP)
        except subprocess.TimeoutExpired:
            how = "closed its pipe"
        else:
            how = _ended(code)
        words = self._last_words()
        self._bury()
        return WorkerDied(f"{how}: {words}" if words else how, sample)

    def _bury(self) -> None:
        """End the process and all that it started."""
        process, self._process = self._process, None
        self._loaded.clear()
        self._cpu_of_the_dead += self._cpu
        self._cpu = 0.0
        if process is None:
            return
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        for stream in (process.stdin, process.stdout):
            if stream is not None:
                stream.close()
        process.wait()

    def _sample(self) -> int | None:
        """The sample in work; a library can write rubbish there, too."""
        sample, _ = PROGRESS.unpack(self._progress[:])
        return int(sample) if sample < self._samples else None

    def _last_words(self) -> str:
        """The line of standard error that says most about the end."""
        text = (self._folder / "stderr").read_text(errors="replace")
        lines = [line.strip() for line in text.splitlines() if line.strip()]
        fatal = [line for line in lines if line.startswith("Fatal Python error")]
        said = [line for line in lines if not line.startswith("Extension modules:")]
        return (fatal or said or [""])[-1]

    # ----------------------------------------------------------------------------- pipe

    def _stdin(self) -> int:
        assert self._process is not None
        assert self._process.stdin is not None
        return self._process.stdin.fileno()

    def _read(self, size: int, timeout: float) -> bytes:
        """Exactly that many bytes; the time is per call of the library, not for all."""
        assert self._process is not None
        assert self._process.stdout is not None
        pipe = self._process.stdout.fileno()
        data = bytearray()
        while len(data) < size:
            self._await(pipe, select.POLLIN, timeout)
            piece = os.read(pipe, min(size - len(data), 1 << 20))
            if not piece:
                raise EOFError
            data += piece
        return bytes(data)

    def _write(self, data: bytes) -> None:
        """All of it; a worker that no longer reads must not stop the parent."""
        pipe, view = self._stdin(), memoryview(data)
        while view:
            self._await(pipe, select.POLLOUT, self.timeout)
            with contextlib.suppress(BlockingIOError):
                view = view[os.write(pipe, view[: 1 << 16]) :]

    def _await(self, pipe: int, event: int, timeout: float) -> None:
        """Wait for the pipe as long as the worker makes progress.

        Raises:
            WorkerTimeout: If there is none for too long.
        """
        poll = select.poll()
        poll.register(pipe, event)
        seen, deadline = self._progress[:], time.monotonic() + timeout
        while not poll.poll(1000 * TICK):
            now = self._progress[:]
            if now != seen:
                seen, deadline = now, time.monotonic() + timeout
            elif time.monotonic() > deadline:
                raise WorkerTimeout(f"no answer within {timeout:g} s", self._sample())

    # -------------------------------------------------------------------------- context

    def close(self) -> None:
        """End the process and remove its files."""
        self._bury()
        self._progress.close()
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


def _ended(code: int) -> str:
    """An exit code in words."""
    if code >= 0:
        return f"exit status {code}"
    with contextlib.suppress(ValueError):
        return signal.Signals(-code).name
    return f"signal {-code}"
