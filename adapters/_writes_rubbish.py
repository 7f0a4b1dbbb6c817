"""A library that writes into the pipe of the protocol; it tests the harness.

Descriptors are small numbers in order of opening, so a library that closes or writes
the wrong one does hit it.
"""

from __future__ import annotations

import os

import numpy as np

from models import Model

distribution = "numpy"


def load(model: Model) -> Model:
    """The model itself."""
    return model


def mass_matrix(robot: Model, q: np.ndarray) -> np.ndarray:
    """Writes to every descriptor but the three standard ones."""
    for descriptor in range(3, 64):
        try:
            os.write(descriptor, b"rubbish " * 16)
        except OSError:
            continue
    return np.eye(robot.nv)
