"""Linkages in files: what is read, and that what is written is read again exactly."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from models import (
    Linkage,
    Pair,
    linkages,
    read_linkage,
    write_linkage,
)
from models.linkage import PAIR_KINDS, cross
from tests.strategies import REPEATABLE

Draw = Any

HINGE = '[[joint]]\nlinks = ["ground", "a"]\npoint = [0, 0, 0]\n'
"""A joint but for its kind and axis."""
TURNING = HINGE + 'kind = "revolute"\naxis = [0, 0, 1]\n'

FULL = """
title = "Every key"
ground = "frame"
links = ["b", "a"]
platform = "b"
mobility = 2
source = "a book"
note = "a note"

[[joint]]
name = "screw"
kind = "H"
links = ["frame", "a"]
point = [0, "1/3", 0.25]
axis = ["-3/5", "0.8", 0]
pitch = "1e-1"

[[joint]]
kind = "universal"
links = ["a", "b"]
point = [1, 2, 3]
axes = [[1, 0, 0], [1, 1, 0]]

[[joint]]
kind = "P"
links = ["b", "frame"]
axis = [0, 0, 2]
"""


def linkage_of(text: str, folder: Path) -> Linkage:
    file = folder / "mine.toml"
    file.write_text(text, encoding="utf-8")
    return read_linkage(file)


# ------------------------------------------------------------------------------ reading


def test_every_key_of_a_file_arrives_in_the_linkage(tmp_path: Path) -> None:
    assert linkage_of(FULL, tmp_path) == Linkage(
        name="mine",
        links=("frame", "b", "a"),
        pairs=(
            Pair(
                "screw",
                "helical",
                0,
                2,
                (0, Fraction(1, 3), 0.25),
                ((Fraction(-3, 5), Fraction(4, 5), 0),),
                Fraction(1, 10),
            ),
            Pair("j2", "universal", 2, 1, (1, 2, 3), ((1, 0, 0), (1, 1, 0))),
            Pair("j3", "prismatic", 1, 0, axes=((0, 0, 2),)),
        ),
        platform=1,
        title="Every key",
        mobility=2,
        source="a book",
        note="a note",
    )


def test_without_a_list_the_first_mention_of_a_link_gives_its_place(
    tmp_path: Path,
) -> None:
    text = FULL.replace('links = ["b", "a"]\n', "", 1)
    assert linkage_of(text, tmp_path).links == ("frame", "a", "b")


@pytest.mark.parametrize("exact", [False, True])
def test_a_decimal_is_a_double_unless_the_file_is_exact(
    exact: bool, tmp_path: Path
) -> None:
    text = f"exact = {str(exact).lower()}\n" + TURNING.replace(
        "[0, 0, 0]", "[0.1, 0, 0]"
    )
    x = linkage_of(text, tmp_path).pairs[0].point[0]
    assert x == (Fraction(1, 10) if exact else 0.1)
    assert isinstance(x, Fraction if exact else float)


def test_an_exact_file_keeps_digits_that_a_double_does_not(tmp_path: Path) -> None:
    text = "exact = true\n" + TURNING.replace("[0, 0, 0]", f"[0.{'1' * 30}, 0, 0]")
    x = linkage_of(text, tmp_path).pairs[0].point[0]
    assert x == Fraction(int("1" * 30), 10**30)
    assert x != Fraction(float(x))


@pytest.mark.parametrize("kind", PAIR_KINDS)
def test_a_kind_may_be_given_by_its_letter(kind: str, tmp_path: Path) -> None:
    axes = [[1, 0, 0], [0, 1, 0]][: PAIR_KINDS[kind].axes]
    rest = f"axes = {axes}\n"
    rest += 'pitch = "1/7"\n' if kind == "helical" else ""
    by_name = linkage_of(f'{HINGE}kind = "{kind}"\n{rest}', tmp_path)
    letter = PAIR_KINDS[kind].letter
    assert linkage_of(f'{HINGE}kind = "{letter}"\n{rest}', tmp_path) == by_name
    assert by_name.pairs[0].kind == kind


# ------------------------------------------------------------------------------ writing


def test_every_stored_linkage_is_written_and_read_again_exactly(tmp_path: Path) -> None:
    for linkage in linkages().values():
        assert linkage_of(write_linkage(linkage), tmp_path) == linkage


words = st.text(st.characters(codec="utf-8"), min_size=1, max_size=8)
fractions = st.fractions(max_denominator=10**20).filter(lambda x: abs(x) < 10**300)
doubles = st.floats(allow_nan=False, allow_infinity=False)


@st.composite
def any_linkage(draw: Draw) -> Linkage:
    """Any connected linkage, in fractions or in any numbers, its links in any order."""
    exact = draw(st.booleans())
    numbers = fractions if exact else fractions | doubles
    vectors = st.tuples(numbers, numbers, numbers)
    links = draw(st.lists(words, min_size=2, max_size=4, unique=True))
    ends = [(draw(st.integers(0, i - 1)), i) for i in range(1, len(links))]
    ends += draw(st.lists(st.sampled_from([(0, 1), (1, 0)]), max_size=2))
    ends = draw(st.permutations(ends))
    names = draw(st.lists(words, min_size=len(ends), max_size=len(ends), unique=True))
    pairs = []
    for name, (first, second) in zip(names, ends, strict=True):
        kind = draw(st.sampled_from(sorted(PAIR_KINDS)))
        count = PAIR_KINDS[kind].axes
        axes = draw(st.tuples(*[vectors.filter(any)] * count))
        if count == 2 and not any(cross(*axes)):
            axes = ((1, 0, 0), (1, 2, 0))
        pitch = draw(numbers) if kind == "helical" else 0
        pairs.append(Pair(name, kind, first, second, draw(vectors), axes, pitch))
    return Linkage(
        draw(words),
        tuple(links),
        tuple(pairs),
        platform=draw(st.none() | st.integers(1, len(links) - 1)),
        exact=exact,
        title=draw(st.just("") | words),
        mobility=draw(st.none() | st.integers(0, 20)),
        note=draw(st.just("") | words),
    )


@given(linkage=any_linkage())
@REPEATABLE
def test_any_linkage_is_written_and_read_again_exactly(
    linkage: Linkage, tmp_path_factory: pytest.TempPathFactory
) -> None:
    again = linkage_of(write_linkage(linkage), tmp_path_factory.mktemp("written"))
    assert again == linkage
    for one, two in zip(again.pairs, linkage.pairs, strict=True):
        for x, y in zip(one.point, two.point, strict=True):
            assert isinstance(x, float) == isinstance(y, float)
