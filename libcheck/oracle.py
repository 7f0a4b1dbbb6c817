"""The reference's answers for one model: float64 at every sample, certified where it counts."""

from __future__ import annotations

import threading

import numpy as np
from flint import arb

from libcheck.samples import Batch
from models import Model
from reference import Quantity
from reference.carriers import UNIT_ROUNDOFF, UndecidedError
from reference.quantity import Array

PRECISIONS = (128, 256, 512)
CERTAIN = 1e-3  # a ball this small a part of the bound decides

_one_at_a_time = threading.Lock()
"""FLINT's precision is global, and the answers are shared by all libraries."""


class Oracle:
    """Values, bounds and certified values of a model's quantities, each computed once.

    Attributes:
        model: The model.
        batch: Its samples.
        numbers: The number of each sample of the batch, as users name it.
    """

    def __init__(
        self,
        model: Model,
        batch: Batch,
        numbers: tuple[int, ...] = (),
        scale: Batch | None = None,
    ) -> None:
        """Prepare to answer; nothing is computed yet.

        Args:
            model: The model.
            batch: Its samples.
            numbers: The number of each sample, 0, 1, ... without them.
            scale: Inputs whose sizes the tolerance is for, the batch without them.
        """
        self.model, self.batch, self._scale = model, batch, scale
        self.numbers = numbers or tuple(range(len(batch["q"])))
        self._values: dict[str, Array] = {}
        self._bounds: dict[str, tuple[Array, Array]] = {}
        self._centres: dict[tuple[str, int], tuple[Array, Array]] = {}

    def value(self, quantity: Quantity) -> Array:
        """float64 values at all samples, shape (N, *sizes)."""
        with _one_at_a_time:
            if quantity.name not in self._values:
                value = quantity.value(self.model, self.batch)
                self._values[quantity.name] = value
            return self._values[quantity.name]

    def bounds(self, quantity: Quantity) -> tuple[Array, Array]:
        """The reference's own error bound and the tolerance, both (N, *sizes)."""
        with _one_at_a_time:
            if quantity.name not in self._bounds:
                own, tolerance = quantity.bounds(self.model, self.batch)
                if self._scale is not None:
                    tolerance = quantity.tolerance(self.model, self._scale)
                self._bounds[quantity.name] = own, tolerance
            return self._bounds[quantity.name]

    def certified(self, quantity: Quantity, sample: int) -> tuple[Array, Array]:
        """Certified values at one sample and what may be wrong with them.

        Returns:
            centre: the entries, rounded to float64, shape (*sizes,).
            doubt: bound on |centre - true value|, same shape.

        Raises:
            UndecidedError: If the highest precision does not decide.
        """
        key = (quantity.name, sample)
        if key not in self._centres:
            _, tolerance = self.bounds(quantity)
            with _one_at_a_time:
                self._centres[key] = _enclose(
                    quantity, self.model, self.batch, sample, tolerance[sample]
                )
        return self._centres[key]

    def with_solution(
        self, quantity: Quantity, solution: Array
    ) -> tuple[Oracle, Quantity]:
        """An oracle for the residual that a library's solution leaves in its equation.

        The tolerance is for a solution of the size of the reference's own: a library's
        may be large enough to hide what is wrong with it.
        """
        ours, theirs = (
            self.batch | {"solution": quantity.completed(self.model, self.batch, x)}
            for x in (self.value(quantity), solution)
        )
        left = Oracle(self.model, theirs, self.numbers, ours)
        return left, quantity.equation()


def _enclose(
    quantity: Quantity, model: Model, batch: Batch, sample: int, tolerance: Array
) -> tuple[Array, Array]:
    sizes = tolerance.shape
    for bits in PRECISIONS:
        try:
            balls = quantity.certified(model, batch, sample, bits)
        except UndecidedError:
            continue
        centre, doubt = (
            np.array(x).reshape(sizes)
            for x in zip(*(_rounded(ball) for ball in balls), strict=True)
        )
        if np.all(doubt <= CERTAIN * tolerance + 2 * UNIT_ROUNDOFF * np.abs(centre)):
            return centre, doubt
    raise UndecidedError(
        f"{quantity.name} of {model.name} at sample {sample}: not certain at "
        f"{PRECISIONS[-1]} bits"
    )


def _rounded(ball: arb) -> tuple[float, float]:
    """A ball as a double and a bound on how far the true value is from it."""
    centre = float(ball.mid())
    return centre, float((ball - arb(centre)).abs_upper())
