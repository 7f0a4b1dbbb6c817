"""2.1.4 The verdict on a linkage: counted, at this pose, and in motion.

Counting needs no geometry, the rank of the structure matrix one pose, finite mobility a
path; each is reported beside the others, for where they differ lies the finding.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from models.linkage import Linkage
from reference.carriers import UNIT_ROUNDOFF
from reference.ch02_01_freedoms import (
    IdleFreedom,
    RedundantConstraint,
    idle_freedoms,
    redundant_constraints,
)
from reference.ch02_01_local import Local, local
from reference.ch02_01_mobility import default_platform, platform_freedom
from reference.ch02_01_motion import Motion
from reference.ch02_01_rank import Elimination, certified_rank, eliminated, exact_rank
from reference.ch02_01_scaling import moderate
from reference.ch02_01_structure import (
    grubler,
    in_doubles,
    independent_loops,
    planar_freedoms,
    structure_matrix,
)
from reference.ch02_01_tracking import SingularPose, Track, track
from reference.rank import RANK_RTOL, Rank, rank_of

LENGTH = 3.0
"""How far a track is followed, in rad and sizes of the linkage."""
MOVED = 0.01
"""A track shorter than this shows no finite motion."""
BRANCHES = 6
"""Directions of a branching pose up to which each is followed; more are a continuum."""
NEAR = 1e-3
"""A last singular value, over the one before, below which a rank hangs on few digits."""


@dataclass(frozen=True)
class Ranks:
    """The rank of the structure matrix A of a pose, by every route, and which one holds.

    Attributes:
        rows: Rows of A.
        columns: Columns of A.
        elimination: By full pivoting.
        svd: By singular values.
        exact: In rational arithmetic, of the numbers as they stand.
        certified: A lower bound proven in balls.
        rank: The one that holds.
        words: Why.
    """

    rows: int
    columns: int
    elimination: Elimination
    svd: Rank
    exact: int
    certified: int
    rank: int
    words: str


@dataclass(frozen=True)
class Analysis:
    """What there is to say of a linkage.

    Attributes:
        linkage: The linkage.
        links: N, the ground counted.
        joints: J.
        loops: L = J - N + 1.
        freedoms: Sum of the joints' freedoms.
        grubler: Gruebler's count with m = 6.
        planar_grubler: The same with m = 3, None unless all moves in one plane.
        instantaneous: Instantaneous mobility at the pose given.
        finite: Finite mobility: dimension of the largest motion that was followed.
        verdict: "rigid", "shaky" (moves at first order only) or "finite".
        pose: "generic", or "singular": more moves here at first order than beside it.
        platform: Index of the platform.
        platform_freedom: Its freedom at the pose given.
        generic_platform_freedom: Its freedom beside the pose given.
        idle: Freedoms that leave the platform at rest.
        redundant: Constraints that the others impose already.
        ranks: The rank decision at the pose given.
        second_order: What the second order says, in words.
        tracks: The motions that were followed.
        remarks: What else must be known to read the verdict.
    """

    linkage: Linkage
    links: int
    joints: int
    loops: int
    freedoms: int
    grubler: int
    planar_grubler: int | None
    instantaneous: int
    finite: int
    verdict: str
    pose: str
    platform: int
    platform_freedom: int
    generic_platform_freedom: int
    idle: tuple[IdleFreedom, ...]
    redundant: tuple[RedundantConstraint, ...]
    ranks: Ranks
    second_order: str
    tracks: tuple[Track, ...]
    remarks: tuple[str, ...]

    @property
    def singular(self) -> tuple[SingularPose, ...]:
        """The singular poses that the tracks met."""
        return tuple(pose for track in self.tracks for pose in track.singular)


def ranks(linkage: Linkage) -> Ranks:
    """The rank of the structure matrix by every route (2.1.3.4), and which one holds."""
    numbers = structure_matrix(linkage)
    A = in_doubles(numbers)
    svd, exact = rank_of(A), exact_rank(numbers)
    rounding = 8 * UNIT_ROUNDOFF * float(np.linalg.norm(A))
    holds, words = _which(linkage, svd, exact, rounding)
    rows, columns = A.shape
    return Ranks(
        rows, columns, eliminated(A), svd, exact, certified_rank(A), holds, words
    )


def _which(linkage: Linkage, svd: Rank, exact: int, rounding: float) -> tuple[int, str]:
    if exact == svd.rank:
        return exact, "exact arithmetic and singular values agree"
    lost = f"the largest singular value given up is {svd.next:.1e}"
    if linkage.exact:
        return exact, (
            f"exact rank {exact} is right, SVD's {svd.rank} wrong: the numbers are stated "
            f"to be exact, and {lost}, below the {RANK_RTOL:.0e} of the largest at which "
            "SVD takes anything for rounding"
        )
    if svd.next > rounding:
        return exact, (
            f"exact rank {exact} is right for the numbers as they stand, SVD's "
            f"{svd.rank} wrong: {lost}, {svd.next / rounding:.0f} times what rounding "
            f"them to doubles explains ({rounding:.1e}); were they rounded more coarsely, "
            f"rank {svd.rank} would be meant"
        )
    return svd.rank, (
        f"rank {svd.rank} of SVD is right for the linkage meant: as the doubles stand the "
        f"exact rank is {exact}, but {lost} and rounding the geometry to doubles alone "
        f"explains {rounding:.1e}; rounded numbers make it less mobile (state them as "
        "fractions, with exact = true, to be certain)"
    )


def analyse(
    linkage: Linkage, platform: int | None = None, seed: int = 0, poses: int = 4
) -> Analysis:
    """Count, decide the rank at the pose given, follow the motions, and say what it means.

    Args:
        linkage: The linkage, in a closed pose.
        platform: Index of the link whose freedom is asked for; chosen without it.
        seed: Of the random directions that the tracks set out along.
        poses: How many tracks, and so generic poses, at least.

    Raises:
        LinkageError: If its lengths are such that no rank can be decided.
    """
    linkage = moderate(linkage)
    decided = ranks(linkage)
    motion = Motion(linkage)
    here = local(motion, motion.start, seed)
    tracks = _tracks(motion, here, seed, poses)
    tracked = max((t.nullity for t in tracks if t.length > MOVED), default=0)
    instantaneous = decided.columns - decided.rank
    finite = min(tracked, instantaneous)
    singular = 0 < finite < instantaneous
    e = default_platform(linkage) if platform is None else platform
    here_free, beside = platform_freedom(linkage, e), _beside(motion, tracks, finite)
    beside_free = platform_freedom(beside, e) if finite else here_free
    there = beside if singular or here_free != beside_free else linkage
    freedoms = tuple(pair.f for pair in linkage.pairs)
    N, J = len(linkage.links), len(linkage.pairs)
    planar = planar_freedoms(linkage)
    verdict = "finite" if finite else "shaky" if instantaneous else "rigid"
    return Analysis(
        linkage,
        N,
        J,
        independent_loops(N, J),
        sum(freedoms),
        grubler(6, N, freedoms),
        None if planar is None else grubler(3, N, planar),
        instantaneous,
        finite,
        verdict,
        "singular" if singular or verdict == "shaky" else "generic",
        e,
        here_free,
        beside_free,
        idle_freedoms(there, e),
        redundant_constraints(there),
        decided,
        str(here),
        tracks,
        tuple(_remarks(motion, here, tracks, decided, finite)),
    )


def _tracks(motion: Motion, here: Local, seed: int, poses: int) -> tuple[Track, ...]:
    """Both ways along the directions that go on, or along random ones if all do."""
    if not here.nullity:
        return ()
    rng, half = np.random.default_rng(seed), max(1, (poses + 1) // 2)
    if here.directions:
        isolated = len(here.directions) <= BRANCHES
        chosen = here.directions if isolated else here.directions[:half]
        along = [(u, f"direction {k}") for k, u in enumerate(chosen, 1)]
    else:
        count = 1 if here.nullity == 1 else half
        amounts = rng.normal(size=(count, here.nullity))
        along = [(here.kernel @ a, f"motion {k}") for k, a in enumerate(amounts, 1)]
    ways = [(sign * u, f"{words}{way}") for u, words in along for sign, way in BOTH]
    return tuple(
        track(motion, motion.start, u, LENGTH, k, words)
        for k, (u, words) in enumerate(ways)
    )


BOTH = ((1.0, ", forward"), (-1.0, ", backward"))


def _beside(motion: Motion, tracks: tuple[Track, ...], finite: int) -> Linkage:
    """The linkage in a generic posture: at the end of a track of the largest motion."""
    ends = [t.end for t in tracks if t.nullity == finite and t.length > MOVED]
    return motion.linkage_at(ends[0]) if ends else motion.linkage


def _remarks(
    motion: Motion,
    here: Local,
    tracks: tuple[Track, ...],
    decided: Ranks,
    finite: int,
) -> list[str]:
    """What else must be known to read the verdict."""
    said = []
    if decided.rank != decided.svd.rank or decided.exact != decided.rank:
        said.append(decided.words)
    dimensions = sorted({t.nullity for t in tracks if t.length > MOVED})
    if len(dimensions) > 1:
        words = ", ".join(map(str, dimensions))
        said.append(f"motions of different dimensions ({words}) meet in this pose")
    if here.is_regular and here.nullity and not finite:
        said.append(
            "the second order lets every velocity go on, but no step closes the loops: "
            "shaky of higher order"
        )
    for t in tracks:
        if t.nullity == finite and finite and not local(motion, t.end).is_regular:
            said.append(
                f"{t.start}: at its end not every velocity goes on to second order; its "
                "dimension is an upper bound"
            )
            break
    if here.rank.rank and here.rank.smallest < NEAR * here.rank.largest:
        said.append(
            f"the last singular value that counts is {here.rank.smallest:.1e}: nearly "
            "singular, or special geometry given with few digits"
        )
    return said
