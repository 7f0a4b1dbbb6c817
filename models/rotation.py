"""Rotations of a document as matrices, for libraries that take nothing else.

Computed in NumPy's widest float, so that what is rounded is the result only.
"""

from __future__ import annotations

from typing import Any, Sequence

import numpy as np

from models.tree import Pose, Rotation, Rpy

Array = np.ndarray
WIDE = np.longdouble


def matrix(rotation: Rotation) -> Array:
    """The 3x3 matrix of a rotation, in the widest float."""
    if isinstance(rotation, Rpy):
        return _rpy_matrix(*(WIDE(x) for x in rotation))
    w, x, y, z = (WIDE(c) for c in rotation)
    v = np.array([x, y, z])
    square = w * w + v @ v
    R: Array = np.eye(3, dtype=WIDE) + 2 / square * (w * hat(v) + hat(v) @ hat(v))
    return R


def _rpy_matrix(roll: Any, pitch: Any, yaw: Any) -> Array:
    (cr, cp, cy), (sr, sp, sy) = (f([roll, pitch, yaw]) for f in (np.cos, np.sin))
    return np.array(
        [
            [cy * cp, cy * sp * sr - sy * cr, cy * sp * cr + sy * sr],
            [sy * cp, sy * sp * sr + cy * cr, sy * sp * cr - cy * sr],
            [-sp, cp * sr, cp * cr],
        ]
    )


def hat(v: Array) -> Array:
    """The matrix of the cross product with v."""
    x, y, z = v
    o = 0 * x
    return np.array([[o, -z, y], [z, o, -x], [-y, x, o]])


def transform(pose: Pose) -> Array:
    """The 4x4 matrix of a pose, in the widest float."""
    T = np.eye(4, dtype=WIDE)
    T[:3, :3] = matrix(pose.rotation)
    T[:3, 3] = pose.p
    return T


def unit(axis: Sequence[float] | Array) -> Array:
    """The axis with length one, in the widest float."""
    wide = np.asarray(axis, WIDE)
    scaled: Array = wide / np.sqrt(wide @ wide)
    return scaled


def turn(axis: Array) -> Array:
    """A rotation, in the widest float, that takes the z axis to a given unit axis."""
    x, y, z = axis
    if z < 0:  # by the half turn about x, so that 1 + z stays away from zero
        half_turn = np.diag(np.array([1, -1, -1], WIDE))
        mirrored: Array = half_turn @ turn(half_turn @ axis)
        return mirrored
    K = hat(np.array([-y, x, 0 * x]))
    R: Array = np.eye(3, dtype=WIDE) + K + K @ K / (1 + z)
    return R
