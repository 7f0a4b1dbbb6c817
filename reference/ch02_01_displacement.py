"""2.1.3.5 Displacements of rigid bodies, and the screws that generate them: SE(3).

Twists and screws are (omega, v), displacements matrices (4, 4).
"""

from __future__ import annotations

import numpy as np

Array = np.ndarray

EYE4 = np.eye(4)


def hat(w: Array) -> Array:
    """The matrix (3, 3) of w x."""
    x, y, z = w
    return np.array([[0.0, -z, y], [z, 0.0, -x], [-y, x, 0.0]])


def turned(T: Array, screws: Array) -> Array:
    """Ad_T of screws (6, k) in the order (omega, v)."""
    R, p = T[:3, :3], T[:3, 3]
    w = R @ screws[:3]
    return np.concatenate([w, R @ screws[3:] + hat(p) @ w])


def inverse(T: Array) -> Array:
    """T^-1 of a displacement."""
    X = np.eye(4)
    X[:3, :3] = T[:3, :3].T
    X[:3, 3] = -T[:3, :3].T @ T[:3, 3]
    return X


def bracket(a: Array, b: Array) -> Array:
    """Lie bracket [a, b] of two twists (6,)."""
    w = np.cross(a[:3], b[:3])
    return np.concatenate([w, np.cross(a[:3], b[3:]) + np.cross(a[3:], b[:3])])


def displacement(screw: Array, q: float) -> Array:
    """exp([screw] q) for any screw (6,)."""
    w, v = screw[:3], screw[3:]
    T, size = np.eye(4), float(np.sqrt(w @ w))
    if size * abs(q) < 1e-300:
        T[:3, 3] = v * q
        return T
    K, t = hat(w / size), size * q
    KK = K @ K
    T[:3, :3] = EYE4[:3, :3] + np.sin(t) * K + 2 * np.sin(t / 2) ** 2 * KK
    lever = q * EYE4[:3, :3]
    lever = lever + (2 * np.sin(t / 2) ** 2 / size) * K + ((t - np.sin(t)) / size) * KK
    T[:3, 3] = lever @ v
    return T


def small_displacement(T: Array) -> Array:
    """(omega, v) of a displacement near the identity: exact to first order, zero only there."""
    R = T[:3, :3]
    w = 0.5 * np.array([R[2, 1] - R[1, 2], R[0, 2] - R[2, 0], R[1, 0] - R[0, 1]])
    if np.trace(R) < 1:  # beyond a quarter turn the sine falls again
        w = w * (np.pi / max(float(np.linalg.norm(w)), 1e-3))
    return np.concatenate([w, T[:3, 3]])
