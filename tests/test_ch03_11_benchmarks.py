"""Published benchmarks of closed chains, planar: Andrews' squeezer, pendulum, four-bars.

The bicycle of Whipple is left out: its wheels roll, and the chapter leaves constraints on
velocities out.
"""

from __future__ import annotations

import tomllib
from functools import cache
from math import asin, cos, pi, sin, sqrt
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy.special import ellipj, ellipk

from models import CLOSED_CHAINS, Model
from models.maximal import in_maximal_coordinates
from reference.ch03_04_manipulator_equation import kinetic_energy
from reference.ch03_11_motion import mechanism
from reference.ch03_11_reduction import Reduced
from reference.closing import home
from tests.mechanisms import (
    DRIVE,
    dumbbell,
    squeezer_energy_of_spring,
    squeezer_forces,
    squeezer_forces_on_bodies,
)
from tests.motions import double_fourbar_rate, free_rate, full_state, motion

Array = np.ndarray
DATA = Path(__file__).parent / "data" / "benchmarks_3_11.toml"
VALUES: dict[str, Any] = tomllib.loads(DATA.read_text(encoding="utf-8"))
ANDREWS = VALUES["andrews"]
PARTS = ("q", "v", "a", "multipliers")
RTOL = 1e-13
"""Relative tolerance of the integrators."""
ENDS = 1e-9
"""What is asked of their ends: beside the integrators' own error over thousands of steps,
processors whose BLAS adds in another order end 1.4e-10 apart."""

SQUEEZER = CLOSED_CHAINS["andrews"]


def off(found: Array, expected: Array) -> Array:
    """Relative difference of every entry."""
    return np.abs(np.asarray(found) - expected) / np.abs(expected)


# --------------------------------------------------------------------- Andrews' squeezer


def in_published_order(values: Array) -> Array:
    """Values of the joints, which the tree has in another order."""
    joints = [body.joint.name for body in SQUEEZER.bodies]
    return values[[joints.index(name) for name in ANDREWS["order"]]]


def published_form(q: Array, v: Array, a: Array, lam: Array) -> dict[str, Array]:
    """The source has its multipliers on the other side of the equation."""
    q, v, a = map(in_published_order, (q, v, a))
    return {"q": q, "v": v, "a": a, "multipliers": -lam}


@cache
def squeezed_in_the_crank_angle() -> dict[str, Array]:
    """At t = 0.03, by the tree with cut joints, reduced to beta."""
    reduced = Reduced(SQUEEZER, [0], home(SQUEEZER))
    start = np.array([SQUEEZER.home[0], 0.0])
    (end,) = motion(lambda y: reduced.rate(y, squeezer_forces), start, [0.03], RTOL)
    return published_form(*full_state(reduced, end, squeezer_forces))


@cache
def squeezed_in_maximal_coordinates() -> dict[str, Array]:
    """At t = 0.03, by 21 coordinates and 20 constraints that nothing stabilises."""
    model = in_maximal_coordinates(SQUEEZER)
    chain, n = mechanism(model), model.nv
    start = np.concatenate([home(model), np.zeros(n)])
    rate = free_rate(chain, squeezer_forces_on_bodies)
    (end,) = motion(rate, start, [0.03], RTOL)
    q, v = end[:n], end[n:]
    a, lam = chain.acceleration(q, v, squeezer_forces_on_bodies(q, v))
    q, v, a = map(turns_between_bodies, (q, v, a))
    return published_form(q, v, a, lam[-6:])  # the cut joints come last


def turns_between_bodies(x: Array) -> Array:
    """Angles of the joints of the tree from those of the bodies, or their rates."""
    angles = dict(enumerate(x[2::3])) | {-1: 0.0}
    turns = [angles[i] - angles[body.parent] for i, body in enumerate(SQUEEZER.bodies)]
    return np.array(turns)


def test_squeezer_starts_with_the_published_accelerations_and_multipliers() -> None:
    q = home(SQUEEZER)
    a, lam = mechanism(SQUEEZER).acceleration(q, 0 * q, squeezer_forces(q, 0 * q))
    found, start = published_form(q, 0 * q, a, lam), ANDREWS["start"]
    for name, key in (("a", "acceleration"), ("multipliers", "multipliers")):
        expected = np.array(start[key])
        difference = np.abs(found[name] - expected).max()
        assert difference < 1e-12 * np.abs(expected).max()  # printed in doubles


@pytest.mark.parametrize(
    "squeezed", [squeezed_in_the_crank_angle, squeezed_in_maximal_coordinates]
)
def test_squeezer_ends_at_the_converged_state_in_both_representations(
    squeezed: Any,
) -> None:
    found = squeezed()
    for name in PARTS:
        assert off(found[name], ANDREWS["converged"][name]).max() < ENDS, name


@pytest.mark.parametrize("part", PARTS)
def test_published_squeezer_is_within_its_own_error_and_worse_than_ours(
    part: str,
) -> None:
    ours, converged = squeezed_in_the_crank_angle()[part], ANDREWS["converged"][part]
    published = np.array(ANDREWS["published"][part])
    print(
        f"{part}: published is off by {off(published, converged).max():.1e} relative,"
    )
    print(f"ours by {off(ours, converged).max():.1e}")
    assert off(published, ours).max() < ANDREWS["published_error"][part]
    assert np.all(off(published, converged) > off(ours, converged))


def balance(q: Array, v: Array) -> float:
    """Energy at a state of the squeezer less that at the start and the work of the drive."""
    T = kinetic_energy.value(SQUEEZER, {"q": q[None], "v": v[None]}).item()
    start = home(SQUEEZER)
    stored = squeezer_energy_of_spring(q) - squeezer_energy_of_spring(start)
    return T + stored - DRIVE * (q[0] - start[0])


def test_energy_tells_the_converged_state_from_the_published_one() -> None:
    joints = [ANDREWS["order"].index(body.joint.name) for body in SQUEEZER.bodies]
    off_balance = {}
    for name in ("published", "converged"):
        q, v = (np.array(ANDREWS[name][part])[joints] for part in ("q", "v"))
        off_balance[name] = abs(balance(q, v))
    print("energy balance [J]:", off_balance)
    work = DRIVE * ANDREWS["converged"]["q"][0]
    assert off_balance["converged"] < 1e-12 * work
    assert off_balance["published"] > 1e-10 * work


def test_squeezer_of_the_multibody_library_turns_its_crank_to_the_converged_points() -> (
    None
):
    case = VALUES["a03"]
    q = home(SQUEEZER)
    q[0] = case["start"]
    reduced = Reduced(SQUEEZER, [0], q)
    states = motion(
        lambda y: reduced.rate(y, squeezer_forces),
        np.array([case["start"], 0.0]),
        case["times"],
        1e-11,
    )
    beta, converged = states[:, 0], case["converged"]
    F = 0.007 * np.stack([np.cos(beta), np.sin(beta)], axis=1)
    assert off(beta, converged["beta"]).max() < 1e-10
    assert np.abs(F - converged["F"]).max() < 0.007 * 1e-10 * beta.max() + 1e-11


# ------------------------------------------------------------------------------ pendulum

PENDULUM = in_maximal_coordinates(dumbbell())


def pendulum(t: float) -> tuple[float, float]:
    """Angle from the plumb line and its rate, from rest at a quarter turn, (-1, 0)."""
    w, k = sqrt(9.81), sqrt(0.5)
    sn, cn, dn, _ = ellipj(ellipk(0.5) - w * t, 0.5)
    angle = 2 * asin(k * sn)
    return angle, -2 * k * w * cn * dn / cos(angle / 2)


def test_pinned_bar_swings_as_the_elliptic_functions_say() -> None:
    chain = mechanism(PENDULUM)
    start = np.array([-0.5, 0.0, pi, 0.0, 0.0, 0.0])
    times = [1.0, 9.99, 10.0, 4 * ellipk(0.5) / sqrt(9.81) * 5]
    states = motion(free_rate(chain), start, times, RTOL)
    for t, y in zip(times, states, strict=True):
        angle, rate = pendulum(t)
        tip = y[:2] + 0.5 * np.array([cos(y[2]), sin(y[2])])
        assert np.abs(tip - [-sin(angle), -cos(angle)]).max() < 1e-11
        _, lam = chain.acceleration(y[:3], y[3:], np.zeros(3))
        tension = rate**2 + 9.81 * cos(angle)
        held = tension * np.array([sin(angle), cos(angle)]) + [0.0, 9.81]
        assert np.abs(lam - held).max() < 1e-10  # the pin also carries 1 kg at rest
    assert np.abs(states[-1] - start).max() < 1e-11  # after five periods


# ---------------------------------------------------------------------- double four-bar


def upright_pendulum(t: float) -> Array:
    """x, y, vx, vy of the first crank's tip: theta'' = 7/6 g sin(theta), in closed form.

    In half of the angle from below, psi, the motion is psi' = w sqrt(1 - m sin(psi)^2).
    """
    c = 3.5 / 3 * 9.81
    w = sqrt(1.0 + 4 * c) / 2
    m = c / w**2
    quarter = ellipk(m)
    sn, cn, dn, _ = ellipj(w * t - quarter, m)
    x, y = -2 * sn * cn, sn * sn - cn * cn
    speed = 2 * w * dn
    return np.array([x, y, speed * y, -speed * x])


def test_double_fourbar_passes_its_singular_positions_to_the_published_point() -> None:
    case, model = VALUES["a02"], CLOSED_CHAINS["double_fourbar"]
    rate = double_fourbar_rate(model)
    (end,) = motion(rate, np.array([0.0, -1.0]), [case["time"]], 1e-12)
    angle, speed = end
    found = np.array(
        [-sin(angle), cos(angle), -cos(angle) * speed, -sin(angle) * speed]
    )
    coarse, fine = (np.array(case["published"][k]) for k in ("coarse", "fine"))
    limit = fine + (fine - coarse) / 3  # of a method of order two
    near = 2.5e-7  # steps that end beside a flat position magnify rounding
    assert np.abs(found - upright_pendulum(case["time"])).max() < near
    assert np.abs(found - case["converged"]["state"]).max() < near
    assert np.abs(found - limit).max() < near
    assert np.abs(fine - limit).max() > 2 * near  # what the published points are off


def rank(model: Model, q: Array) -> int:
    return int(np.linalg.matrix_rank(mechanism(model).terms(q, 0 * q).J, rtol=1e-10))


def test_double_fourbar_loses_two_rows_where_it_lies_flat() -> None:
    # IFToMM: with N + 1 = 3 cranks its Jacobian has nullity N + 1 there
    model = CLOSED_CHAINS["double_fourbar"]
    flat = np.array([1.0, -1.0, 1.0, -1.0, 1.0]) * pi / 2
    assert (rank(model, home(model)), rank(model, flat)) == (4, 2)
