"""2.1.3.5 Closing one loop: products of exponentials, and Newton's method with a joint held.

T(theta) = e^[S_1] theta_1 ... e^[S_n] theta_n is the identity where the loop is closed.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

import numpy as np

from reference.ch02_01_displacement import EYE4, Array, displacement, hat, turned

ITERATIONS = 40
LARGEST_STEP = 0.5
"""Steps are shortened to this [rad | m]: a start may be far from closed."""
SETTLED = 1e-15


def exp_se3(twist: Array) -> Array:
    """exp([twist]) (4, 4) of a twist (6,) in the order (omega, v)."""
    return displacement(twist, 1.0)


def log_se3(T: Array) -> Array:
    """The twist (6,) whose exponential a displacement is, its turn at most pi.

    Near a half turn the axis comes from R + 1, elsewhere from R - R', so that no digits are
    lost at either end.
    """
    R = T[:3, :3]
    odd = 0.5 * np.array([R[2, 1] - R[1, 2], R[0, 2] - R[2, 0], R[1, 0] - R[0, 1]])
    sine, cosine = float(np.linalg.norm(odd)), (float(np.trace(R)) - 1) / 2
    angle = float(np.arctan2(sine, cosine))
    if angle < 1e-8:
        w = odd
    elif cosine > -0.9:
        w = odd * (angle / sine)
    else:
        even = (R + R.T) / 2 - cosine * np.eye(3)  # (1 - cosine) u u'
        column = even[:, int(np.argmax(np.diag(even)))]
        u = column / np.linalg.norm(column)
        w = angle * u * (1.0 if u @ odd >= 0 else -1.0)
    W = hat(w)
    inverse = np.eye(3) - W / 2 + _cotangent_part(angle) * W @ W
    return np.concatenate([w, inverse @ T[:3, 3]])


def _cotangent_part(angle: float) -> float:
    """(1 - (t/2) cot(t/2)) / t^2, 1/12 at zero."""
    if angle < 1e-2:
        return 1 / 12 + angle**2 / 720 + angle**4 / 30240
    half = angle / 2
    return (1 - half / np.tan(half)) / angle**2 if half < np.pi / 2 else 1 / angle**2


def product_of_exponentials(S: Array, theta: Array) -> Array:
    """T(theta) (4, 4) of screws (n, 6) in the reference pose."""
    T = EYE4
    for screw, x in zip(S, theta, strict=True):
        T = T @ displacement(screw, x)
    return T


def screws_at(S: Array, theta: Array) -> Array:
    """The screws (6, n) at a configuration: each turned by the joints before it."""
    T, found = EYE4, []
    for screw, x in zip(S, theta, strict=True):
        found.append(turned(T, screw[:, None])[:, 0])
        T = T @ displacement(screw, x)
    return np.array(found).T


class Closing(NamedTuple):
    """Where Newton's method ended: theta (n,), and the residual |log T| there."""

    theta: Array
    residual: float


def closure_residual(S: Array, theta: Array) -> float:
    """|log T(theta)|, how far the loop is open [rad, m]."""
    return float(np.linalg.norm(log_se3(product_of_exponentials(S, theta))))


def closed_with(S: Array, theta: Array, held: int = 0, end: Array = EYE4) -> Closing:
    """Gauss-Newton on the joints but one, each step the shortest (2.1.3.5).

    Args:
        S: Screws (n, 6) in the reference pose.
        theta: Where to start; that of the held joint stays.
        held: The joint that is held.
        end: What the product must be, the identity for screws of a closed pose.
    """
    theta, back = np.array(theta, float), np.linalg.inv(end)
    free = [k for k in range(len(theta)) if k != held]

    def off(theta: Array) -> Array:
        return log_se3(product_of_exponentials(S, theta) @ back)

    r = off(theta)
    for _ in range(ITERATIONS):
        step = np.linalg.lstsq(screws_at(S, theta)[:, free], -r, rcond=1e-10)[0]
        size = float(np.linalg.norm(step))
        theta[free] += step * min(1.0, LARGEST_STEP / max(size, SETTLED))
        r = off(theta)
        if size < SETTLED or float(np.linalg.norm(r)) < SETTLED:
            break
    return Closing(theta, float(np.linalg.norm(r)))


def distinct_closures(
    S: Array, value: float, starts: Iterable[Array], held: int = 0
) -> list[Array]:
    """Different closed configurations with one joint at a value, from many starts."""
    found: list[Array] = []
    for start in starts:
        theta = np.insert(start, held, value)
        theta, residual = closed_with(S, theta, held)
        theta = (theta + np.pi) % (2 * np.pi) - np.pi
        if residual < 1e-10 and not any(_is_same(theta, other) for other in found):
            found.append(theta)
    return found


def _is_same(a: Array, b: Array) -> bool:
    apart = (a - b + np.pi) % (2 * np.pi) - np.pi
    return float(np.abs(apart).max()) < 1e-6
