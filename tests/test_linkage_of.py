"""A tree with loops as a linkage: the same links, joints, places and freedoms."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise
from math import cos, dist, hypot, sin

import numpy as np
import pytest

from models import (
    CATALOGUE,
    CLOSED_CHAINS,
    Body,
    Frame,
    Inertia,
    Joint,
    Loop,
    Mimic,
    Model,
    Pose,
    Quaternion,
    Rpy,
)
from reference.ch02_01_mobility import instantaneous_mobility, platform_freedom
from reference.ch02_01_structure import pair_screws
from reference.closing import OpenLoopError, constraint_rank
from reference.kinematics import space_jacobian
from reference.linkage_of import linkage_of
from reference.rank import rank_of
from reference.robot import UnservedModelError
from tests.kinematics import about

FOUR_BAR = CLOSED_CHAINS["fourbar"]
LENGTHS = {"ground": 0.97, "crank": 0.32, "coupler": 1.27, "rocker": 0.9}
"""Of the four-bar of chapter 3.11 [m]; its crank stands at 0.75 rad."""
CLOSURES = [m for m in CLOSED_CHAINS.values() if m.loops]
SOLID = Inertia(1.0, Pose(), (1.0, 0.0, 0.0, 1.0, 0.0, 1.0))
ROUNDING = 1e-13
"""Two products of some ten rotations and shifts of size one, in doubles."""


def one_joint(joint: Joint, home: tuple[float, ...] = ()) -> Model:
    bodies = (Body("a", -1, joint, Pose((1.0, 2.0, 3.0)), SOLID),)
    return Model("m", bodies, Frame("tool", 0), home=home)


def moved(model: Model, shift: tuple[float, float, float], turn: Rpy) -> Model:
    """The same mechanism on a base that stands elsewhere."""
    base = Body("base", -1, Joint("mount", "fixed"), Pose(shift, turn))

    def after(body: int) -> int:
        return body + 1

    def frame(f: Frame) -> Frame:
        return f._replace(body=after(f.body))

    return replace(
        model,
        bodies=(base, *(replace(b, parent=after(b.parent)) for b in model.bodies)),
        tool=frame(model.tool),
        loops=tuple(Loop(n, kind, frame(a), frame(b)) for n, kind, a, b in model.loops),
    )


# ------------------------------------------------------------------------------ geometry


def test_the_joints_of_the_four_bar_are_as_far_apart_as_its_bars_are_long() -> None:
    linkage = linkage_of(FOUR_BAR)
    assert linkage.links == ("world", "crank", "coupler", "rocker")
    a, b, d, c = (pair.point for pair in linkage.pairs)
    assert b[:2] == pytest.approx((0.32 * cos(0.75), 0.32 * sin(0.75)), abs=ROUNDING)
    found = {"ground": (a, d), "crank": (a, b), "coupler": (b, c), "rocker": (c, d)}
    for bar, ends in found.items():
        assert dist(*ends) == pytest.approx(LENGTHS[bar], abs=ROUNDING)
    assert [p.kind for p in linkage.pairs] == [*["revolute"] * 3, "spherical"]
    assert {p.axes for p in linkage.pairs} == {((0.0, 0.0, 1.0),), ()}
    joints = [(p.name, p.first, p.second) for p in linkage.pairs]
    assert joints == [
        ("crank_joint", 0, 1), ("coupler_joint", 1, 2), ("rocker_joint", 0, 3),
        ("closure", 2, 3),
    ]  # fmt: skip


@pytest.mark.parametrize("model", CATALOGUE.values(), ids=lambda m: m.name)
def test_the_screws_of_a_tree_are_the_columns_of_the_tools_space_jacobian(
    model: Model,
) -> None:
    linkage = linkage_of(model)
    q = np.array(model.home or np.zeros(model.nq))
    J = space_jacobian.value(model, {"q": q[None]})[0]
    size = max(1.0, *(hypot(*map(float, p.point)) for p in linkage.pairs))
    carries = set(model.path(model.tool.body))
    for k, i in enumerate(model.moving):
        (screw,) = pair_screws(linkage.pairs[k])
        expected = np.array(screw, float) if i in carries else np.zeros(6)
        assert np.abs(J[:, k] - expected).max() < ROUNDING * size


@pytest.mark.parametrize("model", CATALOGUE.values(), ids=lambda m: m.name)
def test_a_tree_moves_as_its_joints_do_and_its_tool_as_its_jacobian(
    model: Model,
) -> None:
    linkage = linkage_of(model)
    q = np.array(model.home or np.zeros(model.nq))
    J = space_jacobian.value(model, {"q": q[None]})[0]
    assert instantaneous_mobility(linkage) == model.nv
    assert linkage.platform is not None
    assert platform_freedom(linkage, linkage.platform) == rank_of(J).rank


@pytest.mark.parametrize("model", CLOSURES, ids=lambda m: m.name)
def test_rows_of_the_constraints_and_the_graph_leave_the_same_mobility(
    model: Model,
) -> None:
    expected = model.nv - constraint_rank(model).rank
    assert instantaneous_mobility(linkage_of(model)) == expected


def test_an_axis_off_the_plane_stops_the_four_bar() -> None:
    linkage = linkage_of(FOUR_BAR)
    crank = replace(linkage.pairs[1], axes=((0.1, 0.0, 1.0),))
    tilted = replace(linkage, pairs=(linkage.pairs[0], crank, *linkage.pairs[2:]))
    assert instantaneous_mobility(linkage) == 1
    assert instantaneous_mobility(tilted) == 0


def test_on_a_base_that_stands_elsewhere_the_same_joints_stand_elsewhere() -> None:
    shift, turn = (0.3, -0.7, 0.2), Rpy(0.4, -1.1, 2.3)
    here, there = linkage_of(FOUR_BAR), linkage_of(moved(FOUR_BAR, shift, turn))
    R = about((0, 0, 1), 2.3) @ about((0, 1, 0), -1.1) @ about((1, 0, 0), 0.4)
    assert there.links == here.links
    for a, b in zip(here.pairs, there.pairs, strict=True):
        assert (a.name, a.kind, a.first, a.second) == (
            b.name, b.kind, b.first, b.second,
        )  # fmt: skip
        expected = R @ np.array(a.point) + shift
        assert np.abs(expected - b.point).max() < ROUNDING
        for u, w in zip(a.axes, b.axes, strict=True):
            assert np.abs(R @ np.array(u) - w).max() < ROUNDING


# ------------------------------------------------------------------------------ the graph


def test_bodies_held_by_fixed_joints_are_one_link() -> None:
    model = CATALOGUE["fixed_bodies"]
    fixed = [b.name for b in model.bodies if not b.joint.nv]
    linkage = linkage_of(model)
    assert fixed
    assert not {*fixed} & {*linkage.links}
    assert len(linkage.links) == model.nv + 1
    assert [(p.first, p.second) for p in linkage.pairs] == list(
        pairwise(range(model.nv + 1))
    )


def test_a_loop_closed_in_a_frame_is_a_fixed_joint() -> None:
    linkage = linkage_of(CLOSED_CHAINS["fourbar_welded"])
    assert [p.kind for p in linkage.pairs].count("fixed") == 1
    assert instantaneous_mobility(linkage) == 0


def test_a_loop_may_have_the_name_of_a_joint() -> None:
    loop = FOUR_BAR.loops[0]._replace(name="crank_joint")
    linkage = linkage_of(replace(FOUR_BAR, loops=(loop,)))
    assert linkage.pairs[3].name == "crank_joint (loop)"
    assert instantaneous_mobility(linkage) == 1


def test_the_link_of_the_tool_is_the_platform_if_it_moves() -> None:
    for body, link in ((0, "crank"), (1, "coupler"), (2, "rocker")):
        linkage = linkage_of(replace(FOUR_BAR, tool=Frame("tool", body)))
        assert linkage.platform == linkage.links.index(link)
    assert linkage_of(replace(FOUR_BAR, tool=Frame("tool", -1))).platform is None


def test_the_frame_of_the_last_body_which_readers_take_unasked_is_no_choice() -> None:
    unasked = Frame(FOUR_BAR.bodies[-1].name, len(FOUR_BAR.bodies) - 1)
    assert linkage_of(replace(FOUR_BAR, tool=unasked)).platform is None


@pytest.mark.parametrize(
    ("joint", "home", "kind", "axes"),
    [
        (Joint("j", "helical", (0.0, 3.0, 4.0), pitch=0.25), (), "helical", 1),
        (Joint("j", "cylindrical", (0.0, 3.0, 4.0)), (), "cylindrical", 1),
        (Joint("j", "planar", (0.0, 3.0, 4.0)), (), "planar", 1),
        (Joint("j", "universal", (0.0, 3.0, 4.0), (1.0, 0.0, 0.0)), (), "universal", 2),
        (Joint("j", "spherical"), (1.0, 0.0, 0.0, 0.0), "spherical", 0),
        (Joint("j", "free"), (), "free", 0),
        (Joint("j", "continuous", (0.0, 3.0, 4.0)), (), "revolute", 1),
    ],
    ids=lambda x: x.kind if isinstance(x, Joint) else "",
)
def test_joints_of_every_kind_stay_what_they_are(
    joint: Joint, home: tuple[float, ...], kind: str, axes: int
) -> None:
    linkage = linkage_of(one_joint(joint, home))
    (pair,) = linkage.pairs
    assert (pair.kind, len(pair.axes), pair.pitch) == (kind, axes, joint.pitch)
    assert pair.point == (1.0, 2.0, 3.0)
    assert instantaneous_mobility(linkage) == joint.nv
    if axes:
        assert pair.axes[0] == pytest.approx((0.0, 0.6, 0.8))


# ------------------------------------------------------------------------------- refusals


def test_a_home_that_does_not_close_is_refused_with_the_gap_and_a_closed_one() -> None:
    crank, *others = FOUR_BAR.home
    with pytest.raises(
        OpenLoopError, match=r"open by 0\.\d+; nearest closed: crank_joint = "
    ):
        linkage_of(replace(FOUR_BAR, home=(crank + 0.1, *others)))


def test_loops_of_joints_read_at_zero_are_refused_where_they_are_open() -> None:
    free = one_joint(Joint("j", "free"))
    loop = Loop("c", "point", Frame("f", 0), Frame("w", -1, Pose((1.0, 2.0, 3.5))))
    with pytest.raises(OpenLoopError, match=r"loop 'c' is open by 0\.5"):
        linkage_of(replace(free, loops=(loop,)))
    turned = Pose((1.0, 2.0, 3.0), Quaternion(1.0, 0.0, 0.0, 1.0))
    weld = Loop("c", "frame", Frame("f", 0), Frame("w", -1, turned))
    with pytest.raises(OpenLoopError, match="loop 'c' is open by 1"):
        linkage_of(replace(free, loops=(weld,)))


def test_what_no_graph_can_say_is_refused_by_name() -> None:
    follower = replace(
        FOUR_BAR.bodies[1], joint=Joint("follower", mimic=Mimic("crank_joint"))
    )
    bodies = (FOUR_BAR.bodies[0], follower, FOUR_BAR.bodies[2])
    with pytest.raises(UnservedModelError, match="'follower' follows 'crank_joint'"):
        linkage_of(replace(FOUR_BAR, bodies=bodies))
    turned = one_joint(Joint("ball", "spherical"), (0.6, 0.8, 0.0, 0.0))
    with pytest.raises(UnservedModelError, match="'ball' is not at zero"):
        linkage_of(turned)
    with pytest.raises(UnservedModelError, match="no joint can move"):
        linkage_of(one_joint(Joint("j", "fixed")))
    own = Loop("own", "point", Frame("a", 0), Frame("b", 0))
    with pytest.raises(UnservedModelError, match="loop 'own' joins link 'crank' to it"):
        linkage_of(replace(FOUR_BAR, loops=(own,)))
    twins = replace(FOUR_BAR.bodies[1], name="crank")
    bodies = (FOUR_BAR.bodies[0], twins, FOUR_BAR.bodies[2])
    with pytest.raises(UnservedModelError, match="two links are called 'crank'"):
        linkage_of(replace(FOUR_BAR, bodies=bodies))


def test_joints_keep_their_names() -> None:
    for model in CLOSED_CHAINS.values():
        names = {model.bodies[i].joint.name for i in model.moving}
        assert names <= {pair.name for pair in linkage_of(model).pairs}
