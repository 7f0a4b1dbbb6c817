"""Kinematics of a tree: T(q), V = J(q) v, and the acceleration Jdot v.

Link frames throughout (Featherstone): nothing is expressed far from where it happens, so
that the rounding errors of the reference do not grow with the distance from the world.
"""

from __future__ import annotations

from dataclasses import dataclass

from reference.carriers import Matrix, Scalar
from reference.quantity import quantity
from reference.robot import Mount, Robot
from reference.spatial import (
    cross_motion,
    into_frame,
    out_of_frame,
    spatial_inertia,
    turned,
)


@dataclass(frozen=True)
class Local:
    """Every link at a configuration, in its own frame.

    Attributes:
        R: Rotation of the link frame in the parent's frame.
        p: Its origin there.
        X: Map (6x6) of motions from the parent's frame into the link's.
        s: Joint screw in the link frame.
        inertia: Spatial inertia (6x6) about the link frame's origin.
    """

    R: list[Matrix]
    p: list[Matrix]
    X: list[Matrix]
    s: list[Matrix]
    inertia: list[Matrix]


def local(robot: Robot, q: list[Scalar]) -> Local:
    """The links at a configuration."""
    la, found = robot.la, Local([], [], [], [], [])
    for link, x in zip(robot.links, q, strict=True):
        nothing = la.zeros(3, 1)
        if link.turning:
            R, p = link.R @ la.rotation(link.axis, x), link.p
            screw = [[link.axis], [nothing]]
        else:
            R, p = link.R, link.p + link.R @ link.axis * x
            screw = [[nothing], [link.axis]]
        found.R.append(R)
        found.p.append(p)
        found.X.append(into_frame(la, R, p))
        found.s.append(la.block(screw))
        found.inertia.append(spatial_inertia(la, link.mass, link.com, link.tensor))
    return found


def body_columns(robot: Robot, at: Local) -> list[dict[int, Matrix]]:
    """Columns of every link's body Jacobian: the screws of its path in its frame."""
    columns: list[dict[int, Matrix]] = []
    for i, link in enumerate(robot.links):
        above = columns[link.parent] if link.parent >= 0 else {}
        columns.append({k: at.X[i] @ S for k, S in above.items()} | {i: at.s[i]})
    return columns


def link_twists(robot: Robot, at: Local, v: list[Scalar]) -> list[Matrix]:
    """Twist of every link in its own frame, of the point at its origin."""
    twists: list[Matrix] = []
    for i, link in enumerate(robot.links):
        own = at.s[i] * v[i]
        above = link.parent >= 0
        twists.append(at.X[i] @ twists[link.parent] + own if above else own)
    return twists


def link_accelerations(
    robot: Robot,
    at: Local,
    twists: list[Matrix],
    v: list[Scalar],
    a: list[Scalar],
    world: Matrix,
) -> list[Matrix]:
    """Spatial acceleration of every link in its own frame, the world's added."""
    la = robot.la
    accelerations: list[Matrix] = []
    for i, link in enumerate(robot.links):
        above = accelerations[link.parent] if link.parent >= 0 else world
        turning = cross_motion(la, twists[i]) @ at.s[i] * v[i]
        accelerations.append(at.X[i] @ above + at.s[i] * a[i] + turning)
    return accelerations


def link_motions(
    robot: Robot, at: Local, v: list[Scalar], a: list[Scalar], gravity: Matrix
) -> tuple[list[Matrix], list[Matrix]]:
    """Twists and accelerations of the links, in a world that accelerates against gravity."""
    la = robot.la
    twists = link_twists(robot, at, v)
    upward = la.block([[la.zeros(3, 1)], [-gravity]])
    return twists, link_accelerations(robot, at, twists, v, a, upward)


def link_poses(robot: Robot, at: Local) -> list[tuple[Matrix, Matrix]]:
    """Pose (R, p) of every link in the world."""
    poses: list[tuple[Matrix, Matrix]] = []
    for i, link in enumerate(robot.links):
        R, p = at.R[i], at.p[i]
        if link.parent >= 0:
            above_R, above_p = poses[link.parent]
            R, p = above_R @ R, above_p + above_R @ p
        poses.append((R, p))
    return poses


def mount_pose(
    mount: Mount, poses: list[tuple[Matrix, Matrix]]
) -> tuple[Matrix, Matrix]:
    """Pose (R, p) in the world of a frame fixed in a link, given those of the links."""
    if mount.link < 0:
        return mount.R, mount.p
    R, p = poses[mount.link]
    return R @ mount.R, p + R @ mount.p


def mount_columns(
    robot: Robot, mount: Mount, columns: list[dict[int, Matrix]]
) -> Matrix:
    """Body Jacobian (6 x nv) of a frame fixed in a link, given the columns of the links."""
    la = robot.la
    into_mount = into_frame(la, mount.R, mount.p)
    own = columns[mount.link] if mount.link >= 0 else {}
    nothing = la.zeros(6, 1)
    return la.block(
        [[into_mount @ own[i] if i in own else nothing for i in range(robot.nv)]]
    )


def mount_acceleration(
    robot: Robot, mount: Mount, twists: list[Matrix], accelerations: list[Matrix]
) -> tuple[Matrix, Matrix]:
    """Acceleration of a frame in its own axes: angular, and of its origin.

    Args:
        robot: The robot.
        mount: The frame.
        twists: Twists of the links, each in its own frame.
        accelerations: Spatial accelerations of the links, each in its own frame.
    """
    la = robot.la
    if mount.link < 0:
        return la.zeros(3, 1), la.zeros(3, 1)
    into_mount = into_frame(la, mount.R, mount.p)
    w, velocity = la.split(into_mount @ twists[mount.link])
    angular, linear = la.split(into_mount @ accelerations[mount.link])
    return angular, linear + la.hat(w) @ velocity


def tool_pose(robot: Robot, at: Local) -> tuple[Matrix, Matrix]:
    """Pose (R, p) of the tool in the world."""
    return mount_pose(robot.tool, link_poses(robot, at))


def _tool_columns(robot: Robot, at: Local) -> Matrix:
    return mount_columns(robot, robot.tool, body_columns(robot, at))


@quantity("T(q)", shape="3 4", unit="1, m", source="2.8; L&P (4.1)", stage="kinematics")
def frame_pose(robot: Robot, q: list[Scalar]) -> Matrix:
    """Rotation and origin [R | p] of the tool in the world."""
    R, p = tool_pose(robot, local(robot, q))
    return robot.la.block([[*robot.la.columns(R), p]])


@quantity(
    "J_b(q)", shape="6 nv", unit="1, m", source="2.8; L&P (5.18)", stage="kinematics"
)
def body_jacobian(robot: Robot, q: list[Scalar]) -> Matrix:
    """The tool's twist in its own axes is J_b v."""
    return _tool_columns(robot, local(robot, q))


@quantity(
    "J(q)", shape="6 nv", unit="1, m", source="3.4.3.7; L&P (5.5)", stage="kinematics"
)
def frame_jacobian(robot: Robot, q: list[Scalar]) -> Matrix:
    """Angular velocity of the tool and velocity of its origin, in world axes, are J v."""
    at = local(robot, q)
    R, _ = tool_pose(robot, at)
    return turned(robot.la, R) @ _tool_columns(robot, at)


@quantity(
    "J_s(q)", shape="6 nv", unit="1, m", source="2.8; L&P (5.11)", stage="kinematics"
)
def space_jacobian(robot: Robot, q: list[Scalar]) -> Matrix:
    """In world axes, the twist of the tool's point that passes the world's origin."""
    at = local(robot, q)
    return out_of_frame(robot.la, *tool_pose(robot, at)) @ _tool_columns(robot, at)


@quantity(
    "J v", shape="6", unit="rad/s, m/s", source="2.8; L&P (5.5)", stage="kinematics"
)
def frame_velocity(robot: Robot, q: list[Scalar], v: list[Scalar]) -> Matrix:
    """Angular velocity of the tool and velocity of its origin, in world axes."""
    return frame_jacobian(robot, q) @ robot.la.column(v)


@quantity(
    "Jdot v",
    shape="6",
    unit="rad/s^2, m/s^2",
    source="3.4.3.7; L&P (8.90)",
    stage="kinematics",
)
def frame_bias_acceleration(robot: Robot, q: list[Scalar], v: list[Scalar]) -> Matrix:
    """Acceleration of the tool at a = 0: angular, and of its origin, in world axes."""
    la, at = robot.la, local(robot, q)
    weightless = la.zeros(3, 1)
    motions = link_motions(robot, at, v, robot.at_rest(), weightless)
    angular, linear = mount_acceleration(robot, robot.tool, *motions)
    R, _ = tool_pose(robot, at)
    return la.block([[R @ angular], [R @ linear]])
