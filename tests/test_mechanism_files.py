"""A mechanism file is read as its author means it, or refused in one line that says why."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from models import (
    CLOSED_CHAINS,
    Frame,
    Model,
    Pose,
    Quaternion,
    Rpy,
    read_mechanism,
    read_mjcf,
    without_quaternions,
    write_mjcf,
    write_urdf,
)
from models.rotation import matrix
from tests.kinematics import U, about, closure
from tests.strategies import REPEATABLE

DATA = Path(__file__).resolve().parent / "data"
SOLID = "<inertial pos='0 0 0' mass='1' diaginertia='1 1 1'/>"


def mjcf(bodies: str, head: str = "", tail: str = "", angle: str = "radian") -> Model:
    """The model of a short MJCF."""
    return read_mjcf(
        f"<mujoco><compiler angle='{angle}'/>{head}<worldbody>{bodies}</worldbody>"
        f"{tail}</mujoco>"
    )


# ------------------------------------------------------------------------ what is read


@pytest.mark.parametrize("name", ["four_bar.toml", "four_bar.xml"])
def test_a_four_bar_of_either_format_closes_where_it_says(name: str) -> None:
    model = read_mechanism(DATA / name)
    assert model.name == "four_bar"
    assert model.source == name
    assert [b.joint.name for b in model.bodies if b.joint.nv] == ["j1", "j2", "j3"]
    (loop,), (cable,) = model.loops, model.tendons
    assert (loop.name, loop.kind, cable.name) == ("closure", "point", "cable")
    bodies = {-1: "world", **{i: b.name for i, b in enumerate(model.bodies)}}
    assert (bodies[loop.first.body], loop.first.pose) == ("l2", Pose((0.9, 0.0, 0.0)))
    assert (bodies[loop.second.body], loop.second.pose) == ("l3", Pose((0.7, 0.0, 0.0)))
    assert bodies[cable.points[0].body] == "world"
    assert cable.points[0].pose == Pose((0.0, 0.0, 1.0))
    assert np.abs(closure(model, model.home)).max() < 8 * U
    write_mjcf(model), write_urdf(model)  # all names are different


def test_both_formats_carry_the_same_masses() -> None:
    toml, xml = (read_mechanism(DATA / f"four_bar.{k}") for k in ("toml", "xml"))
    for body in xml.bodies:
        (other,) = (b for b in toml.bodies if b.name == body.name)
        assert other.inertia == body.inertia
        assert other.placement == body.placement


def test_a_urdf_alone_is_a_tree_with_the_last_body_as_tool() -> None:
    model = read_mechanism(DATA / "four_bar.urdf")
    assert not model.loops
    assert model.tool == Frame("l3", len(model.bodies) - 1)


@pytest.mark.parametrize("name", CLOSED_CHAINS)
def test_a_written_model_is_read_from_its_file(name: str, tmp_path: Path) -> None:
    file = tmp_path / "model.xml"
    file.write_text(write_mjcf(CLOSED_CHAINS[name]))
    found = read_mechanism(file)
    assert (found.home, found.tool) == (
        CLOSED_CHAINS[name].home,
        CLOSED_CHAINS[name].tool,
    )
    assert found.loops == CLOSED_CHAINS[name].loops


def test_several_joints_of_a_body_become_bodies_without_mass() -> None:
    model = mjcf(
        f"<body name='a' pos='1 2 3'><joint name='x' type='slide'/>"
        f"<joint name='y' axis='0 1 0'/>{SOLID}</body>"
    )
    carrier, body = model.bodies
    assert (carrier.name, carrier.joint.name, carrier.inertia) == ("x_link", "x", None)
    assert carrier.placement.p == (1, 2, 3)
    assert (body.name, body.joint.name, body.parent) == ("a", "y", 0)
    assert body.placement == Pose()


def test_degrees_are_turned_to_radians_where_mujoco_turns_them() -> None:
    model = mjcf(
        f"<body euler='90 0 0'><joint name='r' range='-180 90'/>{SOLID}</body>"
        f"<body><joint name='p' type='slide' range='-1 2'/>{SOLID}</body>",
        angle="degree",
    )
    turning, sliding = model.bodies
    assert turning.placement.rotation == Quaternion(
        math.cos(math.pi / 4), math.sin(math.pi / 4), 0.0, 0.0
    )
    assert (turning.joint.lower, turning.joint.upper) == (-math.pi, math.pi / 2)
    assert (sliding.joint.lower, sliding.joint.upper) == (-1.0, 2.0)


AXES = {"x": (1.0, 0.0, 0.0), "y": (0.0, 1.0, 0.0), "z": (0.0, 0.0, 1.0)}
angles = st.floats(-3, 3)


@given(st.text("xyzXYZ", min_size=3, max_size=3), st.tuples(angles, angles, angles))
@REPEATABLE
def test_every_sequence_of_euler_angles_is_that_of_its_letters(
    sequence: str, turns: tuple[float, float, float]
) -> None:
    euler = " ".join(map(repr, turns))
    model = mjcf(
        f"<body euler='{euler}'>{SOLID}</body>",
        head=f"<compiler eulerseq='{sequence}'/>",
    )
    R = np.eye(3)
    for letter, turn in zip(sequence, turns, strict=True):
        step = about(AXES[letter.lower()], turn)
        R = R @ step if letter.islower() else step @ R
    found = matrix(model.bodies[0].placement.rotation).astype(float)
    assert np.abs(found - R).max() < 16 * U


PAIR = (
    f"<body name='a' pos='.1 .2 .3' euler='.4 .5 .6'><joint name='j'/>{SOLID}</body>"
    f"<body name='b' pos='.5 .1 .2' euler='.1 .7 .2'><joint name='k'/>{SOLID}</body>"
)


@pytest.mark.parametrize(
    "tie",
    [
        "<connect body1='a' body2='b' anchor='.1 .2 .3'/>",
        "<connect body1='a' anchor='.1 .2 .3'/>",
        "<weld body1='a' body2='b'/>",
        "<weld body1='a' body2='b' anchor='.3 .2 .1'/>",
        "<weld body1='b' anchor='.3 .2 .1'/>",
        "<weld body1='a' body2='b' relpose='.1 .2 .3 .5 .5 .1 -.7' anchor='.3 .2 .1'/>",
    ],
)
def test_loops_between_bodies_are_those_of_mujoco(tie: str) -> None:
    """Off the closure, too: the error of position that MuJoCo finds is ours."""
    mujoco = pytest.importorskip("mujoco")
    text = (
        f"<mujoco><compiler angle='radian' eulerseq='XYZ'/><worldbody>{PAIR}"
        f"</worldbody><equality>{tie}</equality></mujoco>"
    )
    model = read_mjcf(text)
    robot = mujoco.MjModel.from_xml_string(text)
    again = mujoco.MjModel.from_xml_string(write_mjcf(model))
    for q in ([0.0, 0.0], [0.3, -0.4]):
        found = []
        for each in (robot, again):
            state = mujoco.MjData(each)
            state.qpos[:] = q
            mujoco.mj_forward(each, state)
            found.append(state.efc_pos[: state.ne].copy())
        assert found[1] == pytest.approx(found[0], abs=1e-14)
        rows = closure(_with_rpy(model), tuple(q))
        assert rows[-3:] == pytest.approx(found[0][:3], abs=1e-14)


def test_without_quaternions_a_mechanism_can_be_written_as_urdf() -> None:
    tie = "<equality><weld body1='a' body2='b'/></equality>"
    model = mjcf(
        "<body name='a' quat='1 2 3 4'><inertial pos='0 0 0' mass='1' quat='4 3 2 1' "
        "diaginertia='1 1 1'/></body>" + PAIR.replace("'a'", "'c'"),
        tail=tie,
    )
    plain = without_quaternions(model)
    write_urdf(plain)
    for rotations in zip(_rotations(model), _rotations(plain), strict=True):
        given, found = (matrix(r).astype(float) for r in rotations)
        assert np.abs(given - found).max() <= 4 * U


def _rotations(model: Model) -> list[Rpy | Quaternion]:
    inertias = [b.inertia.pose.rotation for b in model.bodies if b.inertia]
    frames = [frame.pose.rotation for frame in (model.tool, *model.marks)]
    return [*(b.placement.rotation for b in model.bodies), *inertias, *frames]


def _with_rpy(model: Model) -> Model:
    """The same with quaternions left out, which the tests' kinematics do not read."""
    loops = []
    for loop in model.loops:
        ends = [
            f._replace(pose=Pose(f.pose.p))
            if isinstance(f.pose.rotation, Quaternion)
            else f
            for f in (loop.first, loop.second)
        ]
        loops.append(loop._replace(first=ends[0], second=ends[1]))
    return Model(model.name, model.bodies, model.tool, loops=tuple(loops))


def test_the_tool_is_the_site_that_ties_nothing_or_the_one_of_that_name() -> None:
    body = f"<body name='a'><joint name='j'/>{SOLID}<site name='s'/>{{}}</body>"
    tie = "<equality><connect site1='s' site2='s'/></equality>"
    assert mjcf(body.format("")).tool == Frame("s", 0)
    assert mjcf(body.format("<site name='tool' pos='1 0 0'/>")).tool.name == "tool"
    assert mjcf(body.format("<site name='t'/>"), tail=tie).tool.name == "t"
    tied = mjcf(body.format(""), tail=tie)
    assert tied.tool == Frame("a", 0)
    assert [frame.name for frame in tied.marks] == ["s", "s_2"]


def test_a_rotated_loop_frame_and_a_link_without_mass_are_kept(tmp_path: Path) -> None:
    (tmp_path / "four_bar.urdf").write_text((DATA / "four_bar.urdf").read_text())
    file = tmp_path / "mine.toml"
    file.write_text(
        'urdf = "four_bar.urdf"\n[[loop]]\nname = "c"\nkind = "frame"\n'
        'first = { link = "tip", rpy = [0.1, 0.2, 0.3] }\nsecond = { link = "world" }\n'
    )
    model = read_mechanism(file)
    (loop,) = model.loops
    assert loop.kind == "frame"
    assert model.bodies[loop.first.body].name == "tip"
    assert loop.first.pose.rotation == Rpy(0.1, 0.2, 0.3)
    assert loop.second == Frame("c_second", -1)
