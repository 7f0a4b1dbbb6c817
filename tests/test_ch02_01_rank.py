"""2.1.3.4 The rank by elimination, by singular values, exactly, and proven from below."""

from __future__ import annotations

from fractions import Fraction as Q

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from models.linkage import Linkage, Number
from reference import ch02_01_rank
from reference.ch02_01_rank import certified_rank, eliminated, exact_rank
from reference.ch02_01_structure import structure_matrix
from reference.rank import rank_of
from tests.chapter_linkages import bennett, delta, sarrus, stewart
from tests.test_ch02_01_motion import FOLDED, FOUR_BAR

LINKAGES = [FOUR_BAR, FOLDED, sarrus(2, 1), sarrus(1, 1), bennett(), bennett(Q(11, 10))]
LINKAGES += [stewart("U"), stewart("S"), delta()]


def matrix(linkage: Linkage) -> np.ndarray:
    return np.array(structure_matrix(linkage), dtype=float)


@st.composite
def of_known_rank(draw: st.DrawFn) -> tuple[np.ndarray, int]:
    """B C, whole numbers: B has the unit columns in some rows, C the unit rows."""
    r = draw(st.integers(0, 5))
    m, n = draw(st.integers(r or 1, 9)), draw(st.integers(r or 1, 9))
    rng = np.random.default_rng(draw(st.integers(0, 2**32)))
    B = np.vstack([np.eye(r), rng.integers(-3, 4, (m - r, r))])[rng.permutation(m)]
    C = np.hstack([np.eye(r), rng.integers(-3, 4, (r, n - r))])[:, rng.permutation(n)]
    return B @ C, r


def chapters_rank(A: list[list[float]], tol: float = 1e-9) -> tuple[int, float, float]:
    """`rank` of 2.1.5, as printed."""
    A = [r[:] for r in A]
    m, n, r, lo = len(A), len(A[0]), 0, 1e300
    v = 0.0
    while r < min(m, n):
        rr, cc = range(r, m), range(r, n)
        v, i, j = max((abs(A[p][q]), p, q) for p in rr for q in cc)
        if v <= tol:
            break
        lo = min(lo, v)
        A[r], A[i] = A[i], A[r]
        for row in A:
            row[r], row[j] = row[j], row[r]
        for i in range(r + 1, m):
            f = A[i][r] / A[r][r]
            A[i] = [x - f * y for x, y in zip(A[i], A[r], strict=True)]
        r += 1
    return r, lo, (v if r < min(m, n) else 0.0)


@given(of_known_rank())
def test_every_route_finds_a_rank_known_by_construction(
    case: tuple[np.ndarray, int],
) -> None:
    A, r = case
    assert exact_rank(A.tolist()) == r
    assert eliminated(A).rank == rank_of(A).rank == certified_rank(A) == r


@pytest.mark.parametrize("linkage", LINKAGES)
def test_every_route_finds_the_same_rank_of_a_linkage_in_whole_numbers(
    linkage: Linkage,
) -> None:
    A = matrix(linkage)
    r = exact_rank(structure_matrix(linkage))
    assert eliminated(A).rank == rank_of(A).rank == np.linalg.matrix_rank(A) == r
    assert certified_rank(A) == r


@pytest.mark.parametrize("linkage", [FOUR_BAR, sarrus(2, 1), bennett(), stewart("U")])
def test_elimination_is_the_one_printed(linkage: Linkage) -> None:
    A = matrix(linkage)
    found, (rank, accepted, rejected) = eliminated(A), chapters_rank(A.tolist())
    assert found.rank == rank
    assert found.smallest_accepted > 1e-3
    assert accepted > 1e-3
    assert max(found.largest_rejected, rejected) < 1e-12


def test_elimination_tells_the_pivots_on_both_sides_of_its_tolerance() -> None:
    A = np.diag([3.0, 2e-9, 1e-9, 1e-12])
    assert eliminated(A) == (2, 2e-9, 1e-9)
    assert eliminated(A, 1e-13) == (4, 1e-12, 0.0)
    assert eliminated(np.zeros((2, 3))) == (0, np.inf, 0.0)


def test_a_float_is_the_rational_number_that_it_is() -> None:
    assert exact_rank([[0.5, 1], [Q(1, 4), 0.5]]) == 1
    assert exact_rank([[0.1, 1], [Q(1, 10), 1]]) == 2
    assert exact_rank([]) == exact_rank([[]]) == exact_rank([[0, 0]]) == 0


def test_a_set_of_parallel_axes_tilted_by_1e_13_has_more_rank_than_svd_sees() -> None:
    """Screws about z through points of the plane, each tilted a little otherwise."""
    t = Q(1, 10**13)
    points = [(0, 0), (1, 0), (0, 1), (2, 3), (-1, 4), (5, -2)]
    screws: list[list[Number]] = []
    for k, (x, y) in enumerate(points):
        a, b = k * k * t, (k**3 - 2) * t
        screws.append([a, b, 1, y, -x, x * b - y * a])
    straight: list[list[Number]] = [[0, 0, 1, y, -x, 0] for x, y in points]
    doubles = np.array(screws, dtype=float)
    assert exact_rank(straight) == rank_of(np.array(straight, dtype=float)).rank == 3
    assert (exact_rank(screws), rank_of(doubles).rank) == (6, 3)
    assert 0 < rank_of(doubles).next < 1e-10
    assert certified_rank(doubles) == 3


# --------------------------------------------------------- what a proof must refuse


def test_no_proof_is_accepted_of_a_rank_that_is_not_there(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Planted: pivots that are rounding only are tried too."""
    monkeypatch.setattr(ch02_01_rank, "TRUSTED", 0.0)
    rng = np.random.default_rng(1)
    for _ in range(20):
        A = rng.normal(size=(6, 4)).round(3) @ rng.integers(-9, 9, (4, 7)) / 7
        assert certified_rank(A) <= exact_rank(A.tolist())
    thirds = np.array([[1, 2, 3], [4, 5, 6], [7, 8, 9]]) / 8.0
    assert certified_rank(thirds) == exact_rank(thirds.tolist()) == 2


@given(st.integers(1, 40))
def test_an_inverse_to_few_digits_proves_a_regular_matrix(seed: int) -> None:
    A = np.random.default_rng(seed).normal(size=(8, 8)) @ np.diag(0.1 ** np.arange(8.0))
    assert certified_rank(A) == exact_rank(A.tolist()) == 8


def test_a_proof_needs_a_good_inverse(monkeypatch: pytest.MonkeyPatch) -> None:
    """Planted: with a wrong inverse nothing is proven, regular or not."""
    A = matrix(bennett())
    inverse = np.linalg.inv
    monkeypatch.setattr(np.linalg, "inv", lambda B: -inverse(B))
    assert certified_rank(A) == 0
    monkeypatch.setattr(np.linalg, "inv", lambda B: np.full_like(B, np.nan))
    assert certified_rank(A) == 0
