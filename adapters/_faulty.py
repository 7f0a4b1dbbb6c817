"""A library that fails in every way there is; it tests the harness.

Offers the names of real quantities, so that the whole harness can be run on it.
"""

from __future__ import annotations

import ctypes
import os
import time

import numpy as np

from adapters._wire import Unsupported
from models import Model

distribution = "numpy"


def load(model: Model) -> Model:
    """The model itself, with noise; models whose names ask for it are refused."""
    print("noise on Python's stdout", flush=True)
    os.write(1, b"noise on file descriptor 1\n")
    if model.name == "refused":
        raise TypeError("too many joints")
    if model.name == "unsupported":
        raise Unsupported("this joint is too new")
    return model


def mass_matrix(robot: Model, q: np.ndarray) -> np.ndarray:
    """Dereferences a null pointer."""
    ctypes.string_at(0)
    raise AssertionError


def inverse_dynamics(
    robot: Model, q: np.ndarray, v: np.ndarray, a: np.ndarray
) -> np.ndarray:
    """Never returns."""
    time.sleep(3600)
    raise AssertionError


def bias_forces(robot: Model, q: np.ndarray, v: np.ndarray) -> np.ndarray:
    """Not a number."""
    return q * np.nan


def gravity_forces(robot: Model, q: np.ndarray) -> np.ndarray:
    """Raises an exception, where q[0] is positive or all of q is zero."""
    if q[0] > 0 or not q.any():
        raise ValueError("library says no")
    return q


def coriolis_forces(robot: Model, q: np.ndarray, v: np.ndarray) -> np.ndarray:
    """One number too many."""
    return np.zeros(robot.nv + 1)


def kinetic_energy(robot: Model, q: np.ndarray, v: np.ndarray) -> float:
    """A wrong number."""
    return 7.0


def potential_energy(robot: Model, q: np.ndarray) -> float:
    """Prints, to Python's standard output and below it; slow where q[0] is 0.5."""
    print("noise on Python's stdout", flush=True)
    os.write(1, b"noise on file descriptor 1\n")
    if q[0] == 0.5:
        time.sleep(0.5)
    return 0.0


def frame_pose(robot: Model, q: np.ndarray) -> np.ndarray:
    """Ends the process."""
    os._exit(3)


def frame_velocity(robot: Model, q: np.ndarray, v: np.ndarray) -> np.ndarray:
    """Of another shape where q[0] is positive."""
    return np.zeros(7 if q[0] > 0 else 6)


def coriolis_matrix(robot: Model, q: np.ndarray, v: np.ndarray) -> np.ndarray:
    """Complex numbers."""
    return np.zeros((robot.nv, robot.nv), complex)


def forward_dynamics(
    robot: Model, q: np.ndarray, v: np.ndarray, tau: np.ndarray
) -> np.ndarray:
    """Crashes where q[0] is positive."""
    if q[0] > 0:
        os.abort()
    return q


def frame_jacobian(robot: Model, q: np.ndarray) -> np.ndarray:
    """Python objects."""
    return np.array([None, robot], dtype=object)


def body_jacobian(robot: Model, q: np.ndarray) -> np.ndarray:
    """Nothing that this robot has."""
    raise Unsupported("not for this robot")


_workspace = np.zeros(6)


def space_jacobian(robot: Model, q: np.ndarray) -> np.ndarray:
    """Hands out its workspace, which the next call fills, and spoils its input."""
    _workspace[0] = q[0]
    q[:] = 99.0
    return _workspace


def joint_sizes() -> dict[str, tuple[int, float]]:
    """Half a velocity."""
    return {"hinge": (1, 0.5)}
