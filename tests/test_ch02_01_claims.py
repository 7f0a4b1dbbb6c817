"""2.1 The chapter's own numbers, and that a wrong reference would not reproduce them."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from time import thread_time

import numpy as np
import pytest

from models import Linkage, linkage_named
from reference import ch02_01_claims, ch02_01_claims_motion, ch02_01_singleloop
from reference.ch02_01_claims import CLAIMS, evaluate
from reference.ch02_01_figures import figures
from reference.ch02_01_structure import Rows, grubler, structure_matrix
from reference.claim import load
from tests.claims import numbers, with_another_digit

BEGIN = thread_time()
OUTCOMES = {claim.id: (claim, outcome) for claim, outcome in evaluate()}
SPENT = thread_time() - BEGIN


def verdict(name: str) -> str:
    """Of a claim by its id without the chapter, judged anew."""
    claim, _ = OUTCOMES[f"2.1-{name}"]
    return CLAIMS[claim.id](claim).verdict


# ------------------------------------------------------------------------- data, verdicts


def test_every_claim_is_judged_and_none_differs() -> None:
    assert OUTCOMES.keys() == CLAIMS.keys()
    assert list(OUTCOMES) == [claim.id for claim in load("2.1")]
    assert Counter(o.verdict for _, o in OUTCOMES.values()) == {
        "AGREE": 55, "ERRATUM": 3, "UNDECIDED": 10,
    }  # fmt: skip


def test_claims_stand_in_the_order_of_the_sections() -> None:
    def place(section: str) -> tuple[int, ...]:
        number, _, item = section.rstrip(")").partition("(")
        parts = tuple(map(int, number.split(".")))
        own = int(item or (9 if parts[2] == 5 else 0))
        return (*parts, *(0,) * (4 - len(parts)), own)

    places = [place(claim.section) for claim in load("2.1")]
    assert places == sorted(places)


def test_all_claims_are_judged_within_five_seconds() -> None:
    """Of this thread: those of BLAS spin while they wait."""
    assert SPENT < 5


@pytest.mark.parametrize(
    ("status", "verdicts"),
    [
        ("exact", {"AGREE"}),
        ("property-only", {"AGREE"}),
        ("reconstructed", {"AGREE"}),
        ("erratum", {"ERRATUM"}),
        ("not-reproducible", {"UNDECIDED"}),
    ],
)
def test_the_verdict_follows_from_what_is_known(
    status: str, verdicts: set[str]
) -> None:
    assert {o.verdict for c, o in OUTCOMES.values() if c.status == status} == verdicts


@pytest.mark.parametrize("units", [-2, 2])
@pytest.mark.parametrize("name", numbers(OUTCOMES))
def test_a_changed_digit_does_not_agree(name: str, units: int) -> None:
    for faulty in with_another_digit(OUTCOMES[name][0], units):
        assert CLAIMS[name](faulty).verdict != "AGREE"


def test_what_pinocchio_says_is_left_to_the_records_of_the_run() -> None:
    library = [o for name, (_, o) in OUTCOMES.items() if "-pin-" in name]
    assert len(library) == 10
    for outcome in library:
        assert outcome.error == 0, "the reference's table has the printed sizes"
        assert "joint_sizes" in outcome.message


# ------------------------------------------------------------------------- planted faults


def test_a_linkage_off_bennetts_condition_is_noticed(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    good = ch02_01_singleloop.bennett_loop
    monkeypatch.setattr(
        ch02_01_singleloop, "bennett_loop", lambda theta: good(theta, 1e-9)
    )
    turn = ch02_01_singleloop.bennett_turn.__wrapped__()
    monkeypatch.setattr(ch02_01_claims_motion, "bennett_turn", lambda: turn)
    for name in ("rank", "s4", "residual", "relation", "sums"):
        assert verdict(f"bennett-{name}") != "AGREE", name


def test_residuals_of_another_growth_are_not_proportional(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    found = ch02_01_singleloop.bennett_violations()
    monkeypatch.setattr(
        ch02_01_claims_motion, "bennett_violations", lambda: tuple(np.sqrt(found))
    )
    assert verdict("bennett-viol-linear") == "DIFFER"
    assert verdict("bennett-viol-0") == "DIFFER"
    assert verdict("bennett-viol-0.1") == "UNDECIDED"


def test_a_screw_that_is_dropped_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    def faulty(linkage: Linkage) -> Rows:
        return [row[:-1] for row in structure_matrix(linkage)]

    monkeypatch.setattr(ch02_01_claims, "structure_matrix", faulty)
    assert verdict("platform-formula") == "DIFFER"


def test_a_joint_that_lost_its_freedom_is_noticed(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def stiff(name: str) -> Linkage:
        linkage = linkage_named(f"chapter-{name}")
        last = replace(linkage.pairs[-1], kind="fixed", axes=())
        return replace(linkage, pairs=(*linkage.pairs[:-1], last))

    monkeypatch.setattr(ch02_01_claims, "mechanism", stiff)
    monkeypatch.setattr(ch02_01_claims, "ranks_of", ch02_01_claims.ranks_of.__wrapped__)
    for name in ("fourbar", "fivebar", "sarrus", "bennett", "delta", "stewart_SPS"):
        assert verdict(f"{name}-grubler") == "DIFFER", name
        assert verdict(f"{name}-kernel") == "DIFFER", name
    assert verdict("UPS-count") == "DIFFER"


def test_a_count_of_other_bodies_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ch02_01_claims, "grubler", lambda m, N, f: grubler(m, N + 1, f))
    for name in ("fourbar-grubler", "fourbar-spatial", "agree-8", "grubler-L"):
        assert verdict(name) == "DIFFER", name


def test_legs_of_another_length_stretch_elsewhere(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    S = ch02_01_singleloop.loop_screws("chapter-sarrus")
    S[1, 5] -= 0.05  # the knee of leg A
    monkeypatch.setattr(ch02_01_singleloop, "loop_screws", lambda name: S)
    for name in ("sarrus_path", "sarrus_extension", "sarrus_stretched"):
        anew = getattr(ch02_01_singleloop, name).__wrapped__()
        monkeypatch.setattr(ch02_01_singleloop, name, lambda anew=anew: anew)
        monkeypatch.setattr(ch02_01_claims_motion, name, lambda anew=anew: anew)
    for name in ("ext-angle", "ext-rank"):
        assert verdict(f"sarrus-{name}") == "UNDECIDED", name


def test_a_search_that_misses_a_branch_is_noticed(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    found = [closures[:1] for closures in ch02_01_singleloop.folded_branches()]
    monkeypatch.setattr(ch02_01_claims_motion, "folded_branches", lambda: found)
    assert verdict("folded-2sol") == "DIFFER"
    assert verdict("folded-converge") == "DIFFER"


# -------------------------------------------------------------------------------- tables


def test_the_tables_are_rectangular_and_plain() -> None:
    tables = figures()
    assert list(tables) == ["mobility", "delta", "followed", "branches", "violation"]
    for table in tables.values():
        for row in table.rows:
            assert len(row) == len(table.header) == len(set(table.header))
            assert all(type(x) in (str, int, float) for x in row)
            assert all(np.isfinite(x) for x in row if not isinstance(x, str))
    assert len(tables["mobility"].rows) == 12
