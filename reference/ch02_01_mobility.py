"""2.1.3.4 Instantaneous mobility: the kernel of the structure matrix of one pose."""

from __future__ import annotations

from collections.abc import Sequence

from models.linkage import Linkage, Number
from reference.ch02_01_rank import exact_rank
from reference.ch02_01_structure import (
    Row,
    Rows,
    in_doubles,
    structure_matrix,
    with_condition,
    without_link,
)
from reference.rank import rank_of


def is_rational(linkage: Linkage) -> bool:
    """Whether no number of a linkage is a float, so that its rank can be had exactly."""
    return not any(
        isinstance(x, float)
        for pair in linkage.pairs
        for x in (*pair.point, *(x for axis in pair.axes for x in axis), pair.pitch)
    )


def rank(A: Rows, exact: bool) -> int:
    """The rank: in rational arithmetic, or by singular values."""
    if exact:
        return exact_rank(A)
    return rank_of(in_doubles(A)).rank


def instantaneous_mobility(linkage: Linkage) -> int:
    """dim ker A = 6 (N - 1) + sum f - rank A, exact where the linkage's numbers are."""
    A = structure_matrix(linkage)
    return len(A[0]) - rank(A, is_rational(linkage))


def default_platform(linkage: Linkage) -> int:
    """The link whose freedom is of interest.

    The one that the linkage names; the last of an open chain; of the links with three joints
    or more the one with most, and of several the one farthest from the ground; else the
    last link with a joint to the ground, the follower.
    """
    if linkage.platform is not None:
        return linkage.platform
    if len(linkage.pairs) == len(linkage.links) - 1:
        return len(linkage.links) - 1
    ends = [i for pair in linkage.pairs for i in (pair.first, pair.second)]
    degree = {i: ends.count(i) for i in range(1, len(linkage.links))}
    far = _distances(linkage)
    busiest = max(degree, key=lambda i: (degree[i], far[i], -i))
    if degree[busiest] >= 3:
        return busiest
    grounded = [max(p.first, p.second) for p in linkage.pairs if not p.first * p.second]
    return max(grounded)


def _distances(linkage: Linkage) -> dict[int, int]:
    """How many joints each link is away from the ground."""
    far, steps = {0: 0}, 0
    while len(far) < len(linkage.links):
        near, steps = set(far), steps + 1
        for p in linkage.pairs:
            for a, b in ((p.first, p.second), (p.second, p.first)):
                if a in near and b not in near:
                    far[b] = steps
    return far


def platform_freedom(linkage: Linkage, e: int) -> int:
    """Dimension of the twists of link e: 6 - (rank A - rank A')."""
    A, exact = structure_matrix(linkage), is_rational(linkage)
    return 6 - (rank(A, exact) - rank(without_link(A, e), exact))


def freedom_under(linkage: Linkage, e: int, part: str) -> int:
    """dim ker A with a part ("omega" or "v") of link e's twist held at zero (2.1.5)."""
    A = with_condition(structure_matrix(linkage), e, part)
    return len(A[0]) - rank(A, is_rational(linkage))


def single_loop_mobility(screws: Sequence[Sequence[Number]]) -> int:
    """n - rank [S_1 ... S_n] of the n joint screws of one loop (2.1.3.4)."""
    rows: list[Row] = [list(screw) for screw in screws]
    exact = not any(isinstance(x, float) for row in rows for x in row)
    return len(rows) - rank(rows, exact)
