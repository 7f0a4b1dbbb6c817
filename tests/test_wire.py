"""Frames carry headers and arrays, and nothing that is not one passes for a frame."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from adapters._wire import MAGIC, PREFIX, WireError, pack, unpack
from libcheck import ROOT


def reader(data: bytes) -> Callable[[int], bytes]:
    """Reads from bytes as from a pipe."""
    position = 0

    def read(size: int) -> bytes:
        nonlocal position
        position += size
        if position > len(data):
            raise EOFError
        return data[position - size : position]

    return read


def test_a_frame_survives_bit_for_bit() -> None:
    sent = {"q": np.array([0.1, -0.0, np.inf, 5e-324]), "v": np.zeros((0, 3))}
    header, arrays = unpack(reader(pack({"op": "compute", "x": 0.1}, sent)))
    assert header == {"op": "compute", "x": 0.1}
    assert {k: (v.shape, v.tobytes()) for k, v in arrays.items()} == {
        k: (v.shape, v.tobytes()) for k, v in sent.items()
    }


def test_no_frame_carries_python_objects() -> None:
    with pytest.raises(ValueError, match="pickle"):
        pack({}, {"q": np.array([object()])})


@pytest.mark.parametrize(
    "data",
    [
        b"Hello, I am a library and print a lot",
        PREFIX.pack(MAGIC, 1 << 60, 0),
        PREFIX.pack(MAGIC, 2, 1 << 60) + b"{}",
        PREFIX.pack(MAGIC, 2, 0) + b"{}",
        PREFIX.pack(MAGIC, 2, 0) + b"\xff\xfe",
        PREFIX.pack(MAGIC, 17, 4) + b'{"arrays": ["q"]}' + b"text",
    ],
    ids=["text", "long header", "long body", "no arrays", "not UTF-8", "not npy"],
)
def test_rubbish_is_not_a_frame(data: bytes) -> None:
    with pytest.raises(WireError):
        unpack(reader(data))


def test_half_a_frame_is_an_end() -> None:
    with pytest.raises(EOFError):
        unpack(reader(pack({}, {"q": np.zeros(3)})[:-1]))


def test_the_worker_runs_from_anywhere_and_in_safe_path_mode(tmp_path: Path) -> None:
    (tmp_path / "models.py").write_text("raise AssertionError('a decoy')")
    script = ROOT / "adapters" / "_worker.py"
    for options in ([], ["-P"], ["-I"]):
        run = subprocess.run(
            [sys.executable, *options, str(script), "_faulty"],
            cwd=tmp_path,
            input=b"",
            capture_output=True,
            check=True,
        )
        assert unpack(reader(run.stdout))[0]["library"] == "_faulty"
