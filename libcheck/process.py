"""The process of a worker: its pipe, its life and its death."""

from __future__ import annotations

import contextlib
import mmap
import os
import select
import signal
import subprocess
import threading
import time
from pathlib import Path

from adapters._wire import NO_SAMPLE, PROGRESS, Arrays, Header, WireError, unpack

TICK = 0.05
"""Seconds between two looks at the progress of a silent worker."""

LAST_GASP = 5.0
"""Seconds that a process may take to end once it has closed its pipe."""

ONE_THREAD = {
    f"{library}_NUM_THREADS": "1"
    for library in ("OPENBLAS", "OMP", "MKL", "NUMEXPR", "VECLIB_MAXIMUM")
}
"""Timings and rounding must not depend on the number of cores."""


class Stopped(Exception):
    """The run was told to stop, so that no answer is waited for."""


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


class Process:
    """One process; whatever goes wrong with an exchange is the end of it.

    Attributes:
        pid: Its process id.
    """

    def __init__(
        self, command: list[str], folder: Path, stopped: threading.Event
    ) -> None:
        """Start it; the path of its progress file becomes the last word of the command.

        Args:
            command: Interpreter and arguments.
            folder: Where the progress file and its standard error are kept.
            stopped: Set by another thread, ends an exchange.

        Raises:
            OSError: If the command cannot be run.
        """
        self._folder, self._stopped = folder, stopped
        self._samples = 0
        progress = folder / "progress"
        progress.write_bytes(PROGRESS.pack(NO_SAMPLE, 0))
        with open(folder / "stderr", "wb") as stderr:
            self._popen = subprocess.Popen(
                [*command, str(progress)],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=stderr,
                env={**os.environ, **ONE_THREAD},
                start_new_session=True,
                bufsize=0,
            )
        with open(progress, "r+b") as file:
            self._progress = mmap.mmap(file.fileno(), PROGRESS.size)
        self.pid = self._popen.pid
        assert self._popen.stdin is not None
        assert self._popen.stdout is not None
        self._stdin, self._stdout = self._popen.stdin, self._popen.stdout
        os.set_blocking(self._stdin.fileno(), False)

    def ask(self, frame: bytes, samples: int, timeout: float) -> tuple[Header, Arrays]:
        """Send a frame that is about so many samples, and hear the answer.

        Raises:
            WorkerDied: If the process ended.
            Stopped: If the run was told to stop.
        """
        self._progress[:] = PROGRESS.pack(NO_SAMPLE, 0)
        self._samples = samples
        try:
            self._write(frame, timeout)
        except BrokenPipeError as error:
            raise self._death() from error
        except BaseException:
            self.end()
            raise
        return self.hear(timeout)

    def hear(self, timeout: float) -> tuple[Header, Arrays]:
        """What it says next; an interrupt ends it, as its answer would come too late.

        Raises:
            WorkerDied: If the process ended.
            Stopped: If the run was told to stop.
        """
        try:
            return unpack(lambda size: self._read(size, timeout))
        except EOFError as error:
            raise self._death() from error
        except WireError as error:  # written at some time by now: no sample to blame
            self.end()
            raise WorkerDied(f"answered rubbish: {error}") from error
        except BaseException:
            self.end()
            raise

    def end(self) -> None:
        """End the process and all that it started."""
        with contextlib.suppress(ProcessLookupError):
            os.killpg(self.pid, signal.SIGKILL)
        self._stdin.close()
        self._stdout.close()
        self._popen.wait()
        self._progress.close()

    # ---------------------------------------------------------------------------- death

    def _death(self) -> WorkerDied:
        """How a process that closed its pipe ended."""
        sample = self._sample()
        try:
            how = _ended(self._popen.wait(LAST_GASP))
        except subprocess.TimeoutExpired:
            how = "closed its pipe"
        words = self._last_words()
        self.end()
        return WorkerDied(f"{how}: {words}" if words else how, sample)

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

    def _read(self, size: int, timeout: float) -> bytes:
        """Exactly that many bytes; the time is per call of the library, not for all."""
        pipe, data = self._stdout.fileno(), bytearray()
        while len(data) < size:
            self._await(pipe, select.POLLIN, timeout)
            piece = os.read(pipe, min(size - len(data), 1 << 20))
            if not piece:
                raise EOFError
            data += piece
        return bytes(data)

    def _write(self, data: bytes, timeout: float) -> None:
        """All of it; a worker that no longer reads must not stop the parent."""
        pipe, view = self._stdin.fileno(), memoryview(data)
        while view:
            self._await(pipe, select.POLLOUT, timeout)
            with contextlib.suppress(BlockingIOError):
                view = view[os.write(pipe, view[: 1 << 16]) :]

    def _await(self, pipe: int, event: int, timeout: float) -> None:
        """Wait for the pipe as long as the worker makes progress.

        Raises:
            WorkerTimeout: If there is none for too long.
            Stopped: If the run was told to stop.
        """
        poll = select.poll()
        poll.register(pipe, event)
        seen, deadline = self._progress[:], time.monotonic() + timeout
        while not poll.poll(1000 * TICK):
            now = self._progress[:]
            if self._stopped.is_set():
                raise Stopped
            if now != seen:
                seen, deadline = now, time.monotonic() + timeout
            elif time.monotonic() > deadline:
                raise WorkerTimeout(f"no answer within {timeout:g} s", self._sample())


def _ended(code: int) -> str:
    """An exit code in words."""
    if code >= 0:
        return f"exit status {code}"
    with contextlib.suppress(ValueError):
        return signal.Signals(-code).name
    return f"signal {-code}"
