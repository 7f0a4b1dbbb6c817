"""2.1 The chapter's own numbers, and that a wrong reference would not reproduce them."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from reference import ch02_01_claims, ch02_01_claims_motion, ch02_01_singleloop
from reference.ch02_01_claims import CLAIMS, claims, evaluate
from reference.ch02_01_closure import (
    closed_with,
    closure_residual,
    exp_se3,
    log_se3,
    product_of_exponentials,
)
from reference.claim import Claim

TWISTS = st.lists(st.floats(-1.8, 1.8), min_size=6, max_size=6).map(np.array)


def claim(name: str) -> Claim:
    return next(c for c in claims() if c.id == name)


def test_every_claim_is_judged_and_none_differs() -> None:
    outcomes = evaluate()
    assert {c.id for c, _ in outcomes} == set(CLAIMS)
    assert Counter(o.verdict for _, o in outcomes) == {
        "AGREE": 55, "ERRATUM": 3, "UNDECIDED": 10,
    }  # fmt: skip


@pytest.mark.parametrize("name", [c.id for c in claims() if c.printed])
def test_another_printed_number_would_differ(name: str) -> None:
    """Integers only: a count that is off by one is wrong."""
    printed = claim(name)
    integers = all(p.lstrip("-").isdigit() for p in printed.printed)
    if not integers or printed.kind == "erratum" or name.startswith("2.1-pin-"):
        pytest.skip("no integer that the reference computes")
    wrong = replace(printed, printed=tuple(str(int(p) + 1) for p in printed.printed))
    assert CLAIMS[name](wrong).verdict in ("DIFFER", "UNDECIDED")


def test_a_linkage_off_bennetts_condition_is_noticed(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    turned = ch02_01_singleloop.bennett_turn()
    good = ch02_01_singleloop.bennett_loop
    monkeypatch.setattr(
        ch02_01_singleloop, "bennett_loop", lambda theta: good(theta, np.radians(0.1))
    )
    open_ = ch02_01_singleloop.bennett_turn.__wrapped__()
    assert turned.residual.max() < 1e-14
    monkeypatch.setattr(ch02_01_claims_motion, "bennett_turn", lambda: open_)
    for name in ("2.1-bennett-rank", "2.1-bennett-residual"):
        assert CLAIMS[name](claim(name)).verdict != "AGREE"


def test_a_lost_freedom_of_a_joint_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ch02_01_claims, "kernel", lambda name: 1)
    name = "2.1-delta-kernel"
    assert CLAIMS[name](claim(name)).verdict == "DIFFER"


@given(TWISTS)
def test_the_logarithm_undoes_the_exponential(twist: np.ndarray) -> None:
    assert np.allclose(log_se3(exp_se3(twist)), twist, atol=1e-11)


@given(st.floats(-8, 0), st.lists(st.floats(-1, 1), min_size=6, max_size=6))
def test_the_logarithm_keeps_its_digits_near_a_half_turn(
    exponent: float, numbers: list[float]
) -> None:
    axis = np.array(numbers[:3]) + np.array([0, 0, 2.0])
    turn = (np.pi - 10**exponent) * axis / np.linalg.norm(axis)
    twist = np.concatenate([turn, numbers[3:]])
    assert np.allclose(log_se3(exp_se3(twist)), twist, atol=1e-7)
    assert np.allclose(exp_se3(log_se3(exp_se3(twist))), exp_se3(twist), atol=1e-12)


def test_newton_with_a_joint_held_closes_a_loop_or_says_how_far_it_is_open() -> None:
    S = ch02_01_singleloop.loop_screws("chapter-parallelogram_spread")
    start = np.array([0.3, 0, 0, 0])
    found = closed_with(S, start)
    assert found.theta[0] == 0.3
    assert found.residual < 1e-14
    assert closure_residual(S, start) > 0.1
    assert np.allclose(product_of_exponentials(S, found.theta), np.eye(4), atol=1e-14)
