"""A file that holds no linkage is refused in one line: the file, the place, the fault."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from models import LinkageError, linkages, read_linkage, write_linkage
from tests.strategies import REPEATABLE

FREE = '[[joint]]\nlinks = ["ground", "a"]\npoint = [0, 0, 0]\n'
"""A joint but for its kind and axis."""
HINGE = FREE + 'kind = "revolute"\n'
GOOD = HINGE + "axis = [0, 0, 1]\n"
UNIVERSAL = FREE + 'kind = "universal"\n'
APART = '[[joint]]\nkind = "S"\nlinks = ["b", "c"]\npoint = [0, 0, 0]\n'
BARE = '[[joint]]\nlinks = ["ground", "a"]\n'


def refusal(file: Path) -> str:
    """The one line with which a file is refused; it starts with the file."""
    with pytest.raises(LinkageError) as caught:
        read_linkage(file)
    said = str(caught.value)
    assert said.startswith(f"{file}: ")
    assert "\n" not in said
    return said


@pytest.mark.parametrize(
    ("text", "words"),
    [
        # no mechanism
        ("name = \n", "not TOML: Invalid value (at line 1, column 8)"),
        ("a = 1\na = 2\n", "not TOML: Cannot overwrite a value (at line 2, column 6)"),
        ("x = " + "[" * 5000, "not TOML"),
        ("", "the file: has no [[joint]]"),
        ("joint = 3", "joint: write [[joint]], with double brackets"),
        ("[joint]\nkind = 'R'", "joint: write [[joint]], with double brackets"),
        ('urdf = "arm.urdf"', "the file: unknown key 'urdf', use name, title, ground"),
        # the head
        ("name = ''\n" + GOOD, "the file: name must be a string, is ''"),
        ("title = 3\n" + GOOD, "the file: title must be a string, is 3"),
        ("exact = 'yes'\n" + GOOD, "the file: exact must be true or false, is 'yes'"),
        ("mobility = -1\n" + GOOD, "the file: mobility must be a whole number from 0"),
        ("mobility = 1.0\n" + GOOD, "the file: mobility must be a whole number from 0"),
        ("mobility = true\n" + GOOD, "mobility must be a whole number from 0, is True"),
        ("platform = 'b'\n" + GOOD, "platform: there is no link 'b', use one of"),
        ("platform = 'ground'\n" + GOOD, "must be a link other than the ground"),
        ("ground = 'base'\n" + GOOD, "ground: no joint has the link 'base', set ground"),
        ("links = 'a'\n" + GOOD, "the file: links must be names, is 'a'"),
        ("links = ['b']\n" + GOOD, "joint 'j1': there is no link 'a', add it to links"),
        ("links = ['a', 'a']\n" + GOOD, "two links are called 'a'"),
        ("links = ['a', 'b']\n" + GOOD, "link 'b' is not connected with the ground"),
        # the graph
        (GOOD + APART, "link 'b' is not connected with the ground 'ground'"),
        (GOOD + "name = 'k'\n" + GOOD + "name = 'k'\n", "two joints are called 'k'"),
        (GOOD + "name = 'j2'\n" + GOOD, "two joints are called 'j2'"),
        (GOOD.replace('"a"', '"ground"'), "'j1': joins link 'ground' to itself"),
        # a joint
        (GOOD + "name = 3", "[[joint]] 1: name must be a string, is 3"),
        (GOOD + "mass = 3", "joint 'j1': unknown key 'mass', use name, kind, links"),
        (FREE, "joint 'j1': kind must be a string, is None"),
        (FREE + "kind = 'hinge'", "joint 'j1': kind 'hinge' is not one of fixed (X)"),
        ("[[joint]]\nkind = 'F'", "joint 'j1': links must be names, is None"),
        ("[[joint]]\nkind = 'F'\nlinks = ['a']", "links must be two names, is ['a']"),
        ("[[joint]]\nkind = 'F'\nlinks = ['a', 3]", "links must be names, is ['a', 3]"),
        (BARE + "kind = 'S'", "joint 'j1': a spherical joint needs a point"),
        (GOOD + "axes = [[0, 0, 1]]", "joint 'j1': give either axis or axes"),
        (HINGE, "joint 'j1': a revolute joint has 1 axes, not 0"),
        (FREE + "kind = 'S'\naxis = [0, 0, 1]", "a spherical joint has 0 axes, not 1"),
        (UNIVERSAL + "axis = [0, 0, 1]", "a universal joint has 2 axes, not 1"),
        (UNIVERSAL + "axes = [[0, 0, 1], [0, 0, 3]]", "'j1': its two axes are parallel"),
        (UNIVERSAL + "axes = 3", "joint 'j1': axes must be a list of axes, is 3"),
        (GOOD + "pitch = 1", "joint 'j1': a helical joint needs a pitch, no other has"),
        (FREE + "kind = 'H'\naxis = [0, 0, 1]", "'j1': a helical joint needs a pitch"),
        # its numbers
        (HINGE + "axis = [0, 0, 0]", "joint 'j1': an axis is zero"),
        (HINGE + "axis = [0, '0/3', 0.0]", "joint 'j1': an axis is zero"),
        (HINGE + "axis = [0, 0, nan]", "joint 'j1': axis: NaN is not finite"),
        (HINGE + "axis = [0, 0, -inf]", "joint 'j1': axis: -Infinity is not finite"),
        (HINGE + "axis = [0, 0, 1e999]", "joint 'j1': axis: 1E+999 is not finite"),
        (HINGE + "axis = [0, 0, '1e999']", "is not finite, or beyond doubles"),
        (HINGE + "axis = [0, 0, '1e-999']", "is not finite, or beyond doubles"),
        (HINGE + "axis = [0, 0, 1e-99999999999]", "is not finite, or beyond doubles"),
        (HINGE + f"axis = [0, 0, 1{'0' * 400}]", "is not finite, or beyond doubles"),
        (HINGE + f"axis = [0, 0, 1{'0' * 5000}]", "not TOML"),
        (HINGE + f"axis = [0, 0, '1{'0' * 5000}']", "has too many digits"),
        (HINGE + "axis = [0, 0, '1/0']", "joint 'j1': axis: '1/0' divides by zero"),
        (HINGE + "axis = [0, 0, '1e99999999']", "is no fraction such as '1/3'"),
        (HINGE + "axis = [0, 0, 'pi']", "joint 'j1': axis: 'pi' is no fraction"),
        (HINGE + "axis = [0, 0, true]", "joint 'j1': axis: expected a number, got True"),
        (HINGE + "axis = [0, 1]", "joint 'j1': axis must be three numbers, is [0, 1]"),
        (GOOD.replace("[0, 0, 0]", "3"), "joint 'j1': point must be three numbers, is 3"),
        (GOOD.replace("[0, 0, 0]", "[0, inf, 0]"), "joint 'j1': point: Infinity is not"),
    ],
)  # fmt: skip
def test_what_is_no_linkage_is_refused_by_its_place(
    text: str, words: str, tmp_path: Path
) -> None:
    file = tmp_path / "mine.toml"
    file.write_text(text)
    assert words in refusal(file)


@pytest.mark.parametrize(
    ("content", "words"), [(None, "No such file"), (b"\xff\xfe", "is not UTF-8 text")]
)
def test_a_file_that_is_not_there_or_no_text_is_refused(
    content: bytes | None, words: str, tmp_path: Path
) -> None:
    file = tmp_path / "mine.toml"
    if content is not None:
        file.write_bytes(content)
    assert words in refusal(file)


@given(cut=st.integers(0, 1500), drop=st.integers(0, 30))
@REPEATABLE
def test_a_damaged_file_is_read_or_refused_but_never_breaks(
    cut: int, drop: int, tmp_path_factory: pytest.TempPathFactory
) -> None:
    file = tmp_path_factory.mktemp("damaged") / "mine.toml"
    text = write_linkage(linkages()["chapter-bennett-exact"])
    file.write_text(text[:cut] + text[cut + drop :])
    try:
        read_linkage(file)
    except LinkageError as error:
        assert str(error).startswith(f"{file}: ")  # noqa: PT017
        assert "\n" not in str(error)  # noqa: PT017
