"""A value is judged by its bound, and by a certified value wherever that is close."""

from __future__ import annotations

import numpy as np
import pytest

from libcheck.compare import Judgement, judge, ratio_of
from libcheck.laws import Asked, judge_law
from libcheck.oracle import Oracle
from libcheck.record import Record, Report, Verdict
from libcheck.samples import Batch, draw
from models import CATALOGUE, Model
from reference import CHAPTERS, Quantity
from reference.carriers import UndecidedError
from reference.quantity import Array

QUANTITIES, LAWS = CHAPTERS["3.4"].quantities, CHAPTERS["3.4"].laws
M, FD = QUANTITIES["mass_matrix"], QUANTITIES["forward_dynamics"]
ARM = CATALOGUE["arm_6r"]


class Counting(Oracle):
    """An oracle that notes which samples were certified, and certifies none if told so."""

    def __init__(self, model: Model, count: int = 12, decides: bool = True) -> None:
        super().__init__(model, draw(model, count, seed=0))
        self.asked: list[int] = []
        self.decides = decides

    def certified(self, quantity: Quantity, sample: int) -> tuple[Array, Array]:
        self.asked.append(sample)
        if not self.decides:
            raise UndecidedError("not certain at any precision")
        return super().certified(quantity, sample)


@pytest.fixture
def oracle() -> Counting:
    """Twelve samples of the 6R arm."""
    return Counting(ARM)


def moved(oracle: Oracle, quantity: Quantity, sample: int, by: float) -> Array:
    """The reference's values, the last entry of a sample moved by a share of the bound."""
    value = oracle.value(quantity).copy()
    tolerance = oracle.bounds(quantity)[1][sample]
    value[sample].flat[-1] += by * tolerance.flat[-1]
    return value


def test_the_reference_agrees_with_itself(oracle: Counting) -> None:
    for quantity in QUANTITIES.values():
        found = judge(oracle, quantity, oracle.value(quantity))
        assert found.verdict is Verdict.AGREE
        assert found.grade == "A"
        assert found.ratio is not None
        assert found.ratio <= 1


def test_of_values_well_inside_the_bound_only_the_worst_is_certified(
    oracle: Counting,
) -> None:
    found = judge(oracle, M, moved(oracle, M, 9, 0.5))
    assert found.verdict is Verdict.AGREE
    assert set(oracle.asked) == {9}
    assert (found.sample, found.entry) == (9, (5, 5))
    assert found.ratio == pytest.approx(0.5, abs=0.1)


def test_a_value_well_inside_needs_no_certificate_to_agree() -> None:
    oracle = Counting(ARM, decides=False)
    assert judge(oracle, M, moved(oracle, M, 9, 0.5)).verdict is Verdict.AGREE


@pytest.mark.parametrize("by", [-3.0, 3.0])
def test_a_value_off_by_three_bounds_differs_at_that_entry(
    oracle: Counting, by: float
) -> None:
    found = judge(oracle, M, moved(oracle, M, 7, by))
    assert found.verdict is Verdict.DIFFER
    assert (found.sample, found.entry, found.wrong) == (7, (5, 5), [7])
    assert found.ratio == pytest.approx(3.0, abs=0.1)
    assert found.grade == ""
    assert found.expected is not None
    assert found.got is not None
    assert found.error == pytest.approx(abs(found.got - found.expected)[5, 5])


def test_what_lies_between_is_settled_by_a_certified_value(oracle: Counting) -> None:
    own, tolerance = oracle.bounds(M)
    doubtful = 1 - own[9, 5, 5] / tolerance[9, 5, 5] / 2
    found = judge(oracle, M, moved(oracle, M, 9, doubtful))
    assert 9 in oracle.asked
    assert found.verdict is Verdict.AGREE


def test_what_lies_between_is_undecided_where_nothing_certifies_it() -> None:
    oracle = Counting(ARM, decides=False)
    found = judge(oracle, M, moved(oracle, M, 9, 3.0))
    assert found.verdict is Verdict.UNDECIDED
    assert found.sample == 9
    assert "[9]" in found.message


def test_an_undecided_record_makes_a_run_fail() -> None:
    undecided = Record("3.4", "quantity", "mass_matrix", "m", "l", "1", "UNDECIDED")
    assert Report({}, (undecided,)).failures == [undecided]


@pytest.mark.parametrize("bad", [np.nan, np.inf, -np.inf])
def test_nan_and_infinity_are_not_compared(oracle: Counting, bad: float) -> None:
    value = oracle.value(M).copy()
    value[[3, 5], 0, 1] = bad
    found = judge(oracle, M, value)
    assert found.verdict is Verdict.NONFINITE
    assert (found.sample, found.wrong) == (3, [3, 5])
    assert oracle.asked == []


def test_a_structural_zero_has_no_tolerance() -> None:
    """Joints 3 and 6 are in different arms: no body is moved by both."""
    oracle = Counting(CATALOGUE["branch"])
    assert oracle.bounds(M)[1][8, 2, 5] == 0
    value = oracle.value(M).copy()
    assert judge(oracle, M, value).verdict is Verdict.AGREE
    value[8, 2, 5] = 1e-300
    found = judge(oracle, M, value)
    assert found.verdict is Verdict.DIFFER
    assert (found.sample, found.entry, found.ratio) == (8, (2, 5), np.inf)


def test_a_scalar_has_no_entry(oracle: Counting) -> None:
    energy = QUANTITIES["kinetic_energy"]
    found = judge(oracle, energy, oracle.value(energy) + 1.0)
    assert found.verdict is Verdict.DIFFER
    assert found.entry == ()


def test_a_solution_is_judged_by_what_it_leaves_of_its_equation() -> None:
    """An error within M^-1 times the bound of the forces is none, however large."""
    model = CATALOGUE["chain_30"]
    oracle = Counting(model, 3)
    value = oracle.value(FD)
    weakest = np.linalg.eigh(oracle.value(M)[2])[1][:, 0]
    solved = value.copy()
    solved[2] += 1e-10 * np.abs(value[2]).max() * weakest
    error = np.abs(solved - value)[2].max()
    found = judge(oracle, FD, solved)
    assert found.digits == pytest.approx(-np.log10(error / np.abs(value[2]).max()), 0.2)
    residual, equation = oracle.with_solution(FD, solved)
    assert equation.inputs == (*FD.inputs, "solution")
    left = np.abs(residual.value(equation))[2]
    assert found.error == pytest.approx(left[found.entry], rel=0.5)


def test_a_wrong_solution_differs(oracle: Counting) -> None:
    value = oracle.value(FD).copy()
    value[4] *= 1 + 1e-9
    found = judge(oracle, FD, value)
    assert found.verdict is Verdict.DIFFER
    assert found.wrong == [4]
    assert found.digits == pytest.approx(9, abs=0.1)
    assert found.expected is None


@pytest.mark.parametrize("digits", [3, 6, 10])
def test_digits_count_the_decimal_places_that_agree(
    oracle: Counting, digits: int
) -> None:
    value = oracle.value(M) * (1 + 10.0**-digits)
    assert judge(oracle, M, value).digits == pytest.approx(digits, abs=0.01)


def test_the_error_of_the_reference_itself_is_noted(oracle: Counting) -> None:
    found = judge(oracle, M, oracle.value(M))
    assert 0 <= found.reference_ratio < 1
    off = judge(oracle, M, moved(oracle, M, 8, 3.0))
    assert off.reference_ratio < 1, "what the library does is no error of the reference"


@pytest.mark.parametrize("name", QUANTITIES)
@pytest.mark.parametrize("size", [1e200, 1.7e308])
def test_absurdly_large_numbers_fail(name: str, size: float) -> None:
    oracle, quantity = Counting(CATALOGUE["prismatic"], 3), QUANTITIES[name]
    value = np.full((3, *quantity.sizes(oracle.model)), size)
    assert judge(oracle, quantity, value).verdict.fails


@pytest.mark.parametrize("name", LAWS)
@pytest.mark.parametrize("size", [1e200, 1.7e308])
def test_no_law_holds_for_absurdly_large_numbers(name: str, size: float) -> None:
    model = CATALOGUE["prismatic"]
    rng = np.random.default_rng(1)

    def compute(asked: str, batch: Batch) -> Array:
        shape = (len(batch["q"]), *QUANTITIES[asked].sizes(model))
        return size * rng.uniform(0.1, 1.0, shape)

    asked = Asked(model, QUANTITIES, compute)
    judge_law(LAWS[name], asked, draw(model, 2, seed=0))


def test_a_ratio_that_overflows_or_is_lost_is_no_agreement() -> None:
    error = np.array([0.0, 0.0, 1.0, 1.0, np.inf, np.nan])
    bound = np.array([0.0, 1.0, 2.0, 0.0, np.inf, 1.0])
    assert ratio_of(error, bound).tolist() == [0, 0, 0.5, np.inf, np.inf, np.inf]


def test_a_judgement_without_numbers_says_so() -> None:
    empty = Judgement(Verdict.ERROR)
    assert (empty.sample, empty.error, empty.digits) == (-1, None, None)


def test_a_reference_outside_its_own_bound_accuses_nobody(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    model = CATALOGUE["arm_2r"]
    quantity = CHAPTERS["3.4"].quantities["mass_matrix"]
    right = Oracle(model, draw(model, 9, 0)).value(quantity)
    oracle = Oracle(model, draw(model, 9, 0))
    monkeypatch.setattr(oracle, "value", lambda q: right * (1 + 1e-9))
    found = judge(oracle, quantity, right)
    assert found.verdict is Verdict.UNDECIDED
    assert not found.wrong
