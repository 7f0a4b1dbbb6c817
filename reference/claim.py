"""Printed numbers and statements of a chapter, as data, and how they are judged.

A number agrees if ours rounds to the printed digits, a residual if it stays inside a
derived rounding bound; nothing else is a tolerance here.  A number that rests on
parameters which the author did not print, and misses, is undecided: it says how far off
the reconstruction is.
"""

from __future__ import annotations

import math
import re
import tomllib
from collections.abc import Callable, Container, Mapping, Sequence
from dataclasses import dataclass, fields
from decimal import Decimal
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np

from reference.measured import Measured

KINDS = ("exact", "bound", "approx", "order", "property", "count", "erratum")
STATUSES = ("exact", "reconstructed", "property-only", "not-reproducible", "erratum")
VERDICTS = ("AGREE", "ERRATUM", "DIFFER", "UNDECIDED")

FOLDER = Path(__file__).resolve().parent / "claims"

_PRINTED = re.compile(r"-?\d+(\.\d+)?(e-?\d+)?")

Number = int | float | Decimal | Fraction


class ClaimError(ValueError):
    """A claim file says something that a claim cannot say."""


@dataclass(frozen=True)
class Claim:
    """A statement of a chapter that can be right or wrong.

    Attributes:
        id: Its id, which starts with the chapter.
        chapter: "3.4".
        section: Where it stands, e.g. "3.4.5(7)".
        quantity: What it is about, with its unit.
        printed: The numbers as printed, digit by digit; empty for a statement in words.
        kind: One of `KINDS`.
        status: One of `STATUSES`: whether the parameters behind it are known.
        model: Name of the model in the catalogue; empty if it is about none.
        note: Remark on how it is read here.
        statement: What it says, in one English sentence.
    """

    id: str
    chapter: str
    section: str
    quantity: str
    printed: tuple[str, ...]
    kind: str
    status: str
    model: str
    note: str
    statement: str


@dataclass(frozen=True)
class Outcome:
    """What became of a claim.

    Attributes:
        verdict: One of `VERDICTS`.
        value: Our value, as text.
        message: Why, in words.
        error: Largest relative deviation of a printed number; of a residual, its size.
        ratio: Error over a unit of the last printed digit (one half still rounds to it),
            or over the bound.
        digits: Decimal digits in agreement.
    """

    verdict: str
    value: str
    message: str
    error: float | None = None
    ratio: float | None = None
    digits: float | None = None


Judge = Callable[[Claim], Outcome]
"""What computes our side of a claim."""


def judged(
    chapter: str, judges: Mapping[str, Judge], ids: Container[str] | None
) -> list[tuple[Claim, Outcome]]:
    """The claims of a chapter with their outcomes, in the order of the text.

    Args:
        chapter: Its number.
        judges: What computes our side of each claim, by the claim's id.
        ids: The claims to judge; all without it.
    """
    asked = [claim for claim in load(chapter) if ids is None or claim.id in ids]
    return [(claim, judges[claim.id](claim)) for claim in asked]


def load(chapter: str) -> tuple[Claim, ...]:
    """The claims of a chapter, in the order of its text.

    Raises:
        ClaimError: If an entry lacks a field, has one too many, an unknown kind or
            status, a printed number that is none, or an id that is taken.
    """
    name = "ch" + "_".join(f"{int(part):02d}" for part in chapter.split("."))
    with (FOLDER / f"{name}.toml").open("rb") as file:
        entries = tomllib.load(file)["claim"]
    claims = tuple(_claim(chapter, entry) for entry in entries)
    ids = [claim.id for claim in claims]
    twice = {i for i in ids if ids.count(i) > 1}
    if twice:
        raise ClaimError(f"chapter {chapter}: {sorted(twice)} more than once")
    return claims


def _claim(chapter: str, entry: dict[str, Any]) -> Claim:
    where = entry.get("id", "a claim without id")
    wanted = {field.name for field in fields(Claim)} - {"chapter"}
    if set(entry) != wanted:
        raise ClaimError(f"{where}: fields {sorted(set(entry) ^ wanted)}")
    claim = Claim(chapter=chapter, **(entry | {"printed": tuple(entry["printed"])}))
    if claim.kind not in KINDS or claim.status not in STATUSES:
        raise ClaimError(f"{where}: kind {claim.kind!r}, status {claim.status!r}")
    for digits in claim.printed:
        if not isinstance(digits, str) or not _PRINTED.fullmatch(digits):
            raise ClaimError(f"{where}: {digits!r} is not a number as printed")
    return claim


# ------------------------------------------------------------------- printed digits


def half_unit(printed: str) -> Decimal:
    """Half a unit of the last printed digit: 0.005 for "1.27", 5e-6 for "2.7e-4"."""
    exponent = Decimal(printed).as_tuple().exponent
    if not isinstance(exponent, int):
        raise ClaimError(f"{printed!r} is no number")
    return Decimal(5).scaleb(exponent - 1)


def decimal(value: Number) -> Decimal:
    """A number in decimals: a float by its shortest digits, a fraction to 28 digits."""
    if isinstance(value, Decimal):
        return value
    if isinstance(value, Fraction):
        return Decimal(value.numerator) / Decimal(value.denominator)
    return Decimal(value) if isinstance(value, int) else Decimal(repr(float(value)))


def rounds_to(value: Number, printed: str) -> bool:
    """Whether a value rounds to the printed digits, a tie either way."""
    if not math.isfinite(value):
        return False
    return abs(decimal(value) - Decimal(printed)) <= half_unit(printed)


def deviation(value: Number, printed: str) -> float:
    """Relative deviation of a value from a printed number, infinite from zero."""
    target = Decimal(printed)
    off = abs(float(decimal(value) - target))
    return off / abs(float(target)) if target else math.inf if off else 0.0


def text_of(values: Sequence[Number]) -> str:
    """Values as text, six significant digits."""
    return ", ".join(
        str(x) if isinstance(x, int | Fraction) else f"{float(x):.6g}" for x in values
    )


# ------------------------------------------------------------------------- judgements


def _missed(claim: Claim) -> str:
    return "DIFFER" if claim.status in ("exact", "property-only") else "UNDECIDED"


def _pairs(claim: Claim, values: Sequence[Number]) -> list[tuple[Number, str]]:
    if len(values) != len(claim.printed):
        raise ClaimError(f"{claim.id}: {len(values)} values for {claim.printed}")
    return list(zip(values, claim.printed, strict=True))


def judge_digits(claim: Claim, values: Sequence[Number], remark: str = "") -> Outcome:
    """Do our values round to the printed digits?"""
    pairs = _pairs(claim, values)
    missed = [p for p in pairs if not rounds_to(*p)]
    error = max(deviation(*p) for p in pairs)
    unit = [abs(float((decimal(x) - Decimal(p)) / half_unit(p))) / 2 for x, p in pairs]
    digits = -math.log10(error) if error else math.inf
    if not missed:
        verdict, words = "AGREE", "rounds to the printed digits"
        if claim.status == "reconstructed":
            words += ", with reconstructed parameters"
    else:
        verdict = _missed(claim)
        words = "; ".join(_off(x, p) for x, p in missed)
        if verdict == "UNDECIDED":
            words += "; the author did not print the parameters"
    return Outcome(
        verdict, text_of(values), _joined(words, remark), error, max(unit), digits
    )


def _off(value: Number, printed: str) -> str:
    off = deviation(value, printed)
    size = f"{100 * off:.2g} %" if math.isfinite(off) else "not zero and so"
    return f"{text_of([value])} is {size} off the printed {printed}"


def judge_equal(claim: Claim, values: Sequence[Number], remark: str = "") -> Outcome:
    """Are exact values (integers, rationals, decimals) equal to the printed ones?"""
    pairs = _pairs(claim, values)
    if any(isinstance(x, float) for x in values):
        raise ClaimError(f"{claim.id}: a float is not exact")
    wrong = [p for p in pairs if Fraction(p[0]) != Fraction(p[1])]
    if not wrong:
        words = "equal"
        if claim.status == "reconstructed":
            words += ", with reconstructed parameters"
        return Outcome("AGREE", text_of(values), _joined(words, remark), 0.0, 0.0)
    words = "; ".join(f"{text_of([x])} is not {p}" for x, p in wrong)
    error = max(deviation(*p) for p in wrong)
    return Outcome(_missed(claim), text_of(values), _joined(words, remark), error)


def judge_property(claim: Claim, holds: bool, value: str, message: str) -> Outcome:
    """Does a statement hold?

    It may fail in a reconstruction without being wrong: it depends on parameters.
    """
    return Outcome("AGREE" if holds else _missed(claim), value, message)


def judge_residual(
    claim: Claim, left: Measured, right: Measured | None = None, remark: str = ""
) -> Outcome:
    """Are two sides of an equation (or one and zero) equal up to their rounding bounds?

    The printed size of a residual is no number to reproduce: it depends on the order of
    the author's sums.  It is set against the same bound.
    """
    difference = left if right is None else left - right
    size, bound = np.abs(difference.value), difference.bound
    with np.errstate(divide="ignore", invalid="ignore"):
        ratios = np.where(size == 0, 0.0, size / bound)
    finite = bool(np.isfinite(ratios).all())
    worst = float(ratios.max()) if finite else math.inf
    error, top = float(size.max()), float(bound.max())
    words = [f"{error:.2g}, {worst:.2g} of its rounding bound (up to {top:.2g})"]
    printed = [p for p in claim.printed if float(p) > top]
    words += [f"the printed {p} exceeds the largest bound" for p in printed]
    good = worst <= 1 and not printed
    return Outcome(
        "AGREE" if good else _missed(claim),
        f"{error:.2g}",
        _joined("; ".join(words), remark),
        error,
        worst,
    )


def judge_erratum(claim: Claim, refuted: bool, value: str, message: str) -> Outcome:
    """Is the printed statement wrong?  The message refutes and corrects it."""
    return Outcome("ERRATUM" if refuted else "DIFFER", value, message)


def undecided(claim: Claim, values: Sequence[Number], reason: str) -> Outcome:
    """A claim that needs what the author did not print; how far off is our own example?

    No agreement is looked for: it would prove nothing.
    """
    if not values:
        return Outcome("UNDECIDED", "", reason)
    error = max(deviation(*p) for p in _pairs(claim, values))
    off = f"{100 * error:.2g} % off the printed {', '.join(claim.printed)}"
    return Outcome("UNDECIDED", text_of(values), f"{off}; {reason}", error)


def _joined(words: str, remark: str) -> str:
    return f"{words}; {remark}" if remark else words
