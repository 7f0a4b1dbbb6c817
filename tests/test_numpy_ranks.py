"""NumPy's rank of a structure matrix, against the exact one."""

from __future__ import annotations

from fractions import Fraction

import pytest

from libcheck.structure import matrix_rank
from models.linkage import Linkage, Pair
from models.linkages import linkage_named, linkages


@pytest.mark.parametrize("name", linkages())
def test_numpy_has_the_rank_of_every_linkage(name: str) -> None:
    record = matrix_rank(linkage_named(name))
    assert record.verdict == "AGREE", record.message


def test_a_bennett_linkage_is_rigid_in_doubles_and_the_record_says_so() -> None:
    record = matrix_rank(linkage_named("chapter-bennett-exact"))
    assert record.got == "21"
    assert record.message.endswith("exact 21, though 22 of the same numbers in doubles")


def fourbar(tilt: Fraction, exact: bool = True) -> Linkage:
    """A planar four-bar one of whose axes is tilted."""
    points = ((0, 0, 0), (1, 2, 0), (4, 3, 0), (5, 0, 0))
    pairs = tuple(
        Pair(f"j{i}", "revolute", i, (i + 1) % 4, point, ((0, tilt * (i == 2), 1),))
        for i, point in enumerate(points)
    )
    return Linkage("tilted", ("ground", "a", "b", "c"), pairs, exact=exact)


def test_numpy_sees_a_tilt_of_1e_13_that_elimination_does_not() -> None:
    record = matrix_rank(fourbar(Fraction(1, 10**13)))
    assert (record.verdict, record.got) == ("AGREE", "22")
    assert "NumPy 22; elimination 21" in record.message


def test_numpy_takes_a_plane_tilted_by_1e_16_for_flat_which_is_wrong() -> None:
    record = matrix_rank(fourbar(Fraction(1, 10**16)))
    assert (record.verdict, record.fault) == ("DIFFER", "library")
    assert int(record.expected) == int(record.got) + 1
    assert matrix_rank(fourbar(Fraction(0))).verdict == "AGREE"
    assert matrix_rank(fourbar(Fraction(1, 10))).verdict == "AGREE"


def test_of_rounded_geometry_the_exact_rank_is_shown_but_does_not_decide() -> None:
    record = matrix_rank(fourbar(Fraction(1, 10**16), exact=False))
    assert (record.verdict, record.got) == ("AGREE", "21")
    assert record.message.endswith(
        "exact 22 of its doubles, which are off the geometry"
    )
