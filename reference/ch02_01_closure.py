"""2.1.3.5 Closing one loop: products of exponentials, and Newton's method with a joint held.

T(theta) = e^[S_1] theta_1 ... e^[S_n] theta_n is the identity where the loop is closed.
Arrays may have leading axes: many starts cost little more than one.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from reference.carriers import UNIT_ROUNDOFF
from reference.ch02_01_displacement import EYE4, Array, chain, exp_se3, log_se3
from reference.rank import RANK_RTOL

ROUNDINGS = 16
"""Roundings in an entry of e^[S] theta, and of a product of two displacements."""
ITERATIONS = 100
LARGEST_STEP = 0.5
"""Steps are shortened to this [rad | m]: a start may be far from closed."""
SETTLED = 1e-8
"""After a step of this size the next, of its square, is rounding."""
CLOSED, APART = 1e-10, 1e-6
"""Residual of a closure, and angle between two that differ: in between lies nothing."""


def product_of_exponentials(S: Array, theta: Array) -> Array:
    """T(theta) (..., 4, 4) of screws (n, 6) in the reference pose."""
    return chain(S, theta)[0]


def screws_at(S: Array, theta: Array) -> Array:
    """The screws (..., 6, n) at a configuration: each turned by the joints before it."""
    return chain(S, theta)[1]


def closure_residual(S: Array, theta: Array) -> Array:
    """|log T(theta)| (...), how far the loop is open [rad, m]."""
    size: Array = np.linalg.norm(log_se3(product_of_exponentials(S, theta)), axis=-1)
    return size


def rounding(S: Array, theta: Array) -> Array:
    """What may be wrong with |log T(theta)| (...) by rounding, to first order [rad, m].

    Each factor is off by `ROUNDINGS` unit roundoffs of its entries, which are at most one
    and its shift, and by those of its screw times its angle; both act where the factors
    before it have carried them.
    """
    T = np.broadcast_to(EYE4, (*theta.shape[:-1], 4, 4))
    off, reach = np.zeros(theta.shape[:-1]), np.ones(theta.shape[:-1])
    for k, screw in enumerate(S):
        T = T @ exp_se3(theta[..., k, None] * screw)
        reach = np.maximum(reach, 1 + np.linalg.norm(T[..., :3, 3], axis=-1))
        off = off + 1 + np.linalg.norm(screw) * np.abs(theta[..., k])
    return ROUNDINGS * UNIT_ROUNDOFF * reach * off


class Closing(NamedTuple):
    """Where Newton's method ended: theta (..., n), and the residual |log T| (...)."""

    theta: Array
    residual: Array


def closed_with(S: Array, theta: Array, held: int = 0, end: Array = EYE4) -> Closing:
    """Gauss-Newton on the joints but one, each step the shortest (2.1.3.5).

    Args:
        S: Screws (n, 6) in the reference pose.
        theta: Where to start, (..., n); that of the held joint stays.
        held: The joint that is held.
        end: What the product must be, the identity for screws of a closed pose.
    """
    rows, back = np.array(theta, float).reshape(-1, len(S)), np.linalg.inv(end)
    free, going = np.flatnonzero(np.arange(len(S)) != held), np.arange(len(rows))
    for _ in range(ITERATIONS):
        T, screws = chain(S, rows[going])
        inverse = np.linalg.pinv(screws[..., free], rcond=RANK_RTOL)
        step = -(inverse @ log_se3(T @ back)[..., None])[..., 0]
        size = np.linalg.norm(step, axis=-1)
        shorter = LARGEST_STEP / np.maximum(size, LARGEST_STEP)
        rows[np.ix_(going, free)] += step * shorter[:, None]
        going = going[size > SETTLED]
        if not len(going):
            break
    found = rows.reshape(np.shape(theta))
    r = log_se3(product_of_exponentials(S, found) @ back)
    return Closing(found, np.linalg.norm(r, axis=-1))


def wrapped(angle: Array) -> Array:
    """Angles within half a turn of zero."""
    return (angle + np.pi) % (2 * np.pi) - np.pi


def distinct_closures(
    S: Array, value: float, starts: Array, held: int = 0
) -> list[Array]:
    """Different closed configurations with one joint at a value, from many starts.

    Args:
        S: Screws (n, 6) in the reference pose.
        value: Where the joint is held.
        starts: Where to start with the others, (m, n - 1).
        held: The joint that is held.
    """
    ended = closed_with(S, np.insert(starts, held, value, axis=1), held)
    found: list[Array] = []
    for theta in wrapped(ended.theta[ended.residual < CLOSED]):
        if all(np.abs(wrapped(theta - other)).max() > APART for other in found):
            found.append(theta)
    return found
