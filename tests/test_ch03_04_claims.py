"""The printed numbers of chapter 3.4: the data, the judging, and planted faults."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from decimal import Decimal
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from reference import claim as claims
from reference.ch03_04_claims import CLAIMS, evaluate
from reference.claim import Claim, ClaimError, half_unit, load, rounds_to
from reference.measured import Measured, exactly
from tests.claims import numbers, with_another_digit

IDS = """
2R-M-90 2R-M-150 2R-L-90 2R-L-150 2R-Linv-150 2R-closed-form mass M2half M66 lmin lmax
cond mbar gbar ratio39 bound-holds gmax g-ext g-shoulder g-fold g1 g56 M11-ratio-direct
M11-ratio-N100 coupling-direct coupling-N100 mu-min mu-max-fold mu-max-ext mu-gear-min
mu-gear-max mu-monotone kin-min kin-max dyn-min dyn-max dyn-gear-min dyn-gear-max
mu-horizontal mu-angles regressor-rank regressor-zero regressor-lin structural-zero
Mdot-skew Mdot-sum Ctilde-qd Ctilde-notskew qd-quad s-quad-C s-quad-Ct K-skew kc dM-fd
rk4-errors rk4-ratios euler qd4 work work-balance p1 mu-forward reflected-bound mu-neq
mu-2860 gravity-no-work libs CA-cs summary-eig ratio-30x L6-block link1-columns
"""

OUTCOMES = {claim.id: (claim, outcome) for claim, outcome in evaluate()}


def made_up(**changes: Any) -> Claim:
    """A claim of no chapter."""
    fields: dict[str, Any] = dict.fromkeys(
        ("section", "quantity", "model", "note", "statement"), ""
    )
    fields |= {"id": "x", "chapter": "0", "kind": "approx", "status": "exact"}
    return Claim(**(fields | {"printed": ("1.27",)} | changes))


# ------------------------------------------------------------------------------- data


def test_the_file_holds_the_72_claims_of_the_chapter_once_each() -> None:
    ids = [claim.id for claim in load("3.4")]
    assert len(ids) == 72
    assert sorted(ids) == sorted(f"3.4-{name}" for name in IDS.split())


def test_every_claim_has_a_function_and_every_function_a_claim() -> None:
    assert CLAIMS.keys() == OUTCOMES.keys()
    assert list(OUTCOMES) == [claim.id for claim in load("3.4")]


def test_every_claim_is_one_sentence_about_a_section_of_the_chapter() -> None:
    for claim in load("3.4"):
        assert claim.statement.endswith(".")
        assert claim.section.startswith("3.4.")
        assert claim.printed or claim.kind in ("property", "bound")


GOOD = """
[[claim]]
id = "a"
section = "s"
quantity = "q"
printed = ["1"]
kind = "approx"
status = "exact"
model = ""
note = ""
statement = "It is 1."
"""


@pytest.mark.parametrize(
    "text",
    [
        GOOD + GOOD,
        GOOD.replace('kind = "approx"', 'kind = "roughly"'),
        GOOD.replace('status = "exact"', 'status = "maybe"'),
        GOOD.replace('["1"]', "[1]"),
        GOOD.replace('["1"]', '["one"]'),
        GOOD.replace('note = ""', ""),
        GOOD + 'tolerance = "5 %"\n',
    ],
)
def test_a_faulty_claim_file_is_refused(
    text: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(claims, "FOLDER", tmp_path)
    file = tmp_path / "ch09_09.toml"
    file.write_text(GOOD)
    assert load("9.9")[0].printed == ("1",)
    file.write_text(text)
    with pytest.raises(ClaimError):
        load("9.9")


# ---------------------------------------------------------------------------- judging


@pytest.mark.parametrize(
    ("printed", "half"),
    [("1.27", "0.005"), ("2.7e-4", "0.000005"), ("1840", "0.5"), ("-1.73", "0.005")],
)
def test_half_a_unit_is_of_the_last_printed_digit(printed: str, half: str) -> None:
    assert half_unit(printed) == Decimal(half)


@pytest.mark.parametrize(
    ("value", "printed", "agrees"),
    [
        (1.2749999, "1.27", True),
        (1.2751, "1.27", False),
        (1.2649, "1.27", False),
        (8.575, "8.58", True),
        (8.575, "8.57", True),
        (0.297, "0.30", True),
        (0.294, "0.30", False),
        (-1.7320508, "-1.73", True),
        (1.7320508, "-1.73", False),
        (19466.7, "2e4", True),
        (Fraction(1, 3), "0.33", True),
        (float("nan"), "1", False),
    ],
)
def test_a_value_agrees_if_it_rounds_to_the_printed_digits(
    value: claims.Number, printed: str, agrees: bool
) -> None:
    assert rounds_to(value, printed) is agrees


@pytest.mark.parametrize(
    ("status", "verdict"),
    [
        ("exact", "DIFFER"),
        ("property-only", "DIFFER"),
        ("reconstructed", "UNDECIDED"),
        ("not-reproducible", "UNDECIDED"),
    ],
)
def test_a_miss_is_ours_only_if_nothing_was_left_unprinted(
    status: str, verdict: str
) -> None:
    outcome = claims.judge_digits(made_up(status=status), [1.28])
    assert outcome.verdict == verdict
    assert "0.79 % off" in outcome.message


def test_an_exact_value_must_be_equal() -> None:
    claim = made_up(printed=("3",))
    assert claims.judge_equal(claim, [Fraction(3)]).verdict == "AGREE"
    assert claims.judge_equal(claim, [Fraction(301, 100)]).verdict == "DIFFER"
    with pytest.raises(ClaimError, match="float"):
        claims.judge_equal(claim, [3.0])


def test_as_many_values_as_printed_numbers_are_asked_for() -> None:
    with pytest.raises(ClaimError, match="2 values"):
        claims.judge_digits(made_up(), [1.27, 1.0])


@pytest.mark.parametrize(
    ("residual", "printed", "verdict"),
    [
        (5e-16, "4.4e-16", "AGREE"),
        (2e-15, "4.4e-16", "DIFFER"),
        (np.nan, "4.4e-16", "DIFFER"),
        (5e-16, "4.4e-12", "DIFFER"),
    ],
)
def test_a_residual_is_judged_by_its_bound(
    residual: float, printed: str, verdict: str
) -> None:
    claim = made_up(kind="order", status="property-only", printed=(printed,))
    outcome = claims.judge_residual(claim, Measured([[residual]], [[1e-15]]))
    assert outcome.verdict == verdict


def test_a_residual_without_a_bound_must_vanish() -> None:
    claim = made_up(kind="order", status="property-only", printed=())
    assert claims.judge_residual(claim, exactly([[0.0]])).verdict == "AGREE"
    assert claims.judge_residual(claim, exactly([[1e-300]])).verdict == "DIFFER"


def test_an_erratum_that_is_not_refuted_is_ours() -> None:
    claim = made_up(kind="erratum", status="erratum")
    assert claims.judge_erratum(claim, True, "", "").verdict == "ERRATUM"
    assert claims.judge_erratum(claim, False, "", "").verdict == "DIFFER"


# ------------------------------------------------------------------------ the chapter


def test_nothing_differs_that_should_be_reproduced() -> None:
    assert [i for i, (_, o) in OUTCOMES.items() if o.verdict == "DIFFER"] == []


@pytest.mark.parametrize(
    ("status", "verdicts"),
    [
        ("exact", {"AGREE"}),
        ("property-only", {"AGREE"}),
        ("erratum", {"ERRATUM"}),
        ("not-reproducible", {"UNDECIDED"}),
        ("reconstructed", {"AGREE", "UNDECIDED"}),
    ],
)
def test_the_verdict_follows_from_what_is_known(
    status: str, verdicts: set[str]
) -> None:
    found = Counter(o.verdict for c, o in OUTCOMES.values() if c.status == status)
    assert set(found) == verdicts


def test_every_outcome_says_why() -> None:
    for claim, outcome in OUTCOMES.values():
        assert outcome.message, claim.id
        if outcome.verdict == "AGREE" and claim.kind == "order":
            assert outcome.ratio is not None
            assert outcome.ratio <= 1


def test_no_agreement_is_a_matter_of_tolerance() -> None:
    for claim, outcome in OUTCOMES.values():
        if outcome.verdict == "AGREE" and claim.kind == "approx":
            assert outcome.ratio is not None
            assert outcome.ratio <= 0.5, claim.id


@pytest.mark.parametrize("units", [-2, 2])
@pytest.mark.parametrize("name", numbers(OUTCOMES))
def test_a_changed_digit_does_not_agree(name: str, units: int) -> None:
    for faulty in with_another_digit(OUTCOMES[name][0], units):
        assert CLAIMS[name](faulty).verdict != "AGREE"


def test_a_bound_that_is_too_tight_does_not_agree() -> None:
    claim = OUTCOMES["3.4-ratio-30x"][0]
    assert CLAIMS[claim.id](replace(claim, printed=("50",))).verdict == "UNDECIDED"


def test_only_the_claims_asked_for_are_judged() -> None:
    asked = {"3.4-M2half", "3.4-2R-M-90"}
    assert {claim.id for claim, _ in evaluate(asked)} == asked


def test_the_errata_carry_the_right_statement() -> None:
    assert "-dV" in OUTCOMES["3.4-gravity-no-work"][1].message
    message = OUTCOMES["3.4-mu-2860"][1].message
    assert all(part in message for part in ("0.044 kg", "0.0384 m", "2857", "1840"))
