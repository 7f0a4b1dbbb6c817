"""Changing one adapter to do something else turns the run red, with the right stage named."""

from __future__ import annotations

from pathlib import Path

import pytest

from libcheck.record import Record
from tests.planted import planted

NAMES = (
    "frame_pose",
    "frame_jacobian",
    "mass_matrix",
    "gravity_forces",
    "inverse_dynamics",
    "mass_matrix_is_symmetric",
    "equation_of_motion",
    "bias_is_coriolis_plus_gravity",
)


def run(
    folder: Path,
    monkeypatch: pytest.MonkeyPatch,
    old: str,
    new: str,
    library: str,
    model: str,
) -> tuple[dict[str, Record], int]:
    """Run the names on a model, with a changed adapter; failures, and exit status."""
    return planted(folder, monkeypatch, (old, new), library, model, NAMES)


@pytest.mark.parametrize("library", ["pinocchio", "mujoco", "drake"])
def test_an_adapter_as_it_is_passes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, library: str
) -> None:
    docstring = 'distribution = "'
    failures, status = run(
        tmp_path, monkeypatch, docstring, docstring, library, "arm_6r_geared"
    )
    assert (failures, status) == ({}, 0)


def test_a_transposed_rotation_is_of_the_kinematics(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    failures, status = run(
        tmp_path,
        monkeypatch,
        "    return robot.data.oMf[robot.tool].homogeneous[:3]\n",
        "    pose = robot.data.oMf[robot.tool]\n"
        "    return np.column_stack([pose.rotation.T, pose.translation])\n",
        "pinocchio",
        "skew_axes",
    )
    assert list(failures) == ["frame_pose"]
    record = failures["frame_pose"]
    assert (record.verdict, record.stage) == ("DIFFER", "kinematics")
    assert record.fault == "convention"
    assert record.message == "agrees after transposing the rotation"
    assert status == 1


def test_gravity_of_the_wrong_sign_is_of_gravity(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    failures, status = run(
        tmp_path,
        monkeypatch,
        "set_gravity_vector(np.array(model.gravity))",
        "set_gravity_vector(-np.array(model.gravity))",
        "drake",
        "skew_axes",
    )
    assert list(failures) == ["gravity_forces", "inverse_dynamics"]
    for record in failures.values():
        assert (record.verdict, record.stage) == ("DIFFER", "gravity")
        assert record.fault == "convention"
        assert record.message == "agrees after reversing gravity"
    assert status == 1


@pytest.mark.parametrize(
    ("library", "old"),
    [
        ("pinocchio", "    robot.armature = armature\n"),
        ("drake", "        if joint.armature:\n"),
    ],
)
def test_an_armature_left_out_is_of_the_inertia(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, library: str, old: str
) -> None:
    new = "        if False:\n" if "if" in old else ""
    failures, status = run(tmp_path, monkeypatch, old, new, library, "arm_6r_geared")
    assert list(failures) == ["mass_matrix", "inverse_dynamics"]
    for record in failures.values():
        assert (record.verdict, record.stage) == ("DIFFER", "inertia")
        assert record.fault == "convention"
        assert record.message == "agrees after leaving the armature out of the model"
    assert status == 1


def test_a_first_moment_given_for_a_centre_of_mass_is_another_model(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = "    weightless = robot.copy()\n"
    failures, status = run(
        tmp_path,
        monkeypatch,
        before,
        "    for body in robot.inertias:\n        body.lever = body.mass * body.lever\n"
        + before,
        "pinocchio",
        "skew_axes",
    )
    assert list(failures) == ["mass_matrix", "gravity_forces", "inverse_dynamics"]
    for record in failures.values():
        assert (record.verdict, record.stage) == ("DIFFER", "inertia")
        assert record.fault == "importer"
        assert record.message == "consistent with itself: it computes another model"
    assert status == 1


def test_a_column_of_the_jacobian_left_out_is_of_the_kinematics(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    failures, status = run(
        tmp_path,
        monkeypatch,
        "    return J[np.ix_(ANGULAR_FIRST, robot.order)]\n",
        "    return J[np.ix_(ANGULAR_FIRST, robot.order)] * (np.arange(J.shape[1]) > 0)\n",
        "pinocchio",
        "skew_axes",
    )
    assert failures["frame_jacobian"].stage == "kinematics"
    assert status == 1
