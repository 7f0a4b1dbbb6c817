"""2.1.5 (2), (3) The claims on linkages in motion: Bennett, Sarrus, the folded one."""

from __future__ import annotations

import numpy as np

from reference.carriers import UNIT_ROUNDOFF
from reference.ch02_01_closure import rounding, wrapped
from reference.ch02_01_displacement import Array
from reference.ch02_01_singleloop import (
    ALPHA,
    BETA,
    DEVIATIONS,
    NEAR_FOLD,
    Bennett,
    bennett_turn,
    bennett_violations,
    folded_branches,
    half_tangent_constant,
    loop_screws,
    sarrus_extension,
    sarrus_path,
    sarrus_stretched,
    sarrus_values,
)
from reference.claim import (
    Claim,
    Judge,
    Outcome,
    judge_digits,
    judge_equal,
    judge_erratum,
    judge_property,
    judge_residual,
)
from reference.measured import Measured
from reference.rank import RANK_RTOL


def _ranks(s: Array) -> list[int]:
    """The different ranks that singular values (..., n) tell."""
    ranks: list[int] = np.unique((s > RANK_RTOL * s[..., :1]).sum(axis=-1)).tolist()
    return ranks


def _rank(claim: Claim, s: Array, remark: str) -> Outcome:
    """The rank that is furthest from the printed one."""
    printed = float(claim.printed[0])
    worst = max(_ranks(s), key=lambda rank: abs(rank - printed))
    return judge_equal(claim, [worst], remark)


def _vanishes(claim: Claim, value: Array, bound: Array, remark: str) -> Outcome:
    """Numbers that are zero but for rounding."""
    shape = (-1, 1, 1)
    measured = Measured(
        value.reshape(shape), np.broadcast_to(bound, value.shape).reshape(shape)
    )
    return judge_residual(claim, measured, remark=remark)


def _angles_off(turn: Bennett) -> Array:
    """How far angles may be from closed ones (m,): rounding over the slope [rad]."""
    return turn.rounding / turn.s[:, 2]


def bennett_rank(claim: Claim) -> Outcome:
    """The rank at each of 145 configurations, a turn each way."""
    s = bennett_turn().s
    gap = s[:, 2].min() / s[:, 3].max()
    return _rank(claim, s, f"145 configurations, both ways; gap {gap:.1e}")


def bennett_third(claim: Claim) -> Outcome:
    """The least third singular value."""
    return judge_digits(claim, [float(bennett_turn().s[:, 2].min())])


def bennett_fourth(claim: Claim) -> Outcome:
    """The fourth singular value: angles a little off turn every screw about the others."""
    turn = bennett_turn()
    size = turn.s[:, 0]
    bound = 4 * size**2 * _angles_off(turn) + 10 * 6 * UNIT_ROUNDOFF * size
    return _vanishes(claim, turn.s[:, 3], bound, "on both turns")


def bennett_residual(claim: Claim) -> Outcome:
    """|log T|."""
    turn = bennett_turn()
    return _vanishes(claim, turn.residual, turn.rounding, "on both turns")


def bennett_relation(claim: Claim) -> Outcome:
    """sin sin - K cos cos of the half angles, whose slopes are at most (1 + K)/2."""
    turn, K = bennett_turn(), half_tangent_constant(ALPHA, BETA)
    half = turn.theta / 2
    sines = np.sin(half[:, 0]) * np.sin(half[:, 1])
    off = sines - K * np.cos(half[:, 0]) * np.cos(half[:, 1])
    own = UNIT_ROUNDOFF * (4 + K * (4 + (BETA + ALPHA) / (BETA - ALPHA)))
    return _vanishes(claim, off, (1 + K) * _angles_off(turn) + own, f"K = {K:.6g}")


def bennett_sums(claim: Claim) -> Outcome:
    """theta_1 + theta_3 and theta_2 + theta_4, modulo a turn."""
    turn = bennett_turn()
    off = wrapped(turn.theta[:, :2] + turn.theta[:, 2:])
    bound = 2 * _angles_off(turn) + 8 * np.pi * UNIT_ROUNDOFF
    return _vanishes(claim, off, bound[:, None], "on both turns")


def bennett_closes(claim: Claim) -> Outcome:
    """Without deviation the residual is rounding."""
    value, turn = np.array(bennett_violations()[:1]), bennett_turn()
    return _vanishes(claim, value, turn.rounding.max(), "of 60 starts")


def bennett_opens(claim: Claim) -> Outcome:
    """0.1 deg of deviation."""
    return judge_digits(claim, [bennett_violations()[1]], "of 60 starts")


def bennett_is_proportional(claim: Claim) -> Outcome:
    """Residual per degree: what is not proportional is of the next order in d beta/beta."""
    pairs = list(zip(DEVIATIONS[1:], bennett_violations()[1:], strict=True))
    slope = pairs[0][1] / pairs[0][0]
    off = [abs(r / (slope * d) - 1) for d, r in pairs]
    holds = all(e <= np.radians(d) / BETA for e, (d, _) in zip(off, pairs, strict=True))
    words = ", ".join(f"{d} deg: {r:.3g}" for d, r in pairs)
    share = f"off proportion by {100 * off[-1]:.1f} % at {pairs[-1][0]:g} deg of 50"
    return judge_property(claim, holds, words, share)


def sarrus_rank(claim: Claim) -> Outcome:
    """The rank at the sampled configurations."""
    return _rank(claim, sarrus_values(sarrus_path().theta), "16 samples")


def sarrus_relation(claim: Claim) -> Outcome:
    """The joints of leg A."""
    path, S = sarrus_path(), loop_screws("chapter-sarrus")
    theta = path.theta
    off = theta[:, :3] - theta[:, :1] * np.array([1.0, -2.0, 1.0])
    bound = rounding(S, theta) / sarrus_values(theta)[:, 4]
    return _vanishes(claim, off, bound[:, None], "16 samples")


def _rank_of_stretched() -> int:
    return _ranks(sarrus_values(sarrus_stretched().theta))[0]


def sarrus_angle(claim: Claim) -> Outcome:
    """The tangent of theta_1 where the axes of leg A lie in one plane."""
    t = sarrus_extension()
    return judge_digits(claim, [float(np.tan(t))], f"theta_1 = {t:.10g} rad")


def sarrus_extended_rank(claim: Claim) -> Outcome:
    """The rank with stretched legs."""
    closing = sarrus_stretched()
    remark = f"residual {closing.residual:.1e}; here a second motion branches off"
    return judge_equal(claim, [_rank_of_stretched()], remark)


def sarrus_is_not_constant(claim: Claim) -> Outcome:
    """arctan 0.75 lies between 0 and 1.5."""
    inside = 0 < sarrus_extension() < 1.5 and _rank_of_stretched() == 4
    return judge_erratum(
        claim,
        inside,
        "4 at 0.6435",
        "the rank is 5 at the configurations sampled, and 4 at theta_1 = arctan 0.75 = "
        "0.6435 rad, which lies between two of them",
    )


def folded_count(claim: Claim) -> Outcome:
    """Different closures at 0.2 rad."""
    return judge_equal(claim, [len(folded_branches()[0])], "of 200 starts")


def folded_converges(claim: Claim) -> Outcome:
    """Both closures beside the fold, ever nearer."""
    sizes = [max(float(np.abs(b).max()) for b in found) for found in folded_branches()]
    two = all(len(found) == 2 for found in folded_branches())
    shrinks = all(s < 5 * t for s, t in zip(sizes, NEAR_FOLD, strict=True))
    words = ", ".join(f"{s:.2g}" for s in sizes)
    return judge_property(
        claim, two and shrinks, words, "largest angle of either closure"
    )


CLAIMS: dict[str, Judge] = {
    "2.1-bennett-rank": bennett_rank,
    "2.1-bennett-s3": bennett_third,
    "2.1-bennett-s4": bennett_fourth,
    "2.1-bennett-residual": bennett_residual,
    "2.1-bennett-relation": bennett_relation,
    "2.1-bennett-sums": bennett_sums,
    "2.1-bennett-viol-0": bennett_closes,
    "2.1-bennett-viol-0.1": bennett_opens,
    "2.1-bennett-viol-linear": bennett_is_proportional,
    "2.1-sarrus-rank": sarrus_rank,
    "2.1-sarrus-relation": sarrus_relation,
    "2.1-sarrus-ext-angle": sarrus_angle,
    "2.1-sarrus-ext-rank": sarrus_extended_rank,
    "2.1-sarrus-rank-const": sarrus_is_not_constant,
    "2.1-folded-2sol": folded_count,
    "2.1-folded-converge": folded_converges,
}
"""What computes our side of each claim, by the claim's id."""
