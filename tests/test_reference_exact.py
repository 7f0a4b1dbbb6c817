"""The reference against itself in rationals: two derivations are equal, with ``==``."""

from __future__ import annotations

import pytest
from flint import fmpq
from hypothesis import given

from models import CATALOGUE
from reference import ch03_04_manipulator_equation as chapter
from reference.carriers import Scalar
from reference.carriers.ring import number
from reference.ch03_04_coriolis import coriolis_matrix_by_bodies
from reference.kinematics import (
    body_jacobian,
    frame_bias_acceleration,
    frame_jacobian,
    frame_pose,
    frame_velocity,
    link_twists,
    local,
    space_jacobian,
    tool_pose,
)
from reference.robot import Robot, robot
from reference.spatial import cross_motion, into_frame, turned
from tests.rational import (
    LA,
    Rows,
    Vector,
    away_from_half_turns,
    combined,
    every,
    mass,
    rows,
    slope,
)
from tests.strategies import REPEATABLE, rationals


@given(rationals.filter(lambda t: t not in (1, -1, 2, -2)))
@REPEATABLE
def test_the_slope_rule_is_exact_for_two_harmonics(t: fmpq) -> None:
    arm = robot(CATALOGUE["arm_2r"], LA)

    def f(q: Vector) -> Rows:
        s, c = LA.sin(q[1]), LA.cos(q[1])
        return [[3 + s - 2 * c + 5 * s * c + c * c]]

    s, c = LA.sin(t), LA.cos(t)
    expected = c + 2 * s + 5 * (c * c - s * s) - 2 * s * c
    assert slope(f, arm, [fmpq(0), t], 1) == [[expected]]


# ------------------------------------------------------------------------ mass matrix


@every(1)
def test_composite_bodies_and_body_jacobians_give_the_same_mass_matrix(
    case: tuple[Robot, list[Vector]],
) -> None:
    robot, (q,) = case
    M = mass(robot)(q)
    assert rows(chapter.mass_matrix_by_jacobians(robot, q)) == M
    assert [list(column) for column in zip(*M, strict=True)] == M


@every(1)
def test_the_gradient_of_the_mass_matrix_is_its_slope_and_zero_where_it_says(
    case: tuple[Robot, list[Vector]],
) -> None:
    robot, (q,) = case
    q = away_from_half_turns(robot, q)
    gradient = chapter.mass_matrix_gradient(robot, q)
    for k in range(robot.nv):
        expected = slope(mass(robot), robot, q, k)
        for i in range(robot.nv):
            for j in range(robot.nv):
                known: Scalar = gradient.get((min(i, j), max(i, j), k), 0)
                assert number(known) == expected[i][j], (i, j, k)


@every(2)
def test_kinetic_energy_is_half_v_m_v(case: tuple[Robot, list[Vector]]) -> None:
    robot, (q, v) = case
    M = mass(robot)(q)
    twice = sum(
        (v[i] * M[i][j] * v[j] for i in range(robot.nv) for j in range(robot.nv)),
        fmpq(0),
    )
    assert rows(chapter.kinetic_energy(robot, q, v)) == [[twice / 2]]


# --------------------------------------------------------------------------- Coriolis


@every(2)
def test_both_factorisations_times_v_are_newton_and_eulers_forces(
    case: tuple[Robot, list[Vector]],
) -> None:
    robot, (q, v) = case
    forces = rows(chapter.coriolis_forces(robot, q, v))
    assert rows(chapter.coriolis_matrix(robot, q, v) @ LA.column(v)) == forces
    assert rows(chapter.other_coriolis_matrix(robot, q, v) @ LA.column(v)) == forces


@every(2)
def test_the_rate_of_the_mass_matrix_is_c_plus_its_transpose(
    case: tuple[Robot, list[Vector]],
) -> None:
    robot, (q, v) = case
    C = chapter.coriolis_matrix(robot, q, v)
    assert rows(chapter.mass_matrix_rate(robot, q, v)) == rows(C + C.mT)


@every(2)
def test_the_coriolis_matrix_is_made_of_christoffel_symbols(
    case: tuple[Robot, list[Vector]],
) -> None:
    robot, (q, v) = case
    q, n = away_from_half_turns(robot, q), range(robot.nv)
    d = [slope(mass(robot), robot, q, k) for k in n]
    expected = [
        [
            sum(((d[k][i][j] + d[j][i][k] - d[i][j][k]) * v[k] for k in n), fmpq(0)) / 2
            for j in n
        ]
        for i in n
    ]
    assert rows(chapter.coriolis_matrix(robot, q, v)) == expected
    assert rows(coriolis_matrix_by_bodies(robot, q, v)) == expected


@pytest.mark.parametrize("name", ["arm_2r", "arm_6r"])
def test_the_rate_less_twice_the_other_factorisation_is_not_skew(name: str) -> None:
    arm = robot(CATALOGUE[name], LA)
    q = v = [fmpq(k + 1, 3) for k in range(arm.nv)]
    rate = chapter.mass_matrix_rate(arm, q, v)
    for matrix, skew in (
        (chapter.coriolis_matrix, True),
        (chapter.other_coriolis_matrix, False),
    ):
        C = matrix(arm, q, v)
        assert (rows(rate - C - C.mT) == rows(rate - rate)) is skew


# ------------------------------------------------------------------ equation of motion


@every(1)
def test_gravity_forces_are_the_slope_of_potential_energy(
    case: tuple[Robot, list[Vector]],
) -> None:
    robot, (q,) = case
    q = away_from_half_turns(robot, q)

    def energy(q: Vector) -> Rows:
        return rows(chapter.potential_energy(robot, q))

    g = [slope(energy, robot, q, k)[0] for k in range(robot.nv)]
    assert rows(chapter.gravity_forces(robot, q)) == g


@every(3)
def test_inverse_dynamics_is_m_a_plus_c_v_plus_g(
    case: tuple[Robot, list[Vector]],
) -> None:
    robot, (q, v, a) = case
    bias = chapter.coriolis_forces(robot, q, v) + chapter.gravity_forces(robot, q)
    assert rows(chapter.bias_forces(robot, q, v)) == rows(bias)
    forces = chapter.mass_matrix(robot, q) @ LA.column(a) + bias
    assert rows(chapter.inverse_dynamics(robot, q, v, a)) == rows(forces)


@every(3)
def test_forward_and_inverse_dynamics_undo_each_other(
    case: tuple[Robot, list[Vector]],
) -> None:
    robot, (q, v, x) = case
    a = [row[0] for row in rows(chapter.forward_dynamics(robot, q, v, x))]
    assert rows(chapter.inverse_dynamics(robot, q, v, a)) == [[e] for e in x]
    residual = chapter.dynamics_residual(robot, q, v, x, a)
    assert rows(residual) == [[fmpq(0)]] * robot.nv
    tau = [row[0] for row in rows(chapter.inverse_dynamics(robot, q, v, x))]
    assert rows(chapter.forward_dynamics(robot, q, v, tau)) == [[e] for e in x]


@every(3)
def test_inverse_dynamics_is_linear_in_the_parameters(
    case: tuple[Robot, list[Vector]],
) -> None:
    robot, (q, v, a) = case
    Y = chapter.joint_torque_regressor(robot, q, v, a)
    rotors = [
        [fmpq(number(link.armature)) * x]
        for link, x in zip(robot.links, a, strict=True)
    ]
    found = combined(
        rows(Y @ chapter.inertial_parameters(robot)), rotors, fmpq(1), fmpq(1)
    )
    assert rows(chapter.inverse_dynamics(robot, q, v, a)) == found


# ------------------------------------------------------------------------- kinematics


@every(2)
def test_j_v_is_the_twist_that_the_links_pass_on(
    case: tuple[Robot, list[Vector]],
) -> None:
    robot, (q, v) = case
    at, tool = local(robot, q), robot.tool
    R, _ = tool_pose(robot, at)
    below = LA.zeros(6, 1)
    if tool.link >= 0:
        below = link_twists(robot, at, v)[tool.link]
    twist = turned(LA, R) @ into_frame(LA, tool.R, tool.p) @ below
    assert rows(frame_velocity(robot, q, v)) == rows(twist)


@every(1)
def test_the_jacobians_of_body_frame_and_space_are_one(
    case: tuple[Robot, list[Vector]],
) -> None:
    robot, (q,) = case
    J_b, J, J_s = (f(robot, q) for f in (body_jacobian, frame_jacobian, space_jacobian))
    R, p = tool_pose(robot, local(robot, q))
    assert rows(R @ R.mT) == rows(LA.eye(3))
    assert rows(turned(LA, R) @ J_b) == rows(J)
    angular, linear = LA.split(J)
    assert rows(LA.block([[angular], [linear + LA.hat(p) @ angular]])) == rows(J_s)


@every(1)
def test_the_jacobian_is_the_slope_of_the_pose(
    case: tuple[Robot, list[Vector]],
) -> None:
    robot, (q,) = case
    q = away_from_half_turns(robot, q)
    J = rows(frame_jacobian(robot, q))
    R, _ = tool_pose(robot, local(robot, q))

    def pose(q: Vector) -> Rows:
        return rows(frame_pose(robot, q))

    for k in range(robot.nv):
        moved = slope(pose, robot, q, k)
        spin = rows(LA.table([row[:3] for row in moved]) @ R.mT)
        axis = LA.column([J[i][k] for i in range(3)])
        assert spin == rows(LA.hat(axis))
        assert [row[3] for row in moved] == [J[i][k] for i in range(3, 6)]


@every(2)
def test_the_bias_acceleration_follows_from_the_screws_in_space(
    case: tuple[Robot, list[Vector]],
) -> None:
    robot, (q, v) = case
    J_s = rows(space_jacobian(robot, q))
    screws = [LA.column([row[k] for row in J_s]) for k in range(robot.nv)]
    twist, acceleration = LA.zeros(6, 1), LA.zeros(6, 1)
    for k in robot.path(robot.tool.link):  # a screw moves with all that come before it
        acceleration = acceleration + cross_motion(LA, twist) @ screws[k] * v[k]
        twist = twist + screws[k] * v[k]
    _, p = tool_pose(robot, local(robot, q))
    (w, at_origin), (alpha, linear) = LA.split(twist), LA.split(acceleration)
    velocity = at_origin + LA.hat(w) @ p
    expected = linear + LA.hat(alpha) @ p + LA.hat(w) @ velocity
    found = frame_bias_acceleration(robot, q, v)
    assert rows(found) == rows(LA.block([[alpha], [expected]]))
