"""`python -m libcheck mobility`: files and names in, a verdict or one line of error out."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from libcheck.cli import main
from models import CLOSED_CHAINS, write_linkage, write_mjcf, write_urdf
from reference.linkage_of import linkage_of

FOUR_BAR = CLOSED_CHAINS["fourbar"]
LOOP = FOUR_BAR.loops[0]
TREE = replace(FOUR_BAR, loops=(), home=())

SAME = (
    "links", "joints", "loops", "joint_kinds", "sum_of_freedoms", "grubler",
    "planar_grubler", "instantaneous_mobility", "finite_mobility", "verdict", "pose",
    "platform_freedom",
)  # fmt: skip


def printed(capsys: pytest.CaptureFixture[str], *words: str) -> str:
    assert main(["mobility", *words]) == 0
    return capsys.readouterr().out


def refused(capsys: pytest.CaptureFixture[str], *words: str) -> str:
    assert main(["mobility", *words]) == 2
    lines = capsys.readouterr().err.splitlines()
    assert len(lines) == 1
    return lines[0]


def with_loops(folder: Path) -> Path:
    """The four-bar as URDF and a TOML that closes it."""
    (folder / "tree.urdf").write_text(write_urdf(TREE))
    ends = []
    for frame in (LOOP.first, LOOP.second):
        link = FOUR_BAR.bodies[frame.body].name if frame.body >= 0 else "world"
        turns = list(frame.pose.rotation)
        ends.append(f'{{ link = "{link}", xyz = {list(frame.pose.p)}, rpy = {turns} }}')
    names = [FOUR_BAR.bodies[i].joint.name for i in FOUR_BAR.moving]
    home = "\n".join(
        f"{n} = {float(x)!r}" for n, x in zip(names, FOUR_BAR.home, strict=True)
    )
    file = folder / "loops.toml"
    file.write_text(
        f'urdf = "tree.urdf"\n[[loop]]\nname = "{LOOP.name}"\nkind = "point"\n'
        f"first = {ends[0]}\nsecond = {ends[1]}\n[home]\n{home}\n"
    )
    return file


def test_the_same_four_bar_in_three_forms_gives_the_same_analysis(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    mjcf, linkage = tmp_path / "fourbar.xml", tmp_path / "fourbar.toml"
    mjcf.write_text(write_mjcf(FOUR_BAR))
    linkage.write_text(write_linkage(linkage_of(FOUR_BAR)))
    found = [
        json.loads(printed(capsys, "--json", str(file)))
        for file in (with_loops(tmp_path), mjcf, linkage)
    ]
    for data in found:
        assert {k: data[k] for k in SAME} == {k: found[0][k] for k in SAME}
    assert found[0]["finite_mobility"] == 1
    assert found[0]["planar_grubler"] == 1
    assert len(found[0]["redundant_constraints"]) == 1


def test_a_name_is_known_whatever_its_capitals_and_dashes(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert printed(capsys, "Bennett 4R") == printed(capsys, "bennett-4r")


def test_the_folded_parallelogram_is_told_to_be_singular(
    capsys: pytest.CaptureFixture[str],
) -> None:
    out = printed(capsys, "chapter-parallelogram_folded")
    assert "finite motion of dimension 1, singular pose (2 at first order here)" in out


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


@pytest.mark.parametrize(
    "words",
    [[], ["nosuch"], ["--all", "bennett-4r"], ["bennett-4r", "--platform", "x"]],
)
def test_wrong_words_are_refused(
    capsys: pytest.CaptureFixture[str], words: list[str]
) -> None:
    refused(capsys, *words)
