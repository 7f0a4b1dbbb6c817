"""2.1.5 (2), (3) The claims on linkages in motion: Bennett, Sarrus, the folded one."""

from __future__ import annotations

import numpy as np

from reference.ch02_01_displacement import Array
from reference.ch02_01_singleloop import (
    ALPHA,
    BETA,
    DEVIATIONS,
    EXTENDED,
    NEAR_FOLD,
    bennett_turn,
    bennett_violations,
    folded_branches,
    half_tangent_constant,
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
)

GAP = 1e-7
"""Singular values under this count as zero here; the ones printed are far from it."""


def _wrapped(angle: Array) -> Array:
    return (angle + np.pi) % (2 * np.pi) - np.pi


def _below(claim: Claim, value: float, words: str) -> Outcome:
    """A residual against the bound that is printed for it."""
    printed = float(claim.printed[0])
    return judge_property(claim, value <= printed, f"{value:.2g}", words)


def bennett_rank(claim: Claim) -> Outcome:
    """The rank at each of 145 configurations, a turn each way."""
    s = bennett_turn().s
    found = sorted(set((s > GAP).sum(axis=1).tolist()))
    gap = s[:, 2].min() / s[:, 3].max()
    remark = f"145 configurations, both ways; gap {gap:.1e}"
    return judge_equal(claim, [found[0] if len(found) == 1 else -1], remark)


def bennett_third(claim: Claim) -> Outcome:
    """The least third singular value."""
    return judge_digits(claim, [float(bennett_turn().s[:, 2].min())])


def bennett_fourth(claim: Claim) -> Outcome:
    """The largest fourth singular value."""
    return _below(claim, float(bennett_turn().s[:, 3].max()), "on both turns")


def bennett_residual(claim: Claim) -> Outcome:
    """The largest |log T|."""
    return _below(claim, float(bennett_turn().residual.max()), "on both turns")


def bennett_relation(claim: Claim) -> Outcome:
    """sin sin - K cos cos of the half angles."""
    half, K = bennett_turn().theta / 2, half_tangent_constant(ALPHA, BETA)
    sines = np.sin(half[:, 0]) * np.sin(half[:, 1])
    off = sines - K * np.cos(half[:, 0]) * np.cos(half[:, 1])
    return _below(claim, float(np.abs(off).max()), f"K = {K:.6g}")


def bennett_sums(claim: Claim) -> Outcome:
    """theta_1 + theta_3 and theta_2 + theta_4, modulo a turn."""
    theta = bennett_turn().theta
    off = np.abs(_wrapped(theta[:, :2] + theta[:, 2:])).max()
    return _below(claim, float(off), "on both turns")


def bennett_closes(claim: Claim) -> Outcome:
    """Without deviation the residual is rounding."""
    value = bennett_violations()[0]
    return judge_property(claim, value < 1e-15, f"{value:.1e}", "of the printed order")


def bennett_opens(claim: Claim) -> Outcome:
    """0.1 deg of deviation: the order of the residual."""
    value = bennett_violations()[1]
    order = round(float(np.log10(value))) == round(np.log10(float(claim.printed[0])))
    return judge_property(claim, order, f"{value:.3g}", "of the printed order")


def bennett_is_proportional(claim: Claim) -> Outcome:
    """Residual over deviation varies little."""
    found = bennett_violations()[1:]
    slopes = [r / d for r, d in zip(found, DEVIATIONS[1:], strict=True)]
    spread = max(slopes) / min(slopes) - 1
    words = ", ".join(
        f"{d} deg: {r:.3g}" for d, r in zip(DEVIATIONS[1:], found, strict=True)
    )
    return judge_property(
        claim,
        spread < 0.1,
        words,
        f"residual per degree varies by {100 * spread:.1f} %",
    )


def _sarrus_rank(theta: Array) -> int:
    return int((sarrus_values(theta) > GAP).sum())


def sarrus_rank(claim: Claim) -> Outcome:
    """The rank at the sampled configurations."""
    found = {_sarrus_rank(closing.theta) for closing in sarrus_path()}
    return judge_equal(claim, [found.pop() if len(found) == 1 else -1], "16 samples")


def sarrus_relation(claim: Claim) -> Outcome:
    """The joints of leg A."""
    off = max(
        float(np.abs(c.theta[:3] - c.theta[0] * np.array([1, -2, 1])).max())
        for c in sarrus_path()
    )
    return judge_property(claim, off < 1e-13, f"{off:.1e}", "largest deviation")


def sarrus_angle(claim: Claim) -> Outcome:
    """Where the legs are stretched: there the rank falls."""
    falls = _sarrus_rank(sarrus_stretched().theta) < 5
    value = float(np.tan(EXTENDED)) if falls else np.nan
    return judge_digits(
        claim, [value], f"theta_1 = {EXTENDED:.7g}, where the rank falls"
    )


def sarrus_extended_rank(claim: Claim) -> Outcome:
    """The rank with stretched legs."""
    closing = sarrus_stretched()
    remark = f"residual {closing.residual:.1e}; here a second motion branches off"
    return judge_equal(claim, [_sarrus_rank(closing.theta)], remark)


def sarrus_is_not_constant(claim: Claim) -> Outcome:
    """arctan 0.75 lies between 0 and 1.5."""
    inside = 0 < EXTENDED < 1.5 and _sarrus_rank(sarrus_stretched().theta) == 4
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
