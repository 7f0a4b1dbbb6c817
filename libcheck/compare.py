"""Judge what a library computed, by bounds that are derived and values that are certified."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from libcheck.oracle import Oracle
from libcheck.record import Verdict
from reference import Quantity
from reference.carriers import UndecidedError
from reference.quantity import Array

MOST_DIGITS = 16.0
VANISHING = 1e-10
"""Accelerations so small against those of other samples are rounding: no digit counts."""


@dataclass
class Judgement:
    """How a library's values compare.

    Attributes:
        verdict: AGREE, DIFFER, NONFINITE or UNDECIDED.
        sample: Worst sample.
        entry: Worst entry there.
        error: Certified error of the worst entry.
        bound: Its bound.
        ratio: error / bound.
        digits: Decimal digits in agreement at that sample, relative to the largest entry.
        grade: "A" if no error exceeds the link-frame bound, else "B".
        wrong: The samples at which the library is certainly wrong.
        reference_ratio: Worst error of the reference's own float64 value over the bound,
            where certified.
        expected: Certified value at the worst sample.
        got: The library's value there.
        message: What there is to say.
    """

    verdict: Verdict
    sample: int = -1
    entry: tuple[int, ...] = ()
    error: float | None = None
    bound: float | None = None
    ratio: float | None = None
    digits: float | None = None
    grade: str = ""
    wrong: list[int] = field(default_factory=list)
    reference_ratio: float = 0.0
    expected: Array | None = None
    got: Array | None = None
    message: str = ""


@np.errstate(over="ignore", invalid="ignore")  # a library may answer with 1e308
def judge(oracle: Oracle, quantity: Quantity, value: Array) -> Judgement:
    """Judge the values of a quantity, shape (N, *sizes).

    A sample passes on float64 alone where |library - reference| and the reference's own
    bound fit into the tolerance together, and fails where their difference exceeds it; what
    lies between, and the worst sample in any case, is settled by certified balls.
    """
    broken = _not_finite(value)
    if broken:
        message = f"NaN or infinity at {len(broken)} of {len(value)} samples"
        return Judgement(
            Verdict.NONFINITE, broken[0], wrong=broken, got=value[broken[0]],
            message=message,
        )  # fmt: skip
    if quantity.residual is not None:
        by_value = _digits_by_value(oracle, quantity, value)
        oracle, quantity = oracle.with_solution(quantity, value)
        none = np.zeros((len(value), *quantity.sizes(oracle.model)))
        found = _judge_finite(oracle, quantity, none)
        found.digits = by_value[found.sample]
        found.got = value[found.sample]
        found.expected = None
        return found
    return _judge_finite(oracle, quantity, value)


def ratio_of(error: Array, bound: Array) -> Array:
    """error / bound: 0 without an error, infinite where only the bound is 0 or all is lost.

    A library may answer with numbers so large that error or bound overflow.
    """
    with np.errstate(divide="ignore", over="ignore", invalid="ignore"):
        ratio = np.where(error == 0, 0.0, error / bound)
    return np.where(np.isnan(ratio), np.inf, ratio)


def _not_finite(value: Array) -> list[int]:
    finite = np.isfinite(value.reshape(len(value), -1)).all(axis=1)
    return [int(i) for i in np.flatnonzero(~finite)]


def _worst(ratio: Array) -> Array:
    """Largest entry of every sample, shape (N,)."""
    largest: Array = ratio.reshape(len(ratio), -1).max(axis=1)
    return largest


def _judge_finite(oracle: Oracle, quantity: Quantity, value: Array) -> Judgement:
    own, tolerance = oracle.bounds(quantity)
    reference = oracle.value(quantity)
    error = np.abs(value - reference)
    passed = _worst(ratio_of(error + own, tolerance)) <= 1
    ratios = _worst(ratio_of(error, tolerance))
    beyond = _worst(ratio_of(np.maximum(error - own, 0.0), tolerance)) > 1
    settle = {*np.flatnonzero(~passed & ~beyond).tolist(), int(np.argmax(ratios))}
    wrong = [int(i) for i in np.flatnonzero(beyond) if i not in settle]
    undecided, reference_ratio = [], 0.0
    for i in sorted(settle):
        try:
            centre, doubt = oracle.certified(quantity, i)
        except UndecidedError:
            if not passed[i]:
                undecided.append(i)
            continue
        if np.any(np.abs(reference[i] - centre) - doubt > own[i]):
            wrong, undecided = [], [i]  # our own bound does not hold: accuse nobody
            break
        error[i] = np.abs(value[i] - centre)
        bound = tolerance[i]
        larger = np.maximum(bound, own[i])
        own_error = ratio_of(np.abs(reference[i] - centre), larger)
        reference_ratio = max(reference_ratio, float(own_error.max(initial=0.0)))
        if np.any(error[i] - doubt > bound):
            wrong.append(i)
        elif np.any(error[i] + doubt > bound):
            undecided.append(i)
    wrong.sort()
    return _summary(oracle, quantity, value, error, (wrong, undecided), reference_ratio)


def _summary(
    oracle: Oracle,
    quantity: Quantity,
    value: Array,
    error: Array,
    settled: tuple[list[int], list[int]],
    reference_ratio: float,
) -> Judgement:
    own, tolerance = oracle.bounds(quantity)
    wrong, undecided = settled
    ratio = ratio_of(error, tolerance)
    candidates = wrong or undecided or list(range(len(value)))
    sample = max(candidates, key=lambda i: float(ratio[i].max(initial=0.0)))
    at = np.unravel_index(int(np.argmax(ratio[sample])), ratio[sample].shape)
    entry = tuple(int(k) for k in at)
    try:
        expected = oracle.certified(quantity, sample)[0]
    except UndecidedError:
        expected = oracle.value(quantity)[sample]
    verdict = (
        Verdict.DIFFER if wrong else Verdict.UNDECIDED if undecided else Verdict.AGREE
    )
    worst = float(ratio[sample][entry])
    narrow = float(ratio_of(error, own).max(initial=0.0)) <= 1
    return Judgement(
        verdict,
        sample,
        entry,
        float(error[sample][entry]),
        float(tolerance[sample][entry]),
        worst,
        _digits(error[sample], expected, tolerance[sample]),
        ("A" if narrow else "B") if verdict is Verdict.AGREE else "",
        wrong,
        reference_ratio,
        expected,
        value[sample],
        _undecided(undecided) if not wrong else "",
    )


def _undecided(samples: list[int]) -> str:
    if not samples:
        return ""
    return f"samples {samples}: not decided at the highest precision of the balls"


def _digits(error: Array, expected: Array, tolerance: Array) -> float | None:
    """Digits in agreement, relative to the largest entry; None where all are rounding."""
    largest_error = float(np.max(error, initial=0.0))
    size = float(np.max(np.abs(expected), initial=0.0))
    if largest_error == 0.0:
        return MOST_DIGITS
    if size <= float(np.max(tolerance, initial=0.0)):
        return None if np.all(error <= tolerance) else 0.0
    return float(np.clip(-np.log10(largest_error / size), 0.0, MOST_DIGITS))


def _digits_by_value(
    oracle: Oracle, quantity: Quantity, value: Array
) -> list[float | None]:
    """Digits of the accelerations of a solution, with which every solution begins."""
    if not quantity.by_value:
        return [None] * len(value)
    n = oracle.model.nv
    expected = oracle.value(quantity)[:, :n]
    nothing = np.full(n, VANISHING * np.abs(expected).max(initial=0.0))
    errors = np.abs(value[:, :n] - expected)
    return [_digits(e, y, nothing) for e, y in zip(errors, expected, strict=True)]
