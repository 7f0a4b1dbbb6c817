"""The printed numbers of chapter 3.11: the data, the verdicts, the figures."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

import numpy as np
import pytest

from models import named
from reference import CHAPTERS
from reference.ch03_11_claims import CLAIMS, evaluate
from reference.ch03_11_figures import figures
from reference.claim import load
from tests.claims import numbers, with_another_digit

Array = np.ndarray

IDS = """
pen-accel-agreement pen-accel-max pen-lambda-max pen-P-idempotent pen-trP pen-rankP
pen-P-oblique pen-Pqdd-form pen-Pqdd-gamma pen-Ptau-identity pen-work pen-gauss-qp mr-sign
G-inverse-is-Lambda spd-12x8-solvers rank-deficient-J schur-sign projection-count
projection-delta-sign drift-h0.01 drift-h0.005 drift-ratio drift-monotone baum5 baum20
baum100 baum100-vel baum100-energy baum100-theta2 baum-ordering proj-violation proj-theta2
proj-energy proj-energy-small-h indep-theta2 indep-dop853 pin-fourbar
fivebar-singular-point fivebar-smin-0.40 fivebar-smin-0.1505 fivebar-cond-0.40
fivebar-cond-0.1505 fivebar-static-0.40 fivebar-static-0.1505 fivebar-tausigma-hi
fivebar-tausigma-lo fivebar-tausigma-5pct fivebar-tausigma-threshold fivebar-accel-0.1505
fivebar-accel-max fivebar-accel-min fivebar-accel-direction fivebar-weak-direction
fivebar-traj-tau1max fivebar-traj-tau2max fivebar-traj-tau1static fivebar-traj-tau2static
fivebar-traj-dynpart fivebar-traj-19pct fivebar-mult-vs-vw fivebar-acc-residual fivebar-pin
fivebar-pin-fd Jfull-transpose-sign stewart-cond stewart-static-min stewart-static-max
stewart-move-min stewart-move-max stewart-maxdiff stewart-structural mujoco-move mujoco-rest
mujoco-wrong-sign mujoco-sign pin-planar-gamma baum-critical baum100-cause index3
"""

OUTCOMES = {claim.id: (claim, outcome) for claim, outcome in evaluate()}


# ------------------------------------------------------------------------------- data


def test_the_file_holds_the_79_claims_of_the_chapter_once_each() -> None:
    ids = [claim.id for claim in load("3.11")]
    assert len(ids) == 79
    assert sorted(ids) == sorted(f"3.11-{name}" for name in IDS.split())


def test_every_claim_has_a_function_and_every_function_a_claim() -> None:
    assert CLAIMS.keys() == OUTCOMES.keys()
    assert list(OUTCOMES) == [claim.id for claim in load("3.11")]


def test_claims_stand_in_the_order_of_the_sections() -> None:
    def place(section: str) -> tuple[int, ...]:
        number, _, item = section.rstrip(")").partition("(")
        parts = tuple(map(int, number.split(".")))
        return (
            *parts,
            *(0,) * (4 - len(parts)),
            int(item or (9 if parts[2] == 5 else 0)),
        )

    places = [place(claim.section) for claim in load("3.11")]
    assert places == sorted(places)


def test_every_claim_is_one_sentence_on_a_model_of_the_catalogue() -> None:
    for claim in load("3.11"):
        assert claim.statement.endswith(".")
        assert claim.section.startswith("3.11.")
        assert claim.printed or claim.kind == "property"
        assert not claim.model or named(claim.model).name == claim.model


# ------------------------------------------------------------------------ the verdicts


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


def test_every_outcome_says_why_and_no_agreement_is_a_matter_of_tolerance() -> None:
    for claim, outcome in OUTCOMES.values():
        assert outcome.message, claim.id
        if outcome.verdict == "AGREE" and claim.kind in ("approx", "order"):
            assert outcome.ratio is not None
            assert outcome.ratio <= (0.5 if claim.kind == "approx" else 1), claim.id


FIVEBAR_NUMBERS = """
smin-0.40 smin-0.1505 cond-0.40 cond-0.1505 static-0.40 static-0.1505 tausigma-hi
tausigma-lo tausigma-5pct accel-0.1505 accel-max singular-point traj-tau1max traj-tau2max
traj-tau1static traj-tau2static traj-dynpart traj-19pct
"""


@pytest.mark.parametrize("name", FIVEBAR_NUMBERS.split())
def test_the_fivebar_is_reproduced_in_the_printed_digits(name: str) -> None:
    assert OUTCOMES[f"3.11-fivebar-{name}"][1].verdict == "AGREE"


@pytest.mark.parametrize("units", [-2, 2])
@pytest.mark.parametrize("name", numbers(OUTCOMES))
def test_a_changed_digit_does_not_agree(name: str, units: int) -> None:
    for faulty in with_another_digit(OUTCOMES[name][0], units):
        assert CLAIMS[name](faulty).verdict != "AGREE"


def test_a_bound_that_is_too_tight_does_not_agree() -> None:
    claim = OUTCOMES["3.11-fivebar-tausigma-5pct"][0]
    assert CLAIMS[claim.id](replace(claim, printed=("4",))).verdict == "UNDECIDED"


def test_only_the_claims_asked_for_are_judged() -> None:
    asked = {"3.11-pen-trP", "3.11-baum-critical"}
    assert {claim.id for claim, _ in evaluate(asked)} == asked


def test_the_errata_carry_their_evidence() -> None:
    message = OUTCOMES["3.11-fivebar-tausigma-threshold"][1].message
    assert all(part in message for part in ("0.003072", "0.05870", "3.1e-3"))
    message = OUTCOMES["3.11-fivebar-accel-direction"][1].message
    assert all(part in message for part in ("downward it falls", "upward"))


def test_the_gain_of_100_is_called_inaccurate_and_not_unstable() -> None:
    message = OUTCOMES["3.11-baum100-cause"][1].message
    assert all(part in message for part in ("2.785", "0.375", "accuracy"))


def test_the_drift_falls_with_the_fourth_power_of_the_step() -> None:
    message = OUTCOMES["3.11-drift-ratio"][1].message
    order = float(message.split("order ")[1].split()[0])
    assert order == pytest.approx(4.0, abs=0.3)


def test_what_libraries_do_is_left_to_the_records() -> None:
    for name in ("pin-fourbar", "fivebar-pin", "fivebar-pin-fd", "mujoco-move"):
        assert "records of this run" in OUTCOMES[f"3.11-{name}"][1].message


# ----------------------------------------------------------------------------- figures


def test_the_figures_are_rectangular_tables_of_finite_numbers() -> None:
    tables = CHAPTERS["3.11"].figures()
    assert list(tables) == ["fivebar", "drift", "torque_singularity"]
    for table in tables.values():
        values = np.array(table.rows)
        assert values.shape[1] == len(table.header) == len(set(table.header))
        assert np.isfinite(values).all()
    assert tables == figures()


def test_the_fivebar_of_the_figure_has_the_lengths_of_its_links() -> None:
    table = figures()["fivebar"]
    for row in table.rows:
        at = {n: float(x) for n, x in zip(table.header, row, strict=True)}

        def point(name: str, at: dict[str, float] = at) -> Array:
            return np.array([at[f"{name} x [m]"], at[f"{name} y [m]"]])

        for side in ("left", "right"):
            base, elbow = (point(f"{side}_{k}_joint") for k in ("proximal", "distal"))
            assert np.linalg.norm(elbow - base) == pytest.approx(0.25)
            assert np.linalg.norm(point("P") - elbow) == pytest.approx(0.35)
            angle = at[f"{side}_proximal_angle [rad]"]
            assert elbow - base == pytest.approx(
                0.25 * np.array([np.cos(angle), np.sin(angle)])
            )
        assert point("P") == pytest.approx([0.0, at["y [m]"]], abs=1e-12)


def test_the_curves_of_the_drift_end_where_the_claims_say() -> None:
    table = figures()["drift"]
    values = np.array(table.rows)
    assert values[:, 0] == pytest.approx(0.01 * np.arange(601))
    largest = values[:, 1:].max(axis=0)
    printed = [6.6e-4, 4.3e-5, 3.8e-6, 1.8e-6, 7.7e-5]
    assert largest[:5] == pytest.approx(printed, rel=0.4)
    assert largest[5] < 1e-15


def test_the_torque_grows_as_sigma_falls() -> None:
    values = np.array(figures()["torque_singularity"].rows)
    assert np.all(np.diff(values[:, 1]) < 0)
    assert np.all(np.diff(values[:, 3]) > 0)
    assert values[:, 5] == pytest.approx(values[:, 1] * values[:, 3])
