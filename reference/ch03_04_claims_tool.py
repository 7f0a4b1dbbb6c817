"""3.4 Claims on effective mass and manipulability; the errata."""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import cache
from itertools import pairwise
from typing import Any

import numpy as np

from models import CATALOGUE, Model
from reference.carriers import UNIT_ROUNDOFF
from reference.ch03_04_claims_inertia import (
    ARM,
    GEARED,
    sampled_poses,
    three_poses,
)
from reference.ch03_04_manipulator_equation import (
    bias_forces,
    forward_dynamics,
    gravity_forces,
    mass_matrix,
    potential_energy,
)
from reference.ch03_04_properties import (
    acceleration_half_axes,
    effective_mass_extrema,
    inverse_tool_inertia,
    measured,
    operational_space_inertia,
    velocity_half_axes,
)
from reference.ch03_04_simulation import gravity_power, simulate
from reference.claim import (
    Claim,
    Judge,
    Outcome,
    judge_digits,
    judge_erratum,
    judge_property,
    judge_residual,
    undecided,
)
from reference.kinematics import frame_jacobian
from reference.measured import Measured

Array = np.ndarray

TORQUE_LIMITS = (125.0, 164.0, 65.0, 59.0, 33.0, 10.0)
"""N m; reconstructed, but for the last, which the chapter uses."""
EXTENDED, _, FOLDED = range(3)


@cache
def _tool(model: Model) -> tuple[Array, Array]:
    """M (3, 6, 6) and the Jacobian (3, 6, 6) of the three poses."""
    batch = {"q": three_poses()}
    return mass_matrix.value(model, batch), frame_jacobian.value(model, batch)


def _extrema(model: Model) -> Array:
    """Smallest and largest effective mass of the three poses, (3, 2) [kg]."""
    M, J = _tool(model)
    return effective_mass_extrema(inverse_tool_inertia(M, J[:, 3:]))


def _accelerations(model: Model) -> Array:
    """Dynamic half-axes of the three poses, (3, 3) [m/s^2]."""
    M, J = _tool(model)
    return acceleration_half_axes(M, J[:, 3:], TORQUE_LIMITS)


def _velocities() -> Array:
    return velocity_half_axes(_tool(ARM)[1][:, 3:])


_NUMBERS: dict[str, Callable[[], list[Any]]] = {
    "3.4-mu-min": lambda: [_extrema(ARM)[:, 0].min(), _extrema(ARM)[:, 0].max()],
    "3.4-mu-max-fold": lambda: [_extrema(ARM)[FOLDED, 1]],
    "3.4-mu-max-ext": lambda: [_extrema(ARM)[EXTENDED, 1]],
    "3.4-mu-gear-min": lambda: [_extrema(GEARED).min()],
    "3.4-mu-gear-max": lambda: [_extrema(GEARED).max()],
    "3.4-kin-min": lambda: [_velocities().min()],
    "3.4-kin-max": lambda: [_velocities().max()],
    "3.4-dyn-min": lambda: [_accelerations(ARM).min()],
    "3.4-dyn-max": lambda: [_accelerations(ARM).max()],
    "3.4-dyn-gear-min": lambda: [_accelerations(GEARED).min()],
    "3.4-dyn-gear-max": lambda: [_accelerations(GEARED).max()],
}


def _digits(name: str) -> Judge:
    return lambda claim: judge_digits(claim, _NUMBERS[name]())


# ------------------------------------------------------------------------- statements


def differs_thirtyfold(claim: Claim) -> Outcome:
    """Largest over smallest effective mass of the folded arm."""
    least, most = _extrema(ARM)[FOLDED]
    ratio = float(most / least)
    holds = ratio > float(claim.printed[0])
    message = "with reconstructed parameters; the printed 7.99/0.20 is 40"
    return judge_property(claim, holds, f"{ratio:.4g}", message)


def falls_towards_extension(claim: Claim) -> Outcome:
    """Largest effective masses in the order folded, middle, extended."""
    masses = _extrema(ARM)[::-1, 1]
    value = " > ".join(f"{x:.3g}" for x in masses)
    holds = bool((np.diff(masses) < 0).all())
    return judge_property(claim, holds, value, "with reconstructed parameters")


def _horizontal() -> tuple[Array, Array]:
    """Smallest and largest horizontal effective mass, and their angles in [0, 180) deg.

    Shapes (3, 2); the mass along u is 1/(u'Au), A the horizontal block.
    """
    M, J = _tool(ARM)
    values, vectors = np.linalg.eigh(inverse_tool_inertia(M, J[:, 3:5]))
    angles = np.degrees(np.arctan2(vectors[:, 1], vectors[:, 0])) % 180
    return 1 / values[:, ::-1], angles[:, ::-1]


def horizontal_angles(claim: Claim) -> Outcome:
    """Angles of the extended arm; the two are always 90 degrees apart."""
    least, most = _horizontal()[1][EXTENDED]
    reason = (
        f"they turn with q1, which is not printed; ours, extended, are {least:.0f} and "
        f"{most:.0f}; those of a quadratic form are 90 apart, the printed ones, read "
        f"from a graph, 91"
    )
    return undecided(claim, [], reason)


def horizontal_masses(claim: Claim) -> Outcome:
    """Largest horizontal effective mass, folded, middle, extended."""
    masses = _horizontal()[0][::-1, 1]
    return undecided(claim, masses.tolist(), "the pose was not fitted to these numbers")


def force_over_acceleration(claim: Claim) -> Outcome:
    """(a.u / f) / (u'Au) - 1 with a = J qdd, tau = g + J'F, F = f u.

    To first order a solve with M, x = M^-1 J'u, errs by x' dM x in u'Au; dM holds the
    bound of M and that of a stable solve, 3 n u sqrt(M_ii M_jj).  There are two solves,
    and the errors of J'u and of g - g on top of one.
    """
    f, directions = 10.0, np.vstack([np.eye(3), np.full((1, 3), 3**-0.5)])
    q = np.repeat(three_poses(), len(directions), axis=0)
    u = np.tile(directions, (3, 1))
    rest = np.zeros_like(q)
    M = measured(ARM, mass_matrix.compute, q)
    J = measured(ARM, frame_jacobian.compute, q).rows(3, 6)
    push = J.mT @ Measured(u[..., None], 0 * u[..., None])
    gravity = measured(ARM, gravity_forces.compute, q)
    tau = gravity + push * f
    batch = {"q": q, "v": rest, "tau": tau.value[..., 0]}
    a = forward_dynamics.value(ARM, batch)[..., None]
    A = inverse_tool_inertia(M.value, J.value)
    mobility = u[:, None] @ A @ u[..., None]
    found = u[:, None] @ (J.value @ a) / f / mobility - 1

    x = np.abs(np.linalg.solve(M.value, push.value))
    scale = np.sqrt(M.value.diagonal(axis1=1, axis2=2))[..., None]
    matrix = M.bound + 3 * ARM.nv * UNIT_ROUNDOFF * (scale @ scale.mT)
    bias = measured(ARM, bias_forces.compute, q, rest)
    forces = push.bound + (tau.bound + bias.bound) / f
    allowed = 2 * (x.mT @ matrix @ x + 2 * x.mT @ forces) / mobility
    return judge_residual(
        claim, Measured(found, allowed + 4 * UNIT_ROUNDOFF), remark="three poses"
    )


def mass_is_not_a_quadratic_form(claim: Claim) -> Outcome:
    """The 2R arm at 150 degrees along x."""
    model = CATALOGUE["arm_2r"]
    batch = {"q": np.array([[0.0, np.radians(150)]])}
    M, J = mass_matrix.value(model, batch), frame_jacobian.value(model, batch)[:, 3:5]
    felt = float(1 / inverse_tool_inertia(M, J)[0, 0, 0])
    form = float(operational_space_inertia(M, J)[0, 0, 0])
    value = f"{felt:.4g} kg, {form:.4g} kg"
    return judge_property(
        claim, form > 1.5 * felt, value, "m_u = 1/A11 = 2.5, Lambda11 = 4"
    )


def block_is_not_position_inertia(claim: Claim) -> Outcome:
    """Last block of Lambda_6 less Lambda_v, folded."""
    M, J = _tool(ARM)
    whole = operational_space_inertia(M, J)[FOLDED, 3:, 3:]
    part = operational_space_inertia(M, J[:, 3:])[FOLDED]
    excess = np.linalg.eigvalsh(whole - part)
    value = f"up to {np.abs(whole - part).max():.3g} kg"
    message = "the block is the larger one: it also holds the tool's rotation still"
    return judge_property(claim, bool(excess[-1] > 0.01 * part.max()), value, message)


# ------------------------------------------------------------------------------ errata


def gravity_does_work(claim: Claim) -> Outcome:
    """The 2R arm falls for 0.3 s from rest, stretched out level."""
    model = CATALOGUE["arm_2r"]
    start = ((0.0, 0.0), (0.0, 0.0))
    gaps = []
    for step in (0.02, 0.01, 0.005):
        fall = simulate(model, start, step, 0.3, power=gravity_power(model))
        height = potential_energy.value(model, {"q": fall.q[[0, -1]]})
        work, drop = float(fall.work[-1]), float(height[0] - height[1])
        gaps.append(abs(work - drop))
    # the identity holds if what is missing is the integrator's: of order above three
    closes = all(8 * fine < coarse for coarse, fine in pairwise(gaps))
    refuted = closes and work > gaps[-1]
    message = (
        f"gravity does the work {work:.4g} J = -dV on a 2R arm that falls for 0.3 s; "
        f"right is: its work is -dV whatever the path, zero on a closed one"
    )
    return judge_erratum(claim, refuted, f"{work:.6g} J, -dV = {drop:.6g} J", message)


def lever_is_too_long(claim: Claim) -> Outcome:
    """M^-1 >= e6 e6'/M66, so A >= J6 J6'/M66 and m_u,min <= M66/|J6|^2."""
    moment, printed_mass, largest = 2.8e-4, 0.19, 1840.0
    acceleration, mass = 10 * 0.08 / moment, moment / 0.08**2
    lever = math.sqrt(moment / printed_mass)
    q = sampled_poses(ARM, 200)
    M, J = (f.value(ARM, {"q": q}) for f in (mass_matrix, frame_jacobian))
    column = J[:, 3:, 5]
    limit = M[:, 5, 5] / np.einsum("ni,ni->n", column, column)
    holds = (
        effective_mass_extrema(inverse_tool_inertia(M, J[:, 3:]))[:, 0] <= limit
    ).all()
    refuted = bool(holds) and mass < printed_mass - 0.005 and acceleration > largest
    message = (
        f"a lever of 0.08 m about axis 6 forces m_u,min <= M66/lever^2 = {mass:.3f} kg "
        f"against the printed {printed_mass}; the lever is at most {lever:.4f} m; and "
        f"{acceleration:.0f} m/s^2 exceeds the printed maximum {largest:.0f}"
    )
    return judge_erratum(claim, refuted, f"{acceleration:.4g} m/s^2", message)


CLAIMS: dict[str, Judge] = {name: _digits(name) for name in _NUMBERS} | {
    "3.4-ratio-30x": differs_thirtyfold,
    "3.4-mu-monotone": falls_towards_extension,
    "3.4-mu-angles": horizontal_angles,
    "3.4-mu-horizontal": horizontal_masses,
    "3.4-mu-forward": force_over_acceleration,
    "3.4-mu-neq": mass_is_not_a_quadratic_form,
    "3.4-L6-block": block_is_not_position_inertia,
    "3.4-gravity-no-work": gravity_does_work,
    "3.4-mu-2860": lever_is_too_long,
}
