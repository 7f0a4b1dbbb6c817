"""Linkages that move in exact numbers only, or would not move but for their geometry."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest

from models import Linkage, Pair, linkage_named
from models.linkage import Vector
from reference.ch02_01_local import local
from reference.ch02_01_mobility import instantaneous_mobility, platform_freedom
from reference.ch02_01_motion import Motion
from reference.ch02_01_tracking import WHOLE, track

BROKEN_BY_ROUNDING = [
    "Bennett 4R",
    "Goldberg 5R",
    "Goldberg 6R (three Bennett chain, serial variant)",
    "Myard plane-symmetric 5R",
    "Bricard line-symmetric 6R",
    "Bricard line-symmetric octahedral 6R",
    "Bricard trihedral 6R",
    "Threefold-symmetric Bricard / kaleidocycle 6",
    "Altmann 6R",
    "Wohlhart 6R",
    "Delta 3-R(4U)",
    "Delta 3-RRPaR (parallelograms with R)",
]
"""What ties their numbers to each other is lost where doubles round them."""

HELD_BY_ANY_NUMBERS = [
    "Kaleidocycle 8R",
    "IFToMM A04 Bricard (5 rods + ground, 6R) at reference",
    "Double Hooke joint 6R (equal angles, coplanar shafts)",
    "Double Hooke joint 6R, unequal shaft angles",
    "Double-spherical 6R (3 concurrent + 3 concurrent axes)",
    "4H, parallel axes, equal pitch (Delassus)",
    "Peaucellier-Lipkin 8-bar 10R",
    "Omni-Wrist III type 4-RRRR (mirror-symmetric legs)",
    "Omni-Wrist type 3-RRRR",
    "Sarrus with 3 leg sets (3-RRR vertical)",
    "3-RRR spherical (Agile Eye type)",
    "Isoglide4-type T3R1 (3xPRRRR + 1xPRRR)",
    "3-PRRR Cartesian parallel manipulator (Kim-Tsai / Tripteron / Isoglide3)",
    "3-UPU translational (Tsai), outer axes parallel & inner axes parallel",
    "3-UPU translational (generic outer axes)",
    "Delta 3-R(4S)",
    "6-UPS Gough-Stewart",
    "6-SPS Gough-Stewart",
    "3-RPS",
    "3-PRS",
    "3-RRS",
]
"""Rounding keeps the equal numbers that move them equal, or nothing has to be equal."""

RIGID = [
    "Wohlhart with R1+R3+R5!=0 (control)",
    "Wohlhart with R2+R4+R6!=0 (control)",
]

PLATFORMS = {
    "3-UPU translational (Tsai), outer axes parallel & inner axes parallel": 3,
    "3-UPU translational (generic outer axes)": 3,
    "Delta 3-R(4S)": 3,
    "Delta 3-R(4U)": 3,
    "Delta 3-RRPaR (parallelograms with R)": 3,
    "Isoglide4-type T3R1 (3xPRRRR + 1xPRRR)": 4,
    "Sarrus with 3 leg sets (3-RRR vertical)": 1,
    "6-UPS Gough-Stewart": 6,
    "6-SPS Gough-Stewart": 6,
}
"""Freedom of the platform, without what only spins beside it."""


def vector(numbers: Vector, number: type[Fraction] | type[float]) -> Vector:
    x, y, z = numbers
    return (number(x), number(y), number(z))


def rounded(linkage: Linkage) -> Linkage:
    """The doubles next to its numbers, taken for the geometry."""

    def nearest(v: Vector) -> Vector:
        return vector(vector(v, float), Fraction)

    def pair(p: Pair) -> Pair:
        axes = tuple(nearest(axis) for axis in p.axes)
        pitch = Fraction(float(p.pitch))
        return replace(p, point=nearest(p.point), axes=axes, pitch=pitch)

    return replace(linkage, pairs=tuple(pair(p) for p in linkage.pairs))


def finite_mobility(linkage: Linkage) -> int:
    """Least nullity on motions of a quarter radian, both ways along two directions."""
    motion = Motion(linkage)
    kernel = local(motion, motion.start).kernel
    rng = np.random.default_rng(0)
    nullities = []
    for number in range(2):
        along = kernel @ rng.normal(size=kernel.shape[1])
        for way in (along, -along):
            followed = track(motion, motion.start, way, 0.25, number, "")
            assert followed.stop == WHOLE
            nullities.append(followed.nullity)
    return min(nullities)


# ----------------------------------------------------------------------------- mobility


@pytest.mark.parametrize("title", BROKEN_BY_ROUNDING + HELD_BY_ANY_NUMBERS + RIGID)
def test_the_exact_kernel_is_the_published_mobility(title: str) -> None:
    linkage = linkage_named(title)
    assert linkage.exact
    assert instantaneous_mobility(linkage) == linkage.mobility


@pytest.mark.parametrize("title", BROKEN_BY_ROUNDING)
def test_the_same_numbers_rounded_to_doubles_have_a_higher_rank(title: str) -> None:
    linkage = linkage_named(title)
    rigid = instantaneous_mobility(rounded(linkage))
    assert rigid < instantaneous_mobility(linkage)


@pytest.mark.parametrize("title", HELD_BY_ANY_NUMBERS)
def test_what_equal_numbers_hold_survives_rounding(title: str) -> None:
    linkage = linkage_named(title)
    assert instantaneous_mobility(rounded(linkage)) == linkage.mobility


@pytest.mark.parametrize("title", BROKEN_BY_ROUNDING + HELD_BY_ANY_NUMBERS)
def test_it_moves_by_more_than_an_instant(title: str) -> None:
    linkage = linkage_named(title)
    assert finite_mobility(linkage) == linkage.mobility


@pytest.mark.parametrize("title", PLATFORMS)
def test_the_platform_has_the_published_freedom(title: str) -> None:
    linkage = linkage_named(title)
    assert linkage.platform is not None
    assert platform_freedom(linkage, linkage.platform) == PLATFORMS[title]
