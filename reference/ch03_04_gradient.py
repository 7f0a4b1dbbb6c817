"""3.4.3.6 Where the mass matrix depends on the configuration: dM/dq."""

from __future__ import annotations

from reference.carriers import Matrix, Scalar
from reference.kinematics import Local, body_columns, local
from reference.robot import Robot
from reference.spatial import cross_motion


def composite_inertias(robot: Robot, at: Local) -> list[Matrix]:
    """Inertia of each link and of all that it carries, in the link's frame."""
    composite = list(at.inertia)
    for i in reversed(range(robot.nv)):
        k = robot.links[i].parent
        if k >= 0:
            composite[k] = composite[k] + at.X[i].mT @ composite[i] @ at.X[i]
    return composite


Gradient = dict[tuple[int, int, int], Scalar]


def mass_matrix_gradient(robot: Robot, q: list[Scalar]) -> Gradient:
    """dM_ij/dq_k by (i, j, k) for i <= j on one path; what is missing is zero (3.4.3.6).

    Joint k turns all that it carries: for k below j the composite inertia of k turns against
    S_i and S_j; for i < k <= j the force I_j^c S_j turns against S_i.
    """
    la, at = robot.la, local(robot, q)
    columns, composite = body_columns(robot, at), composite_inertias(robot, at)
    gradient: Gradient = {}
    for j in range(robot.nv):
        path, force = robot.path(j), composite[j] @ at.s[j]
        for b, k in enumerate(path[:-1]):
            turning = cross_motion(la, columns[j][k]).mT @ force
            for i in path[:b]:  # i < k < j
                gradient[i, j, k] = la.number(-(columns[j][i].mT @ turning))
        turn = cross_motion(la, at.s[j])
        spin = -(turn.mT @ composite[j] + composite[j] @ turn)
        for b, m in enumerate(path):  # i <= m <= k = j
            swept = spin @ columns[j][m]
            for i in path[: b + 1]:
                if i != j:
                    gradient[i, m, j] = la.number(columns[j][i].mT @ swept)
    return gradient
