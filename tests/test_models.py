"""Models survive their documents, are physical, and contain what the catalogue promises."""

from __future__ import annotations

import contextlib
import json
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from models import (
    CATALOGUE,
    CLOSED_CHAINS,
    Body,
    Frame,
    MjcfError,
    Model,
    Pose,
    UrdfError,
    from_data,
    read_mjcf,
    read_urdf,
    to_data,
    write_mjcf,
    write_urdf,
)
from models.rotation import matrix
from models.screws import home_poses

MODELS = [*CATALOGUE.values(), *CLOSED_CHAINS.values()]
named = pytest.mark.parametrize("model", MODELS, ids=lambda m: m.name)


def by_name(model: Model) -> dict[str, tuple[str, Body]]:
    """Bodies by name, with their parent's name: readers may order siblings otherwise."""
    names = ["world", *(b.name for b in model.bodies)]
    return {b.name: (names[b.parent + 1], b) for b in model.bodies}


def same(first: Model, second: Model, armature: bool) -> None:
    a, b = by_name(first), by_name(second)
    assert a.keys() == b.keys()
    for name, (parent, body) in a.items():
        other_parent, other = b[name]
        assert parent == other_parent
        assert body.placement == other.placement
        assert body.inertia == other.inertia or body.inertia is None
        if body.joint.nv:
            assert body.joint.axis == other.joint.axis
            assert body.joint.name == other.joint.name
            assert not armature or body.joint.armature == other.joint.armature
    names = [model.bodies[model.tool.body].name for model in (first, second)]
    assert names[0] == names[1]
    assert first.tool.pose == second.tool.pose


@named
def test_a_model_survives_its_data(model: Model) -> None:
    assert from_data(json.loads(json.dumps(to_data(model)))) == model


@named
def test_a_model_survives_its_urdf(model: Model) -> None:
    same(model, read_urdf(write_urdf(model), model.tool.name), armature=False)


@named
def test_a_model_survives_its_mjcf(model: Model) -> None:
    found = read_mjcf(write_mjcf(model))
    assert found.gravity == model.gravity
    turned = [
        b.name
        for b in model.bodies
        if b.inertia and any(b.inertia.pose.rotation) and any(_products(b))
    ]
    for body in found.bodies:  # MJCF has no word for a full tensor in a turned frame
        if body.name in turned:
            mine = by_name(model)[body.name][1].inertia
            assert mine is not None
            assert body.inertia is not None
            ours, theirs = (_tensor(i.moments, i.pose) for i in (mine, body.inertia))
            assert np.abs(ours - theirs).max() < 8 * 2.0**-53 * np.abs(ours).max()
    kept = tuple(
        by_name(model)[b.name][1] if b.name in turned else b for b in found.bodies
    )
    parents = tuple(b.parent for b in found.bodies)
    restored = tuple(
        Body(k.name, parent, k.joint, k.placement, k.inertia)
        for k, parent in zip(kept, parents, strict=True)
    )
    again = Model(found.name, restored, found.tool, found.gravity)
    same(model, again, armature=True)


@named
def test_loops_tendons_and_home_survive_their_mjcf(model: Model) -> None:
    found = read_mjcf(write_mjcf(model))
    assert ties(found) == ties(model)
    assert positions(found) == positions(model)


def ties(model: Model) -> list[tuple[str, str, list[tuple[str, str, Pose]]]]:
    """Loops and tendons, their frames by the names of the bodies."""
    names = ["world", *(b.name for b in model.bodies)]

    def ends(*frames: Frame) -> list[tuple[str, str, Pose]]:
        return [(f.name, names[f.body + 1], f.pose) for f in frames]

    loops = [(k.name, k.kind, ends(k.first, k.second)) for k in model.loops]
    return loops + [(t.name, "tendon", ends(*t.points)) for t in model.tendons]


def positions(model: Model) -> dict[str, float]:
    """The home by joints."""
    names = [model.bodies[i].joint.name for i in model.moving]
    return dict(zip(names, model.home, strict=True)) if model.home else {}


def test_home_is_written_in_the_order_of_mujoco_and_read_back() -> None:
    tree = CATALOGUE["tree_12"]  # its bodies are not depth first
    model = replace(tree, home=tuple(k / 8 for k in range(12)))
    found = read_mjcf(write_mjcf(model))
    assert found.home != model.home
    assert positions(found) == positions(model)


def _products(body: Body) -> tuple[float, float, float]:
    assert body.inertia is not None
    _, ixy, ixz, _, iyz, _ = body.inertia.moments
    return ixy, ixz, iyz


def _tensor(moments: tuple[float, ...], pose: Pose) -> np.ndarray:
    ixx, ixy, ixz, iyy, iyz, izz = moments
    R = matrix(pose.rotation)
    tensor = np.array([[ixx, ixy, ixz], [ixy, iyy, iyz], [ixz, iyz, izz]])
    return R @ tensor @ R.T


@named
def test_every_inertia_is_physical(model: Model) -> None:
    for body in model.bodies:
        if body.inertia is not None:
            principal = np.linalg.eigvalsh(
                _tensor(body.inertia.moments, Pose()).astype(float)
            )
            assert body.inertia.mass > 0
            assert principal[0] >= 0
            assert principal[0] + principal[1] >= principal[2] * (1 - 1e-12)


def test_the_catalogue_contains_what_breaks_things() -> None:
    joints = [b.joint for m in MODELS for b in m.bodies if b.joint.nv]
    axes = np.array([j.axis for j in joints])
    lengths = np.linalg.norm(axes, axis=1)
    assert (axes.sum(axis=1)[np.count_nonzero(axes, axis=1) == 1] < 0).any()
    assert (np.count_nonzero(axes, axis=1) == 3).any()
    assert (np.abs(lengths - 1) > 0.1).any()
    assert {"revolute", "prismatic"} <= {j.kind for j in joints}
    inertias = [b.inertia for m in MODELS for b in m.bodies if b.inertia]
    assert any(any(i.pose.rotation) and i.moments[1] for i in inertias)
    fixed = CATALOGUE["fixed_bodies"].bodies
    kinds = [bool(b.joint.nv) for b in fixed]
    assert not kinds[0]
    assert not kinds[-1]
    assert any(not k for k in kinds[1:-1])
    assert any(not m.is_chain for m in MODELS)
    far = CATALOGUE["far_base"].bodies[0].placement
    assert 95 < float(np.linalg.norm(far.p)) < 105
    assert any(far.rotation)
    assert {m.nv for m in MODELS} >= {2, 6, 9, 12, 30}


def test_home_poses_are_those_of_zero() -> None:
    poses = home_poses(CATALOGUE["arm_2r"])
    assert [list(T[:3, 3]) for T in poses] == [[0, 0, 0], [1, 0, 0]]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "not XML"),
        ("<robot", "not XML"),
        ("<robot/>", "root link"),
        ("<robot><link name='a'/><link name='b'/></robot>", "root link"),
        ("<robot><link/></robot>", "name"),
        (
            "<robot><link name='a'><inertial><mass value='1,5'/><inertia/></inertial>"
            "</link></robot>",
            "ixx",
        ),
        (
            "<robot><link name='a'/><link name='b'/><joint name='j' type='ball'>"
            "<parent link='a'/><child link='b'/></joint></robot>",
            "ball",
        ),
    ],
)
def test_a_bad_urdf_is_one_error_that_names_the_place(text: str, words: str) -> None:
    with pytest.raises(UrdfError, match=words) as error:
        read_urdf(text, "a")
    assert "\n" not in str(error.value)


@given(st.text(max_size=60))
def test_any_text_is_read_or_refused(text: str) -> None:
    for read, error in (
        (lambda t: read_urdf(t, "a"), UrdfError),
        (read_mjcf, MjcfError),
    ):
        with contextlib.suppress(error):
            read(text)


@pytest.mark.parametrize("cut", range(0, 4000, 173))
def test_a_truncated_or_damaged_document_is_refused_or_read(cut: int) -> None:
    for write, read, error in (
        (write_urdf, lambda t: read_urdf(t, "tool"), UrdfError),
        (write_mjcf, read_mjcf, MjcfError),
    ):
        text = write(CATALOGUE["branch"])
        for damaged in (text[:cut], text[:cut] + text[cut + 7 :]):
            with contextlib.suppress(error):
                read(damaged)
