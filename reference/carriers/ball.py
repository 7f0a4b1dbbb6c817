"""Balls: every entry is an interval that contains the true value (Arb, through FLINT)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import flint
from flint import arb, arb_mat

from reference.carriers.algebra import Carrier, Scalar


class UndecidedError(ArithmeticError):
    """The balls are too wide at this precision."""


@contextmanager
def precision(bits: int) -> Iterator[None]:
    """Work with balls of so many bits."""
    before = flint.ctx.prec
    flint.ctx.prec = bits
    try:
        yield
    finally:
        flint.ctx.prec = before


class BallMatrix:
    """`arb_mat` in the spelling of the formulas."""

    __slots__ = ("m",)
    __array_ufunc__ = None

    def __init__(self, m: arb_mat) -> None:
        self.m = m

    @property
    def mT(self) -> BallMatrix:  # noqa: N802 (NumPy's name)
        """Transpose."""
        return BallMatrix(self.m.transpose())

    def __matmul__(self, other: BallMatrix) -> BallMatrix:
        return BallMatrix(self.m * other.m)

    def __add__(self, other: BallMatrix) -> BallMatrix:
        return BallMatrix(self.m + other.m)

    def __sub__(self, other: BallMatrix) -> BallMatrix:
        return BallMatrix(self.m - other.m)

    def __neg__(self) -> BallMatrix:
        return BallMatrix(-self.m)

    def __mul__(self, scalar: Scalar) -> BallMatrix:
        return BallMatrix(self.m * scalar)


class Ball(Carrier):
    """Certified enclosures at the precision set by `precision`."""

    zero = arb(0)
    one = arb(1)
    half = arb(0.5)

    def scalar(self, x: float) -> Scalar:  # noqa: D102
        return arb(float(x))  # exactly the double; never its decimal text

    def const(self, rows: Sequence[Sequence[float]]) -> BallMatrix:  # noqa: D102
        return BallMatrix(arb_mat([[arb(float(x)) for x in row] for row in rows]))

    def variables(self, values: Any) -> list[Scalar]:  # noqa: D102
        return [arb(float(x)) for x in values]

    def sin(self, x: Scalar) -> Scalar:  # noqa: D102
        return x.sin()

    def cos(self, x: Scalar) -> Scalar:  # noqa: D102
        return x.cos()

    def normalized(self, v: BallMatrix) -> BallMatrix:  # noqa: D102
        return v * (1 / (v.mT @ v).m[0, 0].sqrt())

    def zeros(self, rows: int, columns: int) -> BallMatrix:  # noqa: D102
        return BallMatrix(arb_mat(rows, columns))

    def eye(self, n: int) -> BallMatrix:  # noqa: D102
        return BallMatrix(
            arb_mat(n, n, [int(i == j) for i in range(n) for j in range(n)])
        )

    def hat(self, v: BallMatrix) -> BallMatrix:  # noqa: D102
        x, y, z = v.m.entries()
        return BallMatrix(arb_mat(3, 3, [0, -z, y, z, 0, -x, -y, x, 0]))

    def moments_map(self, w: BallMatrix) -> BallMatrix:  # noqa: D102
        x, y, z = w.m.entries()
        rows: list[Scalar] = [x, y, 0, z, 0, 0, 0, x, y, 0, z, 0, 0, 0, 0, x, y, z]
        return BallMatrix(arb_mat(3, 6, rows))

    def columns(self, A: BallMatrix) -> list[BallMatrix]:  # noqa: D102
        return [
            BallMatrix(arb_mat(3, 1, list(c))) for c in zip(*A.m.table(), strict=True)
        ]

    def block(self, blocks: Sequence[Sequence[BallMatrix]]) -> BallMatrix:  # noqa: D102
        rows = [
            [x for part in parts for x in part]
            for row in blocks
            for parts in zip(*(b.m.table() for b in row), strict=True)
        ]
        return BallMatrix(arb_mat(rows))

    def split(self, V: BallMatrix) -> tuple[BallMatrix, BallMatrix]:  # noqa: D102
        table = V.m.table()
        return BallMatrix(arb_mat(table[:3])), BallMatrix(arb_mat(table[3:]))

    def entry(self, A: BallMatrix, i: int, j: int) -> Scalar:  # noqa: D102
        return A.m[i, j]

    def vector(self, x: Scalar, y: Scalar, z: Scalar) -> BallMatrix:  # noqa: D102
        return BallMatrix(arb_mat(3, 1, [x, y, z]))

    def unfolded(self, column: BallMatrix) -> BallMatrix:  # noqa: D102
        return column

    def table(self, rows: Sequence[Sequence[Scalar]]) -> BallMatrix:  # noqa: D102
        return BallMatrix(arb_mat([list(row) for row in rows]))

    def divided(self, A: BallMatrix, x: Scalar) -> BallMatrix:  # noqa: D102
        quotient: BallMatrix = A * (1 / x)
        return quotient

    def solve(self, A: BallMatrix, b: BallMatrix) -> BallMatrix:
        """The solution.

        Raises:
            UndecidedError: If A cannot be told from a singular matrix at this precision.
        """
        try:
            return BallMatrix(A.m.solve(b.m))
        except ZeroDivisionError:
            raise UndecidedError("matrix not certainly regular") from None
