"""The arithmetics that a formula runs in; see `algebra`."""

from reference.carriers.algebra import Carrier, Matrix, Scalar
from reference.carriers.ball import Ball, UndecidedError, precision
from reference.carriers.magnitude import (
    BLOCK_PRODUCT,
    UNIT_ROUNDOFF,
    VECTOR_PRODUCT,
    Magnitude,
    MagnitudeMatrix,
)
from reference.carriers.ring import Exact, Numpy

__all__ = [
    "BLOCK_PRODUCT",
    "UNIT_ROUNDOFF",
    "VECTOR_PRODUCT",
    "Ball",
    "Carrier",
    "Exact",
    "Magnitude",
    "MagnitudeMatrix",
    "Matrix",
    "Numpy",
    "Scalar",
    "UndecidedError",
    "precision",
]
