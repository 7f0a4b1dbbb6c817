"""3.11 Claims on the Stewart platform: leg forces, and the sign of forces along tendons."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import cache
from typing import Any

import numpy as np

from models import CLOSED_CHAINS, Model, Tendon
from reference.carriers import UNIT_ROUNDOFF
from reference.ch03_11_constrained_dynamics import tendon_driven_acceleration
from reference.ch03_11_parallel import (
    leg_force_map,
    massless_leg_forces,
    motion_of_tool,
    platform_points,
    platform_wrench,
)
from reference.claim import (
    Claim,
    Judge,
    Outcome,
    judge_digits,
    judge_residual,
    undecided,
)
from reference.kinematics import frame_bias_acceleration, frame_jacobian, frame_pose
from reference.measured import Measured, above
from reference.quantity import Array

PLATFORM = CLOSED_CHAINS["stewart"]
TWIST = np.array([[-0.6, -0.7, -0.1, 0.0, 0.0, 0.0]])
"""Angular velocity and velocity of the platform; fitted with the pose."""
RATE = np.array([[-1.2, -1.9, 0.4, 0.0, -0.4, -0.5]])
"""Angular acceleration and acceleration of its centre of mass."""
REST = np.zeros((1, 6))


def force_map(model: Model, q: Array) -> Array:
    """S about the centre of mass at configurations (N, 6), (N, 6, 6)."""
    return leg_force_map(*platform_points(model, q))


def home() -> Array:
    """The pose, (1, 6)."""
    return np.array([PLATFORM.home])


def leg_forces(twist: Array, rate: Array) -> Array:
    """Forces of the six massless legs at home, pushing ones positive, (1, 6) [N]."""
    inertia = PLATFORM.bodies[-1].inertia
    assert inertia is not None  # the platform has mass
    xx, _, _, yy, _, zz = inertia.moments
    R = frame_pose.value(PLATFORM, {"q": home()})[:, :, :3]
    turned = R @ np.diag([xx, yy, zz]) @ R.mT
    gravity = np.array(PLATFORM.gravity)
    wrench = platform_wrench(inertia.mass, turned, twist, rate, gravity)
    return massless_leg_forces(force_map(PLATFORM, home()), wrench)


@cache
def _static() -> Array:
    return leg_forces(REST, REST)


@cache
def _moving() -> Array:
    return leg_forces(TWIST, RATE)


_NUMBERS: dict[str, Callable[[], list[Any]]] = {
    "3.11-stewart-cond": lambda: [np.linalg.cond(force_map(PLATFORM, home())[0])],
    "3.11-stewart-static-min": lambda: [_static().min()],
    "3.11-stewart-static-max": lambda: [_static().max()],
    "3.11-stewart-move-min": lambda: [_moving().min()],
    "3.11-stewart-move-max": lambda: [_moving().max()],
    "3.11-stewart-maxdiff": lambda: [np.abs(_moving() - _static()).max()],
}


def _digits(name: str) -> Judge:
    remark = "the pose was fitted to these numbers"
    return lambda claim: judge_digits(claim, _NUMBERS[name](), remark)


def similar_hexagons() -> Model:
    """The platform with its balls where the feet are, scaled: beta_b = beta_p."""
    first = PLATFORM.tendons[0].points
    scale = np.linalg.norm(first[1].pose.p) / np.linalg.norm(first[0].pose.p)

    def scaled(tendon: Tendon) -> Tendon:
        foot, ball = tendon.points
        x, y, z = (float(scale * c) for c in foot.pose.p)
        return Tendon(
            tendon.name, (foot, ball._replace(pose=foot.pose._replace(p=(x, y, z))))
        )

    return replace(PLATFORM, tendons=tuple(map(scaled, PLATFORM.tendons)))


def similar_hexagons_are_singular(claim: Claim) -> Outcome:
    """sigma_min of S at twenty poses, tilted ones too.

    A singular value moves by no more than the norm of the error: of the entries, 30 u |S|
    for the few operations behind each, and of the decomposition.
    """
    rng = np.random.default_rng([311, 2])
    tilts = home() + 0.1 * rng.normal(size=(20, 6))
    S = force_map(similar_hexagons(), tilts)
    sigma = np.linalg.svd(S, compute_uv=False)[:, -1]
    bound = 30 * UNIT_ROUNDOFF * np.linalg.norm(S, axis=(1, 2))
    least = np.linalg.svd(force_map(PLATFORM, home()), compute_uv=False)[0, -1]
    residual = Measured(sigma[:, None, None], bound[:, None, None])
    remark = f"twenty poses; {least:.2g} with the two angles apart"
    return judge_residual(claim, residual, remark=remark)


# ------------------------------------------------------------ forces along the tendons


def driven_rate(forces: Array, twist: Array) -> Array:
    """(alpha, a_c) of the platform at home under leg forces, (1, 6)."""
    q = home()
    v, _ = motion_of_tool(PLATFORM, q, range(6), twist, REST)
    a = tendon_driven_acceleration.value(PLATFORM, {"q": q, "v": v, "f": forces})
    J = frame_jacobian.value(PLATFORM, {"q": q})
    found: Array = (J @ a[..., None])[..., 0]
    return found + frame_bias_acceleration.value(PLATFORM, {"q": q, "v": v})


def _errors() -> tuple[float, float, float]:
    """Errors of linear and angular acceleration moving, and of both at rest."""
    moving = np.abs(driven_rate(_moving(), TWIST) - RATE)[0]
    rest = np.abs(driven_rate(_static(), REST))
    return float(moving[3:].max()), float(moving[:3].max()), float(rest.max())


def wrong_sign_is_off_by_two_g(claim: Claim) -> Outcome:
    """Acceleration at rest under the static forces with the other sign."""
    off = float(np.abs(driven_rate(-_static(), REST)).max())
    exact = 2 * float(np.linalg.norm(PLATFORM.gravity))
    message = f"2 g = {exact:.2f} m/s^2 at any pose, as L'f and gravity cancel"
    return judge_digits(claim, [off], message)


def unbalanced(forces: Array, twist: Array, rate: Array) -> Measured:
    """M a + h - L'f for the prescribed motion, which a solve for f leaves at zero.

    The solve leaves 18 u |S| |f| of the wrench, whose own terms err by a few u.
    """
    q = home()
    v, a = motion_of_tool(PLATFORM, q, range(6), twist, rate)
    equation = tendon_driven_acceleration.equation()
    batch = {"q": q, "v": v, "f": forces, "solution": a}
    size = np.abs(force_map(PLATFORM, q)) @ np.abs(forces)[..., None]
    J = np.abs(frame_jacobian.value(PLATFORM, {"q": q}))
    left = J.mT @ (30 * UNIT_ROUNDOFF * size)
    bound = equation.tolerance(PLATFORM, batch)[..., None] + left
    return Measured(equation.value(PLATFORM, batch)[..., None], bound)


def pushing_forces_are_positive(claim: Claim) -> Outcome:
    """M a + h = + L'f for the leg forces, moving and at rest; -f is off by 2 g."""
    balance = above(
        unbalanced(_moving(), TWIST, RATE), unbalanced(_static(), REST, REST)
    )
    linear, angular, rest = _errors()
    off = float(np.abs(driven_rate(-_static(), REST)).max())
    remark = (
        f"+f gives the accelerations back to {linear:.1g} m/s^2 and {angular:.1g} "
        f"rad/s^2, at rest to {rest:.1g}; -f is off by {off:.4g} m/s^2 = 2 g"
    )
    return judge_residual(claim, balance, remark=remark)


_LIBRARY = (
    "a matter of the library and of a pose that is not printed; the records of this run "
    "compare each library with the reference"
)


def library_reproduces_the_motion(claim: Claim) -> Outcome:
    """Not a matter of the reference; its own sizes beside it."""
    linear, angular, _ = _errors()
    own = f"the reference itself closes to {linear:.1g} m/s^2 and {angular:.1g} rad/s^2"
    return undecided(claim, [], f"{_LIBRARY}; {own}")


def library_rests(claim: Claim) -> Outcome:
    """Not a matter of the reference; its own size beside it."""
    own = f"the reference itself closes to {_errors()[2]:.1g}"
    return undecided(claim, [], f"{_LIBRARY}; {own}")


CLAIMS: dict[str, Judge] = {name: _digits(name) for name in _NUMBERS} | {
    "3.11-stewart-structural": similar_hexagons_are_singular,
    "3.11-mujoco-move": library_reproduces_the_motion,
    "3.11-mujoco-rest": library_rests,
    "3.11-mujoco-wrong-sign": wrong_sign_is_off_by_two_g,
    "3.11-mujoco-sign": pushing_forces_are_positive,
}
