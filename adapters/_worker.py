"""Serve one adapter over standard input and output.

Run by file name under the library's own interpreter, which needs NumPy and the library
but not libcheck: ``python adapters/_worker.py ADAPTER [PROGRESS_FILE]``.  The parent
sets the number of threads in the environment.

The first frame says what the library is.  Then requests are answered one by one:

=======  ==============================  ===============================================
op       header (and arrays)             answer
=======  ==============================  ===============================================
load     key, model                      ok, seconds
compute  key, quantity (inputs)          seconds (value, one row per sample)
time     key, quantity, repeat (inputs)  as compute, and per_call: the median in seconds
loop     key, quantity (inputs)          seconds of the library's bare call on all rows
sizes                                    sizes: [nq, nv] by the name of the joint model
=======  ==============================  ===============================================

or ``unsupported`` with a reason, or ``error`` with the traceback and, for a quantity,
the sample.  Every answer carries ``cpu_seconds``, the processor time of this process so
far.
"""

from __future__ import annotations

import faulthandler
import importlib
import mmap
import operator
import os
import platform
import statistics
import sys
import time
import traceback
from collections.abc import Callable
from functools import partial
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from types import ModuleType
from typing import IO, Any

HERE = Path(__file__).resolve().parent
if sys.path and Path(sys.path[0] or ".").resolve() == HERE:
    del sys.path[0]  # adapters/pinocchio.py would hide pinocchio
sys.path.insert(0, str(HERE.parent))

import numpy as np  # noqa: E402

from adapters._wire import (  # noqa: E402
    NO_SAMPLE,
    PROGRESS,
    Arrays,
    Header,
    Unsupported,
    WireError,
    pack,
    unpack,
)
from models import from_data  # noqa: E402


class Failed(Exception):
    """A sample on which the library failed; the cause is the library's exception."""

    def __init__(self, sample: int) -> None:
        """Remember the sample."""
        super().__init__(sample)
        self.sample = sample


class Progress:
    """Tells the parent, through a shared file, which sample is in work.

    The parent reads it when this process has crashed or hangs, so a pipe would not do.
    """

    def __init__(self, path: str | None) -> None:
        """Map the file; without one nothing is told."""
        self._calls = 0
        self._shared: mmap.mmap | None = None
        if path:
            with open(path, "r+b") as file:
                self._shared = mmap.mmap(file.fileno(), PROGRESS.size)

    def begin(self, sample: int) -> None:
        """A call for this sample begins."""
        self._calls += 1
        if self._shared is not None:
            self._shared[:] = PROGRESS.pack(sample, self._calls)


NO_QUANTITIES = ("load", "joint_sizes", "constraint_rows")
"""Public functions of an adapter that are no quantities of the reference."""


def describe(library: ModuleType, import_seconds: float) -> Header:
    """Name the library, its version and the quantities it offers."""
    try:
        release = version(library.distribution)
    except PackageNotFoundError:
        release = "unknown"
    offers = [
        name
        for name, value in vars(library).items()
        if callable(value)
        and getattr(value, "__module__", None) == library.__name__
        and not isinstance(value, type)
        and not name.startswith("_")
        and name not in NO_QUANTITIES
    ]
    return {
        "library": library.__name__.rsplit(".", 1)[-1],
        "version": release,
        "python": platform.python_version(),
        "numpy": np.__version__,
        "offers": sorted(offers),
        "import_seconds": import_seconds,
    }


def undescribed(error: BaseException, name: str) -> Header:
    """Why the adapter could not be imported: its library is absent, or broken."""
    text = f"{type(error).__name__}: {error}"
    if isinstance(error, ModuleNotFoundError):
        files = [
            frame.filename
            for frame in traceback.extract_tb(error.__traceback__)
            if "importlib" not in frame.filename
        ]
        if files[-1:] == [str(HERE / f"{name}.py")]:  # not within the library
            return {"absent": text}
    return {"broken": text, "traceback": _trace(error)}


class Server:
    """Answers the requests for one library."""

    def __init__(self, library: ModuleType, progress: Progress) -> None:
        """Start without any robot."""
        self._library = library
        self._progress = progress
        self._robots: dict[str, Any] = {}

    def serve(self, requests: IO[bytes], answers: IO[bytes]) -> None:
        """Answer requests until the harness closes the stream."""

        def read(size: int) -> bytes:
            data = requests.read(size)
            if len(data) < size:
                raise EOFError
            return data

        while True:
            try:
                request, inputs = unpack(read)
            except EOFError:
                return
            send(answers, *self._answer(request, inputs))

    def _answer(self, request: Header, inputs: Arrays) -> Any:
        try:
            if request["op"] == "load":
                return self._load(request), {}
            if request["op"] in ("compute", "time"):
                return self._compute(request, inputs)
            if request["op"] == "loop":
                return self._loop(request, inputs), {}
            if request["op"] == "sizes":
                return self._sizes(), {}
            raise WireError(f"no operation {request['op']!r}")
        except Unsupported as reason:
            return {"unsupported": str(reason)}, {}
        except Failed as failed:
            cause = failed.__cause__
            if isinstance(cause, Unsupported):
                return {"unsupported": str(cause)}, {}
            return {**_error(cause), "sample": failed.sample}, {}
        except Exception as error:  # noqa: BLE001 whatever a library raises is data
            return _error(error), {}

    def _load(self, request: Header) -> Header:
        start = time.perf_counter()
        robot = self._library.load(from_data(request["model"]))
        self._robots[request["key"]] = robot
        return {"ok": True, "seconds": time.perf_counter() - start}

    def _compute(self, request: Header, inputs: Arrays) -> Any:
        function = getattr(self._library, request["quantity"], None)
        if function is None:
            raise Unsupported(f"no {request['quantity']} is offered")
        call = partial(function, self._robots[request["key"]])
        repeat = request["repeat"] if request["op"] == "time" else 1
        values: list[np.ndarray] = []
        spent: list[float] = []
        for sample in range(len(next(iter(inputs.values())))):
            row = {name: array[sample] for name, array in inputs.items()}
            try:
                value, seconds = self._sample(call, row, sample, repeat)
                if values and value.shape != values[0].shape:
                    raise ValueError(
                        f"shape {value.shape} where sample 0 had {values[0].shape}"
                    )
            except Exception as error:
                raise Failed(sample) from error
            values.append(value)
            spent += seconds
        answer: Header = {"seconds": sum(spent)}
        if request["op"] == "time":
            answer["per_call"] = statistics.median(spent)
        return answer, {"value": np.stack(values)}

    def _loop(self, request: Header, inputs: Arrays) -> Header:
        """Time one pass over all rows of the library's own call, without conversions."""
        calls = getattr(self._library, "_BARE_CALLS", {})
        if request["quantity"] not in calls:
            raise Unsupported(f"no bare call of {request['quantity']} is named")
        call = partial(calls[request["quantity"]], self._robots[request["key"]])
        rows = list(zip(*inputs.values()))
        start = time.perf_counter()
        for row in rows:
            call(*row)
        return {"seconds": time.perf_counter() - start}

    def _sizes(self) -> Header:
        """Ask the library for the sizes of its joint models, each two whole numbers."""
        function = getattr(self._library, "joint_sizes", None)
        if function is None:
            raise Unsupported("the library has no joint models to ask for")
        start = time.perf_counter()
        found = {
            str(name): [operator.index(nq), operator.index(nv)]
            for name, (nq, nv) in function().items()
        }
        return {"sizes": found, "seconds": time.perf_counter() - start}

    def _sample(
        self, call: Callable[..., Any], row: Arrays, sample: int, repeat: int
    ) -> tuple[np.ndarray, list[float]]:
        result, spent = None, []
        for _ in range(repeat):
            own = {name: value.copy() for name, value in row.items()}
            self._progress.begin(sample)
            start = time.perf_counter()
            result = call(**own)
            spent.append(time.perf_counter() - start)
        return _numbers(result), spent


def _numbers(result: Any) -> np.ndarray:
    """A copy: a library may hand out its workspace, which the next call fills."""
    array = np.asarray(result)
    if array.dtype.kind not in "iuf":
        raise TypeError(f"{type(result).__name__} of {array.dtype}, not real numbers")
    return np.array(array, dtype=np.float64)


def _trace(error: BaseException | None) -> str:
    if error is None:
        return ""
    return "".join(traceback.format_exception(type(error), error, error.__traceback__))


def _error(error: BaseException | None) -> Header:
    text = f"{type(error).__name__}: {error}"
    return {"error": text, "traceback": _trace(error)}


def send(answers: IO[bytes], header: Header, arrays: Arrays) -> None:
    """Write one frame, stamped with the processor time used so far."""
    answers.write(pack({**header, "cpu_seconds": time.process_time()}, arrays))
    answers.flush()


def main(name: str, progress_file: str | None = None) -> None:
    """Keep the pipe to ourselves; what the library prints goes to standard error."""
    faulthandler.enable()
    answers = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    progress = Progress(progress_file)
    progress.begin(NO_SAMPLE)
    start = time.perf_counter()
    try:
        library = importlib.import_module(f"adapters.{name}")
    except Exception as error:  # noqa: BLE001 an import may raise anything
        send(answers, undescribed(error, name), {})
        return
    send(answers, describe(library, time.perf_counter() - start), {})
    Server(library, progress).serve(sys.stdin.buffer, answers)


if __name__ == "__main__":
    main(*sys.argv[1:])
