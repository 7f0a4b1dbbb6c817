"""3.11 The equations of constrained motion: their terms, and what a solution leaves of them.

A solution is judged by its residual, with a tolerance of the size that rounding gives it;
where a library answers with a part of the solution only, the rest is completed here.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import lru_cache

import numpy as np

from models import Model
from reference.carriers import Magnitude, MagnitudeMatrix, Matrix, Numpy, Scalar
from reference.ch03_04_manipulator_equation import (
    bias_forces,
    inverse_dynamics,
    mass_matrix,
    scaled_inertia,
)
from reference.ch03_11_solvers import System, least_motion, stretch
from reference.constraints import (
    constraint_bias_acceleration,
    constraint_error,
    constraint_jacobian,
    first_axes,
    tendon_jacobian,
)
from reference.quantity import Array, Batch, plain_numpy_robot
from reference.rank import RANK_RTOL
from reference.robot import Robot

SAP_SHARE = (0.1 / (2 * np.pi)) ** 2
"""Regularisation of rigid constraints over the size of G: Castro et al. (2022), beta = 0.1."""
SAP_TOLERANCE = 1e-6
"""Relative tolerance at which that solver stops, as it documents."""

Scalars = list[Scalar]


# --------------------------------------------------------------------- float64 values


def system(robot: Robot, q: Scalars, v: Scalars, tau: Scalars) -> System:
    """The terms of the equations of motion in float64, batched over samples."""
    f = robot.la.column(tau) - bias_forces(robot, q, v)
    batch = np.shape(q[0])
    return System(
        float64(robot, mass_matrix(robot, q), batch),
        float64(robot, constraint_jacobian(robot, q), batch),
        float64(robot, f, batch)[..., 0],
        -float64(robot, constraint_bias_acceleration(robot, q, v), batch)[..., 0],
    )


def float64(robot: Robot, A: Matrix, batch: tuple[int, ...]) -> Array:
    """A matrix of the float64 carrier as an array (*batch, rows, columns)."""
    if not isinstance(robot.la, Numpy):
        raise NotImplementedError("a solution is judged by its residual")
    return robot.la.array(A, batch)


# -------------------------------------------------------------------------- residuals


def vectors(robot: Robot, entries: Scalars) -> list[Matrix]:
    """Every three scalars as a vector."""
    triples = zip(entries[::3], entries[1::3], entries[2::3], strict=True)
    return [robot.la.vector(*triple) for triple in triples]


def _residual(
    robot: Robot,
    q: Scalars,
    v: Scalars,
    tau: Scalars,
    a: Scalars,
    forces: Sequence[Matrix],
    extra: Matrix | None = None,
) -> Matrix:
    """M a + h - tau - J' lambda on top of J a + Jdot v + extra.

    Its magnitude allows a stable solution of n + m equations: what elimination may leave is
    3 (n + m) u times the absolute values of each row's terms, where a counts with its parts:
    the free acceleration and what each multiplier adds to it.
    """
    la = robot.la
    J, lam = constraint_jacobian(robot, q), la.block([[f] for f in forces])
    column = la.column(a)
    upper = inverse_dynamics(robot, q, v, a) - la.column(tau) - J.mT @ lam
    lower = J @ column + constraint_bias_acceleration(robot, q, v)
    if extra is not None:
        lower = lower + extra
    if isinstance(la, Magnitude):
        parts = robot.known["stretch"]
        inertial = scaled_inertia(robot, q, parts)
        share = 3.0 * (len(a) + 3 * len(forces))
        stiff = robot.known.get("stiff", 0.0)
        upper = upper.widened(share * (inertial + J.size.mT @ lam.size + stiff))
        lower = lower.widened(share * (J.size @ parts))
    return la.block([[upper], [la.unfolded(lower)]])


def motion_residual(
    robot: Robot, q: Scalars, v: Scalars, tau: Scalars, solution: Scalars
) -> Matrix:
    """What (a, lambda) leaves of both equations."""
    a, lam = solution[: robot.nv], solution[robot.nv :]
    return _residual(robot, q, v, tau, a, vectors(robot, lam))


def motion_residual_in_first_axes(
    robot: Robot, q: Scalars, v: Scalars, tau: Scalars, solution: Scalars
) -> Matrix:
    """The same, with multipliers in the axes of each loop's first frame."""
    a, lam = solution[: robot.nv], vectors(robot, solution[robot.nv :])
    turned = [R @ f for R, f in zip(first_axes(robot, q), lam, strict=True)]
    return _residual(robot, q, v, tau, a, turned)


def stabilized_residual(
    robot: Robot,
    q_open: Scalars,
    v_open: Scalars,
    tau: Scalars,
    gains: Scalars,
    solution: Scalars,
) -> Matrix:
    """The same, with J a = gamma - 2 alpha J v - beta^2 Phi."""
    a, lam = solution[: robot.nv], vectors(robot, solution[robot.nv :])
    extra = stabilization(robot, q_open, v_open, gains)
    return _residual(robot, q_open, v_open, tau, a, lam, extra)


def stabilization(robot: Robot, q: Scalars, v: Scalars, gains: Scalars) -> Matrix:
    """2 alpha J v + beta^2 Phi."""
    alpha, beta = gains
    speed = constraint_jacobian(robot, q) @ robot.la.column(v)
    return (speed * alpha + speed * alpha) + constraint_error(robot, q) * beta * beta


def softened_residual(
    robot: Robot,
    q: Scalars,
    v: Scalars,
    tau: Scalars,
    impedance: Scalars,
    solution: Scalars,
) -> Matrix:
    """The same, with J a + R lambda = gamma; solution is (a, lambda, R)."""
    n, m = robot.nv, (len(solution) - robot.nv) // 2
    lam, R = solution[n : n + m], solution[n + m :]
    given = [x * r for x, r in zip(lam, R, strict=True)]
    extra = robot.la.block([[f] for f in vectors(robot, given)])
    return _residual(robot, q, v, tau, solution[:n], vectors(robot, lam), extra)


def velocity_level_residual(
    robot: Robot, q: Scalars, v: Scalars, tau: Scalars, solution: Scalars
) -> Matrix:
    """M a + h - tau - J' lambda, lambda being what the regularised constraint gives.

    The solver stops where its scaled momentum residual is 1e-6 of the larger of scaled
    momentum and impulse; that is the tolerance, beside rounding.
    """
    n, la = robot.nv, robot.la
    residual = motion_residual(robot, q, v, tau, solution)
    if not isinstance(la, Magnitude):
        return la.column([la.entry(residual, i, 0) for i in range(n)])
    M, J = mass_matrix(robot, q).size, constraint_jacobian(robot, q).size
    scale = M.diagonal(axis1=-2, axis2=-1)[..., None] ** 0.5
    after = la.column([x + w for x, w in zip(solution[:n], v, strict=True)]).size
    lam = la.block([[f] for f in vectors(robot, solution[n:])]).size
    momentum, impulse = M @ after / scale, J.mT @ lam / scale
    largest = np.maximum(
        np.linalg.norm(momentum, axis=-2), np.linalg.norm(impulse, axis=-2)
    )
    stop = SAP_TOLERANCE / 2.0**-53 * scale * largest[..., None]
    return MagnitudeMatrix(residual.size[..., :n, :], residual.error[..., :n, :] + stop)


def tendon_driven_residual(
    robot: Robot, q: Scalars, v: Scalars, f: Scalars, solution: Scalars
) -> Matrix:
    """M a + h - L' f."""
    la = robot.la
    left = inverse_dynamics(robot, q, v, solution)
    residual = left - tendon_jacobian(robot, q).mT @ la.column(f)
    if not isinstance(la, Magnitude):
        return residual
    scaled = scaled_inertia(robot, q, la.column(solution).size)
    return residual.widened(3 * robot.nv * scaled)


# --------------------------------------------- what the float64 solution tells of one


def _of(model: Model, batch: Batch) -> System:
    """The terms at the samples of a batch, which may be open states."""
    state = ("q", "v") if "q" in batch else ("q_open", "v_open")
    inputs = (np.ascontiguousarray(batch[name]) for name in (*state, "tau"))
    return _remembered(model, *(x.tobytes() for x in inputs))


@lru_cache(maxsize=8)
def _remembered(model: Model, *inputs: bytes) -> System:
    """The terms for q, v and tau of doubles; several bounds need them in turn."""
    la = Numpy()
    rows = (np.frombuffer(x).reshape(-1, model.nv) for x in inputs)
    return system(plain_numpy_robot(model), *map(la.variables, rows))


def with_stretch(seen: Robot, model: Model, batch: Batch) -> Robot:
    """The robot in magnitudes, told the `stretch` of its motion, (N, nv, 1)."""
    s = _of(model, batch)
    return replace(seen, known={"stretch": stretch(s, least_motion(s))[..., None]})


def with_stiffness(seen: Robot, model: Model, batch: Batch) -> Robot:
    """The same, and told |J|' D |J| w, D = d / (1 - d) over the diagonal of G.

    Solvers of soft constraints find a first and lambda = R^-1 (gamma - J a) from it, so that
    the rounding of J a reaches the equation of motion magnified by D = R^-1.
    """
    seen, s = with_stretch(seen, model, batch), _of(model, batch)
    G = np.einsum("...kn,...nk->...k", s.J, np.linalg.solve(s.M, s.J.mT))
    d = batch["impedance"]
    D = np.where(G > 0, d / (1 - d) / np.where(G > 0, G, 1.0), 0.0)[..., None]
    J = np.abs(s.J)
    stiff = J.mT @ (D * (J @ seen.known["stretch"]))
    return replace(seen, known={**seen.known, "stiff": stiff})


def with_fitted_multipliers(model: Model, batch: Batch, a: Array) -> Array:
    """(a, lambda) for an acceleration alone: the lambda that fits it best.

    If any lambda makes a the solution of equations that differ by rounding, this one does.
    """
    s = _of(model, batch)
    scale = s.M.diagonal(axis1=-2, axis2=-1)[..., None] ** -0.5
    needed = (s.M @ a[..., None] - s.f[..., None]) * scale
    fitted = np.linalg.pinv(s.J.mT * scale, rcond=RANK_RTOL) @ needed
    return np.concatenate([a, fitted[..., 0]], axis=-1)


def sap_regularization(s: System, robot: Robot) -> Array:
    """R of every row: a share of |J diag(M)^-1 J'| of its loop over the number of rows."""
    weights = []
    inverse = 1.0 / s.M.diagonal(axis1=-2, axis2=-1)[..., None]
    start = 0
    for rows in (3 * loop.blocks for loop in robot.loops):
        J = s.J[..., start : start + rows, :]
        size = np.linalg.norm(J @ (inverse * J.mT), axis=(-2, -1)) / rows
        weights += [size] * rows
        start += rows
    return SAP_SHARE * np.stack(weights, axis=-1)


def with_regularized_multipliers(model: Model, batch: Batch, a: Array) -> Array:
    """(a, lambda) with lambda = -R^-1 J (v + a h) / h, h = 1 s."""
    s = _of(model, batch)
    R = sap_regularization(s, plain_numpy_robot(model))
    after = (s.J @ (a + batch["v"])[..., None])[..., 0]
    return np.concatenate([a, -after / R], axis=-1)
