"""Frames between the harness and a worker: a JSON header, then arrays as .npy.

Nothing is pickled, so that a frame runs no code, and both sides may run different
releases of Python and NumPy.
"""

from __future__ import annotations

import io
import json
import struct
from collections.abc import Callable
from typing import Any

import numpy as np

Header = dict[str, Any]
Arrays = dict[str, np.ndarray]

PREFIX = struct.Struct("<4sQQ")
MAGIC = b"LCK1"
MAX_HEADER = 64 << 20
MAX_BODY = 2 << 30

PROGRESS = struct.Struct("<QQ")
"""The progress file: index of the sample in work, number of calls begun."""
NO_SAMPLE = 2**64 - 1


class Unsupported(Exception):
    """The library has no words for this model or quantity; the message says why."""


class WireError(Exception):
    """What arrived is not a frame."""


def pack(header: Header, arrays: Arrays) -> bytes:
    """One frame.

    Raises:
        ValueError: If an array holds Python objects.
    """
    body = io.BytesIO()
    for value in arrays.values():
        np.save(body, value, allow_pickle=False)
    head = json.dumps({**header, "arrays": list(arrays)}).encode()
    return PREFIX.pack(MAGIC, len(head), body.tell()) + head + body.getvalue()


def unpack(read: Callable[[int], bytes]) -> tuple[Header, Arrays]:
    """The next frame.

    Args:
        read: Returns exactly that many bytes, or raises EOFError.

    Raises:
        EOFError: If the other side is gone.
        WireError: If the bytes are not a frame.
    """
    magic, head_size, body_size = PREFIX.unpack(read(PREFIX.size))
    if magic != MAGIC:
        raise WireError(f"a frame starts with {MAGIC!r}, not with {magic!r}")
    if head_size > MAX_HEADER or body_size > MAX_BODY:
        raise WireError(f"a frame of {head_size} + {body_size} bytes is too large")
    head, body = read(head_size), io.BytesIO(read(body_size))
    try:
        header = json.loads(head.decode())
        names = header.pop("arrays")
        return header, {name: np.load(body, allow_pickle=False) for name in names}
    except Exception as error:  # NumPy and json name no common ancestor
        raise WireError(f"{type(error).__name__}: {error}") from error
