"""3.4 What must hold for M, C, g of any library, whatever the robot.

A law asks a library for quantities and compares them with each other, so it needs no
reference; it would catch a wrong reference as well.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from models import Model
from reference.kinematics_laws import (
    bias_acceleration_is_jacobian_rate_times_v,
    body_jacobian_is_jacobian_in_tool_axes,
    jacobian_is_the_slope_of_the_pose,
    space_jacobian_is_jacobian_at_the_origin,
    velocity_is_jacobian_times_v,
)
from reference.law import law
from reference.measured import (
    Array,
    Measured,
    beside,
    column,
    exactly,
    smallest_eigenvalue,
)
from reference.slopes import few_joints, slopes


def _carried(ask: Any) -> Array:
    """carried[k, i]: whether joint i sits on what joint k carries, or is k."""
    n = len(ask.parents)
    carried = np.eye(n, dtype=bool)
    for i, parent in enumerate(ask.parents):
        if parent >= 0:
            carried[:, i] |= carried[:, parent]
    return carried


# ----------------------------------------------------------------- 3.4.3.2 mass matrix


@law("3.4.3.2", "mass_matrix")
def mass_matrix_is_symmetric(ask: Any, q: Array) -> tuple[Any, Any]:
    """M' = M."""
    M = ask.mass_matrix(q)
    return M.mT, M


@law("3.4.3.2", "mass_matrix")
def mass_matrix_is_positive_definite(ask: Any, q: Array) -> tuple[Any, Any]:
    """The smallest eigenvalue of M, scaled to a unit diagonal, is not negative."""
    M = ask.mass_matrix(q)
    diagonal = np.abs(M.value.diagonal(axis1=1, axis2=2))
    scale = 1 / np.sqrt(np.where(diagonal > 0, diagonal, 1.0))
    scaled = M * (scale[:, :, None] * scale[:, None, :])
    smallest = smallest_eigenvalue(scaled)
    return smallest.where(smallest.value < 0), exactly(np.zeros_like(smallest.value))


@law("3.4.3.2; L&P (8.46)", "mass_matrix kinetic_energy")
def kinetic_energy_is_quadratic_in_v(ask: Any, q: Array, v: Array) -> tuple[Any, Any]:
    """T = v' M v / 2."""
    u = column(v)
    return ask.kinetic_energy(q, v), u.mT @ (ask.mass_matrix(q) @ u) * 0.5


@law("3.4.3.6", "mass_matrix", few_joints)
def mass_matrix_has_structural_zeros(ask: Any, q: Array) -> tuple[Any, Any]:
    """dM_ij/dq_k = 0 where joint k carries both joint i and joint j, or is one of them."""
    carried, zeros = _carried(ask), []
    for k, d in enumerate(slopes(ask, "mass_matrix", q)):
        zeros.append(d.where(carried[k][:, None] & carried[k][None, :]))
    left = beside(zeros)
    return left, exactly(np.zeros_like(left.value))


# ---------------------------------------------------- 3.4.3.3 Coriolis and centrifugal


def _velocity_terms(ask: Any, q: Array, v: Array) -> tuple[Measured, Measured]:
    """Mdot = sum_k dM/dq_k v_k, and S with S_ij = sum_k dM_ik/dq_j v_k."""
    parts = slopes(ask, "mass_matrix", q)
    rate = parts[0] * v[:, 0, None, None]
    for k in range(1, len(parts)):
        rate = rate + parts[k] * v[:, k, None, None]
    return rate, beside([d @ column(v) for d in parts])


@law("3.4.3.3; L&P Prop. 8.1", "mass_matrix coriolis_matrix", few_joints)
def mass_matrix_rate_is_c_plus_its_transpose(
    ask: Any, q: Array, v: Array
) -> tuple[Any, Any]:
    """Mdot = C + C': the same as Mdot - 2 C being skew."""
    C = ask.coriolis_matrix(q, v)
    return _velocity_terms(ask, q, v)[0], C + C.mT


@law("3.4.3.3; L&P (8.17)-(8.19)", "mass_matrix coriolis_matrix", few_joints)
def coriolis_matrix_is_christoffels(ask: Any, q: Array, v: Array) -> tuple[Any, Any]:
    """C_ij = sum_k (dM_ij/dq_k + dM_ik/dq_j - dM_jk/dq_i) v_k / 2."""
    rate, swept = _velocity_terms(ask, q, v)
    return ask.coriolis_matrix(q, v), (rate + swept - swept.mT) * 0.5


@law("3.4.3.3", "mass_matrix", few_joints)
def other_factorisation_is_not_skew(ask: Any, q: Array, v: Array) -> tuple[Any, Any]:
    """Mdot - 2 C~ is not skew, though C~ v = C v: the property is Christoffel's choice.

    Asked where Mdot is certainly not zero; the answer is 0 if it holds and 1 if not.
    """
    rate, swept = _velocity_terms(ask, q, v)
    skew = swept.mT - rate
    symmetric = skew + skew.mT
    silent = not np.any(np.abs(rate.value) > rate.bound)
    holds = silent or np.any(np.abs(symmetric.value) > symmetric.bound)
    return exactly([[[0.0 if holds else 1.0]]]), exactly([[[0.0]]])


@law("3.4.3.3", "coriolis_matrix coriolis_forces")
def coriolis_matrix_times_v_is_coriolis_forces(
    ask: Any, q: Array, v: Array
) -> tuple[Any, Any]:
    """C(q, v) v is the vector that the library gives."""
    return ask.coriolis_matrix(q, v) @ column(v), ask.coriolis_forces(q, v)


@law("3.4.3.3; Lagrange", "mass_matrix coriolis_forces", few_joints)
def coriolis_forces_follow_from_the_mass_matrix(
    ask: Any, q: Array, v: Array
) -> tuple[Any, Any]:
    """C v = Mdot v - d(v' M v / 2)/dq, with the other factorisation C~."""
    rate, swept = _velocity_terms(ask, q, v)
    other = rate - swept.mT * 0.5
    return ask.coriolis_forces(q, v), other @ column(v)


# ------------------------------------------------------------------- 3.4.3.4 gravity


@law("3.4.3.4; L&P (8.55)", "gravity_forces potential_energy", few_joints)
def gravity_is_the_slope_of_potential_energy(ask: Any, q: Array) -> tuple[Any, Any]:
    """g = dV/dq."""
    return ask.gravity_forces(q), beside(slopes(ask, "potential_energy", q)).mT


def _plumb_joints(model: Model) -> list[bool]:
    """Joints that do not lift anything: revolute ones fixed in the world, axis plumb."""
    plumb = []
    for i in model.moving:
        joint, path = model.bodies[i].joint, model.path(i)
        turned = any(any(model.bodies[k].placement.rotation[-3:]) for k in path)
        rooted = model.carrier(model.bodies[i].parent) < 0
        along = not np.cross(joint.axis, model.gravity).any()
        turning = joint.kind != "prismatic"
        plumb.append(rooted and turning and along and not turned)
    return plumb


def _no_plumb_joint(model: Model) -> str:
    return "" if any(_plumb_joints(model)) else "no joint has a plumb axis"


@law("3.4.3.4", "gravity_forces", _no_plumb_joint)
def gravity_vanishes_about_a_plumb_axis(ask: Any, q: Array) -> tuple[Any, Any]:
    """g_1 = 0 where the first axis is parallel to gravity."""
    g = ask.gravity_forces(q)
    left = g.where(np.array(_plumb_joints(ask.model))[None, :, None])
    return left, exactly(np.zeros_like(left.value))


# -------------------------------------------------------- 3.4.3.1 equation of motion


@law("3.4.3.1", "coriolis_forces gravity_forces bias_forces")
def bias_is_coriolis_plus_gravity(ask: Any, q: Array, v: Array) -> tuple[Any, Any]:
    """h = C v + g."""
    return ask.bias_forces(q, v), ask.coriolis_forces(q, v) + ask.gravity_forces(q)


@law("3.4.3.1; L&P (8.1)", "mass_matrix bias_forces inverse_dynamics")
def equation_of_motion(ask: Any, q: Array, v: Array, a: Array) -> tuple[Any, Any]:
    """M a + h = tau."""
    left = ask.mass_matrix(q) @ column(a) + ask.bias_forces(q, v)
    return left, ask.inverse_dynamics(q, v, a)


@law("3.4.3.1", "inverse_dynamics forward_dynamics")
def inverse_of_forward_dynamics_is_identity(
    ask: Any, q: Array, v: Array, tau: Array
) -> tuple[Any, Any]:
    """tau(q, v, a(q, v, tau)) = tau."""
    a = ask.forward_dynamics(q, v, tau)
    return ask.inverse_dynamics(q, v, a), column(tau)


@law("3.4.3.5", "joint_torque_regressor inverse_dynamics")
def inverse_dynamics_is_linear_in_parameters(
    ask: Any, q: Array, v: Array, a: Array
) -> tuple[Any, Any]:
    """Y pi = tau, but for the rotors, which have no column."""
    rotors = exactly(ask.armature[None, :, None] * a[..., None])
    left = ask.joint_torque_regressor(q, v, a) @ ask.parameters + rotors
    return left, ask.inverse_dynamics(q, v, a)


LAWS = {
    statement.name: statement
    for statement in (
        jacobian_is_the_slope_of_the_pose,
        velocity_is_jacobian_times_v,
        bias_acceleration_is_jacobian_rate_times_v,
        body_jacobian_is_jacobian_in_tool_axes,
        space_jacobian_is_jacobian_at_the_origin,
        mass_matrix_is_symmetric,
        mass_matrix_is_positive_definite,
        kinetic_energy_is_quadratic_in_v,
        mass_matrix_has_structural_zeros,
        mass_matrix_rate_is_c_plus_its_transpose,
        coriolis_matrix_is_christoffels,
        other_factorisation_is_not_skew,
        coriolis_matrix_times_v_is_coriolis_forces,
        coriolis_forces_follow_from_the_mass_matrix,
        gravity_is_the_slope_of_potential_energy,
        gravity_vanishes_about_a_plumb_axis,
        bias_is_coriolis_plus_gravity,
        equation_of_motion,
        inverse_of_forward_dynamics_is_identity,
        inverse_dynamics_is_linear_in_parameters,
    )
}
"""The laws, in the order of the text."""
