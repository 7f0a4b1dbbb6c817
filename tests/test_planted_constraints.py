"""Changing an adapter's constraints turns the run red; and the legs of a platform."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from libcheck.record import Record
from libcheck.worker import Worker
from models import CLOSED_CHAINS
from reference.ch03_04_manipulator_equation import gravity_forces, inverse_dynamics
from reference.ch03_11_constrained_dynamics import tendon_driven_acceleration
from reference.constraints import tendon_jacobian
from tests.planted import planted

NAMES = {
    "pinocchio": (
        "constraint_jacobian",
        "constraint_bias_acceleration",
        "constrained_motion",
        "constrained_motion_in_first_axes",
        "stabilized_motion",
        "constraint_bias_is_jacobian_rate_times_v",
        "constrained_motion_solves_its_own_equations",
    ),
    "mujoco": (
        "constraint_jacobian",
        "constraint_bias_acceleration",
        "softened_motion",
        "constraint_bias_is_jacobian_rate_times_v",
        "softness_vanishes_with_the_regularisation",
    ),
    "drake": (
        "constraint_jacobian",
        "constraint_bias_acceleration",
        "velocity_level_acceleration",
        "constraint_bias_is_jacobian_rate_times_v",
    ),
}


def run(
    folder: Path,
    monkeypatch: pytest.MonkeyPatch,
    library: str,
    change: tuple[str, str] = ('distribution = "', 'distribution = "'),
    model: str = "twin_arms_pinned",
) -> tuple[dict[str, Record], int]:
    return planted(folder, monkeypatch, change, library, model, NAMES[library])


@pytest.mark.parametrize("library", NAMES)
@pytest.mark.parametrize("model", ["fourbar", "twin_arms_pinned"])
def test_an_adapter_as_it_is_passes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, library: str, model: str
) -> None:
    assert run(tmp_path, monkeypatch, library, model=model) == ({}, 0)


def test_a_library_that_forgets_jdot_v_is_wrong_in_its_motion_only(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """MuJoCo up to 3.6.0: its constraints took J a for the whole acceleration."""
    failures, status = run(
        tmp_path,
        monkeypatch,
        "mujoco",
        (
            "    data = robot.run(robot.soft, q, qvel=v, qfrc_applied=tau)\n",
            "    h = robot.run(robot.model, q, qvel=v).qfrc_bias[robot.order].copy()\n"
            "    h -= robot.run(robot.model, q).qfrc_bias[robot.order]\n"
            "    data = robot.run(robot.soft, q, qfrc_applied=tau - h)\n",
        ),
    )
    assert list(failures) == [
        "softened_motion",
        "softness_vanishes_with_the_regularisation",
    ]
    assert failures["softened_motion"].stage == "constrained"
    assert status == 1


def test_a_jacobian_rate_of_zero_is_of_the_constraints(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    failures, status = run(
        tmp_path, monkeypatch, "mujoco",
        ("        return rate @ data.qvel\n", "        return 0 * (rate @ data.qvel)\n"),
    )  # fmt: skip
    assert list(failures) == [
        "constraint_bias_acceleration",
        "constraint_bias_is_jacobian_rate_times_v",
        "softness_vanishes_with_the_regularisation",
    ]
    assert failures["constraint_bias_acceleration"].stage == "constraints"
    assert status == 1


def test_multipliers_of_the_other_sign_are_of_the_constrained_motion(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    failures, status = run(
        tmp_path, monkeypatch, "pinocchio",
        ("        found.contact_force.vector", "        -found.contact_force.vector"),
    )  # fmt: skip
    assert list(failures) == [
        "constrained_motion",
        "constrained_motion_in_first_axes",
        "stabilized_motion",
        "constrained_motion_solves_its_own_equations",
    ]
    assert failures["constrained_motion"].stage == "constrained"
    assert status == 1


def test_gains_that_change_places_are_seen(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    failures, _ = run(
        tmp_path, monkeypatch, "pinocchio",
        ("parameters.Kd = 2 * alpha", "parameters.Kd = alpha"),
    )  # fmt: skip
    assert list(failures) == ["stabilized_motion"]


def test_a_ball_at_the_wrong_point_is_of_the_constrained_motion(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    failures, _ = run(
        tmp_path, monkeypatch, "drake",
        (
            "AddBallConstraint(first, ORIGIN, second, ORIGIN)",
            "AddBallConstraint(first, ORIGIN + 1e-2, second, ORIGIN + 1e-2)",
        ),
    )  # fmt: skip
    assert list(failures) == ["velocity_level_acceleration"]


# ---------------------------------------------------------------- the legs of a platform


@pytest.fixture(scope="module")
def mujoco() -> Iterator[Worker]:
    with Worker("mujoco", sys.executable) as worker:
        if not worker.usable:
            pytest.skip(str(worker.about))
        model = CLOSED_CHAINS["stewart"]
        worker.load(model.name, model)
        yield worker


def legs(moving: bool) -> tuple[dict[str, np.ndarray], np.ndarray]:
    """A state at the pose of chapter 3.11, leg forces, and the acceleration they give."""
    model = CLOSED_CHAINS["stewart"]
    q = np.array([model.home])
    v, a = np.zeros((1, 6)), np.zeros((1, 6))
    if moving:  # rates of x, y, z and of yaw, pitch, roll
        v[0, 3:], a[0] = (-0.1, -0.7, -0.6), (0.0, -0.4, -0.5, 0.4, -1.9, -1.2)
    needed = inverse_dynamics.value(model, {"q": q, "v": v, "a": a})[0]
    L = tendon_jacobian.value(model, {"q": q})[0]
    return {"q": q, "v": v, "f": np.linalg.solve(L.T, needed)[None]}, a[0]


@pytest.mark.parametrize("moving", [False, True])
def test_leg_forces_move_mujocos_platform_as_prescribed(
    mujoco: Worker, moving: bool
) -> None:
    """Chapter 3.11.5: 3.2e-15 linear and 1.1e-13 angular, at a pose not printed."""
    batch, wanted = legs(moving)
    found = mujoco.compute("tendon_driven_acceleration", "stewart", batch).value[0]
    assert np.abs(found - wanted)[:3].max() <= 1e-13
    assert np.abs(found - wanted)[3:].max() <= 1e-12
    ours = tendon_driven_acceleration.value(CLOSED_CHAINS["stewart"], batch)[0]
    assert np.abs(found - ours)[:3].max() <= 1e-13
    assert np.abs(found - ours)[3:].max() <= 1e-12


def test_leg_forces_of_the_wrong_sign_drop_the_platform_at_twice_its_weight(
    mujoco: Worker,
) -> None:
    batch, _ = legs(moving=False)
    wrong = batch | {"f": -batch["f"]}
    found = mujoco.compute("tendon_driven_acceleration", "stewart", wrong).value[0]
    assert np.abs(found[:3] - [0.0, 0.0, -2 * 9.81]).max() < 1e-13
    weight = gravity_forces.value(CLOSED_CHAINS["stewart"], {"q": batch["q"]})[0]
    assert weight[2] == pytest.approx(2 * 9.81)
