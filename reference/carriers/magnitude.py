"""Magnitudes: the carrier whose answer is the tolerance.

Each entry is a pair (size, error).  size bounds the 2-norm of a 3-block, with all arrows
aligned: a rotation is 1, a minus is a plus.  error bounds, in units of u = 2^-53, what
rounding may do to the block in a float64 evaluation of the formula, to first order.
docs/tolerances.md derives the constants.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from reference.carriers.algebra import Carrier, Matrix

Array = np.ndarray

UNIT_ROUNDOFF = 2.0**-53
BLOCK_PRODUCT = 9.0  # 3 u |A||B|, and |A|, |B| are at most sqrt(3) times A, B in norm
VECTOR_PRODUCT = 6.0  # the same for a vector, whose |v| is no longer than v: 3 sqrt(3)
ROTATION = 18.0  # sin, cos and Rodrigues' formula, term by term: docs/tolerances.md


class MagnitudeMatrix:
    """A matrix of (size, error) pairs, of shape (..., rows, columns) in blocks."""

    __slots__ = ("error", "size")
    __array_ufunc__ = None

    def __init__(self, size: Any, error: Any) -> None:
        self.size, self.error = np.asarray(size, float), np.asarray(error, float)

    @property
    def mT(self) -> MagnitudeMatrix:  # noqa: N802 (NumPy's name)
        """Transpose."""
        return MagnitudeMatrix(self.size.mT, self.error.mT)

    def __matmul__(self, other: MagnitudeMatrix) -> MagnitudeMatrix:
        size = self.size @ other.size
        inherited = self.error @ other.size + self.size @ other.error
        terms = self.size.shape[-1]
        return MagnitudeMatrix(size, inherited + (BLOCK_PRODUCT + terms - 1) * size)

    def __mul__(self, scalar: MagnitudeMatrix) -> MagnitudeMatrix:
        size = self.size * scalar.size
        inherited = self.error * scalar.size + self.size * scalar.error
        return MagnitudeMatrix(size, inherited + size)

    def __add__(self, other: MagnitudeMatrix) -> MagnitudeMatrix:
        size = self.size + other.size
        return MagnitudeMatrix(size, self.error + other.error + size)

    __sub__ = __add__

    def __neg__(self) -> MagnitudeMatrix:
        return self

    def or_larger(self, other: MagnitudeMatrix) -> MagnitudeMatrix:
        """The larger size and the larger error of two routes to the same matrix."""
        size = np.maximum(self.size, other.size)
        return MagnitudeMatrix(size, np.maximum(self.error, other.error))

    def widened(self, error: Array | float) -> MagnitudeMatrix:
        """The same size with more error."""
        return MagnitudeMatrix(self.size, self.error + error)


def _blocks(entries: int) -> int:
    return max(1, entries // 3)


class Magnitude(Carrier):
    """Sizes and rounding errors of a formula; see the module docstring."""

    zero = MagnitudeMatrix([[0.0]], [[0.0]])
    one = MagnitudeMatrix([[1.0]], [[0.0]])
    half = MagnitudeMatrix([[0.5]], [[0.0]])

    def scalar(self, x: float) -> MagnitudeMatrix:  # noqa: D102
        return MagnitudeMatrix([[abs(x)]], [[0.0]])

    def const(self, rows: Sequence[Sequence[float]]) -> MagnitudeMatrix:
        """Doubles of the document; their conversion may round each block once.

        Zeros and ones convert without rounding.
        """
        entries = np.abs(np.asarray(rows, float))
        size = np.reshape(np.linalg.norm(np.asarray(rows, float), 2), (1, 1))
        exact = bool(np.isin(entries, (0.0, 1.0)).all())
        return MagnitudeMatrix(size, (0.0 if exact else VECTOR_PRODUCT) * size)

    def variables(self, values: Any) -> list[MagnitudeMatrix]:  # noqa: D102
        array = np.abs(np.asarray(values, float))[..., None, None]
        zero = np.zeros_like(array[..., 0, :, :])
        n = array.shape[-3]
        return [MagnitudeMatrix(array[..., i, :, :], zero) for i in range(n)]

    def sin(self, x: MagnitudeMatrix) -> MagnitudeMatrix:  # noqa: D102
        raise NotImplementedError("a rotation is one entry: see rotation()")

    cos = sin

    def rotation(self, axis: Matrix, angle: Matrix) -> MagnitudeMatrix:
        """Any rotation has size one; its error is that of making it.

        An axis that is no coordinate axis had to be normalised; that counts twice.
        """
        oblique = np.where(axis.error > 0, 2 * VECTOR_PRODUCT, 0.0)
        return MagnitudeMatrix([[1.0]], ROTATION + oblique)

    def normalized(self, v: MagnitudeMatrix) -> MagnitudeMatrix:
        """A unit vector; one that is a coordinate axis already is left as it is."""
        plain = bool(np.all(v.error == 0) and np.all(v.size == 1))
        return v if plain else MagnitudeMatrix([[1.0]], [[VECTOR_PRODUCT]])

    def direction(self, v: MagnitudeMatrix, length: Array) -> MagnitudeMatrix:
        """The unit vector along a computed vector of known length."""
        return MagnitudeMatrix([[1.0]], 2 * v.error / length + VECTOR_PRODUCT)

    def zeros(self, rows: int, columns: int) -> MagnitudeMatrix:  # noqa: D102
        zero = np.zeros((_blocks(rows), _blocks(columns)))
        return MagnitudeMatrix(zero, zero)

    def eye(self, n: int) -> MagnitudeMatrix:  # noqa: D102
        one = np.eye(_blocks(n))
        return MagnitudeMatrix(one, 0 * one)

    def hat(self, v: MagnitudeMatrix) -> MagnitudeMatrix:  # noqa: D102
        return v

    def moments_map(self, w: MagnitudeMatrix) -> MagnitudeMatrix:
        """Each column of the map is no longer than w."""
        return MagnitudeMatrix(*(np.repeat(x, 6, axis=-1) for x in (w.size, w.error)))

    def columns(self, A: MagnitudeMatrix) -> list[MagnitudeMatrix]:
        """A column is no larger than its matrix."""
        return [A, A, A]

    def block(self, blocks: Sequence[Sequence[Matrix]]) -> MagnitudeMatrix:  # noqa: D102
        shapes = [
            x.shape[:-2] for row in blocks for b in row for x in (b.size, b.error)
        ]
        batch = max(shapes, key=len)  # every other one is this, or a single robot's
        heights = [row[0].size.shape[-2] for row in blocks]
        widths = [b.size.shape[-1] for b in blocks[0]]
        size = np.empty((*batch, sum(heights), sum(widths)))
        error = np.empty_like(size)
        i = 0
        for row, height in zip(blocks, heights, strict=True):
            j = 0
            for b, width in zip(row, widths, strict=True):
                at = (..., slice(i, i + height), slice(j, j + width))
                size[at], error[at] = b.size, b.error
                j += width
            i += height
        return MagnitudeMatrix(size, error)

    def split(self, V: MagnitudeMatrix) -> tuple[Matrix, Matrix]:  # noqa: D102
        upper = MagnitudeMatrix(V.size[..., :1, :], V.error[..., :1, :])
        return upper, MagnitudeMatrix(V.size[..., 1:, :], V.error[..., 1:, :])

    def entry(self, A: MagnitudeMatrix, i: int, j: int) -> MagnitudeMatrix:  # noqa: D102
        at = (..., slice(i, i + 1), slice(j, j + 1))
        return MagnitudeMatrix(A.size[at], A.error[at])

    def vector(self, x: Matrix, y: Matrix, z: Matrix) -> MagnitudeMatrix:
        """The 2-norms of sizes and of errors."""
        size = np.sqrt(x.size**2 + y.size**2 + z.size**2)
        return MagnitudeMatrix(size, np.sqrt(x.error**2 + y.error**2 + z.error**2))

    def unfolded(self, column: MagnitudeMatrix) -> MagnitudeMatrix:
        """Each entry of a vector is no larger than the vector."""
        return MagnitudeMatrix(
            *(np.repeat(x, 3, axis=-2) for x in (column.size, column.error))
        )

    def quaternion(self, quaternion: Sequence[float]) -> MagnitudeMatrix:
        """Any rotation has size one; making it takes fewer products than an angle does."""
        return MagnitudeMatrix([[1.0]], [[ROTATION]])

    def table(self, rows: Sequence[Sequence[Matrix]]) -> MagnitudeMatrix:  # noqa: D102
        return self.block(rows)

    def divided(self, A: MagnitudeMatrix, x: Matrix) -> MagnitudeMatrix:  # noqa: D102
        size = A.size / x.size
        inherited = (A.error + size * x.error) / x.size
        return MagnitudeMatrix(size, inherited + size)

    def solve(self, A: Matrix, b: Matrix) -> MagnitudeMatrix:
        """Not offered: a solution is judged by its residual."""
        raise NotImplementedError("judge a solution by its residual")
