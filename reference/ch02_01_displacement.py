"""2.1.3.5 Displacements of rigid bodies, and the screws that generate them: SE(3).

Twists and screws are (omega, v), displacements matrices (4, 4).  Arrays may have leading
axes where a shape begins with dots: many cost little more than one.
"""

from __future__ import annotations

import numpy as np

Array = np.ndarray

EYE4 = np.eye(4)
CYCLES = ((2, 1), (0, 2), (1, 0))
"""Where x, y and z stand in the matrix of w x, without the minus sign."""


def hats(w: Array) -> Array:
    """The matrices (..., 3, 3) of w x."""
    W = np.zeros((*w.shape[:-1], 3, 3))
    for i, (j, k) in enumerate(CYCLES):
        W[..., j, k], W[..., k, j] = w[..., i], -w[..., i]
    return W


def _along(v: Array) -> tuple[Array, Array]:
    """Length (..., 1) and direction (..., 3) of vectors, which is zero where they are."""
    size = np.linalg.norm(v, axis=-1, keepdims=True)
    return size, v / np.where(size > 0, size, 1.0)


def exp_se3(twist: Array) -> Array:
    """exp([twist]) (..., 4, 4) of twists (..., 6) in the order (omega, v)."""
    t, u = _along(twist[..., :3])
    t, K = t[..., None], hats(u)
    fall = 2 * np.sin(t / 2) ** 2  # 1 - cos t
    t_or_1 = np.where(t > 0, t, 1.0)
    lever = np.eye(3) + (fall / t_or_1) * K + (1 - np.sin(t) / t_or_1) * (K @ K)
    T = np.zeros((*twist.shape[:-1], 4, 4))
    T[..., :3, :3] = np.eye(3) + np.sin(t) * K + fall * (K @ K)
    T[..., :3, 3] = (lever @ twist[..., 3:, None])[..., 0]
    T[..., 3, 3] = 1.0
    return T


def _quaternion(R: Array) -> Array:
    """The unit quaternion (..., 4), real part first and not negative, of rotations.

    4 q q' stands in R; its row with the largest diagonal entry loses no digits.
    """
    trace = np.trace(R, axis1=-2, axis2=-1)
    Q = np.empty((*R.shape[:-2], 4, 4))
    Q[..., 0, 0] = 1 + trace
    Q[..., 1:, 1:] = R + R.mT
    for i, (j, k) in enumerate(CYCLES, 1):
        Q[..., i, i] += 1 - trace
        Q[..., 0, i] = Q[..., i, 0] = R[..., j, k] - R[..., k, j]
    best = np.argmax(np.diagonal(Q, axis1=-2, axis2=-1), axis=-1)[..., None, None]
    _, q = _along(np.take_along_axis(Q, best, axis=-2)[..., 0, :])
    found: Array = np.where(q[..., :1] < 0, -q, q)
    return found


def log_se3(T: Array) -> Array:
    """The twists (..., 6) whose exponentials displacements are, turned by at most pi.

    Wrong by a few rounding errors of T at every angle, for none is divided by; at half a
    turn it is one of the two.
    """
    q, p = _quaternion(T[..., :3, :3]), T[..., :3, 3]
    s, u = _along(q[..., 1:])
    half = np.arctan2(s, q[..., :1])
    cotangent = half * q[..., :1] / np.where(s > 0, s, 1.0)  # (t/2) cot(t/2)
    across = np.cross(u, p)
    v = p - half * across + np.where(s > 0, 1 - cotangent, 0.0) * np.cross(u, across)
    return np.concatenate([2 * half * u, v], axis=-1)


def chain(S: Array, theta: Array) -> tuple[Array, Array]:
    """T(theta) (..., 4, 4), and the screws (..., 6, n) at that configuration.

    Args:
        S: Screws (n, 6) in the reference pose.
        theta: Configurations (..., n).
    """
    T = np.broadcast_to(EYE4, (*theta.shape[:-1], 4, 4))
    found = []
    for k, screw in enumerate(S):
        R, p = T[..., :3, :3], T[..., :3, 3]
        w = R @ screw[:3]
        found.append(np.concatenate([w, R @ screw[3:] + np.cross(p, w)], axis=-1))
        T = T @ exp_se3(theta[..., k, None] * screw)
    return T, np.stack(found, axis=-1)


def turned(T: Array, screws: Array) -> Array:
    """Ad_T of screws (6, k) in the order (omega, v)."""
    R, p = T[:3, :3], T[:3, 3]
    w = R @ screws[:3]
    return np.concatenate([w, R @ screws[3:] + hats(p) @ w])


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
