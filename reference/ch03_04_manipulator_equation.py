"""3.4 Manipulator equation: M(q) a + C(q, v) v + g(q) = tau.

Twists and wrenches are (angular, linear), (moment, force).  Numbers in brackets are of
Lynch & Park, Modern Robotics (2017), written L&P.
"""

from __future__ import annotations

from reference.carriers import Magnitude, Matrix, Scalar
from reference.ch03_04_coriolis import coriolis_matrix_by_bodies
from reference.ch03_04_gradient import composite_inertias
from reference.ch03_04_gradient import mass_matrix_gradient as mass_matrix_gradient
from reference.ch03_04_regressor import inertial_parameters as inertial_parameters
from reference.ch03_04_regressor import joint_torque_regressor as joint_torque_regressor
from reference.kinematics import (
    body_columns,
    body_jacobian,
    frame_bias_acceleration,
    frame_jacobian,
    frame_pose,
    frame_velocity,
    link_motions,
    link_poses,
    link_twists,
    local,
    space_jacobian,
)
from reference.quantity import Array, quantity
from reference.robot import Robot
from reference.spatial import cross_motion


def _armature(robot: Robot) -> Matrix:
    la, n = robot.la, robot.nv
    rotors = [link.armature for link in robot.links]
    return la.table(
        [[rotors[i] if i == j else la.zero for j in range(n)] for i in range(n)]
    )


# -------------------------------------------------------------- 3.4.3.2 mass matrix


@quantity(
    "M(q)",
    shape="nv nv",
    unit="kg m^2 | kg",
    source="3.4.3.2; composite bodies, Featherstone (2008) sect. 6.2",
    stage="inertia",
)
def mass_matrix(robot: Robot, q: list[Scalar]) -> Matrix:
    """M_ij = S_i' I_j^c S_j, I_j^c the inertia of all that joint j carries, i before j."""
    la, at = robot.la, local(robot, q)
    columns, composite = body_columns(robot, at), composite_inertias(robot, at)
    M = [[la.zero] * robot.nv for _ in range(robot.nv)]
    for j in range(robot.nv):
        force = composite[j] @ at.s[j]
        for i, S in columns[j].items():
            M[i][j] = M[j][i] = la.number(S.mT @ force)
    return la.table(M) + _armature(robot)


def mass_matrix_by_jacobians(robot: Robot, q: list[Scalar]) -> Matrix:
    """M = sum over the bodies of J_b' G J_b (L&P 8.57), with the rotors: an own route."""
    la, at = robot.la, local(robot, q)
    M = _armature(robot)
    nothing = la.zeros(6, 1)
    for columns, G in zip(body_columns(robot, at), at.inertia, strict=True):
        J = la.block([[columns.get(i, nothing) for i in range(robot.nv)]])
        M = M + J.mT @ (G @ J)
    return M


# ------------------------------------------------ 3.4.3.3 Coriolis and centrifugal forces


@quantity(
    "C(q, v)",
    shape="nv nv",
    unit="kg m^2/s | kg/s",
    source="3.4.3.3; L&P (8.16)-(8.19)",
    stage="velocity",
)
def coriolis_matrix(robot: Robot, q: list[Scalar], v: list[Scalar]) -> Matrix:
    """C_ij = sum_k (dM_ij/dq_k + dM_ik/dq_j - dM_jk/dq_i) v_k / 2 (Christoffel)."""
    rate, swept = _velocity_terms(robot, q, v)
    C = (rate + swept - swept.mT) * robot.la.half
    if isinstance(robot.la, Magnitude):  # a library may also add it up over the bodies
        return C.or_larger(coriolis_matrix_by_bodies(robot, q, v))
    return C


def mass_matrix_rate(robot: Robot, q: list[Scalar], v: list[Scalar]) -> Matrix:
    """Mdot_ij = sum_k dM_ij/dq_k v_k."""
    return _velocity_terms(robot, q, v)[0]


def other_coriolis_matrix(robot: Robot, q: list[Scalar], v: list[Scalar]) -> Matrix:
    """C~_ij = Mdot_ij - sum_k dM_jk/dq_i v_k / 2: C~ v = C v, but Mdot - 2 C~ not skew."""
    rate, swept = _velocity_terms(robot, q, v)
    return rate - swept.mT * robot.la.half


def _velocity_terms(
    robot: Robot, q: list[Scalar], v: list[Scalar]
) -> tuple[Matrix, Matrix]:
    """Mdot, and the matrix with entries sum_k dM_ik/dq_j v_k."""
    la, n = robot.la, robot.nv
    unit = la.eye(1)
    rate: list[list[Matrix]] = [[la.zeros(1, 1)] * n for _ in range(n)]
    swept: list[list[Matrix]] = [[la.zeros(1, 1)] * n for _ in range(n)]
    for (i, j, k), slope in mass_matrix_gradient(robot, q).items():
        term = unit * slope
        rate[i][j] = rate[i][j] + term * v[k]
        swept[i][k] = swept[i][k] + term * v[j]
        if i != j:
            rate[j][i] = rate[i][j]
            swept[j][k] = swept[j][k] + term * v[i]
    return la.block(rate), la.block(swept)


@quantity(
    "C(q, v) v",
    shape="nv",
    unit="N m | N",
    source="3.4.3.3; L&P (8.52)-(8.53) at a = 0 without gravity",
    stage="velocity",
)
def coriolis_forces(robot: Robot, q: list[Scalar], v: list[Scalar]) -> Matrix:
    """Coriolis and centrifugal forces: what velocity asks for at a = 0, g = 0."""
    return _newton_euler(robot, q, v, robot.at_rest(), robot.la.zeros(3, 1))


# --------------------------------------------------------------- 3.4.3.4 gravity forces


@quantity(
    "g(q)", shape="nv", unit="N m | N", source="3.4.3.4; L&P (8.55)", stage="gravity"
)
def gravity_forces(robot: Robot, q: list[Scalar]) -> Matrix:
    """g = dV/dq, the static forces that hold a configuration."""
    rest = robot.at_rest()
    return _newton_euler(robot, q, rest, rest, robot.gravity)


@quantity("V(q)", shape="", unit="J", source="3.4.3.4; L&P (8.56)", stage="gravity")
def potential_energy(robot: Robot, q: list[Scalar]) -> Matrix:
    """V = - sum of mass times gravity times centre of mass, zero at the world's origin."""
    la, at = robot.la, local(robot, q)
    moment = la.zeros(3, 1)
    for link, (R, p) in zip(robot.links, link_poses(robot, at), strict=True):
        moment = moment + (p + R @ link.com) * link.mass
    for mass, com in robot.base:
        moment = moment + com * mass
    return -(robot.gravity.mT @ moment)


@quantity("T(q, v)", shape="", unit="J", source="3.4.3.2; L&P (8.46)", stage="velocity")
def kinetic_energy(robot: Robot, q: list[Scalar], v: list[Scalar]) -> Matrix:
    """T = v' M v / 2, summed over the twists of the bodies, and the rotors."""
    la, at = robot.la, local(robot, q)
    energy = la.zeros(1, 1)
    for V, G in zip(link_twists(robot, at, v), at.inertia, strict=True):
        energy = energy + V.mT @ (G @ V)
    column = la.column(v)
    return (energy + column.mT @ (_armature(robot) @ column)) * la.half


# ------------------------------------------------------- 3.4.3.1 the equation of motion


def _newton_euler(
    robot: Robot, q: list[Scalar], v: list[Scalar], a: list[Scalar], gravity: Matrix
) -> Matrix:
    """Forces that make an acceleration, body by body (Newton and Euler), without rotors."""
    la, at = robot.la, local(robot, q)
    twists, accelerations = link_motions(robot, at, v, a, gravity)
    wrenches = [
        G @ A - cross_motion(la, V).mT @ (G @ V)
        for G, A, V in zip(at.inertia, accelerations, twists, strict=True)
    ]
    forces = [la.zero] * robot.nv
    for i in reversed(range(robot.nv)):
        forces[i] = la.number(at.s[i].mT @ wrenches[i])
        k = robot.links[i].parent
        if k >= 0:
            wrenches[k] = wrenches[k] + at.X[i].mT @ wrenches[i]
    return la.column(forces)


@quantity(
    "C v + g",
    shape="nv",
    unit="N m | N",
    source="3.4.3.1; L&P (8.54), h(q, v)",
    stage="dynamics",
)
def bias_forces(robot: Robot, q: list[Scalar], v: list[Scalar]) -> Matrix:
    """The forces at a = 0: Coriolis, centrifugal and gravity."""
    return _newton_euler(robot, q, v, robot.at_rest(), robot.gravity)


@quantity(
    "tau(q, v, a)",
    shape="nv",
    unit="N m | N",
    source="3.4.3.1; L&P (8.52)-(8.53)",
    stage="dynamics",
)
def inverse_dynamics(
    robot: Robot, q: list[Scalar], v: list[Scalar], a: list[Scalar]
) -> Matrix:
    """tau = M a + C v + g."""
    rotors = _armature(robot) @ robot.la.column(a)
    return _newton_euler(robot, q, v, a, robot.gravity) + rotors


def dynamics_residual(
    robot: Robot, q: list[Scalar], v: list[Scalar], tau: list[Scalar], a: list[Scalar]
) -> Matrix:
    """M a + C v + g - tau, which an acceleration must bring to zero.

    Its magnitude allows a stable solution of n equations: 3 n u sqrt(M_ii M_jj) |a_j|.
    """
    residual = inverse_dynamics(robot, q, v, a) - robot.la.column(tau)
    if not isinstance(robot.la, Magnitude):
        return residual
    scaled = scaled_inertia(robot, q, robot.la.column(a).size)
    return residual.widened(3 * robot.nv * scaled)


def scaled_inertia(robot: Robot, q: list[Scalar], x: Array) -> Array:
    """sqrt(M_ii) sum_j sqrt(M_jj) x_j for sizes x (..., nv, 1): no less than |M| x."""
    diagonal = mass_matrix(robot, q).size.diagonal(axis1=-2, axis2=-1)[..., None]
    root: Array = diagonal**0.5
    return root * (root.mT @ x)


@quantity(
    "a(q, v, tau)",
    shape="nv",
    unit="rad/s^2 | m/s^2",
    source="3.4.3.1; L&P (8.88)",
    stage="dynamics",
    residual=dynamics_residual,
)
def forward_dynamics(
    robot: Robot, q: list[Scalar], v: list[Scalar], tau: list[Scalar]
) -> Matrix:
    """a = M^-1 (tau - C v - g)."""
    known = robot.la.column(tau) - bias_forces(robot, q, v)
    return robot.la.solve(mass_matrix(robot, q), known)


QUANTITIES = {
    q.name: q
    for q in (
        frame_pose,
        frame_velocity,
        frame_jacobian,
        body_jacobian,
        space_jacobian,
        frame_bias_acceleration,
        mass_matrix,
        coriolis_matrix,
        coriolis_forces,
        gravity_forces,
        potential_energy,
        kinetic_energy,
        bias_forces,
        inverse_dynamics,
        forward_dynamics,
        joint_torque_regressor,
    )
}
"""What the chapter defines and libraries compute, in the order of the text."""
