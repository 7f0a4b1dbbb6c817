"""Numbers of a library with a bound on what may be wrong with them.

The laws compute with these: each operation carries the bounds of its operands along, to
first order, and adds its own rounding, so that both sides of a law come with a tolerance.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from reference.carriers import UNIT_ROUNDOFF

Array = np.ndarray


class Measured:
    """Matrices, shape (N, rows, columns), and bounds on their errors, same shape.

    Attributes:
        value: What the library computed.
        bound: Bound on the error of each entry.
        residual: For the solution of an equation, bound on the equation's residual; used
            where the solution is put back into its equation.
    """

    __slots__ = ("bound", "residual", "value")
    __array_ufunc__ = None

    def __init__(self, value: Any, bound: Any, residual: Array | None = None) -> None:
        self.value, self.bound = np.asarray(value, float), np.asarray(bound, float)
        self.residual = residual

    @property
    def mT(self) -> Measured:  # noqa: N802 (NumPy's name)
        """Transpose."""
        return Measured(self.value.mT, self.bound.mT)

    def _rounded(self, value: Array, inherited: Array, terms: Array) -> Measured:
        return Measured(value, inherited + UNIT_ROUNDOFF * terms)

    def __add__(self, other: Measured) -> Measured:
        value = self.value + other.value
        return self._rounded(value, self.bound + other.bound, np.abs(value))

    def __sub__(self, other: Measured) -> Measured:
        return self + -other

    def __neg__(self) -> Measured:
        return Measured(-self.value, self.bound)

    def __mul__(self, factor: float | Array) -> Measured:
        value = self.value * factor
        return self._rounded(value, self.bound * np.abs(factor), 2 * np.abs(value))

    def __matmul__(self, other: Measured) -> Measured:
        left, right = np.abs(self.value), np.abs(other.value)
        inherited = self.bound @ right + left @ other.bound + self.bound @ other.bound
        terms = self.value.shape[-1] * (left @ right)
        return self._rounded(self.value @ other.value, inherited, terms)

    def rows(self, start: int, stop: int) -> Measured:
        """Some rows."""
        at = (..., slice(start, stop), slice(None))
        return Measured(self.value[at], self.bound[at])

    def columns(self, start: int, stop: int) -> Measured:
        """Some columns."""
        return self.mT.rows(start, stop).mT

    def where(self, mask: Array) -> Measured:
        """The entries of a mask, and zero elsewhere."""
        return Measured(
            np.where(mask, self.value, 0.0), np.where(mask, self.bound, 0.0)
        )


def exactly(value: Any) -> Measured:
    """Numbers without error, e.g. inputs."""
    array = np.asarray(value, float)
    return Measured(array, np.zeros_like(array))


def column(vectors: Any) -> Measured:
    """Inputs (N, n) as columns (N, n, 1) without error."""
    return exactly(np.asarray(vectors, float)[..., None])


def beside(parts: list[Measured]) -> Measured:
    """Columns side by side."""
    return Measured(
        np.concatenate([p.value for p in parts], -1),
        np.concatenate([p.bound for p in parts], -1),
    )


def above(upper: Measured, lower: Measured) -> Measured:
    """Rows on top of rows."""
    return beside([upper.mT, lower.mT]).mT


def smallest_eigenvalue(A: Measured) -> Measured:
    """Smallest eigenvalue of a symmetric matrix, (N, 1, 1).

    It moves by no more than the largest row sum of the error (Weyl, Gershgorin); LAPACK adds
    an error of a few n u times the largest eigenvalue.
    """
    values = np.linalg.eigvalsh(A.value)
    n = A.value.shape[-1]
    size = np.abs(values).max(-1)
    bound = A.bound.sum(-1).max(-1) + 10 * n * UNIT_ROUNDOFF * size
    return Measured(values[:, :1, None], bound[:, None, None])


def hats(v: Measured) -> Measured:
    """The matrices [v] of 3-vectors given as columns (N, 3, 1)."""

    def hat(a: Array, sign: float) -> Array:
        x, y, z = (a[..., i, 0] for i in range(3))
        o = np.zeros_like(x)
        entries = [o, sign * z, y, z, o, sign * x, sign * y, x, o]
        return np.stack(entries, -1).reshape(*x.shape, 3, 3)

    return Measured(hat(v.value, -1.0), hat(v.bound, 1.0))


def axial(A: Measured) -> Measured:
    """The vector w of a matrix that should be [w]: half its skew part, as a column."""

    def entries(a: Array, sign: float) -> Array:
        pairs = ((2, 1), (0, 2), (1, 0))
        return np.stack([a[..., i, j] + sign * a[..., j, i] for i, j in pairs], -1)

    value, bound = entries(A.value, -1.0), entries(A.bound, 1.0)
    return Measured(value[..., None], bound[..., None]) * 0.5
