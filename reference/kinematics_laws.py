"""What must hold for poses, Jacobians and twists of any library, whatever the robot."""

from __future__ import annotations

from typing import Any

from reference.law import law
from reference.measured import Array, above, axial, beside, column, hats
from reference.slopes import few_joints, slopes


@law("2.8; L&P (5.5)", "frame_pose frame_jacobian", few_joints)
def jacobian_is_the_slope_of_the_pose(ask: Any, q: Array) -> tuple[Any, Any]:
    """J_k = (axial vector of dR/dq_k R', dp/dq_k)."""
    pose = ask.frame_pose(q)
    R = pose.columns(0, 3)
    turned = slopes(ask, "frame_pose", q)
    angular = beside([axial(d.columns(0, 3) @ R.mT) for d in turned])
    linear = beside([d.columns(3, 4) for d in turned])
    return ask.frame_jacobian(q), above(angular, linear)


@law("2.8; L&P (5.5)", "frame_jacobian frame_velocity")
def velocity_is_jacobian_times_v(ask: Any, q: Array, v: Array) -> tuple[Any, Any]:
    """V = J v."""
    return ask.frame_velocity(q, v), ask.frame_jacobian(q) @ column(v)


@law("3.4.3.7; L&P (8.90)", "frame_jacobian frame_bias_acceleration", few_joints)
def bias_acceleration_is_jacobian_rate_times_v(
    ask: Any, q: Array, v: Array
) -> tuple[Any, Any]:
    """Jdot v = sum_k dJ/dq_k v_k v."""
    turned = slopes(ask, "frame_jacobian", q)
    rate = beside([d @ column(v) for d in turned]) @ column(v)
    return ask.frame_bias_acceleration(q, v), rate


@law("2.8; L&P (5.22)", "frame_pose frame_jacobian body_jacobian")
def body_jacobian_is_jacobian_in_tool_axes(ask: Any, q: Array) -> tuple[Any, Any]:
    """R J_b = J, for both halves."""
    R, J = ask.frame_pose(q).columns(0, 3), ask.body_jacobian(q)
    return ask.frame_jacobian(q), above(R @ J.rows(0, 3), R @ J.rows(3, 6))


@law("2.8; L&P (5.11)", "frame_pose frame_jacobian space_jacobian")
def space_jacobian_is_jacobian_at_the_origin(ask: Any, q: Array) -> tuple[Any, Any]:
    """J_s = (J_w, J_v + [p] J_w)."""
    p, J = ask.frame_pose(q).columns(3, 4), ask.frame_jacobian(q)
    angular, linear = J.rows(0, 3), J.rows(3, 6)
    return ask.space_jacobian(q), above(angular, linear + hats(p) @ angular)
