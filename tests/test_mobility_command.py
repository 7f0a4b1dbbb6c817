"""`python -m libcheck mobility`: files and names in, a verdict or one line of error out."""

from __future__ import annotations

import json
from dataclasses import replace
from math import cos, sin
from pathlib import Path

import pytest

from libcheck.cli import main
from models import CLOSED_CHAINS, linkage_named, write_linkage, write_mjcf, write_urdf

FOUR_BAR = CLOSED_CHAINS["fourbar"]
LOOP = FOUR_BAR.loops[0]
TREE = replace(FOUR_BAR, loops=(), home=())

SAME = (
    "links", "joints", "loops", "joint_kinds", "sum_of_freedoms", "grubler",
    "planar_grubler", "instantaneous_mobility", "finite_mobility", "verdict", "pose",
    "platform", "platform_freedom", "generic_platform_freedom", "idle_freedoms",
    "second_order",
)  # fmt: skip


def printed(capsys: pytest.CaptureFixture[str], *words: str) -> str:
    assert main(["mobility", *words]) == 0
    return capsys.readouterr().out


def with_loops(folder: Path, head: str = "") -> Path:
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
        f'urdf = "tree.urdf"\n{head}[[loop]]\nname = "{LOOP.name}"\nkind = "point"\n'
        f"first = {ends[0]}\nsecond = {ends[1]}\n[home]\n{home}\n"
    )
    return file


def as_linkage(folder: Path) -> Path:
    """The four-bar from the lengths of its bars, closed by a spherical joint."""
    d, a, b, c, angle = 0.97, 0.32, 1.27, 0.9, 0.75
    x, y = a * cos(angle), a * sin(angle)
    r2 = (x - d) ** 2 + y**2
    along = (b**2 - c**2 + r2) / 2
    across = (b**2 * r2 - along**2) ** 0.5
    tip = (
        x + (along * (d - x) + across * y) / r2,
        y + (-along * y + across * (d - x)) / r2,
    )
    joints = [
        ("crank_joint", "R", "ground", "crank", (0.0, 0.0)),
        ("coupler_joint", "R", "crank", "coupler", (x, y)),
        ("rocker_joint", "R", "ground", "rocker", (d, 0.0)),
        ("closure", "S", "coupler", "rocker", tip),
    ]
    text = 'platform = "coupler"\n'
    for name, kind, first, second, (px, py) in joints:
        text += (
            f'[[joint]]\nname = "{name}"\nkind = "{kind}"\n'
            f'links = ["{first}", "{second}"]\npoint = [{px!r}, {py!r}, 0]\n'
        ) + "axis = [0, 0, 1]\n" * (kind == "R")
    file = folder / "linkage.toml"
    file.write_text(text)
    return file


def test_the_same_four_bar_in_three_forms_gives_the_same_analysis(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    mjcf = tmp_path / "fourbar.xml"
    mjcf.write_text(write_mjcf(FOUR_BAR))
    tree = with_loops(tmp_path, 'tool = "coupler"\n')
    found = [
        json.loads(printed(capsys, "--json", str(file)))
        for file in (tree, mjcf, as_linkage(tmp_path))
    ]
    for data in found:
        assert {k: data[k] for k in SAME} == {k: found[0][k] for k in SAME}
        ranks = [
            data["structure_matrix"][k]
            for k in ("rank", "rows", "columns", "exact_rank")
        ]
        assert ranks == [23, 24, 24, 23]
        (redundant,) = data["redundant_constraints"]
        assert redundant == {"joint": "closure", "what": "force along (0, 0, 1)"}
    assert found[0]["finite_mobility"] == 1
    assert found[0]["planar_grubler"] == 1


def test_a_tool_that_the_file_states_is_the_platform_even_the_last_link(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    text = (
        '<robot name="five"><link name="world"/>'
        + "".join(
            f'<link name="{n}"><inertial><mass value="1"/><inertia ixx="1" ixy="0" '
            f'ixz="0" iyy="1" iyz="0" izz="1"/></inertial></link><joint name="j{n}" '
            f'type="continuous"><parent link="{parent}"/><child link="{n}"/>'
            f'<origin xyz="{x} {y} 0"/><axis xyz="0 0 1"/></joint>'
            for n, parent, x, y in (
                ("d", "world", 2, 0), ("a", "world", 0, 0), ("b", "a", 0, 1),
                ("c", "b", 1, 1),
            )
        )
        + "</robot>"
    )  # fmt: skip
    (tmp_path / "five.urdf").write_text(text)
    loop = (
        '[[loop]]\nname = "l"\nkind = "point"\nfirst = { link = "c", xyz = [1, -1, 0] }\n'
        'second = { link = "d", xyz = [0, 1, 0] }\n'
    )
    stated, unstated = tmp_path / "stated.toml", tmp_path / "unstated.toml"
    stated.write_text(f'urdf = "five.urdf"\ntool = "c"\n{loop}')
    unstated.write_text(f'urdf = "five.urdf"\n{loop}')
    found = [
        json.loads(printed(capsys, "--json", str(f)))["platform"]
        for f in (stated, unstated)
    ]
    assert found == ["c", "a"]


def test_a_name_is_known_whatever_its_capitals_and_dashes(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert printed(capsys, "Bennett 4R") == printed(capsys, "bennett-4r")


def test_the_folded_parallelogram_is_told_to_be_singular(
    capsys: pytest.CaptureFixture[str],
) -> None:
    out = printed(capsys, "chapter-parallelogram_folded")
    assert "finite motion of dimension 1, singular pose (2 at first order here)" in out


@pytest.mark.parametrize("length", ["1e-320", "1e-30", "1e11", "1e308"])
def test_the_length_of_an_axis_does_not_matter(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], length: str
) -> None:
    usual, scaled = tmp_path / "usual.toml", tmp_path / "scaled.toml"
    text = write_linkage(linkage_named("chapter-fourbar"))
    usual.write_text(text)
    scaled.write_text(text.replace("[0, 0, 1]", f"[0, 0, {length}]", 1))
    assert usual.read_text() != scaled.read_text()
    a, b = (json.loads(printed(capsys, "--json", str(f))) for f in (usual, scaled))
    ranks = [x.pop("structure_matrix")["rank"] for x in (a, b)]
    assert ranks[0] == ranks[1]
    same = (*SAME, "redundant_constraints", "remarks")
    assert {k: a[k] for k in same} == {k: b[k] for k in same}
