"""What every carrier has in common: the small matrices of rigid-body mechanics.

A carrier is the arithmetic that a formula runs in.  Formulas are written once, with
``@ + - * .mT`` on small matrices and the words below; they may not look at a number, nor
take a 3-vector or a rotation apart other than by `split` and `columns`, because the
magnitude carrier holds each of them as one entry.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Sequence
from typing import Any

Matrix = Any
"""A matrix of the carrier: it has ``@ + - * .mT`` and unary minus."""
Scalar = Any
"""A scalar of the carrier, the right operand of ``Matrix * Scalar``."""


class Carrier(ABC):
    """Arithmetic for formulas; see the module docstring."""

    zero: Scalar
    one: Scalar
    half: Scalar

    @abstractmethod
    def scalar(self, x: float) -> Scalar:
        """A double of the document as a scalar."""

    @abstractmethod
    def const(self, rows: Sequence[Sequence[float]]) -> Matrix:
        """Doubles of the document as one matrix or 3-vector."""

    @abstractmethod
    def variables(self, values: Any) -> list[Scalar]:
        """An input vector, shape (..., n), as n scalars."""

    @abstractmethod
    def sin(self, x: Scalar) -> Scalar:
        """Sine."""

    @abstractmethod
    def cos(self, x: Scalar) -> Scalar:
        """Cosine."""

    @abstractmethod
    def normalized(self, v: Matrix) -> Matrix:
        """A 3-vector with length one."""

    @abstractmethod
    def zeros(self, rows: int, columns: int) -> Matrix:
        """Zeros, sized in entries: 3-vectors count three."""

    @abstractmethod
    def eye(self, n: int) -> Matrix:
        """Identity, sized in entries."""

    @abstractmethod
    def hat(self, v: Matrix) -> Matrix:
        """The matrix [v] of the cross product with a 3-vector."""

    @abstractmethod
    def moments_map(self, w: Matrix) -> Matrix:
        """The 3x6 matrix L with ``I w = L (Ixx, Ixy, Iyy, Ixz, Iyz, Izz)``."""

    @abstractmethod
    def columns(self, A: Matrix) -> list[Matrix]:
        """The three columns of a 3x3 matrix."""

    @abstractmethod
    def block(self, blocks: Sequence[Sequence[Matrix]]) -> Matrix:
        """A matrix of blocks."""

    @abstractmethod
    def split(self, V: Matrix) -> tuple[Matrix, Matrix]:
        """Angular and linear half of a spatial vector or of rows of them."""

    @abstractmethod
    def entry(self, A: Matrix, i: int, j: int) -> Scalar:
        """One entry of a matrix that is not made of 3-vectors."""

    @abstractmethod
    def vector(self, x: Scalar, y: Scalar, z: Scalar) -> Matrix:
        """A 3-vector of three scalars."""

    @abstractmethod
    def unfolded(self, column: Matrix) -> Matrix:
        """A column made of 3-vectors as a column of scalars."""

    @abstractmethod
    def table(self, rows: Sequence[Sequence[Scalar]]) -> Matrix:
        """A matrix of scalars."""

    @abstractmethod
    def divided(self, A: Matrix, x: Scalar) -> Matrix:
        """A matrix divided by a scalar."""

    @abstractmethod
    def solve(self, A: Matrix, b: Matrix) -> Matrix:
        """The solution of ``A x = b``, A symmetric positive definite."""

    def rotation(self, axis: Matrix, angle: Scalar) -> Matrix:
        """Rotation about a unit axis (Rodrigues): 1 + sin K + (1 - cos) K K."""
        K = self.hat(axis)
        turn = K * self.sin(angle) + K @ K * (self.one - self.cos(angle))
        return self.eye(3) + turn

    def quaternion(self, quaternion: Sequence[float]) -> Matrix:
        """Rotation by a quaternion (w, x, y, z) of any length but zero, without a root."""
        w, *vector = (self.scalar(x) for x in quaternion)
        V = self.hat(self.vector(*vector))
        square = self.column([w, *vector])
        half = (square.mT @ square) * self.half
        turn = self.divided(V * w + V @ V, self.number(half))
        return self.eye(3) + turn

    def column(self, entries: Iterable[Scalar]) -> Matrix:
        """A column of scalars."""
        return self.table([[x] for x in entries])

    def number(self, A: Matrix) -> Scalar:
        """The entry of a 1x1 matrix."""
        return self.entry(A, 0, 0)

    def sum(self, terms: Iterable[Matrix]) -> Matrix:
        """The sum of one or more matrices."""
        iterator = iter(terms)
        total = next(iterator)
        for term in iterator:
            total = total + term
        return total
