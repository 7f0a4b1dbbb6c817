"""Mechanisms that a user gives as files run through the same checks, or are refused."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from libcheck.cli import main

DATA = Path(__file__).parent / "data"

PENDULUM = """<mujoco model="pendulum"><compiler angle="radian"/><worldbody>
<body name="rod"><joint name="pin" axis="0 1 0"/>
<inertial pos="0 0 -1" mass="{mass}" diaginertia="{inertia} {inertia} {inertia}"/></body>
</worldbody></mujoco>"""


def written(folder: Path, name: str, text: str) -> Path:
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return path


def run(capsys: pytest.CaptureFixture[str], *words: object) -> tuple[int, str]:
    status = main(["run", *map(str, words)])
    return status, capsys.readouterr().err


def records(out: Path) -> list[dict[str, object]]:
    found: list[dict[str, object]] = json.loads(
        (out / "report.json").read_text(encoding="utf-8")
    )["records"]
    return found


@pytest.mark.parametrize("name", ["four_bar.toml", "four_bar.xml"])
def test_a_closed_chain_of_a_user_runs_through_the_same_checks(
    name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "out"
    status, _ = run(
        capsys, "--file", DATA / name, "--library", "mujoco", "--out", out, "--quiet"
    )  # fmt: skip
    found = records(out)
    assert status == 0
    assert {r["model"] for r in found} == {"four_bar"}
    assert {r["chapter"] for r in found} == {"2.1", "3.11"}
    verdicts = {r["name"]: r["verdict"] for r in found}
    assert verdicts["softened_motion"] == "AGREE"
    assert verdicts["softness_vanishes_with_the_regularisation"] == "AGREE"
    assert verdicts["default_constrained_acceleration"] == "KNOWN"
    assert verdicts["tendon_driven_acceleration"] == "AGREE"
    assert not any(r["kind"] == "claim" for r in found)


def test_the_command_that_reproduces_names_the_file(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out, file = tmp_path / "out", DATA / "four_bar.xml"
    names = "default_constrained_acceleration"
    run(
        capsys, "--file", file, "--library", "mujoco", "--quantity", names,
        "--out", out, "--quiet",
    )  # fmt: skip
    (record,) = records(out)
    assert f"--file {file}" in str(record["command"])
    words = str(record["command"]).split()[4:]
    again = tmp_path / "again"
    assert main(["run", *words, "--out", str(again), "--quiet"]) == 0
    assert records(again)[0]["got"] == record["got"]


def test_a_tree_of_a_user_is_checked_as_a_tree(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = written(tmp_path, "p.xml", PENDULUM.format(mass=1.5, inertia=0.2))
    out = tmp_path / "out"
    status, _ = run(
        capsys, "--file", file, "--library", "mujoco", "--out", out, "--quiet"
    )  # fmt: skip
    assert status == 0
    assert {r["chapter"] for r in records(out)} == {"3.4"}


def refused(capsys: pytest.CaptureFixture[str], *words: object) -> str:
    status, said = run(capsys, *words)
    assert status == 2
    assert said.startswith("libcheck: ")
    assert said.count("\n") == 1
    return said


def test_a_home_that_does_not_close_is_refused_with_its_gap(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    shutil.copy(DATA / "four_bar.urdf", tmp_path)
    text = (DATA / "four_bar.toml").read_text(encoding="utf-8")
    file = written(tmp_path, "open.toml", text.replace("j1 = -0.7", "j1 = -0.5"))
    said = refused(capsys, "--file", file)
    assert str(file) in said
    assert "inconsistent home: the loops are open by 0.2" in said
    assert "nearest closed: j1 = -0.6" in said


def test_loops_that_cannot_close_are_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    shutil.copy(DATA / "four_bar.urdf", tmp_path)
    text = (DATA / "four_bar.toml").read_text(encoding="utf-8").split("[home]")[0]
    far = text.replace("xyz = [0.7, 0, 0]", "xyz = [7.0, 0, 0]")
    said = refused(capsys, "--file", written(tmp_path, "far.toml", far))
    assert "cannot be closed" in said


@pytest.mark.parametrize(
    ("name", "text", "words"),
    [
        ("empty.xml", "", "empty.xml"),
        ("none.urdf", "<robot name='r'><link name='base'/></robot>", "none.urdf"),
        ("other.txt", "x", "other.txt"),
    ],
)
def test_files_that_hold_no_mechanism_are_refused(
    name: str, text: str, words: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert words in refused(capsys, "--file", written(tmp_path, name, text))


def test_a_file_that_is_not_there_is_named(capsys: pytest.CaptureFixture[str]) -> None:
    assert "nowhere.xml" in refused(capsys, "--file", "nowhere.xml")


def test_two_models_of_one_name_are_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    text = PENDULUM.format(mass=1.0, inertia=0.2)
    first, second = (written(tmp_path, n, text) for n in ("a.xml", "b.xml"))
    said = refused(capsys, "--file", first, "--file", second)
    assert "'pendulum'" in said
    assert str(first) in said


def test_a_massless_mechanism_is_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    urdf = (
        "<robot name='ghost'><link name='base'/><link name='arm'/>"
        "<joint name='pin' type='continuous'><parent link='base'/><child link='arm'/>"
        "<axis xyz='0 1 0'/></joint></robot>"
    )
    said = refused(capsys, "--file", written(tmp_path, "ghost.urdf", urdf))
    assert "joint 'pin'" in said
    assert "mass matrix is singular" in said


def test_a_model_that_no_file_holds_is_named(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = written(tmp_path, "p.xml", PENDULUM.format(mass=1.0, inertia=0.2))
    said = refused(capsys, "--file", file, "--model", "ur5")
    assert "no model 'ur5'" in said
    assert "pendulum" in said
