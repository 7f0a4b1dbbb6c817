"""Maximal coordinates describe the mechanism that the tree does; frames close loops."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from models import (
    CATALOGUE,
    CLOSED_CHAINS,
    Frame,
    Joint,
    Loop,
    Model,
    NotPlanarError,
    Pose,
    Quaternion,
    Rpy,
    in_maximal_coordinates,
    maximal_configuration,
    named,
)
from models.placing import matching, quaternion, rpy
from models.rotation import matrix
from tests.kinematics import U, closure, placed
from tests.strategies import REPEATABLE

# --------------------------------------------------------------------- maximal coordinates


@given(st.lists(st.floats(-3, 3), min_size=4, max_size=4))
@REPEATABLE
def test_maximal_coordinates_put_every_body_where_the_tree_does(q: list[float]) -> None:
    tree = named("fivebar")
    maximal = in_maximal_coordinates(tree)
    x = maximal_configuration(tree, q)
    at, free = placed(tree, tuple(q)), placed(maximal, x)
    for i, body in enumerate(tree.bodies):
        assert body.inertia is not None
        com = at[i] @ [*body.inertia.pose.p, 1.0]
        assert free[3 * i + 2][:3, 3] == pytest.approx(com[:3], abs=16 * U)
        assert np.abs(free[3 * i + 2][:3, :3] - at[i][:3, :3]).max() <= 16 * U
    tree_closure, rows = closure(tree, tuple(q)), closure(maximal, x)
    assert rows[:12] == pytest.approx(np.zeros(12), abs=16 * U)
    assert rows[12:] == pytest.approx(tree_closure, abs=16 * U)


def test_maximal_coordinates_keep_turned_joints_and_clockwise_axes() -> None:
    tree = named("fivebar")
    left, distal, *rest = tree.bodies
    turned = replace(left, placement=Pose((-0.15, 0.0, 0.0), Rpy(0.0, 0.0, 0.5)))
    clockwise = replace(distal, joint=replace(distal.joint, axis=(0.0, 0.0, -2.0)))
    odd = replace(tree, bodies=(turned, clockwise, *rest))
    q = (0.3, -0.7, 1.1, 0.2)
    rows = closure(in_maximal_coordinates(odd), maximal_configuration(odd, q))
    assert rows[:12] == pytest.approx(np.zeros(12), abs=16 * U)
    assert rows[12:] == pytest.approx(closure(odd, q), abs=16 * U)


def _with(body: int, **changes: object) -> Model:
    model = named("fourbar")
    bodies = list(model.bodies)
    bodies[body] = replace(bodies[body], **changes)  # type: ignore[arg-type]
    return replace(model, bodies=tuple(bodies))


@pytest.mark.parametrize(
    ("model", "words"),
    [
        (CATALOGUE["arm_6r"], "joint1 leaves the plane"),
        (_with(1, joint=Joint("slide", "prismatic")), "slide is no free hinge"),
        (_with(1, inertia=None), "coupler has no mass"),
        (_with(1, joint=Joint("geared", armature=0.1)), "geared has a rotor"),
        (_with(1, placement=Pose((0.3, 0.0, 0.1))), "coupler_joint leaves the plane"),
        (_with(1, placement=Pose(rotation=Rpy(0.1))), "coupler_joint leaves"),
        (_with(1, placement=Pose(rotation=Quaternion())), "coupler_joint leaves"),
        (CLOSED_CHAINS["fourbar_welded"], "loop closure is no point"),
    ],
)
def test_what_is_not_planar_has_no_maximal_coordinates(
    model: Model, words: str
) -> None:
    with pytest.raises(NotPlanarError, match=words):
        in_maximal_coordinates(model)


# ----------------------------------------------------------------------------- rotations

angles = st.floats(-3, 3)


@given(angles, st.floats(-1.5, 1.5), angles)
@REPEATABLE
def test_rotations_are_recovered_from_their_matrices(
    a: float, b: float, c: float
) -> None:
    R = matrix(Rpy(a, b, c))
    assert np.abs((matrix(rpy(R)) - R).astype(float)).max() <= 4 * U
    assert np.abs((matrix(quaternion(R)) - R).astype(float)).max() <= 4 * U
    assert np.linalg.norm(quaternion(R)) == pytest.approx(1, abs=4 * U)


@pytest.mark.parametrize(
    "half", [(0, 1, 0, 0), (0, 0, 1, 0), (0, 0, 0, 1), (1, 0, 0, 0)]
)
def test_half_turns_have_their_quaternions(half: tuple[float, ...]) -> None:
    assert quaternion(matrix(Quaternion(*half))) == half


def test_a_frame_that_matches_closes_a_loop() -> None:
    arm = named("skew_axes")
    q = (0.1, 0.2, 0.3, 0.4, 0.5, 0.6)
    first = Frame("a", 5, Pose((0.1, 0.2, 0.3), Rpy(0.4, 0.5, 0.6)))
    second = matching(arm, q, first, 1, "b")
    closed = replace(arm, loops=(Loop("loop", "frame", first, second),))
    assert np.abs(closure(closed, q)).max() < 40 * U
