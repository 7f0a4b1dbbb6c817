"""2.1 Counting freedoms, joint screws, the structure matrix, and mobility at one pose."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction as Q

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from models.linkage import PAIR_KINDS, Linkage, Number, Pair, Vector, cross
from reference.ch02_01_joints import JOINTS, PLANE, SIZES, SOFTWARE, SPACE
from reference.ch02_01_mobility import (
    freedom_under,
    instantaneous_mobility,
    platform_freedom,
    single_loop_mobility,
)
from reference.ch02_01_rank import exact_rank
from reference.ch02_01_structure import (
    grubler,
    grubler_by_loops,
    independent_loops,
    pair_screws,
    planar_freedoms,
    structure_matrix,
    with_condition,
    without_link,
)
from tests.chapter_linkages import (
    along,
    bennett,
    delta,
    in_doubles,
    revolute,
    sarrus,
    stewart,
)
from tests.test_ch02_01_motion import FOLDED, FOUR_BAR, spatial

X, Z = (1, 0, 0), (0, 0, 1)
VECTORS = st.tuples(*3 * [st.integers(-4, 4)])
AXES = VECTORS.filter(any)
KINDS = st.sampled_from(sorted(PAIR_KINDS))


@st.composite
def joints(draw: st.DrawFn) -> Pair:
    """A joint of any kind, in integers."""
    kind = draw(KINDS)
    axes = [draw(AXES) for _ in range(PAIR_KINDS[kind].axes)]
    if len(axes) == 2 and not any(cross(*axes)):
        axes[1] = (axes[0][1] + 1, axes[0][2] - 2, axes[0][0] + 5)
    if len(axes) == 2 and not any(cross(*axes)):
        axes = [X, Z]
    pitch = draw(st.integers(-3, 3)) if kind == "helical" else 0
    return Pair("j", kind, 0, 1, draw(VECTORS), tuple(axes), pitch)


def freedoms(linkage: Linkage) -> list[int]:
    return [pair.f for pair in linkage.pairs]


# --------------------------------------------------------------------- counting


@pytest.mark.parametrize(
    ("m", "N", "f", "M"),
    [
        (3, 4, [1] * 4, 1),  # four-bar, Lynch & Park example 2.3
        (3, 5, [1] * 5, 2),  # five-bar, example 2.4
        (3, 5, [1] * 6, 0),  # parallelogram of three bars, example 2.6
        (6, 17, [1] * 9 + [3] * 12, 15),  # Delta, example 2.7
        (6, 14, [2, 1, 3] * 6, 6),  # Stewart-Gough with universal joints, example 2.8
        (6, 14, [3, 1, 3] * 6, 12),
        (6, 7, [1] * 6, 6),  # a 6R arm
        (6, 4, [1] * 4, -2),  # Bennett
        (6, 6, [1] * 6, 0),  # Sarrus
    ],
)
def test_gruebler_counts_as_published(m: int, N: int, f: list[int], M: int) -> None:
    assert grubler(m, N, f) == M
    assert grubler_by_loops(m, independent_loops(N, len(f)), f) == M


@given(st.sampled_from([3, 6]), st.integers(1, 30), st.lists(st.integers(0, 6)))
def test_both_formulas_of_gruebler_agree(m: int, N: int, f: list[int]) -> None:
    by_loops = grubler_by_loops(m, independent_loops(N, len(f)), f)
    assert grubler(m, N, f) == by_loops == m * (N - 1) - sum(m - x for x in f)


# ------------------------------------------------------------- joint catalogue


def test_the_catalogue_has_every_kind_once_and_names_in_every_software() -> None:
    assert [joint.kind for joint in JOINTS.values()] == [
        *("revolute", "prismatic", "helical", "cylindrical", "universal"),
        *("spherical", "planar", "fixed", "free"),
    ]
    assert {joint.kind for joint in JOINTS.values()} == set(PAIR_KINDS)
    for letter, joint in JOINTS.items():
        assert (joint.letter, tuple(joint.names)) == (letter, SOFTWARE)
        assert joint.f + joint.c == SPACE
        if joint.planar is not None and joint.planar_c is not None:
            assert joint.planar + joint.planar_c == PLANE


def test_table_1_has_the_freedoms_of_lynch_and_park() -> None:
    printed = {"R": (1, 5), "P": (1, 5), "H": (1, 5), "C": (2, 4), "U": (2, 4)}
    printed |= {"S": (3, 3), "E": (3, 3), "X": (0, 6), "F": (6, 0)}
    assert {k: (j.f, j.c) for k, j in JOINTS.items()} == printed


@pytest.mark.parametrize("software", ["Pinocchio", "Drake"])
def test_nv_of_a_joint_model_is_the_freedom_of_its_joint(software: str) -> None:
    sizes = SIZES[software.lower()]
    for joint in JOINTS.values():
        for name in joint.names[software]:
            assert sizes[name][1] == joint.f
    assert not any("ylindrical" in name for name in sizes)


def test_nv_of_a_joint_of_mjcf_is_its_freedom() -> None:
    for joint in JOINTS.values():
        for name in joint.names["MJCF"]:
            assert SIZES["mujoco"][name][1] == joint.f


# ------------------------------------------------------- screws and the matrix


@given(joints())
def test_a_joint_has_as_many_independent_screws_as_freedoms(pair: Pair) -> None:
    screws = pair_screws(pair)
    assert len(screws) == exact_rank(screws) == pair.f


@given(joints(), VECTORS)
def test_screws_move_points_as_their_joint_does(pair: Pair, r: Vector) -> None:
    """Velocities at the joint's own point, and of any point against a planar normal."""
    for screw in pair_screws(pair):
        w, v = (screw[0], screw[1], screw[2]), (screw[3], screw[4], screw[5])
        at_joint, at_r = along(v, 1, cross(w, pair.point)), along(v, 1, cross(w, r))
        if pair.kind in ("revolute", "universal", "spherical"):
            assert not any(at_joint)
        if pair.kind in ("revolute", "helical"):
            assert w == pair.axes[0]
            assert at_joint == along((0, 0, 0), pair.pitch, pair.axes[0])
        if pair.kind in ("prismatic", "cylindrical"):
            assert not any(cross(w, pair.axes[0]))
            assert not any(cross(at_joint, pair.axes[0]))
        if pair.kind == "planar":
            assert not sum(a * b for a, b in zip(at_r, pair.axes[0], strict=True))


def chapters_system(
    N: int, joints: list[tuple[int, int, list[list[Number]]]]
) -> object:
    """`system` of 2.1.5, as printed."""
    nc = 6 * (N - 1) + sum(len(j[2]) for j in joints)
    A, c = [], 6 * (N - 1)
    for a, b, scr in joints:
        for i in range(6):
            row: list[Number] = [0.0] * nc
            if b:
                row[6 * (b - 1) + i] = 1.0
            if a:
                row[6 * (a - 1) + i] = -1.0
            for k, S in enumerate(scr):
                row[c + k] = -S[i]
            A.append(row)
        c += len(scr)
    return A


@pytest.mark.parametrize("linkage", [delta(), stewart("U"), sarrus(2, 1), spatial(3)])
def test_the_structure_matrix_is_the_one_printed(linkage: Linkage) -> None:
    joints = [(p.first, p.second, pair_screws(p)) for p in linkage.pairs]
    A = structure_matrix(linkage)
    assert chapters_system(len(linkage.links), joints) == A
    wide = 6 * (len(linkage.links) - 1) + sum(freedoms(linkage))
    assert (len(A), {len(row) for row in A}) == (6 * len(linkage.pairs), {wide})


def test_a_link_can_be_left_out_and_a_part_of_its_twist_held() -> None:
    A = structure_matrix(delta())
    assert (len(A), len(A[0])) == (126, 141)
    kept = np.array(without_link(A, 2), dtype=float)
    assert np.array_equal(
        kept, np.delete(np.array(A, dtype=float), range(6, 12), axis=1)
    )
    for part, first in (("omega", 6), ("v", 9)):
        held = np.array(with_condition(A, 2, part)[126:], dtype=float)
        assert np.array_equal(held, np.eye(141)[first : first + 3])


# --------------------------------------------------------------------- mobility


@pytest.mark.parametrize(
    ("linkage", "link", "mobility", "platform"),
    [
        (FOUR_BAR, 2, 1, 1),
        (FOLDED, 2, 2, 2),  # all four axes in one plane, 2.1.3.6
        (sarrus(2, 1), 1, 1, 1),
        (sarrus(1, 1), 1, 2, 0),  # both legs stretched, 2.1.3.6: only they give way
        (bennett(), 2, 1, 1),
        (bennett(Q(11, 10)), 2, 0, 0),
        (stewart("U"), 1, 6, 6),
        (stewart("S"), 1, 12, 6),
        (delta(), 1, 15, 3),
    ],
)
def test_mobility_and_platform_freedom_are_the_chapters(
    linkage: Linkage, link: int, mobility: int, platform: int
) -> None:
    for version in (linkage, in_doubles(linkage)):
        assert instantaneous_mobility(version) == mobility
        assert platform_freedom(version, link) == platform


def test_the_delta_platform_translates_and_nothing_else() -> None:
    assert freedom_under(delta(), 1, "omega") == 15
    assert freedom_under(delta(), 1, "v") == 12


@pytest.mark.parametrize("linkage", [FOUR_BAR, FOLDED, bennett(), bennett(Q(11, 10))])
def test_the_formula_of_a_single_loop_gives_the_same(linkage: Linkage) -> None:
    screws = [screw for pair in linkage.pairs for screw in pair_screws(pair)]
    assert single_loop_mobility(screws) == instantaneous_mobility(linkage)


@given(st.integers(0, 400), st.integers(1, 9))
def test_the_length_of_an_axis_does_not_matter(seed: int, k: int) -> None:
    linkage = spatial(seed)
    pairs = [
        replace(p, axes=tuple(along((0, 0, 0), -k, u) for u in p.axes), pitch=p.pitch)
        for p in linkage.pairs
    ]
    longer = replace(linkage, pairs=tuple(pairs))
    assert instantaneous_mobility(longer) == instantaneous_mobility(linkage)


def test_one_tilted_axis_locks_a_four_bar() -> None:
    """A planted fault: the kernel sees a hinge out of line by 1e-13, in rational numbers."""
    last = replace(FOUR_BAR.pairs[3], axes=((Q(1, 10**13), 0, 1),))
    tilted = replace(FOUR_BAR, pairs=(*FOUR_BAR.pairs[:3], last))
    assert (instantaneous_mobility(FOUR_BAR), instantaneous_mobility(tilted)) == (1, 0)


@pytest.mark.parametrize(
    ("last", "found"),
    [
        (FOUR_BAR.pairs[3], 1),
        (Pair("p", "prismatic", 0, 3, axes=(X,)), 1),
        (Pair("p", "prismatic", 0, 3, axes=(Z,)), None),
        (Pair("s", "spherical", 0, 3), 1),
        (Pair("e", "planar", 0, 3, axes=((0, 0, -5),)), 3),
        (Pair("h", "helical", 0, 3, axes=(Z,), pitch=1), None),
        (revolute("r", 0, 3, (4, 0, 0), (1, 0, 9)), None),
        (revolute("r", 0, 3, (4, 0, 0), (1e-14, 0, 9.0)), 1),
        (revolute("r", 0, 3, (4, 0, 0), (Q(1, 10**14), 0, 9)), None),
    ],
)
def test_planar_freedoms_are_those_of_joints_in_one_plane(
    last: Pair, found: int | None
) -> None:
    linkage = replace(FOUR_BAR, pairs=(*FOUR_BAR.pairs[:3], last))
    assert planar_freedoms(linkage) == (None if found is None else (1, 1, 1, found))


def test_where_nothing_turns_there_is_no_plane_to_count_in() -> None:
    slide = Pair("p", "prismatic", 0, 1, axes=(X,))
    assert planar_freedoms(Linkage("slide", ("ground", "slider"), (slide,))) is None
