"""URDF and MJCF say all that a closed chain is, and refuse what they cannot say."""

from __future__ import annotations

import xml.etree.ElementTree as ET
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from models import (
    CATALOGUE,
    CLOSED_CHAINS,
    Body,
    Frame,
    Joint,
    Loop,
    MjcfError,
    Model,
    Pose,
    Tendon,
    UrdfError,
    read_urdf,
    write_mjcf,
    write_urdf,
)
from tests.kinematics import about, placed

named = pytest.mark.parametrize("model", CLOSED_CHAINS.values(), ids=lambda m: m.name)


@named
def test_urdf_gives_every_frame_of_a_loop_or_tendon_a_link(model: Model) -> None:
    text = write_urdf(model)
    marks = [frame.name for frame in model.marks]
    found = read_urdf(text, model.tool.name, keep=marks)
    again = {b.name: (names_of(found)[b.parent + 1], b) for b in found.bodies}
    for frame in model.marks:
        parent, body = again[frame.name]
        assert (parent, body.placement) == (names_of(model)[frame.body + 1], frame.pose)
        assert body.joint.kind == "fixed"
        assert body.inertia is None


def names_of(model: Model) -> list[str]:
    return ["world", *(b.name for b in model.bodies)]


def loose(first: str, second: str, tool: str = "tool") -> Model:
    """An arm with a loop between two frames of given names."""
    arm = CATALOGUE["arm_2r"]
    loop = Loop("closure", "point", Frame(first, 0), Frame(second, -1))
    return replace(arm, loops=(loop,), tool=arm.tool._replace(name=tool))


@pytest.mark.parametrize(
    ("model", "name"),
    [(loose("a", "a"), "a"), (loose("tool", "b"), "tool"), (loose("a", "b", "b"), "b")],
)
def test_frames_of_one_name_are_refused_by_it(model: Model, name: str) -> None:
    for write, error in ((write_urdf, UrdfError), (write_mjcf, MjcfError)):
        with pytest.raises(error, match=f"named '{name}'") as caught:
            write(model)
        assert "\n" not in str(caught.value)


def test_a_frame_that_is_a_link_needs_no_other_link_but_another_frame_does() -> None:
    assert write_urdf(loose("link1", "b")).count('<link name="link1"') == 1
    with pytest.raises(UrdfError, match="named 'link2'"):  # the name of another link
        write_urdf(loose("link2", "b"))


def test_names_of_loops_tendons_bodies_and_joints_are_given_once() -> None:
    model = loose("a", "b")
    (loop,) = model.loops
    other = loop._replace(first=Frame("c", 0), second=Frame("d", 1))
    cable = Tendon("cable", (Frame("e", 0), Frame("f", 1)))
    rope = Tendon("cable", (Frame("g", 0), Frame("h", 1)))
    link1, link2 = model.bodies
    for changed, name in (
        (replace(model, loops=(loop, other)), "closure"),
        (replace(model, tendons=(cable, rope)), "cable"),
        (replace(model, bodies=(link1, replace(link2, name="link1"))), "link1"),
        (replace(model, bodies=(replace(link1, name="world"), link2)), "world"),
        (replace(model, bodies=(link1, replace(link2, joint=link1.joint))), "joint1"),
    ):
        with pytest.raises(MjcfError, match=f"named '{name}'"):
            write_mjcf(changed)


def test_a_home_of_another_size_and_an_unknown_loop_are_not_written() -> None:
    model = loose("a", "b")
    with pytest.raises(MjcfError, match="1 numbers of home for 2 joints"):
        write_mjcf(replace(model, home=(0.0,)))
    (loop,) = model.loops
    with pytest.raises(MjcfError, match="loop closure \\(gear\\)"):
        write_mjcf(replace(model, loops=(loop._replace(kind="gear"),)))


def bodies_of(model: Model) -> dict[str, list[str]]:
    """The joints of every body element of the MJCF."""
    root = ET.fromstring(write_mjcf(model))
    return {
        e.get("name", ""): [j.get("name", "") for j in e.findall("joint")]
        for e in root.iter("body")
    }


def test_a_body_without_mass_lends_its_joint_to_its_only_child_in_its_frame() -> None:
    platform = CLOSED_CHAINS["stewart"]
    assert bodies_of(platform) == {
        "platform": ["x", "y", "z", "yaw", "pitch", "roll"],
    }
    x, y, *rest = platform.bodies
    moved = replace(y, placement=Pose((0.0, 0.1, 0.0)))
    apart = bodies_of(replace(platform, bodies=(x, moved, *rest)))
    assert apart == {"x_link": ["x"], "platform": ["y", "z", "yaw", "pitch", "roll"]}
    held = replace(platform, tool=Frame("tool", 1))
    assert bodies_of(held) == {
        "y_link": ["x", "y"],
        "platform": ["z", "yaw", "pitch", "roll"],
    }
    heavy = replace(y, inertia=platform.bodies[5].inertia)
    assert list(bodies_of(replace(platform, bodies=(x, heavy, *rest)))) == [
        "y_link",
        "platform",
    ]
    twig = Body("twig", 0, Joint("twig_joint"), inertia=heavy.inertia)
    branched = bodies_of(replace(platform, bodies=(*platform.bodies, twig), home=()))
    assert branched["x_link"] == ["x"]
    assert branched["twig"] == ["twig_joint"]


# ------------------------------------------------------------------- what MuJoCo makes of it


@named
def test_mujoco_finds_every_loop_closed_at_home(model: Model) -> None:
    mujoco = pytest.importorskip("mujoco")
    robot = mujoco.MjModel.from_xml_string(write_mjcf(model))
    state = mujoco.MjData(robot)
    mujoco.mj_resetDataKeyframe(robot, state, 0)
    mujoco.mj_forward(robot, state)
    assert robot.nv == model.nv
    assert state.ne == sum({"point": 3, "frame": 6}[k.kind] for k in model.loops)
    # Quaternions of MuJoCo are of length one to 1e-15 or so, through up to 15 bodies
    assert np.all(np.abs(state.efc_pos[: state.ne]) < 1e-13)
    assert robot.nu == robot.ntendon == len(model.tendons)


def test_mujoco_pulls_the_tendons_along_the_line_of_their_points() -> None:
    mujoco = pytest.importorskip("mujoco")
    model = CLOSED_CHAINS["stewart"]
    robot = mujoco.MjModel.from_xml_string(write_mjcf(model))
    state = mujoco.MjData(robot)
    mujoco.mj_resetDataKeyframe(robot, state, 0)
    state.ctrl[:] = 1.0, 2.0, 3.0, 4.0, 5.0, 6.0
    mujoco.mj_forward(robot, state)
    at = placed(model, model.home)[5]
    push, force = np.zeros(3), [1.0, 2.0, 3.0, 4.0, 5.0, 6.0]
    for k, tendon in enumerate(model.tendons):
        foot, ball = (np.array(point.pose.p) for point in tendon.points)
        leg = at[:3, :3] @ ball + at[:3, 3] - foot
        assert state.ten_length[k] == pytest.approx(np.linalg.norm(leg), rel=1e-14)
        push += force[k] * leg / np.linalg.norm(leg)
    assert state.qfrc_actuator[:3] == pytest.approx(push, rel=1e-13)


def test_mujoco_gives_a_platform_of_one_body_the_mass_matrix_of_six() -> None:
    mujoco = pytest.importorskip("mujoco")
    model = CLOSED_CHAINS["stewart"]
    robot = mujoco.MjModel.from_xml_string(write_mjcf(model))
    state = mujoco.MjData(robot)
    q = [0.1, -0.2, 0.3, 0.7, -0.5, 0.4]
    state.qpos[:] = q
    mujoco.mj_forward(robot, state)
    M = np.array([_column(mujoco, robot, state, k) for k in range(6)]).T
    yaw, pitch = about((0, 0, 1), q[3]), about((0, 1, 0), q[4])
    R = yaw @ pitch @ about((1, 0, 0), q[5])
    turns = np.array([[0, 0, 1], yaw @ [0, 1, 0], yaw @ pitch @ [1, 0, 0]]).T
    expected = np.zeros((6, 6))
    expected[:3, :3] = 2 * np.eye(3)
    expected[3:, 3:] = turns.T @ R @ np.diag([0.01, 0.01, 0.02]) @ R.T @ turns
    assert pytest.approx(expected, abs=1e-15) == M


def _column(mujoco: Any, robot: Any, state: Any, k: int) -> np.ndarray:
    column = np.zeros(robot.nv)
    mujoco.mj_mulM(robot, state, column, np.eye(robot.nv)[k])
    return column
