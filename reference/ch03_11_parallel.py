"""3.11.3.5 Driven mechanisms: torques of drives, leg forces of a platform (float64, batched).

A drive that prescribes a coordinate is one more constraint, and its multiplier the drive's
torque; virtual work gives the same without the multipliers of the loops.  Rows of J that
vanish by structure, such as those across the plane of a planar mechanism, are left out.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from models import Frame, Loop, Model, Pose
from reference.ch03_04_manipulator_equation import bias_forces, mass_matrix
from reference.ch03_11_solvers import ConstraintError, DimensionError, solved, times
from reference.closing import (
    CLOSED,
    OpenLoopError,
    gap,
    nearest_closed,
    structural_rows,
)
from reference.constraints import (
    constraint_bias_acceleration,
    constraint_jacobian,
)
from reference.kinematics import frame_bias_acceleration, frame_jacobian, frame_pose
from reference.quantity import Array


class SingularPoseError(ConstraintError):
    """J_full is singular: no torque holds the mechanism."""


def loop_terms(model: Model, q: Array, v: Array) -> tuple[Array, Array]:
    """J_c (N, m, n) and gamma = -Jdot v (N, m) of the rows that do not vanish."""
    rows = list(structural_rows(model))
    if not rows:
        return np.zeros((len(q), 0, model.nv)), np.zeros((len(q), 0))
    J = constraint_jacobian.value(model, {"q": q})
    bias = constraint_bias_acceleration.value(model, {"q": q, "v": v})
    return J[:, rows], -bias[:, rows]


# --------------------------------------------------------------- drives as constraints


@dataclass(frozen=True)
class Driven:
    """The terms of a mechanism with some coordinates driven, at N states.

    Attributes:
        M: Mass matrix, (N, n, n).
        J: Loop constraints J_c, (N, m, n).
        h: C v + g, which is -f_ext of the text, (N, n).
        gamma: -Jdot v of the loops, (N, m).
        drives: Indices of the driven coordinates, n - m of them.
    """

    M: Array
    J: Array
    h: Array
    gamma: Array
    drives: tuple[int, ...]

    def __post_init__(self) -> None:
        """Refuse a number of drives that leaves J_full not square.

        Raises:
            DimensionError: Naming the sizes.
        """
        m, n = self.J.shape[-2:]
        if len(self.drives) != n - m:
            raise DimensionError(
                f"{m} constraints and {len(self.drives)} drives do not fix {n} "
                f"coordinates: needs {n - m} drives"
            )

    @property
    def full_jacobian(self) -> Array:
        """J_full = [J_c; J_d], (N, n, n)."""
        n = self.J.shape[-1]
        rows = np.eye(n)[list(self.drives)]
        chosen = np.broadcast_to(rows, (len(self.J), *rows.shape))
        return np.concatenate([self.J, chosen], axis=-2)


def driven(model: Model, q: Array, v: Array, drives: Sequence[int]) -> Driven:
    """The terms at states (N, n), on the constraints.

    Raises:
        DimensionError: If the drives do not make J_full square.
    """
    J, gamma = loop_terms(model, q, v)
    M = mass_matrix.value(model, {"q": q})
    h = bias_forces.value(model, {"q": q, "v": v})
    return Driven(M, J, h, gamma, tuple(drives))


def singular_values(at: Driven) -> Array:
    """Those of J_full, largest first, (N, n); the last goes to zero at a drive singularity."""
    values: Array = np.linalg.svd(at.full_jacobian, compute_uv=False)
    return values


def acceleration_under_drives(at: Driven, rates: Array) -> Array:
    """a = J_full^-1 (gamma; rates), rates (N, n - m) being those of the driven coordinates.

    Raises:
        SingularPoseError: If J_full is singular.
    """
    try:
        return solved(at.full_jacobian, np.concatenate([at.gamma, rates], axis=-1))
    except np.linalg.LinAlgError:
        raise SingularPoseError("J_full is singular") from None


def multipliers(at: Driven, a: Array) -> Array:
    """lambda = J_full^-T (M a + h): those of the loops, then those of the drives, (N, n).

    Raises:
        SingularPoseError: If J_full is singular.
    """
    try:
        return solved(at.full_jacobian.mT, times(at.M, a) + at.h)
    except np.linalg.LinAlgError:
        raise SingularPoseError("J_full is singular") from None


def torques_by_multipliers(at: Driven, a: Array) -> Array:
    """tau = lambda_d, the multipliers of the drives, (N, n - m)."""
    return multipliers(at, a)[:, at.J.shape[-2] :]


def velocity_map(at: Driven) -> Array:
    """The basis with J_c Jcal = 0 whose driven rows are the identity, (N, n, n - m).

    Raises:
        SingularPoseError: If the loops do not fix the other coordinates.
    """
    n, drives = at.J.shape[-1], list(at.drives)
    others = [i for i in range(n) if i not in at.drives]
    found = np.zeros((len(at.J), n, len(drives)))
    found[:, drives] = np.eye(len(drives))
    try:
        found[:, others] = np.linalg.solve(at.J[..., others], -at.J[..., drives])
    except np.linalg.LinAlgError:
        raise SingularPoseError("the loops leave coordinates free") from None
    return found


def torques_by_virtual_work(at: Driven, a: Array) -> Array:
    """tau = Jcal' (M a + h), (N, n - m)."""
    return times(velocity_map(at).mT, times(at.M, a) + at.h)


# ------------------------------------------------------------- motion of the end point


def with_tool_at(model: Model, start: Array, point: Sequence[float]) -> Array:
    """The closed configuration (n,) nearest to a start whose tool origin is at a point [m].

    Raises:
        OpenLoopError: If Newton's method finds none.
    """
    x, y, z = (float(c) for c in point)
    held = Frame("held_point", -1, Pose((x, y, z)))
    loop = Loop("held", "point", model.tool._replace(name="held_tool"), held)
    posed = replace(model, loops=(*model.loops, loop))
    found = nearest_closed(posed, np.asarray(start, float)[None])
    off = float(gap(posed, found)[0])
    if off > CLOSED:
        raise OpenLoopError(f"{model.name}: the tool stays {off:.3g} m off {point}")
    return found[0]


def motion_of_tool(
    model: Model, q: Array, rows: Sequence[int], velocity: Array, acceleration: Array
) -> tuple[Array, Array]:
    """v and a (N, n) that give the tool a motion and keep the loops closed.

    Args:
        model: The mechanism.
        q: Closed configurations, (N, n).
        rows: Rows of the tool's Jacobian that are prescribed, n - m of (angular, linear).
        velocity: Their velocities, (N, n - m), world axes.
        acceleration: Their accelerations, (N, n - m).
    """
    chosen = list(rows)
    J, _ = loop_terms(model, q, 0 * q)
    tool = frame_jacobian.value(model, {"q": q})[:, chosen]
    both = np.concatenate([J, tool], axis=-2)
    v = solved(both, np.concatenate([np.zeros(J.shape[:2]), velocity], axis=-1))
    _, gamma = loop_terms(model, q, v)
    bias = frame_bias_acceleration.value(model, {"q": q, "v": v})[:, chosen]
    a = solved(both, np.concatenate([gamma, acceleration - bias], axis=-1))
    return v, a


# ------------------------------------------------------------- platform on six legs


def platform_points(model: Model, q: Array) -> tuple[Array, Array, Array]:
    """Of a platform on straight legs: feet and balls in the world, and the tool's origin.

    Args:
        model: A model whose tendons lead from the world to the body of the tool, the
            tool's frame being the body's.
        q: Configurations, (N, n).

    Returns:
        Feet (k, 3), balls (N, k, 3) and origin (N, 3) [m].
    """
    T = frame_pose.value(model, {"q": q})
    R, p = T[:, :3, :3], T[:, :3, 3]
    feet = np.array([tendon.points[0].pose.p for tendon in model.tendons])
    balls = np.array([tendon.points[-1].pose.p for tendon in model.tendons])
    return feet, p[:, None] + balls @ R.mT, p


def leg_force_map(feet: Array, balls: Array, about: Array) -> Array:
    """S with columns ((r_i - p) x n_i, n_i): S f is the wrench of pushing forces f.

    Args:
        feet: Lower ends, (..., 6, 3).
        balls: Upper ends r_i on the platform, (..., 6, 3).
        about: Point p that moments refer to, (..., 3).

    Returns:
        S, (..., 6, 6): moments above forces.
    """
    spans = balls - feet
    n = spans / np.linalg.norm(spans, axis=-1, keepdims=True)
    moments = np.cross(balls - about[..., None, :], n)
    return np.concatenate([moments, n], axis=-1).mT


def platform_wrench(
    mass: float, inertia: Array, twist: Array, rate: Array, gravity: Array
) -> Array:
    """(I_w alpha + w x I_w w, m (a_c - g)) about the centre of mass, (..., 6).

    Args:
        mass: Mass [kg].
        inertia: I_w, in world axes, (..., 3, 3) [kg m^2].
        twist: (w, velocity of the centre of mass), (..., 6).
        rate: (alpha, a_c), (..., 6).
        gravity: g, (3,) [m/s^2].
    """
    w, alpha = twist[..., :3], rate[..., :3]
    moment = times(inertia, alpha) + np.cross(w, times(inertia, w))
    return np.concatenate([moment, mass * (rate[..., 3:] - gravity)], axis=-1)


def massless_leg_forces(S: Array, wrench: Array) -> Array:
    """f with S f = wrench, f > 0 pushing, (..., 6) [N].

    Raises:
        SingularPoseError: If S is singular.
    """
    try:
        return solved(S, wrench)
    except np.linalg.LinAlgError:
        raise SingularPoseError("S is singular: leg forces are not unique") from None
