"""Driven mechanisms and platforms on legs, against closed forms and derivations by hand."""

from __future__ import annotations

from dataclasses import replace
from math import acos, atan2, cos, hypot, pi, sin

import numpy as np
import pytest

from models import CLOSED_CHAINS, Model
from reference.ch03_11_parallel import (
    Driven,
    SingularPoseError,
    acceleration_under_drives,
    driven,
    leg_force_map,
    massless_leg_forces,
    motion_of_tool,
    multipliers,
    platform_points,
    platform_wrench,
    singular_values,
    torques_by_multipliers,
    torques_by_virtual_work,
    velocity_map,
    with_tool_at,
)
from reference.ch03_11_solvers import DimensionError
from reference.closing import OpenLoopError, structural_rows

Array = np.ndarray

FIVEBAR = CLOSED_CHAINS["fivebar_maximal"]
DRIVES = (2, 8)
BASE, UPPER, LOWER, G = 0.15, 0.25, 0.35, 9.81
LEGS = CLOSED_CHAINS["stewart_legs"]
SLIDES = tuple(range(8, 24, 3))
STEWART = CLOSED_CHAINS["stewart"]


def elbow(x: float, y: float, side: int) -> tuple[float, float]:
    """Angles of the proximal and the distal link, by the law of cosines; side -1 is left."""
    r = hypot(x - side * BASE, y)
    inner = acos((UPPER**2 + r**2 - LOWER**2) / (2 * UPPER * r))
    proximal = atan2(y, x - side * BASE) - side * inner
    ex, ey = side * BASE + UPPER * cos(proximal), UPPER * sin(proximal)
    return proximal, atan2(y - ey, x - ex)


def posed(x: float, y: float) -> Array:
    """The maximal configuration with P there, elbows outward."""
    q: list[float] = []
    for side in (-1, 1):
        proximal, distal = elbow(x, y, side)
        ex, ey = side * BASE + UPPER * cos(proximal), UPPER * sin(proximal)
        q += [(side * BASE + ex) / 2, ey / 2, proximal]
        q += [ex + LOWER / 2 * cos(distal), ey + LOWER / 2 * sin(distal), distal]
    return np.array(q)


def at(q: Array, v: Array | None = None, drives: tuple[int, ...] = DRIVES) -> Driven:
    return driven(FIVEBAR, q[None], 0 * q[None] if v is None else v[None], drives)


def torque_of_left_drive(y: float) -> float:
    """Statics of the left half, 1 kg/m: by symmetry only a level force H acts at P.

    Moments about the elbow give H, moments about the base the torque.
    """
    proximal, distal = elbow(0.0, y, -1)
    dx, dy = LOWER * cos(distal), LOWER * sin(distal)
    H = -LOWER * G * dx / (2 * dy)
    first, second = UPPER / 2 * cos(proximal), UPPER * cos(proximal) + dx / 2
    return UPPER * G * first + LOWER * G * second + y * H


@pytest.mark.parametrize("y", [0.4, 0.25, 0.16, 0.1505])
def test_static_torques_of_the_symmetric_fivebar_are_those_of_statics(y: float) -> None:
    rest = at(posed(0.0, y))
    left, right = torques_by_multipliers(rest, np.zeros((1, 12)))[0]
    expected = torque_of_left_drive(y)
    sigma = singular_values(rest)[0, -1]
    assert left == pytest.approx(expected, rel=1e-14 / sigma)
    assert right == pytest.approx(-expected, rel=1e-14 / sigma)


@pytest.mark.parametrize(("x", "y"), [(0.0, 0.4), (0.05, 0.3), (-0.1, 0.35)])
def test_the_tool_is_brought_to_a_point_on_the_same_branch(x: float, y: float) -> None:
    found = with_tool_at(FIVEBAR, np.array(FIVEBAR.home), (x, y, 0.0))
    assert found == pytest.approx(posed(x, y), abs=1e-12)


def test_a_point_out_of_reach_is_refused() -> None:
    with pytest.raises(OpenLoopError, match="stays"):
        with_tool_at(FIVEBAR, np.array(FIVEBAR.home), (0.0, 0.9, 0.0))


def test_rows_across_the_plane_are_left_out_and_the_rest_is_square_with_drives() -> (
    None
):
    assert structural_rows(FIVEBAR) == (0, 1, 3, 4, 6, 7, 9, 10, 12, 13)
    assert structural_rows(STEWART) == ()
    assert at(posed(0.0, 0.4)).full_jacobian.shape == (1, 12, 12)


@pytest.mark.parametrize("drives", [(2,), (2, 5, 8)])
def test_a_number_of_drives_that_fixes_nothing_is_refused(
    drives: tuple[int, ...],
) -> None:
    with pytest.raises(DimensionError, match="needs 2 drives"):
        at(posed(0.0, 0.4), drives=drives)


def test_a_drive_that_repeats_a_constraint_is_singular() -> None:
    one, rest = np.eye(2)[None], np.zeros((1, 2))
    faulty = Driven(one, np.array([[[1.0, 0.0]]]), rest, rest[:, :1], (0,))
    for solve in (multipliers, torques_by_virtual_work):
        with pytest.raises(SingularPoseError):
            solve(faulty, rest)
    with pytest.raises(SingularPoseError):
        acceleration_under_drives(faulty, rest[:, :1])


# ------------------------------------------------------------------------------ moving

HALF, RATE = 0.03, 3.0


def circle(t: float) -> tuple[Array, Array, Array]:
    """Position, velocity and acceleration of P on a small circle."""
    c, s = np.cos(RATE * t), np.sin(RATE * t)
    p = np.array([0.02, 0.33]) + HALF * np.array([c, s])
    return p, HALF * RATE * np.array([-s, c]), -HALF * RATE**2 * np.array([c, s])


def on_circle(t: float) -> tuple[Array, Array, Array]:
    p, velocity, acceleration = circle(t)
    q = posed(*p)
    v, a = motion_of_tool(FIVEBAR, q[None], (3, 4), velocity[None], acceleration[None])
    return q, v[0], a[0]


@pytest.mark.parametrize("t", [0.1, 0.7, 1.6])
def test_velocity_and_acceleration_are_the_slopes_of_the_closed_form(t: float) -> None:
    h = 1e-4
    q, v, a = on_circle(t)
    before, after = (posed(*circle(t + s)[0]) for s in (-h, h))
    assert v == pytest.approx((after - before) / (2 * h), abs=1e-6)
    assert a == pytest.approx((after - 2 * q + before) / h**2, abs=1e-5)


@pytest.mark.parametrize("t", [0.1, 0.7, 1.6])
def test_drives_and_tool_prescribe_the_same_motion(t: float) -> None:
    q, v, a = on_circle(t)
    found = acceleration_under_drives(at(q, v), a[None, list(DRIVES)])[0]
    assert found == pytest.approx(a, abs=1e-11)


def energy(q: Array, v: Array) -> float:
    """Of four uniform rods of 1 kg/m."""
    total = 0.0
    for k, length in enumerate((UPPER, LOWER, UPPER, LOWER)):
        x, y, w = v[3 * k : 3 * k + 3]
        total += length * (x * x + y * y) / 2 + length**3 / 12 * w * w / 2
        total += length * G * q[3 * k + 1]
    return total


@pytest.mark.parametrize("t", [0.1, 0.7, 1.6])
def test_the_drives_power_is_the_rate_of_energy_by_either_route(t: float) -> None:
    h = 1e-4
    q, v, a = on_circle(t)
    ends = [energy(*on_circle(t + s)[:2]) for s in (-h, h)]
    rate = (ends[1] - ends[0]) / (2 * h)
    for route in (torques_by_multipliers, torques_by_virtual_work):
        torque = route(at(q, v), a[None])[0]
        assert torque @ v[list(DRIVES)] == pytest.approx(rate, abs=1e-6)


def test_the_velocity_map_keeps_loops_closed_and_drives_as_they_are() -> None:
    terms = at(posed(0.05, 0.3))
    Z = velocity_map(terms)
    assert np.abs(terms.J @ Z).max() < 1e-15
    assert np.array_equal(Z[0, list(DRIVES)], np.eye(2))


# ---------------------------------------------------------------------------- platforms


def test_six_plumb_legs_carry_a_sixth_of_the_weight_each() -> None:
    angles = 2 * pi * np.arange(6) / 6
    feet = np.stack([np.cos(angles), np.sin(angles), 0 * angles], axis=1)
    balls = feet + np.array([0.0, 0.0, 0.7])
    S = leg_force_map(feet, balls, np.array([0.0, 0.0, 0.7]))
    still = np.zeros(6)
    weight = platform_wrench(2.0, np.eye(3), still, still, np.array([0.0, 0.0, -G]))
    assert weight == pytest.approx([0, 0, 0, 0, 0, 2 * G])
    assert S @ np.full(6, 2 * G / 6) == pytest.approx(weight, abs=1e-14)
    assert np.linalg.matrix_rank(S) == 3  # and so does not tell the legs apart


def test_legs_of_a_level_platform_carry_the_weight_over_six_cosines() -> None:
    q = np.array([[0.0, 0.0, 0.4, 0.0, 0.0, 0.0]])
    feet, balls, p = platform_points(STEWART, q)
    # half angles 25 and 15 degrees on radii 0.4 and 0.25, 10 degrees apart
    across = 0.4**2 + 0.25**2 - 2 * 0.4 * 0.25 * cos(pi / 18)
    slant = hypot(across**0.5, 0.4)
    S = leg_force_map(feet, balls, p)
    forces = massless_leg_forces(S, np.array([[0, 0, 0, 0, 0, 2 * G]]))
    assert forces == pytest.approx(np.full((1, 6), 2 * G * slant / (6 * 0.4)))


def test_a_spinning_platform_needs_the_gyroscopic_moment() -> None:
    twist, rate = np.array([1.0, 0.0, 2.0, 0, 0, 0]), np.zeros(6)
    inertia = np.diag([1.0, 2.0, 4.0])
    wrench = platform_wrench(1.0, inertia, twist, rate, np.zeros(3))
    # w x I w = (1, 0, 2) x (1, 0, 8)
    assert wrench == pytest.approx([0, -6, 0, 0, 0, 0])


def test_legs_in_one_place_are_singular() -> None:
    feet, balls = np.zeros((6, 3)), np.tile([0.0, 0.0, 1.0], (6, 1))
    S = leg_force_map(feet, balls, np.zeros(3))
    with pytest.raises(SingularPoseError, match="not unique"):
        massless_leg_forces(S, np.ones(6))


def scaled_legs(share: float) -> Model:
    """The platform's legs with a part of their mass."""
    bodies = []
    for body in LEGS.bodies:
        inertia = body.inertia
        if inertia is not None and body.name != "platform":
            moments = [share * c for c in inertia.moments]
            ixx, ixy, ixz, iyy, iyz, izz = moments
            inertia = inertia._replace(
                mass=share * inertia.mass, moments=(ixx, ixy, ixz, iyy, iyz, izz)
            )
        bodies.append(replace(body, inertia=inertia))
    return replace(LEGS, name=f"legs of {share}", bodies=tuple(bodies))


TWIST = np.array([[-0.6, 0.7, 0.2, 0.3, -0.1, 0.4]])
RATES = np.array([[1.2, -0.9, 0.4, 0.5, -0.4, 1.5]])


def leg_forces(share: float) -> Array:
    model = scaled_legs(share)
    q = np.array([model.home])
    v, a = motion_of_tool(model, q, range(6), TWIST, RATES)
    terms = driven(model, q, v, SLIDES)
    forces = torques_by_multipliers(terms, a)
    assert torques_by_virtual_work(terms, a) == pytest.approx(forces, abs=1e-11)
    return forces[0]


def test_leg_forces_become_those_of_massless_legs_as_their_mass_vanishes() -> None:
    q = np.array([STEWART.home])
    feet, balls, p = platform_points(STEWART, q)
    x, y, z, yaw, pitch, roll = STEWART.home
    cy, sy, cp, sp, cr, sr = (
        f(angle) for angle in (yaw, pitch, roll) for f in (cos, sin)
    )
    R = (
        np.array([[cy, -sy, 0], [sy, cy, 0], [0, 0, 1]])
        @ np.array([[cp, 0, sp], [0, 1, 0], [-sp, 0, cp]])
        @ np.array([[1, 0, 0], [0, cr, -sr], [0, sr, cr]])
    )
    inertia = R @ np.diag([0.01, 0.01, 0.02]) @ R.T
    gravity = np.array([0.0, 0.0, -G])
    wrench = platform_wrench(2.0, inertia[None], TWIST, RATES, gravity)
    massless = massless_leg_forces(leg_force_map(feet, balls, p), wrench)[0]
    assert p[0] == pytest.approx([x, y, z], abs=1e-15)
    off = [leg_forces(share) - massless for share in (1.0, 1e-3, 0.0)]
    assert np.abs(off[0]).max() > 1.0
    assert off[1] == pytest.approx(1e-3 * off[0], abs=1e-11)  # linear in the mass
    assert np.abs(off[2]).max() < 1e-11
