"""Kinematics of the tests, in doubles and by formulas of their own."""

from __future__ import annotations

from math import cos, sin

import numpy as np

from models import Model, Pose, Rpy

Array = np.ndarray
U = 2.0**-53


def about(axis: tuple[float, float, float], angle: float) -> Array:
    """Rodrigues' rotation, written as the sum over the projections."""
    n = np.array(axis) / np.linalg.norm(axis)
    across = np.eye(3) - np.outer(n, n)
    return np.outer(n, n) + cos(angle) * across + sin(angle) * np.cross(n, across).T


def pose_matrix(pose: Pose) -> Array:
    T = np.eye(4)
    assert isinstance(pose.rotation, Rpy)
    roll, pitch, yaw = pose.rotation
    T[:3, :3] = about((0, 0, 1), yaw) @ about((0, 1, 0), pitch) @ about((1, 0, 0), roll)
    T[:3, 3] = pose.p
    return T


def placed(model: Model, q: tuple[float, ...]) -> dict[int, Array]:
    found, rest = {-1: np.eye(4)}, list(q)
    for i, body in enumerate(model.bodies):
        T = found[body.parent] @ pose_matrix(body.placement)
        if body.joint.nv:
            step, x = np.eye(4), rest.pop(0)
            if body.joint.kind == "prismatic":
                n = np.array(body.joint.axis)
                step[:3, 3] = x * n / np.linalg.norm(n)
            else:
                step[:3, :3] = about(body.joint.axis, x)
            T = T @ step
        found[i] = T
    return found


def frames(model: Model, q: tuple[float, ...]) -> list[tuple[str, Array, Array]]:
    """Kind and both poses of each loop."""
    at = placed(model, q)
    return [
        (
            loop.kind,
            at[loop.first.body] @ pose_matrix(loop.first.pose),
            at[loop.second.body] @ pose_matrix(loop.second.pose),
        )
        for loop in model.loops
    ]


def closure(model: Model, q: tuple[float, ...]) -> Array:
    rows = [np.zeros(0)]
    for kind, first, second in frames(model, q):
        if kind == "frame":
            R = first[:3, :3] @ second[:3, :3].T
            S = (R - R.T) / 2
            rows.append(np.array([S[2, 1], S[0, 2], S[1, 0]]))
        rows.append(first[:3, 3] - second[:3, 3])
    return np.concatenate(rows)


def jacobian(model: Model, q: tuple[float, ...], h: float = 1e-5) -> Array:
    columns = []
    for k in range(model.nv):
        up, down = list(q), list(q)
        up[k] += h
        down[k] -= h
        columns.append(
            (closure(model, tuple(up)) - closure(model, tuple(down))) / (2 * h)
        )
    return np.array(columns).T


def mass_and_weight(model: Model, q: tuple[float, ...]) -> tuple[Array, Array]:
    """M, and the generalized force of gravity: sums over the centres of mass."""
    at, columns = placed(model, q), {i: k for k, i in enumerate(model.moving)}
    M, weight = np.zeros((model.nv, model.nv)), np.zeros(model.nv)
    for i, body in enumerate(model.bodies):
        if body.inertia is None:
            continue
        T = at[i] @ pose_matrix(body.inertia.pose)
        J = np.zeros((6, model.nv))
        for j in model.path(i):
            if j in columns:
                n = at[j][:3, :3] @ np.array(model.bodies[j].joint.axis)
                n = n / np.linalg.norm(n)
                arm = np.cross(n, T[:3, 3] - at[j][:3, 3])
                slides = model.bodies[j].joint.kind == "prismatic"
                J[:, columns[j]] = [0, 0, 0, *n] if slides else [*n, *arm]
        ixx, ixy, ixz, iyy, iyz, izz = body.inertia.moments
        tensor = np.array([[ixx, ixy, ixz], [ixy, iyy, iyz], [ixz, iyz, izz]])
        M += J[:3].T @ T[:3, :3] @ tensor @ T[:3, :3].T @ J[:3]
        M += body.inertia.mass * J[3:].T @ J[3:]
        weight += body.inertia.mass * J[3:].T @ np.array(model.gravity)
    return M, weight
