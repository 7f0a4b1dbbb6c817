"""2.1.4 The verdict on a linkage."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest

from models import linkages
from models.linkage import Linkage, LinkageError, Pair
from reference import ch02_01_analysis
from reference.ch02_01_analysis import analyse
from reference.ch02_01_displacement import exp_se3
from reference.ch02_01_tracking import track
from tests.test_ch02_01_motion import (
    FLAT_TRIANGLE,
    FOLDED,
    FOUR_BAR,
    STRETCHED,
    TRIANGLE,
)

PUBLISHED = {n: k for n, k in linkages().items() if k.mobility is not None}


@pytest.mark.parametrize("name", PUBLISHED)
def test_the_finite_mobility_is_the_published_one(name: str) -> None:
    found = analyse(PUBLISHED[name])
    assert found.finite == PUBLISHED[name].mobility
    assert found.verdict == ("finite" if found.finite else "rigid")
    assert all(t.residual < 1e-12 for t in found.tracks)


@pytest.mark.parametrize(
    ("linkage", "verdict", "pose", "finite"),
    [
        (FOUR_BAR, "finite", "generic", 1),
        (TRIANGLE, "rigid", "generic", 0),
        (FLAT_TRIANGLE, "shaky", "singular", 0),
        (STRETCHED, "shaky", "singular", 0),
        (FOLDED, "finite", "singular", 1),
    ],
)
def test_rigid_shaky_and_finite_are_told_apart(
    linkage: Linkage, verdict: str, pose: str, finite: int
) -> None:
    found = analyse(linkage)
    assert (found.verdict, found.pose, found.finite) == (verdict, pose, finite)


def test_the_redundant_constraints_are_what_gruebler_misses() -> None:
    for linkage in (FOUR_BAR, *linkages().values()):
        found = analyse(linkage, poses=2)
        if found.pose == "generic":
            assert len(found.redundant) == found.instantaneous - found.grubler


def tilted(linkage: Linkage, tilt: float, exact: bool) -> Linkage:
    """Every axis tilted by other multiples of a small rational tilt."""
    t = Fraction(tilt)
    pairs = [
        replace(p, axes=((k * t, (k * k - 3) * t, Fraction(1)),))
        for k, p in enumerate(linkage.pairs)
    ]
    return replace(linkage, pairs=tuple(pairs), exact=exact)


@pytest.mark.parametrize("exact", [True, False])
def test_a_planar_linkage_tilted_by_1e_13_is_not_planar_and_we_say_so(
    exact: bool,
) -> None:
    found = analyse(tilted(FOUR_BAR, 1e-13, exact))
    assert found.ranks.svd.rank == found.ranks.columns - 1
    assert found.ranks.exact == found.ranks.columns
    assert found.verdict == "rigid"
    assert any("exact rank 22 is right" in remark for remark in found.remarks)


def test_rounding_alone_does_not_make_a_linkage_rigid() -> None:
    """The same four-bar turned in space, its numbers rounded to doubles."""
    R = exp_se3(np.array([0.3, -0.5, 0.7, 0, 0, 0]))[:3, :3]
    pairs = [
        replace(
            p,
            point=tuple((R @ np.array(p.point, float)).tolist()),
            axes=(tuple((R @ np.array([0, 0, 1.0])).tolist()),),
        )
        for p in FOUR_BAR.pairs
    ]
    found = analyse(replace(FOUR_BAR, pairs=tuple(pairs)))
    assert found.finite == 1
    assert found.ranks.exact > found.ranks.svd.rank
    assert any("is right for the linkage meant" in r for r in found.remarks)


def test_an_open_chain_moves_in_all_its_joints() -> None:
    joints = (
        Pair("a", "universal", 0, 1, (0, 0, 0), ((1, 0, 0), (0, 1, 0))),
        Pair("b", "spherical", 1, 2, (0, 0, 1)),
    )
    found = analyse(Linkage("arm", ("g", "u", "h"), joints))
    assert (found.loops, found.grubler, found.finite) == (0, 5, 5)
    assert found.redundant == ()


def test_a_tracker_that_moves_nothing_is_noticed(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Planted: tracks that stop at once make a four-bar look shaky of higher order."""
    real = track
    monkeypatch.setattr(
        ch02_01_analysis,
        "track",
        lambda m, s, u, length, n, w: real(m, s, u, 0.0, n, w),
    )
    found = analyse(FOUR_BAR)
    assert found.verdict == "shaky"
    assert any("higher order" in remark for remark in found.remarks)


@pytest.mark.parametrize("length", [1e-320, 1e-30, 1e11, 1e308])
def test_the_length_of_an_axis_does_not_matter(length: float) -> None:
    first, *others = FOUR_BAR.pairs
    longer = replace(first, axes=((0.0, 0.0, length),))
    found = analyse(replace(FOUR_BAR, pairs=(longer, *others)))
    assert (found.finite, len(found.redundant)) == (1, 3)


@pytest.mark.parametrize("scale", [1e-12, 1e9])
def test_lengths_at_which_no_rank_can_be_decided_are_refused(scale: float) -> None:
    pairs = []
    for pair in FOUR_BAR.pairs:
        x, y, z = (scale * float(p) for p in pair.point)
        pairs.append(replace(pair, point=(x, y, z)))
    with pytest.raises(LinkageError, match="ranks are decided"):
        analyse(replace(FOUR_BAR, pairs=tuple(pairs)))
