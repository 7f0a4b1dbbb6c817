"""2.1 What the chapter prints, judged: claims/ch02_01.toml with our values."""

from __future__ import annotations

from collections.abc import Callable, Container
from functools import cache, partial

import numpy as np

from models import Linkage, linkage_named
from reference import ch02_01_claims_motion
from reference.ch02_01_analysis import Ranks, ranks
from reference.ch02_01_freedoms import idle_freedoms
from reference.ch02_01_joints import SIZES
from reference.ch02_01_mobility import (
    freedom_under,
    instantaneous_mobility,
    platform_freedom,
)
from reference.ch02_01_structure import (
    grubler,
    grubler_by_loops,
    in_doubles,
    independent_loops,
    planar_freedoms,
    structure_matrix,
)
from reference.claim import (
    Claim,
    Judge,
    Outcome,
    judge_digits,
    judge_equal,
    judge_erratum,
    judge_property,
    judged,
    load,
    undecided,
)
from reference.rank import split

NAMES = (
    "fourbar", "parallelogram_spread", "parallelogram_folded", "slider_crank",
    "threebar_parallelogram", "fivebar", "3RPR", "sarrus", "bennett", "stewart_UPS",
    "stewart_SPS", "delta",
)  # fmt: skip
"""The twelve mechanisms of 2.1.5, in the order of the table."""


def mechanism(name: str) -> Linkage:
    """One of the twelve; Bennett's as printed, with the angles that its numbers fit."""
    return linkage_named(f"chapter-{name}")


@cache
def ranks_of(name: str) -> Ranks:
    """The rank of its structure matrix by every route."""
    return ranks(mechanism(name))


def counted(name: str) -> tuple[int, int]:
    """m and Gruebler's M: m = 3 where all moves in one plane."""
    linkage = mechanism(name)
    planar = planar_freedoms(linkage)
    m = 6 if planar is None else 3
    f = tuple(p.f for p in linkage.pairs) if planar is None else planar
    return m, grubler(m, len(linkage.links), f)


def kernel(name: str) -> int:
    """dim ker A, of the linkage meant where numbers are rounded."""
    found = ranks_of(name)
    return found.columns - found.rank


def platform(name: str) -> int:
    """Index of its platform.

    Raises:
        ValueError: If the data names none.
    """
    e = mechanism(name).platform
    if e is None:
        raise ValueError(f"{name} has no platform")
    return e


def _count(name: str, claim: Claim) -> Outcome:
    m, M = counted(name)
    return judge_equal(claim, [M], f"m = {m}")


def _kernel(name: str, claim: Claim) -> Outcome:
    found = ranks_of(name)
    remark = f"A {found.rows} x {found.columns}, rank {found.rank}; {found.words}"
    return judge_equal(claim, [kernel(name)], remark)


def _platform(name: str, claim: Claim) -> Outcome:
    return judge_equal(claim, [platform_freedom(mechanism(name), platform(name))])


def _compared(agree: bool, claim: Claim) -> Outcome:
    hits = [n for n in NAMES if (counted(n)[1] == kernel(n)) is agree]
    if not agree:
        hits = [n for n in hits if counted(n)[1] < kernel(n)]
    return judge_equal(claim, [len(hits)], ", ".join(hits))


def _held(part: str, claim: Claim) -> Outcome:
    return judge_equal(
        claim, [freedom_under(mechanism("delta"), platform("delta"), part)]
    )


def largest_matrix(claim: Claim) -> Outcome:
    """Rows and columns of the largest structure matrix of the twelve."""
    largest = max((ranks_of(n) for n in NAMES), key=lambda r: r.rows * r.columns)
    return judge_equal(claim, [largest.rows, largest.columns])


def delta_inside(claim: Claim) -> Outcome:
    """Which links move while the platform rests."""
    idle = idle_freedoms(mechanism("delta"), platform("delta"))
    rods = [i for i in idle if all("rod" in link for link in i.links)]
    bars = [i for i in idle if all("bar" in link for link in i.links)]
    as_counted = len(idle) == int(claim.printed[0])
    wrong = as_counted and len(rods) == len(bars) == 6
    return judge_erratum(
        claim,
        wrong,
        f"{len(rods)} rods, {len(bars)} bars",
        f"the count {len(idle)} is right, but only {len(rods)} are rods; the other "
        f"{len(bars)} are the bars across, which spin about the line of their ball joints",
    )


def smallest_accepted(claim: Claim) -> Outcome:
    """The least singular value that counts, of the twelve."""
    least = min(NAMES, key=lambda n: ranks_of(n).svd.smallest)
    return judge_digits(claim, [ranks_of(least).svd.smallest], f"of {least}")


def largest_rejected(claim: Claim) -> Outcome:
    """The largest singular value that does not count is rounding: no number of ours."""
    top = max(NAMES, key=lambda n: ranks_of(n).svd.next)
    value, largest = ranks_of(top).svd.next, ranks_of(top).svd.largest
    bound = 141 * 2.0**-52 * largest
    return judge_property(
        claim,
        0 < value < bound and float(claim.printed[0]) < bound,
        f"{value:.2g}",
        f"rounding noise, of {top}; both below n eps sigma_1 = {bound:.1e}",
    )


def ratio(claim: Claim) -> Outcome:
    """The quotient of the two printed numbers."""
    return judge_digits(claim, [1.54e-2 / 3.35e-16], "quotient of the printed numbers")


def margin_of_pivots(claim: Claim) -> Outcome:
    """The margin printed for the pivots is that of the singular values."""
    pivots = [ranks_of(n).elimination for n in NAMES]
    accepted = min(p.smallest_accepted for p in pivots)
    rejected = max(p.largest_rejected for p in pivots)
    other = abs(accepted / rejected / float(claim.printed[0]) - 1) > 0.5
    return judge_erratum(
        claim,
        other,
        f"{accepted / rejected:.1e}",
        f"4.6e13 is the ratio of singular values; the pivots are {accepted:.2g} accepted "
        f"and {rejected:.1e} rejected, a ratio of {accepted / rejected:.1e}",
    )


def both_formulas(claim: Claim) -> Outcome:
    """Gruebler by constraints and by loops, on the twelve in space."""
    holds = True
    for name in NAMES:
        linkage = mechanism(name)
        N, f = len(linkage.links), [p.f for p in linkage.pairs]
        for m in (3, 6):
            L = independent_loops(N, len(f))
            holds &= grubler(m, N, f) == grubler_by_loops(m, L, f)
    return judge_property(claim, holds, "equal", "on the twelve, m = 3 and 6")


def platform_by_projection(claim: Claim) -> Outcome:
    """6 - (rank A - rank A') against the kernel's part at the platform."""
    wrong = []
    for name in NAMES:
        linkage, e = mechanism(name), platform(name)
        A = in_doubles(structure_matrix(linkage))
        part = split(A).kernel[6 * (e - 1) : 6 * e]
        if np.linalg.matrix_rank(part, tol=1e-9) != platform_freedom(linkage, e):
            wrong.append(name)
    words = f"not on {', '.join(wrong)}" if wrong else "on the twelve"
    return judge_property(claim, not wrong, "equal", words)


def spatial_fourbar(claim: Claim) -> Outcome:
    """The four-bar with m = 6."""
    return judge_equal(claim, [grubler(6, 4, [1, 1, 1, 1])])


def folded_rank(claim: Claim) -> Outcome:
    """n - rank of the single loop is the mobility of the folded pose."""
    linkage = mechanism("parallelogram_folded")
    n = len(linkage.pairs)
    return judge_equal(claim, [n - instantaneous_mobility(linkage)], "spread: 3")


PRINTED_SIZES = (
    "RX", "PX", "HX", "Universal", "Spherical", "SphericalZYX", "Planar", "Translation",
    "FreeFlyer",
)  # fmt: skip
"""Pinocchio's joint models whose sizes 2.1.5 (4) prints."""

_LIBRARY = (
    "a matter of the library; the records joint_sizes of this run hold its answers "
    "against the reference's table"
)


def library_says(claim: Claim) -> Outcome:
    """Not a matter of the reference, whose table holds what Pinocchio should say."""
    sizes = SIZES["pinocchio"]["JointModel" + claim.id.removeprefix("2.1-pin-")]
    return undecided(claim, sizes, _LIBRARY)


def library_has_none(claim: Claim) -> Outcome:
    """The joint models of that name in the reference's table."""
    named = [name for name in SIZES["pinocchio"] if "Cylindrical" in name]
    return undecided(claim, [len(named)], _LIBRARY)


_COUNTS: dict[str, Callable[[str, Claim], Outcome]] = {
    "grubler": _count,
    "kernel": _kernel,
}

CLAIMS: dict[str, Judge] = {
    **{f"2.1-{n}-{k}": partial(j, n) for n in NAMES for k, j in _COUNTS.items()},
    **{
        f"2.1-{n}-platform": partial(_platform, n)
        for n in ("stewart_UPS", "stewart_SPS", "delta")
    },
    "2.1-agree-8": partial(_compared, True),
    "2.1-disagree-4": partial(_compared, False),
    "2.1-delta-w0": partial(_held, "omega"),
    "2.1-delta-v0": partial(_held, "v"),
    "2.1-delta-matrix": largest_matrix,
    "2.1-delta-internal-12": delta_inside,
    "2.1-min-accepted-sv": smallest_accepted,
    "2.1-max-rejected-sv": largest_rejected,
    "2.1-sv-ratio": ratio,
    "2.1-pivot-vs-sv": margin_of_pivots,
    "2.1-fourbar-spatial": spatial_fourbar,
    "2.1-grubler-L": both_formulas,
    "2.1-platform-formula": platform_by_projection,
    "2.1-UPS-count": partial(_count, "stewart_UPS"),
    "2.1-folded-screw-rank": folded_rank,
    **{f"2.1-pin-{joint}": library_says for joint in PRINTED_SIZES},
    "2.1-pin-cylindrical": library_has_none,
    **ch02_01_claims_motion.CLAIMS,
}
"""What computes our side of each claim, by the claim's id."""


def claims() -> list[Claim]:
    """The claims of the chapter, in the order of the text."""
    return list(load("2.1"))


def evaluate(ids: Container[str] | None = None) -> list[tuple[Claim, Outcome]]:
    """The claims of the chapter, of some ids or all, with their outcomes."""
    return judged("2.1", CLAIMS, ids)
