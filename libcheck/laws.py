"""Ask a library for what a law needs, and judge the law by the library's own numbers."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from libcheck.compare import Judgement, ratio_of
from libcheck.record import Verdict
from libcheck.samples import Batch
from models import Model
from reference import Law, Quantity
from reference.carriers import UNIT_ROUNDOFF, Numpy
from reference.ch03_04_manipulator_equation import inertial_parameters
from reference.measured import Measured
from reference.quantity import (
    Array,
    plain_magnitude_robot,
    plain_numpy_robot,
)

Compute = Callable[[str, Batch], Array]
"""The library: a quantity's name and inputs by name give values, shape (N, *sizes)."""


class NonFiniteError(ArithmeticError):
    """The library answered with NaN or infinity."""


class Asked:
    """What a law may ask: ``ask.mass_matrix(q)`` is the library's M with its bound."""

    def __init__(
        self, model: Model, quantities: Mapping[str, Quantity], compute: Compute
    ) -> None:
        """Prepare; nothing is asked yet."""
        self.model = model
        self._quantities, self._compute = quantities, compute
        self._answers: dict[tuple[str, bytes], Measured] = {}
        plain = plain_numpy_robot(model)
        self.turning = [link.turning for link in plain.links]
        self.parents = [link.parent for link in plain.links]
        self.armature = np.array([b.joint.armature for b in model.bodies if b.joint.nv])
        pi = Numpy().array(inertial_parameters(plain), (1,))
        size = inertial_parameters(plain_magnitude_robot(model))
        self.parameters = Measured(pi, (UNIT_ROUNDOFF * size.error)[None])

    def __getattr__(self, name: str) -> Callable[..., Measured]:
        """The library's answer to a quantity, for inputs in the quantity's order."""
        quantity = self._quantities.get(name)
        if quantity is None:
            raise AttributeError(name)

        def ask(*inputs: Any) -> Measured:
            return self._ask(quantity, inputs)

        return ask

    def _ask(self, quantity: Quantity, inputs: tuple[Any, ...]) -> Measured:
        arrays = [x.value[..., 0] if isinstance(x, Measured) else x for x in inputs]
        key = (
            quantity.name,
            b"".join(np.ascontiguousarray(x).tobytes() for x in arrays),
        )
        if key not in self._answers:
            batch = dict(zip(quantity.inputs, arrays, strict=True))
            self._answers[key] = self._measured(quantity, batch)
        answer = self._answers[key]
        extra = [x.residual for x in inputs if isinstance(x, Measured)]
        if not extra:
            return answer
        if any(r is None for r in extra):
            raise TypeError("only the solution of an equation can be put back into one")
        return Measured(
            answer.value, answer.bound + sum(r for r in extra if r is not None)
        )

    def _measured(self, quantity: Quantity, batch: Batch) -> Measured:
        value = _as_matrices(self._compute(quantity.name, batch))
        if not np.isfinite(value).all():
            raise NonFiniteError(quantity.name)
        if quantity.residual is None:
            bound = quantity.tolerance(self.model, batch)
            return Measured(value, _as_matrices(bound))
        equation = quantity.equation()
        solution = batch | {"solution": value[..., 0]}
        bound = equation.tolerance(self.model, solution)
        return Measured(value, np.zeros_like(value), _as_matrices(bound))


def _as_matrices(values: Array) -> Array:
    """Scalars and vectors as matrices: (N,) and (N, n) become (N, 1, 1) and (N, n, 1)."""
    while values.ndim < 3:
        values = values[..., None]
    return values


@np.errstate(over="ignore", invalid="ignore")  # a library may answer with 1e308
def judge_law(law: Law, asked: Asked, batch: Batch) -> Judgement:
    """Judge a law on what the library answers."""
    try:
        left, right = law.sides(asked, *(batch[name] for name in law.inputs))
    except NonFiniteError as error:
        return Judgement(Verdict.NONFINITE, message=f"{error} is not finite")
    difference = left - right
    size, bound = np.abs(difference.value), difference.bound
    ratio = ratio_of(size, bound)
    per_sample = ratio.reshape(len(ratio), -1).max(axis=1)
    wrong = [int(i) for i in np.flatnonzero(per_sample > 1)]
    sample = int(np.argmax(per_sample))
    at = np.unravel_index(int(np.argmax(ratio[sample])), ratio[sample].shape)
    entry = tuple(int(k) for k in at)
    return Judgement(
        Verdict.DIFFER if wrong else Verdict.AGREE,
        sample,
        entry,
        float(size[sample][entry]),
        float(bound[sample][entry]),
        float(per_sample[sample]),
        wrong=wrong,
        expected=right.value[sample],
        got=left.value[sample],
    )
