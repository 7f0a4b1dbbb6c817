"""Matrices over any ring of scalars, with structural zeros and ones left out of the work.

With float64 arrays as scalars this is the everyday carrier `Numpy`, batched over samples;
with rationals it is `Exact`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from flint import fmpq

from reference.carriers.algebra import Carrier, Scalar


class _Zero:
    """Zero by structure: it is skipped, not multiplied."""

    def __repr__(self) -> str:
        return "0"


class _One:
    """One by structure."""

    def __repr__(self) -> str:
        return "1"

    def __sub__(self, other: Scalar) -> Scalar:
        return 1 - number(other)


ZERO, ONE = _Zero(), _One()


def times(x: Scalar, y: Scalar) -> Scalar:
    """Product that skips structural zeros and ones."""
    if x is ZERO or y is ZERO:
        return ZERO
    if x is ONE:
        return y
    return x if y is ONE else x * y


def plus(x: Scalar, y: Scalar) -> Scalar:
    """Sum that skips structural zeros."""
    if x is ZERO:
        return y
    if y is ZERO:
        return x
    return number(x) + number(y)


def minus(x: Scalar) -> Scalar:
    """Negative."""
    return ZERO if x is ZERO else -number(x)


def number(x: Scalar) -> Scalar:
    """The scalar with structure forgotten."""
    return 1 if x is ONE else 0 if x is ZERO else x


class RingMatrix:
    """A matrix as rows of scalars."""

    __slots__ = ("rows",)
    __array_ufunc__ = None

    def __init__(self, rows: list[list[Scalar]]) -> None:
        self.rows = rows

    @property
    def mT(self) -> RingMatrix:  # noqa: N802 (NumPy's name)
        """Transpose."""
        return RingMatrix([list(row) for row in zip(*self.rows, strict=True)])

    def __matmul__(self, other: RingMatrix) -> RingMatrix:
        columns = list(zip(*other.rows, strict=True))
        product = []
        for row in self.rows:
            present = [(k, x) for k, x in enumerate(row) if x is not ZERO]
            out = []
            for column in columns:
                total: Scalar = ZERO
                for k, x in present:
                    y = column[k]
                    if y is not ZERO:
                        total = plus(total, times(x, y))
                out.append(total)
            product.append(out)
        return RingMatrix(product)

    def _with(
        self, other: RingMatrix, combine: Callable[[Scalar, Scalar], Scalar]
    ) -> RingMatrix:
        return RingMatrix(
            [
                [combine(x, y) for x, y in zip(p, q, strict=True)]
                for p, q in zip(self.rows, other.rows, strict=True)
            ]
        )

    def __add__(self, other: RingMatrix) -> RingMatrix:
        return self._with(other, plus)

    def __sub__(self, other: RingMatrix) -> RingMatrix:
        return self._with(other, lambda x, y: plus(x, minus(y)))

    def __neg__(self) -> RingMatrix:
        return RingMatrix([[minus(x) for x in row] for row in self.rows])

    def __mul__(self, scalar: Scalar) -> RingMatrix:
        return RingMatrix([[times(x, scalar) for x in row] for row in self.rows])


class Ring(Carrier):
    """Carrier of `RingMatrix`; subclasses choose the scalars."""

    zero: Scalar = ZERO
    one: Scalar = ONE
    convert: Callable[[float], Scalar]

    def quotient(self, x: Scalar, y: Scalar) -> Scalar:
        """A scalar divided by another."""
        return number(x) / number(y)

    def scalar(self, x: float) -> Scalar:  # noqa: D102
        return ZERO if x == 0 else ONE if x == 1 else self.convert(float(x))

    def const(self, rows: Sequence[Sequence[float]]) -> RingMatrix:  # noqa: D102
        return RingMatrix([[self.scalar(x) for x in row] for row in rows])

    def zeros(self, rows: int, columns: int) -> RingMatrix:  # noqa: D102
        return RingMatrix([[ZERO] * columns for _ in range(rows)])

    def eye(self, n: int) -> RingMatrix:  # noqa: D102
        return RingMatrix(
            [[ONE if i == j else ZERO for j in range(n)] for i in range(n)]
        )

    def hat(self, v: RingMatrix) -> RingMatrix:  # noqa: D102
        x, y, z = (row[0] for row in v.rows)
        return RingMatrix(
            [[ZERO, minus(z), y], [z, ZERO, minus(x)], [minus(y), x, ZERO]]
        )

    def moments_map(self, w: RingMatrix) -> RingMatrix:  # noqa: D102
        x, y, z = (row[0] for row in w.rows)
        return RingMatrix(
            [
                [x, y, ZERO, z, ZERO, ZERO],
                [ZERO, x, y, ZERO, z, ZERO],
                [ZERO, ZERO, ZERO, x, y, z],
            ]
        )

    def columns(self, A: RingMatrix) -> list[RingMatrix]:  # noqa: D102
        return [
            RingMatrix([[x] for x in column]) for column in zip(*A.rows, strict=True)
        ]

    def block(self, blocks: Sequence[Sequence[RingMatrix]]) -> RingMatrix:  # noqa: D102
        return RingMatrix(
            [
                [x for part in parts for x in part]
                for row in blocks
                for parts in zip(*(b.rows for b in row), strict=True)
            ]
        )

    def split(self, V: RingMatrix) -> tuple[RingMatrix, RingMatrix]:  # noqa: D102
        return RingMatrix(V.rows[:3]), RingMatrix(V.rows[3:])

    def entry(self, A: RingMatrix, i: int, j: int) -> Scalar:  # noqa: D102
        return A.rows[i][j]

    def vector(self, x: Scalar, y: Scalar, z: Scalar) -> RingMatrix:  # noqa: D102
        return RingMatrix([[x], [y], [z]])

    def unfolded(self, column: RingMatrix) -> RingMatrix:  # noqa: D102
        return column

    def table(self, rows: Sequence[Sequence[Scalar]]) -> RingMatrix:  # noqa: D102
        return RingMatrix([list(row) for row in rows])

    def divided(self, A: RingMatrix, x: Scalar) -> RingMatrix:  # noqa: D102
        inverse = self.quotient(1, x)
        return RingMatrix([[times(y, inverse) for y in row] for row in A.rows])

    def solve(self, A: RingMatrix, b: RingMatrix) -> RingMatrix:
        """Elimination without pivoting; stable because A is positive definite."""
        n = len(A.rows)
        L, X = ([[number(x) for x in row] for row in m.rows] for m in (A, b))
        for k in range(n):
            for i in range(k + 1, n):
                f = self.quotient(L[i][k], L[k][k])
                for j in range(k + 1, n):
                    L[i][j] = L[i][j] - f * L[k][j]
                X[i] = [x - f * y for x, y in zip(X[i], X[k], strict=True)]
        for k in reversed(range(n)):
            for i in range(k + 1, n):
                X[k] = [x - L[k][i] * y for x, y in zip(X[k], X[i], strict=True)]
            X[k] = [self.quotient(x, L[k][k]) for x in X[k]]
        return RingMatrix(X)


class Numpy(Ring):
    """float64; a scalar is an array over samples, of any shape."""

    half = 0.5
    convert = staticmethod(float)

    def variables(self, values: Any) -> list[Scalar]:  # noqa: D102
        array = np.asarray(values, float)
        return [np.ascontiguousarray(array[..., i]) for i in range(array.shape[-1])]

    def sin(self, x: Scalar) -> Scalar:  # noqa: D102
        return np.sin(number(x))

    def cos(self, x: Scalar) -> Scalar:  # noqa: D102
        return np.cos(number(x))

    def normalized(self, v: RingMatrix) -> RingMatrix:  # noqa: D102
        square = number(self.number(v.mT @ v))
        is_unit = np.ndim(square) == 0 and square == 1
        return v if is_unit else v * (1.0 / np.sqrt(square))

    def array(self, A: RingMatrix, batch: tuple[int, ...]) -> np.ndarray:
        """The matrix as an array of shape (*batch, rows, columns)."""
        out = np.zeros((*batch, len(A.rows), len(A.rows[0])))
        for i, row in enumerate(A.rows):
            for j, x in enumerate(row):
                out[..., i, j] = number(x)
        return out


class Exact(Ring):
    """Rationals.  Configurations, and the angles of a document, are read as tan(q / 2).

    It therefore describes another robot than the document does; it serves to test that two
    derivations are equal, not to judge a library.
    """

    half = fmpq(1, 2)

    @staticmethod
    def convert(x: float) -> Scalar:
        """The rational that a double is."""
        return fmpq(*x.as_integer_ratio())

    def quotient(self, x: Scalar, y: Scalar) -> Scalar:
        """A scalar divided by another; two ones by structure would be a float."""
        return fmpq(number(x)) / fmpq(number(y))

    def variables(self, values: Sequence[fmpq]) -> list[Scalar]:  # noqa: D102
        return [fmpq(x) for x in values]

    def sin(self, x: Scalar) -> Scalar:  # noqa: D102
        t = fmpq(number(x))
        return 2 * t / (1 + t * t)

    def cos(self, x: Scalar) -> Scalar:  # noqa: D102
        t = fmpq(number(x))
        return (1 - t * t) / (1 + t * t)

    def normalized(self, v: RingMatrix) -> RingMatrix:
        """A vector of rational length.

        Raises:
            ValueError: If its length is irrational.
        """
        square = fmpq(number(self.number(v.mT @ v)))
        root = fmpq(square.p.isqrt(), square.q.isqrt())
        if root * root != square:
            raise ValueError(f"length of an axis is the irrational root of {square}")
        return v * (1 / root)
