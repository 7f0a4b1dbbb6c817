"""3.11 Constrained dynamics: M a + h = tau + J' lambda, J a = gamma = -Jdot v.

A multiplier is the force (moment, force) that the second body of a loop puts on the first,
in the axes of the world.  Numbers in brackets are of Lynch & Park, Modern Robotics (2017),
written L&P; their lambda has the other sign.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from reference.carriers import Matrix
from reference.ch03_04_manipulator_equation import bias_forces, mass_matrix
from reference.ch03_11_equations import (
    Scalars,
    float64,
    motion_residual,
    motion_residual_in_first_axes,
    sap_regularization,
    softened_residual,
    stabilization,
    stabilized_residual,
    system,
    tendon_driven_residual,
    vectors,
    velocity_level_residual,
    with_fitted_multipliers,
    with_regularized_multipliers,
    with_stiffness,
    with_stretch,
)
from reference.ch03_11_solvers import least_motion, regularized_motion
from reference.closing import locked, needs_solvable_open_states, redundancy
from reference.constraints import (
    constraint_bias_acceleration,
    constraint_error,
    constraint_jacobian,
    first_axes,
    tendon_jacobian,
    tendon_lengths,
    with_lengths,
)
from reference.quantity import (
    Array,
    needs_loops,
    needs_points,
    needs_tendons,
    quantity,
)
from reference.robot import Robot


def _column(robot: Robot, *parts: Array) -> Matrix:
    entries = np.concatenate(parts, axis=-1)
    return robot.la.column([entries[..., i] for i in range(entries.shape[-1])])


# ------------------------------------------------------------------------- quantities


@quantity(
    "(a, lambda)",
    shape="nv+nc",
    unit="rad/s^2 | m/s^2, N m | N",
    source="3.11.3.2; L&P (8.93)-(8.97)",
    stage="constrained",
    residual=motion_residual,
    prepared=with_stretch,
    refused=locked,
    remark=redundancy,
    silent=needs_loops,
)
def constrained_motion(robot: Robot, q: Scalars, v: Scalars, tau: Scalars) -> Matrix:
    """M a + h = tau + J' lambda and J a = gamma.

    Where rows of J depend on each other, a and J' lambda are unique and judged; the part of
    lambda that J' sends to zero is neither.
    """
    found = least_motion(system(robot, q, v, tau))
    return _column(robot, found.a, found.multipliers)


@quantity(
    "(a, R1' lambda)",
    shape="nv+nc",
    unit="rad/s^2 | m/s^2, N m | N",
    source="3.11.3.2",
    stage="constrained",
    residual=motion_residual_in_first_axes,
    prepared=with_stretch,
    refused=locked,
    remark=redundancy,
    silent=needs_loops,
)
def constrained_motion_in_first_axes(
    robot: Robot, q: Scalars, v: Scalars, tau: Scalars
) -> Matrix:
    """The same motion, multipliers in the axes of each loop's first frame."""
    la = robot.la
    n = robot.nv
    world = constrained_motion(robot, q, v, tau)
    lam = [la.entry(world, i, 0) for i in range(n, len(world.rows))]
    turned = [
        R.mT @ f for R, f in zip(first_axes(robot, q), vectors(robot, lam), strict=True)
    ]
    a = la.column([la.entry(world, i, 0) for i in range(n)])
    return la.block([[a], *([f] for f in turned)])


@quantity(
    "a",
    shape="nv",
    unit="rad/s^2 | m/s^2",
    source="3.11.3.2",
    stage="constrained",
    residual=motion_residual,
    prepared=with_stretch,
    refused=locked,
    remark=redundancy,
    residual_shape="nv+nc",
    completed=with_fitted_multipliers,
    silent=needs_loops,
)
def default_constrained_acceleration(
    robot: Robot, q: Scalars, v: Scalars, tau: Scalars
) -> Matrix:
    """The acceleration that a library computes as it is set when nothing is said."""
    return _column(robot, least_motion(system(robot, q, v, tau)).a)


@quantity(
    "(a, lambda), stabilised",
    shape="nv+nc",
    unit="rad/s^2 | m/s^2, N m | N",
    source="3.11.3.4; Baumgarte (1972)",
    stage="constrained",
    residual=stabilized_residual,
    prepared=with_stretch,
    refused=locked,
    remark=redundancy,
    silent=needs_solvable_open_states,
)
def stabilized_motion(
    robot: Robot, q_open: Scalars, v_open: Scalars, tau: Scalars, gains: Scalars
) -> Matrix:
    """J a = gamma - 2 alpha J v - beta^2 Phi where loops are a little open."""
    terms = system(robot, q_open, v_open, tau)
    extra = stabilization(robot, q_open, v_open, gains)
    change = float64(robot, extra, terms.gamma.shape[:-1])[..., 0]
    found = least_motion(replace(terms, gamma=terms.gamma - change))
    return _column(robot, found.a, found.multipliers)


@quantity(
    "(a, lambda, R), softened",
    shape="nv+2nc",
    unit="rad/s^2 | m/s^2, N m | N, 1/(kg m^2) | 1/kg",
    source="3.11.3.6; MuJoCo, Computation, constraint model",
    stage="constrained",
    by_value=False,
    residual=softened_residual,
    prepared=with_stiffness,
    refused=locked,
    remark=redundancy,
    residual_shape="nv+nc",
    silent=needs_points,
)
def softened_motion(
    robot: Robot, q: Scalars, v: Scalars, tau: Scalars, impedance: Scalars
) -> Matrix:
    """J a + R lambda = gamma: what soft constraints solve, R being the library's own.

    It is judged by its residual; the rigid limit, R = 0, stands for a value here.
    """
    found = least_motion(system(robot, q, v, tau))
    return _column(robot, found.a, found.multipliers, 0 * found.multipliers)


@quantity(
    "(v+ - v) / h",
    shape="nv",
    unit="rad/s^2 | m/s^2",
    source="3.11.3.4; Castro et al. (2022), h = 1 s",
    stage="constrained",
    residual=velocity_level_residual,
    prepared=with_stretch,
    refused=locked,
    remark=redundancy,
    residual_shape="nv",
    completed=with_regularized_multipliers,
    silent=needs_loops,
)
def velocity_level_acceleration(
    robot: Robot, q: Scalars, v: Scalars, tau: Scalars
) -> Matrix:
    """One step of a solver that asks for J v+ = 0 at the old q: gamma has no Jdot v.

    Its constraints are regularised by a documented share of G: J v+ = - R lambda h.
    """
    terms = system(robot, q, v, tau)
    rate = constraint_jacobian(robot, q) @ robot.la.column(v)
    speed = float64(robot, rate, terms.gamma.shape[:-1])[..., 0]
    R = sap_regularization(terms, robot)
    return _column(robot, regularized_motion(replace(terms, gamma=-speed), R).a)


@quantity(
    "a(q, v, f)",
    shape="nv",
    unit="rad/s^2 | m/s^2",
    source="3.11.3.5; 3.11.5(5)",
    stage="constrained",
    residual=tendon_driven_residual,
    silent=needs_tendons,
    prepared=with_lengths,
)
def tendon_driven_acceleration(
    robot: Robot, q: Scalars, v: Scalars, f: Scalars
) -> Matrix:
    """M a + h = L' f: forces along tendons or massless legs; f > 0 pushes the ends apart."""
    known = tendon_jacobian(robot, q).mT @ robot.la.column(f)
    return robot.la.solve(mass_matrix(robot, q), known - bias_forces(robot, q, v))


QUANTITIES = {
    q.name: q
    for q in (
        mass_matrix,
        bias_forces,
        constraint_error,
        constraint_jacobian,
        constraint_bias_acceleration,
        constrained_motion,
        constrained_motion_in_first_axes,
        default_constrained_acceleration,
        stabilized_motion,
        softened_motion,
        velocity_level_acceleration,
        tendon_lengths,
        tendon_jacobian,
        tendon_driven_acceleration,
    )
}
"""What the chapter defines and libraries compute, in the order of the text."""
