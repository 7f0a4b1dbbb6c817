"""The linkages that come with the suite: their counts, geometry and exact kernels."""

from __future__ import annotations

import tomllib
from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from importlib import import_module
from pathlib import Path

import numpy as np
import pytest

from models import Linkage, LinkageError, Pair, linkage_named, linkages
from models.linkage import PAIR_KINDS, Number, Vector, cross
from models.linkages import slug
from reference.ch02_01_mobility import freedom_under, platform_freedom
from reference.ch02_01_rank import exact_rank
from reference.ch02_01_structure import grubler, independent_loops, structure_matrix

DATA = Path(__file__).resolve().parent / "data"
CLASSICAL = tomllib.loads((DATA / "linkages.toml").read_text(encoding="utf-8"))["rows"]

# Of 2.1.3.3 and 2.1.5: m, N, J, sum f, Gruebler's M, kernel, freedom of the platform.
CHAPTER = {
    "fourbar": (3, 4, 4, 4, 1, 1, None),
    "parallelogram_spread": (3, 4, 4, 4, 1, 1, None),
    "parallelogram_folded": (3, 4, 4, 4, 1, 2, None),
    "slider_crank": (3, 4, 4, 4, 1, 1, None),
    "threebar_parallelogram": (3, 5, 6, 6, 0, 1, None),
    "fivebar": (3, 5, 5, 5, 2, 2, None),
    "3RPR": (3, 8, 9, 9, 3, 3, None),
    "sarrus": (6, 6, 6, 6, 0, 1, None),
    "bennett-exact": (6, 4, 4, 4, -2, 1, None),
    "stewart_UPS": (6, 14, 18, 36, 6, 6, 6),
    "stewart_SPS": (6, 14, 18, 42, 12, 12, 6),
    "delta": (6, 17, 21, 45, 15, 15, 3),
}

ORDINARY = [
    "Parallelogram 4R",
    "Spherical 4R",
    "IFToMM A02 N-four-bar N=2 at vertical configuration",
    "General 7R",
    "4P spatial loop",
    "Planar slider-crank RRRP",
    "RSSR",
    "IFToMM spatial slider-crank RSUP",
    "RCCC",
    "3-RPR planar",
]
"""Those that any numbers move: generic, planar, spherical, or of translations alone."""


def chapter(key: str) -> Linkage:
    return linkage_named(f"chapter-{key}")


def freedoms(linkage: Linkage) -> list[int]:
    return [pair.f for pair in linkage.pairs]


def exact_kernel(linkage: Linkage) -> int:
    """Dimension of the kernel in rational arithmetic; a double is the rational it is."""
    A = structure_matrix(linkage)
    return len(A[0]) - exact_rank(A)


def altered(linkage: Linkage, joint: str, change: Callable[[Pair], Pair]) -> Linkage:
    """The linkage with one joint that is not what it was."""
    assert joint in [pair.name for pair in linkage.pairs]
    pairs = tuple(change(p) if p.name == joint else p for p in linkage.pairs)
    return replace(linkage, pairs=pairs)


def point_of(linkage: Linkage, joint: str) -> Vector:
    (point,) = (pair.point for pair in linkage.pairs if pair.name == joint)
    return point


def minus(a: Vector, b: Vector) -> Vector:
    return (a[0] - b[0], a[1] - b[1], a[2] - b[2])


def dot(a: Vector, b: Vector) -> Number:
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]


# ------------------------------------------------------------------------------- counts


@pytest.mark.parametrize("key", CHAPTER)
def test_a_mechanism_of_the_chapter_has_its_links_joints_and_count(key: str) -> None:
    linkage = chapter(key)
    m, N, J, freedom, M, _, _ = CHAPTER[key]
    f = freedoms(linkage)
    if m == 3:
        assert set(f) == {1}  # in the plane as in space
    assert (len(linkage.links), len(linkage.pairs), sum(f)) == (N, J, freedom)
    assert grubler(m, len(linkage.links), f) == M


@pytest.mark.parametrize("row", CLASSICAL, ids=lambda row: row[0])
def test_a_classical_linkage_has_the_published_counts(row: list[object]) -> None:
    title, links, kinds, freedom, loops, count, mobility = row
    linkage = linkage_named(str(title))
    f = freedoms(linkage)
    letters = Counter(PAIR_KINDS[pair.kind].letter for pair in linkage.pairs)
    assert linkage.title == title
    assert linkage.name == slug(linkage.title)
    assert len(linkage.links) == links
    assert sorted(f"{n}{letter}" for letter, n in letters.items()) == sorted(
        str(kinds).split()
    )
    assert sum(f) == freedom
    assert independent_loops(len(linkage.links), len(f)) == loops
    assert grubler(6, len(linkage.links), f) == count
    assert linkage.mobility == mobility


def test_every_stored_linkage_is_of_the_chapter_or_classical() -> None:
    keys = {*(f"chapter-{key}" for key in CHAPTER), "chapter-bennett"}
    titles = {slug(row[0]) for row in CLASSICAL}
    assert set(linkages()) == keys | titles


# ------------------------------------------------------------------------ exact kernels


@pytest.mark.parametrize("key", CHAPTER)
def test_the_exact_kernel_is_the_printed_one(key: str) -> None:
    linkage = chapter(key)
    *_, kernel, platform = CHAPTER[key]
    assert linkage.exact
    assert exact_kernel(linkage) == kernel
    if platform is not None:
        assert linkage.platform is not None
        assert platform_freedom(linkage, linkage.platform) == platform


@pytest.mark.parametrize("title", ORDINARY)
def test_the_exact_kernel_of_an_ordinary_linkage_is_its_mobility(title: str) -> None:
    linkage = linkage_named(title)
    assert linkage.exact
    assert exact_kernel(linkage) == linkage.mobility


def test_the_delta_does_not_turn_and_rests_in_twelve_ways() -> None:
    delta = chapter("delta")
    assert delta.platform is not None
    assert freedom_under(delta, delta.platform, "omega") == 15
    assert freedom_under(delta, delta.platform, "v") == 12


def test_a_delta_whose_rods_are_not_parallel_by_a_trillionth_turns() -> None:
    def moved(pair: Pair) -> Pair:
        x, y, z = pair.point
        return replace(pair, point=(x + Fraction(1, 10**12), y, z))

    delta = altered(chapter("delta"), "lower_left_1", moved)
    assert delta.platform is not None
    assert freedom_under(delta, delta.platform, "omega") < 15


def test_the_smallest_singular_value_that_counts_is_the_one_printed_of_the_delta() -> (
    None
):
    smallest = {}
    for key in CHAPTER.keys() - {"bennett-exact"} | {"bennett"}:
        A = np.array(structure_matrix(chapter(key)), float)
        values = np.linalg.svd(A, compute_uv=False)
        kernel = CHAPTER["bennett-exact" if key == "bennett" else key][5]
        smallest[key] = values[A.shape[1] - kernel - 1]
    assert min(smallest, key=smallest.__getitem__) == "delta"
    assert round(smallest["delta"], 4) == 0.0154


# ------------------------------------------------------------------------------ geometry


def test_bennett_rounded_to_doubles_is_rigid_and_its_exact_sister_moves() -> None:
    rounded, exact = chapter("bennett"), chapter("bennett-exact")
    assert not rounded.exact
    assert exact_kernel(rounded) == 0
    A = np.array(structure_matrix(rounded), float)
    assert A.shape[1] - np.linalg.matrix_rank(A) == 1
    assert exact_kernel(exact) == 1


def sine2(u: Vector, v: Vector) -> Fraction:
    """Square of the sine of the angle between two directions."""
    w = cross(u, v)
    return Fraction(dot(w, w)) / Fraction(dot(u, u) * dot(v, v))


def test_the_exact_bennett_fulfils_bennetts_condition_exactly() -> None:
    pairs = chapter("bennett-exact").pairs
    lengths, twists = [], []
    for one, two in zip(pairs, (*pairs[1:], pairs[0]), strict=True):
        bar = minus(two.point, one.point)
        assert dot(bar, one.axes[0]) == dot(bar, two.axes[0]) == 0  # without offset
        lengths.append(dot(bar, bar))
        twists.append(sine2(one.axes[0], two.axes[0]))
    assert lengths[0] == lengths[2] == 1
    assert lengths[1] == lengths[3] == Fraction(64, 25)
    assert twists == [Fraction(9, 25), Fraction(576, 625)] * 2
    assert lengths[0] / twists[0] == lengths[1] / twists[1]


@pytest.mark.parametrize("leg", [1, 2, 3])
def test_the_parallelograms_of_the_delta_close_exactly(leg: int) -> None:
    delta = chapter("delta")
    rods = [
        minus(
            point_of(delta, f"lower_{side}_{leg}"),
            point_of(delta, f"upper_{side}_{leg}"),
        )
        for side in ("left", "right")
    ]
    assert rods[0] == rods[1]
    shoulder, elbow, wrist = (
        pair.axes[0]
        for name in ("shoulder", "elbow", "wrist")
        for pair in delta.pairs
        if pair.name == f"{name}_{leg}"
    )
    assert shoulder == elbow == wrist


@pytest.mark.parametrize(
    ("key", "ends"),
    [
        ("parallelogram_spread", ("AB", "DC")),
        ("parallelogram_spread", ("AD", "BC")),
        ("threebar_parallelogram", (("A1", "B1"), ("A2", "B2"), ("A3", "B3"))),
    ],
)
def test_opposite_bars_of_a_parallelogram_are_equal_exactly(
    key: str, ends: tuple[tuple[str, str], ...]
) -> None:
    linkage = chapter(key)
    bars = {
        minus(point_of(linkage, end), point_of(linkage, start)) for start, end in ends
    }
    assert len(bars) == 1


@pytest.mark.parametrize(
    ("key", "joint"),
    [("sarrus", "A2"), ("threebar_parallelogram", "B2"), ("3RPR", "B1")],
)
def test_an_axis_tilted_by_a_trillionth_takes_a_freedom(key: str, joint: str) -> None:
    def tilted(pair: Pair) -> Pair:
        x, y, z = pair.axes[0]
        off = Fraction(1, 10**12)
        return replace(pair, axes=((x + off, y, z + off),))

    linkage = chapter(key)
    assert exact_kernel(altered(linkage, joint, tilted)) < exact_kernel(linkage)


# --------------------------------------------------------------------------------- names


@pytest.mark.parametrize(
    "name",
    ["bennett-4r", "Bennett 4R", "BENNETT_4R", "bennett 4r"],
)
def test_a_linkage_is_found_by_name_or_title_in_any_spelling(name: str) -> None:
    assert linkage_named(name).title == "Bennett 4R"


@pytest.mark.parametrize("name", ["", "-", "bennett 5r"])
def test_a_name_that_no_linkage_has_is_a_key_error(name: str) -> None:
    with pytest.raises(KeyError):
        linkage_named(name)


def test_no_name_means_two_linkages() -> None:
    names = [
        word
        for one in linkages().values()
        for word in {slug(one.name), slug(one.title)}
    ]
    assert len(set(names)) == len(names)


def test_a_file_that_bears_the_name_of_another_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    joint = '[[joint]]\nkind = "free"\nlinks = ["ground", "a"]\n'
    (tmp_path / "mine.toml").write_text(f'name = "other"\n{joint}')
    linkages.cache_clear()
    monkeypatch.setattr(import_module("models.linkages"), "FOLDER", tmp_path)
    with pytest.raises(LinkageError, match=r"mine\.toml: its name is 'other'"):
        linkages()
    monkeypatch.undo()
    linkages.cache_clear()
