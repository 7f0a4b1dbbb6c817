"""Documents keep every double, refuse rubbish in one line, and describe the same robot."""

from __future__ import annotations

import json
import xml.etree.ElementTree as ET
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from models import (
    CATALOGUE,
    Frame,
    MjcfError,
    Model,
    UrdfError,
    from_data,
    read_mjcf,
    read_urdf,
    to_data,
    write_mjcf,
    write_urdf,
)
from reference import CHAPTERS
from tests.strategies import REPEATABLE, documents

Array = np.ndarray
QUANTITIES = CHAPTERS["3.4"].quantities
every_model = pytest.mark.parametrize("name", CATALOGUE)


def described(model: Model) -> dict[str, str]:
    """Bodies by name, every double with all its digits and the sign of zero."""
    names = ["world", *(b.name for b in model.bodies)]
    bodies = {
        b.name: repr((names[b.parent + 1], replace(b, parent=0))) for b in model.bodies
    }
    tool = model.tool
    return bodies | {"the tool": repr((names[tool.body + 1], tool.name, tool.pose))}


# ---------------------------------------------------------------- every double survives


@given(documents())
@REPEATABLE
def test_urdf_keeps_every_double_of_any_tree(model: Model) -> None:
    found = read_urdf(write_urdf(model), model.tool.name)
    assert described(found) == described(model)


@given(documents())
@REPEATABLE
def test_data_keeps_every_double_of_any_tree(model: Model) -> None:
    found = from_data(json.loads(json.dumps(to_data(model))))
    assert repr(found) == repr(model)


@every_model
def test_a_document_written_twice_is_the_same_text(name: str) -> None:
    model = CATALOGUE[name]
    urdf = write_urdf(model)
    mjcf = write_mjcf(model)
    assert write_urdf(read_urdf(urdf, model.tool.name)).count("\n") == urdf.count("\n")
    again = read_mjcf(mjcf)
    assert described(read_mjcf(write_mjcf(again))) == described(again)


@every_model
def test_the_robot_of_a_document_is_within_the_tolerance_of_the_model(
    name: str,
) -> None:
    model = CATALOGUE[name]
    rng = np.random.default_rng([5, len(name)])
    batch = {k: rng.uniform(-3, 3, (2, model.nv)) for k in ("q", "v", "a")}
    found = read_mjcf(write_mjcf(model))
    order = {b.name: i for i, b in enumerate(model.bodies) if b.joint.nv}
    place = [model.moving.index(order[b.name]) for b in found.bodies if b.joint.nv]
    moved = {k: x[:, place] for k, x in batch.items()}
    for key in ("mass_matrix", "inverse_dynamics", "frame_pose"):
        quantity = QUANTITIES[key]
        ours, theirs = quantity.value(model, batch), quantity.value(found, moved)
        tolerance = quantity.bounds(model, batch)[1]
        if key == "mass_matrix":
            ours, tolerance = (x[:, place][..., place] for x in (ours, tolerance))
        elif key == "inverse_dynamics":
            ours, tolerance = ours[:, place], tolerance[:, place]
        assert np.all(np.abs(ours - theirs) <= tolerance)


def test_a_tool_that_is_a_link_is_written_once() -> None:
    arm = CATALOGUE["arm_2r"]
    at_link = replace(arm, tool=Frame("link2", 1))
    text = write_urdf(at_link)
    assert text.count('<link name="link2"') == 1
    assert read_urdf(text, "link2").tool == at_link.tool
    with pytest.raises(UrdfError, match="link1"):
        write_urdf(replace(arm, tool=Frame("link1", 1)))


# ---------------------------------------------------------------------------- refusals

READERS: list[tuple[str, Callable[[str], Model], type[ValueError]]] = [
    (write_urdf(CATALOGUE["fixed_bodies"]), partial(read_urdf, tool="tool"), UrdfError),
    (write_mjcf(CATALOGUE["fixed_bodies"]), read_mjcf, MjcfError),
]
formats = pytest.mark.parametrize(
    ("text", "read", "error"), READERS, ids=["urdf", "mjcf"]
)

junk = st.sampled_from(
    [
        "",
        "nan",
        "inf",
        "0",
        "0 0 0",
        "1 2",
        "1 2 3 4 5 6 7",
        "x",
        "world",
        "link1",
        "1e999",
    ]
) | st.text(max_size=8)


def read_or_refused(
    text: str, read: Callable[[str], Model], error: type[ValueError]
) -> None:
    """Any other exception, a refusal in several lines, or a NaN would be a failure."""
    message = ""
    try:
        model = read(text)
    except error as refusal:
        message = str(refusal)
    else:
        json.dumps(to_data(model), allow_nan=False)
        assert all(any(b.joint.axis) for b in model.bodies)
    assert len(message.splitlines()) <= 1


@formats
@given(damage=st.data())
@REPEATABLE
def test_a_damaged_document_is_read_or_refused_in_one_line(
    text: str, read: Callable[[str], Model], error: type[ValueError], damage: Any
) -> None:
    root = ET.fromstring(text)
    for _ in range(damage.draw(st.integers(1, 3))):
        elements = list(root.iter())
        element = damage.draw(st.sampled_from(elements))
        act = damage.draw(
            st.sampled_from(["attribute", "drop", "empty", "double", "tag"])
        )
        children = list(element)
        if act == "attribute" and element.attrib:
            key = damage.draw(st.sampled_from(sorted(element.attrib)))
            element.set(key, damage.draw(junk))
        elif act == "drop" and element.attrib:
            del element.attrib[damage.draw(st.sampled_from(sorted(element.attrib)))]
        elif act == "empty" and children:
            element.remove(damage.draw(st.sampled_from(children)))
        elif act == "double" and children:
            element.append(damage.draw(st.sampled_from(children)))
        elif act == "tag":
            element.tag = damage.draw(
                st.sampled_from(["link", "joint", "body", "site"])
            )
    read_or_refused(ET.tostring(root, encoding="unicode"), read, error)


@formats
@given(rubbish=st.text() | st.text("<>/= '\"abrobotmujoco&;#!?"))
@REPEATABLE
def test_rubbish_is_refused_in_one_line(
    text: str, read: Callable[[str], Model], error: type[ValueError], rubbish: str
) -> None:
    read_or_refused(rubbish, read, error)
    read_or_refused(text[: len(rubbish) * 37] + rubbish, read, error)


TWO = "<link name='a'/><link name='b'/>"
JOINT = "<joint name='j' type='{}'><parent link='{}'/><child link='{}'/>{}</joint>"


@pytest.mark.parametrize(
    ("inside", "words"),
    [
        (TWO + JOINT.format("fixed", "a", "nowhere", ""), "nowhere"),
        (TWO + JOINT.format("fixed", "nowhere", "b", ""), "nowhere"),
        ("<link name='a'/><link name='a'/>", "'a'"),
        (TWO + 2 * JOINT.format("fixed", "a", "b", ""), "'j'"),
        (
            TWO
            + JOINT.format("fixed", "a", "b", "")
            + JOINT.format("fixed", "a", "b", "").replace("'j'", "'k'"),
            "two parents",
        ),
        (
            TWO
            + "<link name='c'/>"
            + JOINT.format("fixed", "b", "c", "")
            + JOINT.format("fixed", "c", "b", "").replace("'j'", "'k'"),
            "loop",
        ),
        (
            TWO + JOINT.format("revolute", "a", "b", "<axis xyz='0 0 0'/>"),
            "axis is zero",
        ),
        (TWO + JOINT.format("revolute", "a", "b", "<axis xyz='0 nan 1'/>"), "axis of"),
        (TWO + JOINT.format("fixed", "a", "b", "<origin rpy='0 inf 0'/>"), "'j'"),
        ("<link name='a'><inertial><mass value='1'/></inertial></link>", "'a'"),
        ("<link name='b'/>", "tool link 'a'"),
    ],
)
def test_a_urdf_that_is_no_tree_of_numbers_is_refused_by_name(
    inside: str, words: str
) -> None:
    with pytest.raises(UrdfError, match=words):
        read_urdf(f"<robot name='r'>{inside}</robot>", "a")


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ('mass="', 'weight="', "body 'link1': <inertial>: attribute 'weight'"),
        ('mass="', 'user="', "body 'link1': <inertial>: attribute 'user'"),
        ('armature="0.0"', 'armature="heavy"', "<joint> 'joint2': armature is no"),
        ('armature="0.0"', 'armature="nan"', "<joint> 'joint2': armature is no"),
        ('mass="', 'mass="inf', "body 'link1': <inertial>: mass is no number"),
        ('pos="', 'pos="0 ', "pos needs 3 numbers, has 4"),
        ('type="hinge"', 'type="ball"', "'ball'"),
        ('name="link2"', 'name="link1"', "'link1'"),
        ("<site", "<place", "<place> is not read"),
        ('angle="radian"', 'angle="turn"', "<compiler>: angle must be"),
        ('euler="', 'quat="0 0 0 0" euler="', "quat is zero"),
        ('euler="', 'quat="1 0 0 0" euler="', "both quat and euler"),
        ("worldbody", "nobody", "<nobody> is not read"),
    ],
)
def test_an_mjcf_that_is_not_explicit_is_refused_by_name(
    old: str, new: str, words: str
) -> None:
    text = READERS[1][0]
    assert old in text
    with pytest.raises(MjcfError, match=words):
        read_mjcf(text.replace(old, new))
