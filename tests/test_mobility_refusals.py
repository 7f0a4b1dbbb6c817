"""`python -m libcheck mobility` refuses a bad file in one line: file, place and fix."""

from __future__ import annotations

from pathlib import Path

import pytest

from libcheck.cli import main
from tests.test_mobility_command import with_loops


def refused(capsys: pytest.CaptureFixture[str], *words: str) -> str:
    assert main(["mobility", *words]) == 2
    out, err = capsys.readouterr()
    lines = err.splitlines()
    assert (out, len(lines)) == ("", 1)
    return lines[0]


JOINT = '[[joint]]\nkind = "R"\nlinks = ["ground", "a"]\npoint = [0, 0, 0]\n'
NAMED = JOINT + 'axis = [0, 0, 1]\nname = "j"\n'
APART = (
    '[[joint]]\nkind = "R"\nlinks = ["b", "c"]\npoint = [0, 0, 0]\naxis = [0, 0, 1]\n'
)


@pytest.mark.parametrize(
    ("text", "place"),
    [
        (JOINT + "axis = [0, 0, 0]\n", "axis is zero"),
        (JOINT + "axis = [0, 0, nan]\n", "finite"),
        (JOINT, "axes"),
        (NAMED + NAMED, "'j'"),
        (NAMED + APART, "not connected"),
        ("not a mechanism", "TOML"),
        ("x = 1\n", "x"),
    ],
)
def test_bad_linkages_are_refused_in_one_line_that_names_the_file(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], text: str, place: str
) -> None:
    file = tmp_path / "bad.toml"
    file.write_text(text)
    line = refused(capsys, str(file))
    assert str(file) in line
    assert place in line


def test_a_loop_with_an_unknown_body_is_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = with_loops(tmp_path)
    first = file.read_text().replace('first = { link = "', 'first = { link = "no_')
    file.write_text(first)
    assert "there is no link 'no_" in refused(capsys, str(file))


def test_a_pose_that_does_not_close_is_refused_with_its_gap(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = with_loops(tmp_path)
    text = file.read_text()
    head, _, home = text.partition("[home]\n")
    lines = home.splitlines()
    name, _, value = lines[0].partition(" = ")
    lines[0] = f"{name} = {float(value) + 0.3}"
    file.write_text(head + "[home]\n" + "\n".join(lines) + "\n")
    line = refused(capsys, str(file))
    assert "open by" in line
    assert "nearest closed" in line


SOLID = "<inertial pos='0 0 0' mass='1' diaginertia='1 1 1'/>"
HINGED = f"<body name='a'><joint name='j'/>{SOLID}</body>"
LINK = (
    "<link name='a'><inertial><mass value='1'/><inertia ixx='1' ixy='0' ixz='0' iyy='1' "
    "iyz='0' izz='1'/></inertial></link>"
)
HINGE = (
    "<joint name='j' type='continuous'><parent link='w'/><child link='a'/>"
    "<axis xyz='0 0 1'/></joint>"
)


def mjcf_of(bodies: str, equality: str = "") -> str:
    return f"<mujoco><worldbody>{bodies}</worldbody><equality>{equality}</equality></mujoco>"


def urdf_of(rest: str) -> str:
    return f"<robot name='r'><link name='w'/>{LINK}{rest}</robot>"


@pytest.mark.parametrize(
    ("name", "text", "place"),
    [
        ("a.xml", mjcf_of(HINGED.replace("'/>", "' axis='0 0 0'/>", 1)), "'j': the axis is"),
        ("a.xml", mjcf_of(HINGED.replace("'/>", "' axis='0 inf 0'/>", 1)), "'j': axis is no"),
        ("a.xml", mjcf_of(HINGED * 2), "named 'a'"),
        ("a.xml", mjcf_of(HINGED, "<connect body1='a' body2='b' anchor='0 0 0'/>"), "'b'"),
        ("a.xml", mjcf_of(HINGED, "<connect name='c' body1='a' body2='a' anchor='0 0 0'/>"),
         "loop 'c' joins link 'a' to itself"),
        ("a.xml", mjcf_of(f"<body name='a'>{SOLID}</body>"), "no joint can move"),
        ("a.xml", "<html/>", "<mujoco>"),
        ("a.xml", "", "not XML"),
        ("a.urdf", urdf_of(""), "one root link"),
        ("a.urdf", urdf_of(HINGE.replace("0 0 1", "0 0 0")), "'j': the axis is zero"),
        ("a.urdf", urdf_of(HINGE.replace("0 0 1", "0 0 nan")), "'j'"),
        ("a.urdf", urdf_of(HINGE * 2), "named 'j'"),
        ("a.urdf", urdf_of(HINGE.replace("link='a'", "link='b'")), "no link 'b'"),
        ("a.urdf", urdf_of(HINGE.replace("continuous", "fixed")), "no joint can move"),
        ("a.sdf", "<sdf/>", "suffix '.sdf'"),
        ("a.toml", 'urdf = "none.urdf"', "none.urdf"),
        ("a.toml", 'urdf = "a.urdf"\n' + NAMED, "'joint'"),
        ("a.toml", NAMED.replace("[0, 0, 0]", "[0, 1e6, 0]"), "'j': 1e+06 m is beyond"),
        ("a.toml", NAMED.replace("[0, 0, 0]", "[0, 1e-11, 0]"), "'j': 1e-11 m is the"),
    ],
)  # fmt: skip
def test_bad_files_of_every_form_are_refused_in_one_line_with_file_and_place(
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    name: str,
    text: str,
    place: str,
) -> None:
    file = tmp_path / name
    file.write_text(text)
    line = refused(capsys, str(file))
    assert line.startswith(f"libcheck: {tmp_path}")
    assert place in line


def test_what_is_no_file_at_all_is_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert "No such file" in refused(capsys, str(tmp_path / "none.xml"))
    (tmp_path / "folder.toml").mkdir()
    assert "folder.toml" in refused(capsys, str(tmp_path / "folder.toml"))
    (tmp_path / "bytes.xml").write_bytes(b"\xff\xfe")
    assert "UTF-8" in refused(capsys, str(tmp_path / "bytes.xml"))
    assert "no linkage" in refused(capsys, "a" * 5000)
    assert "no linkage" in refused(capsys, "a\0b")


@pytest.mark.parametrize(
    "words",
    [
        [],
        ["nosuch"],
        ["--all", "bennett-4r"],
        ["bennett-4r", "--platform", "x"],
        ["bennett-4r", "--platform", "ground"],
        ["bennett-4r", "--poses", "0"],
        ["bennett-4r", "--seed", "-1"],
    ],
)
def test_wrong_words_are_refused(
    capsys: pytest.CaptureFixture[str], words: list[str]
) -> None:
    refused(capsys, *words)


def test_a_platform_is_not_asked_of_all_linkages(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert "not --all" in refused(capsys, "--all", "--platform", "link_1")
