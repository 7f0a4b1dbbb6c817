"""The arithmetics that a formula runs in; see `algebra`."""

from reference.carriers.algebra import Carrier, Matrix, Scalar
from reference.carriers.ball import Ball, UndecidedError, precision
from reference.carriers.magnitude import UNIT_ROUNDOFF, Magnitude, MagnitudeMatrix
from reference.carriers.ring import Exact, Numpy

__all__ = [
    "UNIT_ROUNDOFF",
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
