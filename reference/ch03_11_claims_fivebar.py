"""3.11 Claims on the five-bar: torques near the drives' singularity."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from functools import cache
from math import isqrt
from typing import Any

import numpy as np

from models import CLOSED_CHAINS
from reference.ch03_11_parallel import (
    Driven,
    driven,
    motion_of_tool,
    singular_values,
    torques_by_multipliers,
    with_tool_at,
)
from reference.claim import (
    Claim,
    Judge,
    Outcome,
    judge_digits,
    judge_equal,
    judge_erratum,
    judge_property,
)
from reference.kinematics import frame_pose
from reference.quantity import Array

LINKS = CLOSED_CHAINS["fivebar"]
MAXIMAL = CLOSED_CHAINS["fivebar_maximal"]
DRIVES = (2, 8)
"""Indices of the angles of the left and the right proximal link."""
X, Y = 3, 4
"""Rows of the tool's Jacobian: the velocity of P."""
HEIGHTS = (0.4, 0.3, 0.25, 0.2, 0.18, 0.17, 0.16, 0.155, 0.152, 0.151, 0.1505)
"""y of P on its way to the singularity [m]; the text prints the first and the last."""
UP, DOWN, ASIDE = (0.0, 1.0), (0.0, -1.0), (1.0, 0.0)


@cache
def pose(height: float) -> tuple[float, ...]:
    """The configuration with P at (0, height), elbows outward, found from above."""
    above = [y for y in HEIGHTS if y > height]
    q = np.array(pose(above[-1]) if above else MAXIMAL.home)
    return tuple(with_tool_at(MAXIMAL, q, (0.0, height, 0.0)).tolist())


def at_rest(heights: Sequence[float]) -> Driven:
    """The terms at rest, P at those heights."""
    q = np.array([pose(y) for y in heights])
    return driven(MAXIMAL, q, 0 * q, DRIVES)


def torques(
    heights: Sequence[float], acceleration: tuple[float, float] = (0.0, 0.0)
) -> Array:
    """Torques of the two drives while P, at rest, accelerates, (N, 2) [N m]."""
    q = np.array([pose(y) for y in heights])
    wanted = np.tile(acceleration, (len(q), 1))
    v, a = motion_of_tool(MAXIMAL, q, (X, Y), 0 * wanted, wanted)
    return torques_by_multipliers(driven(MAXIMAL, q, v, DRIVES), a)


def largest(torque: Array) -> Array:
    """The larger of the two, (N,)."""
    found: Array = np.abs(torque).max(axis=1)
    return found


def smallest_singular_value(heights: Sequence[float]) -> Array:
    """sigma_min(J_full), (N,)."""
    return singular_values(at_rest(heights))[:, -1]


def _condition(height: float) -> float:
    s = singular_values(at_rest([height]))[0]
    return float(s[0] / s[-1])


def product(heights: Sequence[float]) -> Array:
    """Static torque times sigma_min, (N,)."""
    return largest(torques(heights)) * smallest_singular_value(heights)


def increase(heights: Sequence[float], direction: tuple[float, float] = UP) -> Array:
    """By how much 1 m/s^2 raises the larger torque, (N,) [%]."""
    moving, static = torques(heights, direction), torques(heights)
    return 100 * (largest(moving) / largest(static) - 1)


# ------------------------------------------------------------------------------ numbers

_NUMBERS: dict[str, Callable[[], list[Any]]] = {
    "3.11-fivebar-smin-0.40": lambda: [smallest_singular_value([0.4])[0]],
    "3.11-fivebar-smin-0.1505": lambda: [smallest_singular_value([0.1505])[0]],
    "3.11-fivebar-cond-0.40": lambda: [_condition(0.4)],
    "3.11-fivebar-cond-0.1505": lambda: [_condition(0.1505)],
    "3.11-fivebar-static-0.40": lambda: [largest(torques([0.4]))[0]],
    "3.11-fivebar-static-0.1505": lambda: [largest(torques([0.1505]))[0]],
    "3.11-fivebar-tausigma-hi": lambda: [product([0.155])[0]],
    "3.11-fivebar-tausigma-lo": lambda: [product([0.1505])[0]],
    "3.11-fivebar-accel-0.1505": lambda: [largest(torques([0.1505], UP))[0]],
    "3.11-fivebar-accel-max": lambda: [increase(HEIGHTS).max()],
}


def _digits(name: str) -> Judge:
    return lambda claim: judge_digits(claim, _NUMBERS[name]())


# --------------------------------------------------------------------------- statements


def least_increase(claim: Claim) -> Outcome:
    """Over all heights, every centimetre; the text's list is not printed."""
    heights = [round(0.15 + 0.01 * k, 2) for k in range(1, 26)]
    found = increase(heights)
    k = int(found.argmin())
    listed = increase((0.17, 0.16))
    remark = (
        f"the least of all heights, at y = {heights[k]} m; it is {listed[0]:.2f} at 0.17 "
        f"and {listed[1]:.2f} at 0.16, so 6.6 belongs to a list of heights not printed"
    )
    return judge_digits(claim, [float(found[k])], remark)


def singular_point(claim: Claim) -> Outcome:
    """Distal links along x: y^2 = L1^2 - (L2 - b)^2, in rationals."""
    base, elbow, tip = (
        abs(Fraction(repr(frame.p[0])))
        for frame in (
            LINKS.bodies[0].placement,
            LINKS.bodies[1].placement,
            LINKS.tool.pose,
        )
    )
    square = elbow**2 - (tip - base) ** 2
    y = Fraction(isqrt(square.numerator), isqrt(square.denominator))
    sigma = smallest_singular_value([float(y)])[0]
    remark = f"sigma_min(J_full) is {sigma:.1g} there"
    return judge_equal(claim, [0, y], remark)


def product_is_nearly_constant(claim: Claim) -> Outcome:
    """Its fall from the printed 0.0588 to 0.0562."""
    high, low = product([0.155, 0.1505])
    spread = 100 * float(1 - low / high)
    holds = spread < float(claim.printed[0])
    message = "from y = 0.155 to 0.1505 m, with reconstructed parameters"
    return judge_property(claim, holds, f"{spread:.2g} %", message)


def threshold_of_the_summary(claim: Claim) -> Outcome:
    """Where the product rounds to 0.0588, sigma_min exceeds the summary's 3e-3."""
    heights = [0.154, 0.1545, 0.155, 0.1555, 0.156]
    sigma, found = smallest_singular_value(heights), product(heights)
    least = float(np.interp(0.05875, found, sigma))
    at_point, limit = float(smallest_singular_value([0.155])[0]), 3e-3
    below = float(np.interp(limit, sigma, found))
    refuted = least > limit and round(below, 4) < 0.0588
    message = (
        f"the product rounds to 0.0588 only from sigma_min = {least:.3g} on (it is "
        f"{at_point:.4g} at y = 0.155 m) and is {below:.5f} at 3e-3: the summary's "
        f"sigma_min < 3e-3 leaves the point out, right is 3.1e-3 as in 3.11.5(4)"
    )
    return judge_erratum(claim, refuted, f"{at_point:.4g}", message)


def direction_of_the_acceleration(claim: Claim) -> Outcome:
    """1 m/s^2 upward, downward and aside."""
    up, down, aside = (increase(HEIGHTS, way) for way in (UP, DOWN, ASIDE))
    refuted = bool(down.max() < 0 and aside.min() < 1)
    message = (
        f"1 m/s^2 of P has no printed direction: upward the torque grows by "
        f"{up.min():.2f} to {up.max():.2f} %, downward it falls by {-down.max():.2f} to "
        f"{-down.min():.2f} %, sideways it grows by {aside.min():.2f} to "
        f"{aside.max():.2f} %; right is: upward"
    )
    return judge_erratum(claim, refuted, f"{up.min():.3g} to {up.max():.3g} %", message)


def weak_direction(claim: Claim) -> Outcome:
    """Unit vectors along the distal links, and the direction their forces cannot make."""
    q = np.array([pose(0.1505), pose(0.15)])
    P = frame_pose.value(MAXIMAL, {"q": q})[:, :2, 3]
    left, right = q[:, 5], q[:, 11]
    angles = np.stack([left, right], axis=1)
    U, s, _ = np.linalg.svd(np.stack([np.cos(angles), np.sin(angles)], axis=1))
    weak = np.abs(U[:, :, 1])
    vertical = bool(np.allclose(weak, [0.0, 1.0], rtol=0, atol=1e-9))
    holds = vertical and s[1, 1] < 1e-9 < s[0, 1]
    message = (
        f"forces along the distal links have singular values {s[0, 0]:.4g} and "
        f"{s[0, 1]:.3g} with P at y = {P[0, 1]:.4f} m, and {s[1, 1]:.1g} at 0.15 m, where "
        f"the weak direction is vertical: what the text says it did not compute"
    )
    return judge_property(claim, holds, "(0, 1)", message)


CLAIMS: dict[str, Judge] = {name: _digits(name) for name in _NUMBERS} | {
    "3.11-fivebar-tausigma-threshold": threshold_of_the_summary,
    "3.11-fivebar-singular-point": singular_point,
    "3.11-fivebar-tausigma-5pct": product_is_nearly_constant,
    "3.11-fivebar-accel-min": least_increase,
    "3.11-fivebar-accel-direction": direction_of_the_acceleration,
    "3.11-fivebar-weak-direction": weak_direction,
}
