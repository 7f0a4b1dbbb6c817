"""What a chapter states: quantities, laws between them, and how they are evaluated."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any

import numpy as np
from flint import arb

from models import Model
from reference.carriers import (
    UNIT_ROUNDOFF,
    Ball,
    Magnitude,
    Matrix,
    Numpy,
    precision,
)
from reference.robot import Robot, robot
from reference.world_frame import widened

Array = np.ndarray
Batch = Mapping[str, Array]
"""Inputs by name, each of shape (N, ...): row i is sample i."""

STAGES = (
    "kinematics",
    "inertia",
    "gravity",
    "velocity",
    "dynamics",
    "constraints",
    "constrained",
)
"""In which a fault shows first, in the order in which they build on each other."""


@dataclass(frozen=True)
class Quantity:
    """A quantity that the reference defines and libraries compute.

    Attributes:
        name: Its name, the same in every adapter.
        symbol: The textbook's symbol.
        inputs: Names of its inputs, e.g. "q v a tau".
        shape: Its shape in words, e.g. ("6", "nv").
        unit: SI unit.
        source: Section of the chapter and place in the literature.
        stage: One of `STAGES`.
        compute: The formula, in any carrier.
        text: The textbook sentence.
        residual: For a solution x of an equation: the formula of the equation's residual,
            with x as its last input; the solution is judged by it.
        residual_shape: Shape of the residual in words.
        completed: Of a solution that is only a part of x, all of x: (model, batch, part).
        silent: Why a model has no such quantity; empty if it has.
        refused: Why a model has no sensible answer, counted as UNSUPPORTED by fault of the
            input; empty if it has one.
        remark: What the report is to say beside an agreement.
        by_value: Whether the value of a solution is the library's to reproduce; a solution
            that contains choices of the library's is judged by its residual only.
        prepared: What magnitudes must be told beside sizes: (robot, model, batch).
    """

    name: str
    symbol: str
    inputs: tuple[str, ...]
    shape: tuple[str, ...]
    unit: str
    source: str
    stage: str
    compute: Callable[..., Matrix]
    text: str
    residual: Callable[..., Matrix] | None = None
    residual_shape: tuple[str, ...] = ()
    completed: Callable[[Model, Batch, Array], Array] = lambda model, batch, x: x
    silent: Callable[[Model], str] = lambda model: ""
    refused: Callable[[Model], str] = lambda model: ""
    remark: Callable[[Model], str] = lambda model: ""
    by_value: bool = True
    prepared: Callable[[Robot, Model, Batch], Robot] = lambda robot, model, batch: robot

    def __call__(self, robot: Robot, *inputs: Any) -> Matrix:
        """The quantity in the carrier of the robot."""
        return self.compute(robot, *inputs)

    def sizes(self, model: Model) -> tuple[int, ...]:
        """Its shape for a model."""
        nv, nc = model.nv, constraint_rows(model)
        words = {
            "nv": nv,
            "10nb": 10 * nv,
            "nc": nc,
            "nt": len(model.tendons),
            "nv+nc": nv + nc,
            "nv+2nc": nv + 2 * nc,
        }
        return tuple(words[w] if w in words else int(w) for w in self.shape)

    def equation(self) -> Quantity:
        """What a solution leaves of the equation it solves; its last input is the solution.

        Raises:
            ValueError: If the quantity is not the solution of an equation.
        """
        if self.residual is None:
            raise ValueError(f"{self.name} solves no equation")
        return replace(
            self,
            name=f"residual of {self.name}",
            inputs=(*self.inputs, "solution"),
            shape=self.residual_shape,
            compute=self.residual,
            residual=None,
        )

    def value(self, model: Model, batch: Batch) -> Array:
        """float64 values, shape (N, *sizes)."""
        la = Numpy()
        inputs = [batch[name] for name in self.inputs]
        result = self(plain_numpy_robot(model), *map(la.variables, inputs))
        table = la.array(result, (len(inputs[0]),))
        return table.reshape(len(table), *self.sizes(model))

    def certified(
        self, model: Model, batch: Batch, sample: int, bits: int
    ) -> list[arb]:
        """Balls around the true entries at one sample, in row order."""
        with precision(bits):
            la = Ball()
            inputs = [la.variables(batch[name][sample]) for name in self.inputs]
            entries: list[arb] = self(robot(model, la), *inputs).m.entries()
            return entries

    def bounds(self, model: Model, batch: Batch) -> tuple[Array, Array]:
        """Bounds on rounding errors, each of shape (N, *sizes).

        Returns:
            own: bound on the error of `value` (grade A, the link-frame bound).
            tolerance: bound on the error of any stable library (grade B, world frame).
        """
        return self._bound(model, batch, wide=False), self.tolerance(model, batch)

    def tolerance(self, model: Model, batch: Batch) -> Array:
        """Bound on the error of any stable library (grade B), shape (N, *sizes)."""
        return self._bound(model, batch, wide=True)

    def _bound(self, model: Model, batch: Batch, wide: bool) -> Array:
        seen = self.prepared(plain_magnitude_robot(model), model, batch)
        inputs = [seen.la.variables(batch[name]) for name in self.inputs]
        if wide:
            seen = widened(seen, inputs[0])
        n = len(batch[self.inputs[0]])
        error = self(seen, *inputs).error
        return UNIT_ROUNDOFF * entrywise(error, n, self.sizes(model))


def constraint_rows(model: Model) -> int:
    """Rows of the constraints: three for a point that coincides, six for a frame."""
    return sum(loop.rows.stop - loop.rows.start for loop in model.loops)


def needs_loops(model: Model) -> str:
    """Why a model has no constraints."""
    return "" if model.loops else "no loop closes the tree"


def needs_points(model: Model) -> str:
    """Why a model has no constraints of points only."""
    points = all(loop.kind == "point" for loop in model.loops)
    return needs_loops(model) or ("" if points else "a loop closes in its axes too")


def needs_tendons(model: Model) -> str:
    """Why a model has no tendons."""
    return "" if model.tendons else "no tendons"


@lru_cache(maxsize=16)
def plain_numpy_robot(model: Model) -> Robot:
    """The model in float64."""
    return robot(model, Numpy())


@lru_cache(maxsize=16)
def plain_magnitude_robot(model: Model) -> Robot:
    """The model in magnitudes, link frames."""
    return robot(model, Magnitude())


def entrywise(blocks: Array, n: int, sizes: tuple[int, ...]) -> Array:
    """Errors of 3-blocks as errors of their entries, shape (n, *sizes).

    The 2-norm of a block bounds each of its entries.
    """
    rows = sizes[0] if sizes else 1
    repeated = np.repeat(blocks, rows // blocks.shape[-2], axis=-2)
    whole = np.broadcast_to(repeated, (n, *repeated.shape[-2:]))
    return whole.reshape(n, *sizes)


def quantity(
    symbol: str,
    *,
    shape: str,
    unit: str,
    source: str,
    stage: str,
    residual: Callable[..., Matrix] | None = None,
    residual_shape: str = "",
    **optional: Any,
) -> Callable[[Callable[..., Matrix]], Quantity]:
    """Declare the decorated function as the reference of a quantity.

    The function's name is the name that adapters use, its parameters after the robot are
    the inputs, its docstring is the textbook sentence; the optional fields are those of
    `Quantity`.
    """

    def declare(compute: Callable[..., Matrix]) -> Quantity:
        _, *inputs = inspect.signature(compute).parameters
        if stage not in STAGES:
            raise ValueError(f"{compute.__name__}: unknown stage {stage!r}")
        return Quantity(
            compute.__name__,
            symbol,
            tuple(inputs),
            tuple(shape.split()),
            unit,
            source,
            stage,
            compute,
            inspect.getdoc(compute) or "",
            residual,
            tuple((residual_shape or shape).split()),
            **optional,
        )

    return declare
