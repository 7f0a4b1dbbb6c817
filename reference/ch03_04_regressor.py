"""3.4.3.5 Linearity in inertial parameters: tau = Y(q, v, a) pi."""

from __future__ import annotations

from reference.carriers import Matrix, Scalar
from reference.kinematics import (
    body_columns,
    link_motions,
    local,
)
from reference.quantity import quantity
from reference.robot import Robot


@quantity(
    "Y(q, v, a)",
    shape="nv 10nb",
    unit="N m per SI unit of the parameter",
    source="3.4.3.5; Gautier & Khalil (1990)",
    stage="dynamics",
)
def joint_torque_regressor(
    robot: Robot, q: list[Scalar], v: list[Scalar], a: list[Scalar]
) -> Matrix:
    """tau = Y pi; pi of a link is (m, m c, Ixx, Ixy, Iyy, Ixz, Iyz, Izz) about its origin."""
    la, at = robot.la, local(robot, q)
    twists, accelerations = link_motions(robot, at, v, a, robot.gravity)
    nothing = la.table([[la.zero] * 10])
    blocks = []
    for k, columns in enumerate(body_columns(robot, at)):
        wrench = _wrench_map(robot, twists[k], accelerations[k])
        blocks.append(
            [
                columns[i].mT @ wrench if i in columns else nothing
                for i in range(robot.nv)
            ]
        )
    return la.block([list(row) for row in zip(*blocks, strict=True)])


def inertial_parameters(robot: Robot) -> Matrix:
    """The column pi of all links' parameters, in the order of the regressor's columns."""
    la = robot.la
    x, y, z = (
        la.const([[e] for e in axis]) for axis in ((1, 0, 0), (0, 1, 0), (0, 0, 1))
    )
    pairs = ((x, x), (x, y), (y, y), (x, z), (y, z), (z, z))
    entries: list[Scalar] = []
    for link in robot.links:
        C = la.hat(link.com)
        tensor = link.tensor + C @ C.mT * link.mass
        entries.append(link.mass)
        entries += [la.number(e.mT @ link.com * link.mass) for e in (x, y, z)]
        entries += [la.number(a.mT @ tensor @ b) for a, b in pairs]
    return la.column(entries)


def _wrench_map(robot: Robot, twist: Matrix, acceleration: Matrix) -> Matrix:
    """The 6x10 matrix that takes a body's parameters to the wrench on it."""
    la = robot.la
    w, velocity = la.split(twist)
    alpha, linear = la.split(acceleration)
    W = la.hat(w)
    pull = linear + W @ velocity  # of the origin, less gravity
    spin = la.moments_map(alpha) + W @ la.moments_map(w)
    moment = [la.zeros(3, 1), *la.columns(-la.hat(pull)), spin]
    force = [pull, *la.columns(la.hat(alpha) + W @ W), _no_moments(robot)]
    return la.block([moment, force])


def _no_moments(robot: Robot) -> Matrix:
    return robot.la.moments_map(robot.la.zeros(3, 1))
