"""2.1.3.3 Idle freedoms and redundant constraints, by name."""

from __future__ import annotations

import time
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from models.linkage import PAIR_KINDS, Linkage, Pair, Vector, cross
from reference import ch02_01_freedoms
from reference.ch02_01_freedoms import (
    idle_freedoms,
    redundant_constraints,
)
from reference.ch02_01_mobility import (
    default_platform,
    instantaneous_mobility,
    platform_freedom,
)
from reference.ch02_01_rank import exact_rank
from reference.ch02_01_structure import across, grubler, pair_screws
from reference.ch02_01_words import direction, twist_in_words
from tests.chapter_linkages import (
    bennett,
    delta,
    in_doubles,
    minus,
    revolute,
    sarrus,
    stewart,
)
from tests.test_ch02_01_motion import FOLDED, FOUR_BAR, planar, spatial

Z = (0, 0, 1)


def ball(name: str, a: int, b: int, p: Vector) -> Pair:
    return Pair(name, "spherical", a, b, p)


RODS = Linkage(
    "rods",
    ("ground", "crank", "first", "second", "rocker"),
    (
        revolute("r1", 0, 1, (0, 0, 0), Z),
        ball("s1", 1, 2, (1, 0, 0)),
        ball("s2", 2, 3, (2, 1, 0)),
        ball("s3", 3, 4, (4, 3, 1)),
        revolute("r2", 0, 4, (5, 0, 0), (0, 1, 0)),
    ),
)
"""Two rods in a row between a crank and a rocker."""


def count(linkage: Linkage) -> int:
    """Gruebler's count in space."""
    return grubler(6, len(linkage.links), [pair.f for pair in linkage.pairs])


def declared_backwards(linkage: Linkage) -> Linkage:
    """The links but the ground in the other order, and no platform named."""
    last = len(linkage.links)

    def other(i: int) -> int:
        return (last - i) % last

    pairs = [
        replace(p, first=other(p.first), second=other(p.second)) for p in linkage.pairs
    ]
    links = (linkage.links[0], *linkage.links[:0:-1])
    return replace(linkage, links=links, pairs=tuple(pairs), platform=None)


# -------------------------------------------------------------------- idle freedoms


def test_each_rod_between_ball_joints_spins_about_the_line_through_them() -> None:
    found = idle_freedoms(RODS, 4)
    assert [f.links for f in found] == [
        ("first",),
        ("second",),
        ("first", "second"),
        ("crank", "first", "second"),
    ]
    assert [f.joints for f in found[:3]] == [("s1", "s2"), ("s2", "s3"), ("s1", "s3")]
    for freedom, (a, b) in zip(found, [(1, 2), (2, 3), (1, 3)], strict=False):
        line = minus(RODS.pairs[b].point, RODS.pairs[a].point)
        assert f"spins about {direction(np.array(line, float))} " in freedom.words
    assert "crank spins about (0, 0, 1) through (0, 0, 0)" in found[3].words


def test_the_idle_freedoms_of_the_delta_are_the_spins_of_its_twelve_bars() -> None:
    names = ("top", "left", "right", "foot")
    bars = {f"{name}_{k}" for name in names for k in (1, 2, 3)}
    found = idle_freedoms(delta(), 1)
    assert sorted(f.links for f in found) == sorted((bar,) for bar in bars)
    joints = {f.links[0]: f.joints for f in found}
    assert joints["left_1"] == ("s11", "s12")
    assert joints["top_2"] == ("r22", "s21", "s23")
    assert joints["foot_3"] == ("s32", "s34", "r33")


def test_legs_between_ball_joints_spin_as_one_and_those_with_a_universal_do_not() -> (
    None
):
    assert idle_freedoms(stewart("U"), 1) == ()
    found = idle_freedoms(stewart("S"), 1)
    assert [(f.links, f.joints) for f in found] == [
        ((f"lower_{k}", f"upper_{k}"), (f"base_{k}", f"ball_{k}")) for k in range(1, 7)
    ]


@pytest.mark.parametrize("linkage", [stewart("S"), delta(), RODS])
def test_idle_freedoms_and_platform_freedom_make_up_the_mobility(
    linkage: Linkage,
) -> None:
    e = default_platform(linkage)
    idle = len(idle_freedoms(linkage, e))
    assert idle + platform_freedom(linkage, e) == instantaneous_mobility(linkage)
    assert idle_freedoms(in_doubles(linkage), e) == idle_freedoms(linkage, e)


@pytest.mark.parametrize("linkage", [stewart("S"), RODS])
def test_what_is_named_is_what_must_be_locked(linkage: Linkage) -> None:
    """A universal joint across the line of a spin takes it away, and nothing else."""
    e = default_platform(linkage)
    freedom = idle_freedoms(linkage, e)[0]
    a, b = (next(p for p in linkage.pairs if p.name == n) for n in freedom.joints)
    u = across(minus(b.point, a.point))
    axes = (u, cross(u, minus(b.point, a.point)))
    locked = replace(a, kind="universal", axes=axes)
    pairs = tuple(locked if p is a else p for p in linkage.pairs)
    other = replace(linkage, pairs=pairs)
    assert instantaneous_mobility(other) == instantaneous_mobility(linkage) - 1
    assert platform_freedom(other, e) == platform_freedom(linkage, e)
    assert len(idle_freedoms(other, e)) == len(idle_freedoms(linkage, e)) - 1


def test_the_platform_is_not_idle() -> None:
    links = [f.links for f in idle_freedoms(RODS, 2)]
    assert not any("first" in moving for moving in links)
    assert idle_freedoms(FOUR_BAR, 2) == ()


@pytest.mark.parametrize(
    ("twist", "words"),
    [
        ((0, 0, -2, 0, 0, 0), "spins about (0, 0, 1) through (0, 0, 0)"),
        ((0, 0, 2, 0, -6, 0), "spins about (0, 0, 1) through (3, 0, 0)"),
        ((0, 0, 2, 0, -6, 1), "screws (pitch 0.5 m) about (0, 0, 1) through (3, 0, 0)"),
        ((0, 0, 0, 0, -4, 3), "shifts along (0, 0.8, -0.6)"),
    ],
)
def test_a_twist_is_told_by_its_axis(twist: tuple[float, ...], words: str) -> None:
    assert twist_in_words(np.array(twist, float)) == words


# ------------------------------------------------------------ redundant constraints


@pytest.mark.parametrize("kind", sorted(PAIR_KINDS))
def test_a_joint_holds_all_that_it_does_not_allow(kind: str) -> None:
    """6 - f independent wrenches that do no work on its screws."""
    axes: tuple[Vector, ...] = ((1, 2, -2), (3, 0, 1))[: PAIR_KINDS[kind].axes]
    pitch = 3 if kind == "helical" else 0
    pair = Pair("j", kind, 0, 1, (4, -1, 2), axes, pitch)
    wrenches = [row for _, row in ch02_01_freedoms._constraints(pair)]
    assert len(wrenches) == exact_rank(wrenches) == 6 - pair.f
    for wrench in wrenches:
        for screw in pair_screws(pair):
            assert sum(a * b for a, b in zip(wrench, screw, strict=True)) == 0


def test_the_last_hinge_of_a_four_bar_holds_it_in_its_plane_once_more() -> None:
    assert [(c.joint, c.words) for c in redundant_constraints(FOUR_BAR)] == [
        ("j4", "force along its axis (0, 0, 1)"),
        ("j4", "moment about (0, 1, 0)"),
        ("j4", "moment about (1, 0, 0)"),
    ]


@given(st.integers(0, 300))
def test_they_are_as_many_as_the_mobility_exceeds_gruebler(seed: int) -> None:
    linkage = spatial(seed)
    missed = instantaneous_mobility(linkage) - count(linkage)
    assert len(redundant_constraints(linkage)) == missed


@pytest.mark.parametrize(
    "linkage",
    [
        *(
            FOUR_BAR,
            FOLDED,
            sarrus(2, 1),
            sarrus(1, 1),
            bennett(),
            stewart("U"),
            delta(),
        ),
        planar((0, 0, 0, 1), (1, 1, 1, 2), (3, 1, 2, 3), (2, 0, 3, 0)),
    ],
)
def test_in_doubles_the_same_constraints_are_named(linkage: Linkage) -> None:
    found = redundant_constraints(linkage)
    assert len(found) == instantaneous_mobility(linkage) - count(linkage)
    assert redundant_constraints(in_doubles(linkage)) == found


def test_a_linkage_that_is_not_overconstrained_has_none() -> None:
    """The hinge that is redundant three times, freed in just those: R to S, and a slide."""
    freed = replace(FOUR_BAR.pairs[3], kind="spherical", axes=())
    linkage = replace(FOUR_BAR, pairs=(*FOUR_BAR.pairs[:3], freed))
    assert [c.words for c in redundant_constraints(linkage)] == [
        "force along (0, 0, 1)"
    ]
    assert instantaneous_mobility(linkage) == instantaneous_mobility(FOUR_BAR)
    assert redundant_constraints(RODS) == redundant_constraints(stewart("U")) == ()


def test_a_second_brace_is_redundant_and_the_first_is_not() -> None:
    """Planted: a link welded twice; either weld may go, not both."""
    welds = tuple(Pair(f"weld_{k}", "fixed", 0, 1) for k in (1, 2))
    linkage = Linkage("braced", ("ground", "block"), welds)
    found = redundant_constraints(linkage)
    assert [c.joint for c in found] == ["weld_2"] * 6
    assert len({c.words for c in found}) == 6


# ------------------------------------------------------------------- platform, cost


@pytest.mark.parametrize(
    ("linkage", "link"),
    [
        (replace(delta(), platform=5), 5),
        (
            replace(delta(), platform=None),
            1,
        ),  # bars have three joints too, but are nearer
        (declared_backwards(delta()), 16),
        (replace(stewart("U"), platform=None), 1),
        (FOUR_BAR, 3),
        (RODS, 4),
        (planar((0, 0, 0, 1), (1, 0, 1, 2), (3, 0, 2, 3)), 3),
    ],
)
def test_the_platform_is_the_one_named_or_the_busiest_or_the_last(
    linkage: Linkage, link: int
) -> None:
    assert default_platform(linkage) == link


def test_the_largest_linkage_is_named_within_a_second() -> None:
    start = time.process_time()
    for linkage in (delta(), in_doubles(delta())):
        idle_freedoms(linkage, 1)
        redundant_constraints(linkage)
    assert time.process_time() - start < 2.0
