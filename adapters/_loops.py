"""Loops as libraries see them: two of the library's own frames, and which rows coincide."""

from __future__ import annotations

from typing import Any, Callable, Iterable, List, NamedTuple

import numpy as np

from models import Frame, Model


class Closure(NamedTuple):
    """A loop: its two frames, as the library names them, and its rows."""

    first: Any
    second: Any
    rows: slice


def closures(model: Model, own: Callable[[Frame], Any]) -> List[Closure]:
    """The loops of a model between the library's own frames."""
    return [
        Closure(own(loop.first), own(loop.second), loop.rows) for loop in model.loops
    ]


def across(loops: Iterable[Closure], of_frame: Callable[[Any], Any]) -> np.ndarray:
    """Loop by loop, what the first frame has, (angular, linear), minus the second."""
    return np.concatenate(
        [(of_frame(loop.first) - of_frame(loop.second))[loop.rows] for loop in loops]
    )
