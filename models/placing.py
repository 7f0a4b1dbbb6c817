"""Where the bodies of a tree are, and the frame that closes a loop there.

Computed in the widest float and rounded once: a frame made here closes its loop to the
rounding of its own digits.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Dict, List, Sequence

import numpy as np

from models.rotation import WIDE, Array, hat, matrix, transform, unit
from models.screws import inverted
from models.tree import Body, Frame, Joint, Loop, Model, Pose, Quaternion, Rpy, Tendon


def poses(model: Model, q: Sequence[float]) -> Dict[int, Array]:
    """Pose (4, 4) of every body in the world, and of the world under -1.

    Raises:
        ValueError: If a joint is neither revolute, prismatic nor fixed.
    """
    found: Dict[int, Array] = {-1: np.eye(4, dtype=WIDE)}
    positions = iter(q)
    for i, body in enumerate(model.bodies):
        T = found[body.parent] @ transform(body.placement)
        if body.joint.nv:
            T = T @ _motion(body.joint, next(positions))
        found[i] = T
    return found


def _motion(joint: Joint, position: float) -> Array:
    T = np.eye(4, dtype=WIDE)
    a, x = unit(joint.axis), WIDE(position)
    if joint.kind == "prismatic":
        T[:3, 3] = a * x
    elif joint.kind in ("revolute", "continuous"):
        K = hat(a)
        T[:3, :3] += np.sin(x) * K + 2 * np.sin(x / 2) ** 2 * K @ K
    else:
        raise ValueError(f"joint {joint.name} is {joint.kind}")
    return T


def matching(
    model: Model, q: Sequence[float], frame: Frame, body: int, name: str
) -> Frame:
    """The frame of another body (-1 is the world) that coincides with one at q."""
    found = poses(model, q)
    T = inverted(found[body]) @ found[frame.body] @ transform(frame.pose)
    return Frame(name, body, rounded(T))


def rounded(T: Array) -> Pose:
    """A pose (4, 4) with roll, pitch and yaw, as doubles."""
    x, y, z = (float(c) for c in T[:3, 3])
    return Pose((x, y, z), rpy(T[:3, :3]))


def rpy(R: Array) -> Rpy:
    """Roll, pitch and yaw of a rotation matrix, the pitch within a quarter turn."""
    roll, yaw = np.arctan2(R[2, 1], R[2, 2]), np.arctan2(R[1, 0], R[0, 0])
    pitch = np.arctan2(-R[2, 0], np.hypot(R[0, 0], R[1, 0]))
    return Rpy(float(roll), float(pitch), float(yaw))


def quaternion(R: Array) -> Quaternion:
    """The unit quaternion of a rotation matrix, from its largest component."""
    (a, b, c), (d, e, f), (g, h, i) = R
    candidates: List[Array] = [
        np.array([1 + a + e + i, h - f, c - g, d - b]),
        np.array([h - f, 1 + a - e - i, b + d, c + g]),
        np.array([c - g, b + d, 1 - a + e - i, f + h]),
        np.array([d - b, c + g, f + h, 1 - a - e + i]),
    ]  # each the quaternion times four times one of its components
    largest = int(np.argmax([v[k] for k, v in enumerate(candidates)]))
    w, x, y, z = (float(k) for k in unit(candidates[largest]))
    return Quaternion(w, x, y, z)


def without_quaternions(model: Model) -> Model:
    """The model with every quaternion as roll, pitch and yaw, rounded once.

    URDF has no quaternions: a model that all libraries shall read takes this form first,
    so that all of them, and the reference, get the same numbers.
    """

    def plain(pose: Pose) -> Pose:
        if isinstance(pose.rotation, Rpy):
            return pose
        return Pose(pose.p, rpy(matrix(pose.rotation)))

    def frame(f: Frame) -> Frame:
        return Frame(f.name, f.body, plain(f.pose))

    def body(b: Body) -> Body:
        inertia = b.inertia and b.inertia._replace(pose=plain(b.inertia.pose))
        return replace(b, placement=plain(b.placement), inertia=inertia)

    return replace(
        model,
        bodies=tuple(map(body, model.bodies)),
        tool=frame(model.tool),
        loops=tuple(Loop(n, k, frame(a), frame(b)) for n, k, a, b in model.loops),
        tendons=tuple(
            Tendon(n, tuple(map(frame, points))) for n, points in model.tendons
        ),
    )
