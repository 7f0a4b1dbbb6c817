"""2.1.5 (2), (3) Bennett's and Sarrus's linkages and the folded parallelogram, in motion."""

from __future__ import annotations

from functools import cache
from typing import NamedTuple

import numpy as np

from models import linkage_named
from reference.ch02_01_closure import (
    Closing,
    closed_with,
    closure_residual,
    distinct_closures,
    rounding,
    screws_at,
)
from reference.ch02_01_displacement import Array, exp_se3
from reference.ch02_01_structure import pair_screws

ALPHA, BETA, LENGTH = np.radians(30.0), np.radians(50.0), 1.0
"""Twists of Bennett's linkage and its first length [m]: reconstructed, not printed."""
ASSEMBLED = np.radians(40.0)
"""Its theta_1 as assembled."""
STEP = np.radians(5.0)
DEVIATIONS = (0.0, 0.1, 0.5, 1.0, 2.0, 5.0)
"""Delta beta of the table of violations [deg]."""
VIOLATION_STARTS, BRANCH_STARTS = 60, 200
NEAR_FOLD = (0.2, 0.02, 0.002)
"""theta_1 of the folded parallelogram off its fold [rad]."""


class Bennett(NamedTuple):
    """Bennett's linkage on one turn of theta_1 each way; rows are configurations.

    Attributes:
        theta: Angles of Denavit and Hartenberg (m, 4).
        s: Singular values of the screws there (m, 4).
        residual: |log T| there (m,).
        rounding: What of it may be rounding (m,).
    """

    theta: Array
    s: Array
    residual: Array
    rounding: Array


def denavit_hartenberg(theta: float, a: float, alpha: float) -> Array:
    """Rz(theta) Tx(a) Rx(alpha), standard convention without offset (2.3)."""
    z, x = np.array([0.0, 0, 1, 0, 0, 0]), np.array([1.0, 0, 0, 0, 0, 0])
    shift = np.array([0.0, 0, 0, 1, 0, 0])
    return exp_se3(theta * z) @ exp_se3(a * shift) @ exp_se3(alpha * x)


def half_tangent_constant(alpha: float, beta: float) -> float:
    """K = sin((beta + alpha)/2) / sin((beta - alpha)/2) (2.1.3.5)."""
    return float(np.sin((beta + alpha) / 2) / np.sin((beta - alpha) / 2))


def bennett_loop(theta: Array, deviation: float = 0.0) -> tuple[Array, Array]:
    """Screws (4, 6) of the axes at angles theta, and where the chain ends (4, 4).

    Args:
        theta: Angles (4,).
        deviation: Added to beta, against the condition a/sin(alpha) = b/sin(beta) [rad].
    """
    b = LENGTH * np.sin(BETA) / np.sin(ALPHA)
    links = [(LENGTH, ALPHA), (b, BETA + deviation)] * 2
    T, screws = np.eye(4), []
    for angle, (a, twist) in zip(theta, links, strict=True):
        u, p = T[:3, 2], T[:3, 3]
        screws.append(np.concatenate([u, np.cross(p, u)]))
        T = T @ denavit_hartenberg(angle, a, twist)
    return np.array(screws), T


def assembled() -> Array:
    """Angles (4,) of the assembled linkage, by the relation of 2.1.3.5."""
    K = half_tangent_constant(ALPHA, BETA)
    second = 2 * np.arctan(K / np.tan(ASSEMBLED / 2))
    return np.array([ASSEMBLED, second, -ASSEMBLED, -second])


@cache
def bennett_turn() -> Bennett:
    """Bennett's linkage followed a full turn of theta_1 forward, and one backward."""
    start = assembled()
    S, _ = bennett_loop(start)
    moved = np.zeros((73, 2, 4))  # both ways at once
    for k in range(1, 73):
        guess = moved[k - 1].copy()
        guess[:, 0] = np.array([k, -k]) * STEP
        moved[k] = closed_with(S, guess).theta
    poses = np.concatenate([moved[:, 0], moved[1:, 1]])
    s = np.linalg.svd(screws_at(S, poses), compute_uv=False)
    return Bennett(start + poses, s, closure_residual(S, poses), rounding(S, poses))


@cache
def bennett_violations() -> tuple[float, ...]:
    """Least |log T| at theta_1 = 40 deg for each deviation of beta, from 60 starts."""
    return tuple(_least_residual(np.radians(d)) for d in DEVIATIONS)


def _least_residual(deviation: float) -> float:
    rng = np.random.default_rng(0)
    S, end = bennett_loop(np.zeros(4), deviation)  # the chain laid out straight
    others = rng.uniform(-np.pi, np.pi, (VIOLATION_STARTS, 3))
    starts = np.insert(others, 0, ASSEMBLED, axis=1)
    return float(closed_with(S, starts, 0, np.linalg.inv(end)).residual.min())


def loop_screws(name: str) -> Array:
    """Screws (n, 6) of a linkage of one loop, round the loop from the ground."""
    linkage = linkage_named(name)
    at, rest, screws = 0, list(linkage.pairs), []
    while rest:
        pair = next(p for p in rest if at in (p.first, p.second))
        rest.remove(pair)
        sign = 1.0 if pair.first == at else -1.0
        screws.append(sign * np.array(pair_screws(pair)[0], float))
        at = pair.second if pair.first == at else pair.first
    return np.array(screws)


@cache
def sarrus_path() -> Closing:
    """Sarrus's linkage at theta_1 = 0, 0.1 ... 1.5 rad: theta (16, 6), residuals (16,)."""
    S, theta = loop_screws("chapter-sarrus"), np.zeros((16, 6))
    for k in range(1, 16):
        guess = theta[k - 1].copy()
        guess[0] = 0.1 * k
        theta[k] = closed_with(S, guess).theta
    return Closing(theta, closure_residual(S, theta))


def sarrus_values(theta: Array) -> Array:
    """Singular values (..., 6) of Sarrus's screws at configurations (..., 6)."""
    screws = screws_at(loop_screws("chapter-sarrus"), theta)
    values: Array = np.linalg.svd(screws, compute_uv=False)
    return values


@cache
def sarrus_extension() -> float:
    """theta_1 where the three axes of leg A come to lie in one plane [rad].

    Their screws, all about y, then depend on each other: a determinant changes its sign.
    """
    S, start = loop_screws("chapter-sarrus"), sarrus_path().theta[6]

    def flatness(t: float) -> float:
        theta = closed_with(S, np.array([t, *start[1:]])).theta
        return float(np.linalg.det(screws_at(S, theta)[[1, 3, 5], :3]))

    from scipy.optimize import brentq  # late: it takes a second to import

    return float(brentq(flatness, 0.6, 0.7, xtol=1e-15))


@cache
def sarrus_stretched() -> Closing:
    """Sarrus's linkage with its legs stretched."""
    t = sarrus_extension()
    theta = np.array([t, -2 * t, t, t, -2 * t, t])
    return Closing(theta, closure_residual(loop_screws("chapter-sarrus"), theta))


@cache
def folded_branches() -> tuple[list[Array], ...]:
    """Closures of the folded parallelogram at each theta_1 of `NEAR_FOLD`, 200 starts."""
    S = loop_screws("chapter-parallelogram_folded")
    rng = np.random.default_rng(0)
    return tuple(
        distinct_closures(S, t, rng.uniform(-np.pi, np.pi, (BRANCH_STARTS, 3)))
        for t in NEAR_FOLD
    )
