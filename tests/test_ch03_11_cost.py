"""The table of costs: which ways it compares, and the energy that projection keeps."""

from __future__ import annotations

from math import log

import numpy as np
import pytest

from models import CLOSED_CHAINS
from reference import ch03_11_cost as cost


@pytest.fixture(scope="module")
def table() -> list[cost.Row]:
    return cost.cost_table(1)


def test_every_way_is_timed_on_both_mechanisms_with_its_sizes(
    table: list[cost.Row],
) -> None:
    sizes = {(r.mechanism, r.way.split(",")[0]): (r.coordinates, r.rows) for r in table}
    # the maximal bodies have three coordinates, every planar pin two rows
    assert sizes == {
        ("fourbar", "independent coordinates"): (1, 2),
        ("fourbar", "tree + cut joint"): (3, 2),
        ("fourbar", "maximal coordinates"): (9, 8),
        ("fivebar", "independent coordinates"): (2, 2),
        ("fivebar", "tree + cut joint"): (4, 2),
        ("fivebar", "maximal coordinates"): (12, 10),
    }
    for name in cost.CHAINS:
        ways = [r.way.split(", ")[1:] for r in table if r.mechanism == name]
        for how in ("not stabilised", "Baumgarte", "projection"):
            assert ways.count([how]) == 2


def test_ratios_are_times_over_the_cheapest_of_their_mechanism(
    table: list[cost.Row],
) -> None:
    for name in cost.CHAINS:
        rows = [r for r in table if r.mechanism == name]
        assert min(r.ratio for r in rows) == 1.0
        cheapest = min(r.microseconds for r in rows)
        assert all(r.ratio == r.microseconds / cheapest for r in rows)


def drives_after_a_tenth(way: cost._Way, step: float) -> np.ndarray:
    """Angles of the driven joints, which are the bodies' own, after 0.1 s."""
    state = way.state
    for _ in range(round(0.1 / step)):
        state = way.advance(state)
    chosen, _ = cost.CHAINS[way.mechanism]
    tree = CLOSED_CHAINS[way.mechanism]
    indices = {
        len(chosen): list(range(len(chosen))),
        tree.nv: list(chosen),
        3 * tree.nv: [3 * i + 2 for i in chosen],
    }
    return state[indices[way.coordinates]]


@pytest.mark.parametrize("name", cost.CHAINS)
def test_all_ways_advance_to_the_same_place_within_their_errors(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    found = []
    for step in (0.01, 0.005):
        monkeypatch.setattr(cost, "STEP", step)
        found.append([drives_after_a_tenth(way, step) for way in cost._ways(name)])
    coarse, fine = np.array(found)
    errors = np.abs(coarse - fine).max(axis=1)  # of order four: 15/16 of the error
    assert np.all(errors < 1e-5)
    apart = np.abs(coarse[:, None] - coarse).max(axis=2)
    assert np.all(apart <= 2 * (errors[:, None] + errors))


def test_energy_errors_come_at_the_times_asked_for_with_their_order() -> None:
    rows = cost.energy_under_projection((0.5, 1.0), (0.02, 0.01))
    assert [r.seconds for r in rows] == [0.5, 1.0]
    for row in rows:
        coarse, fine = row.errors
        assert row.order == pytest.approx(log(abs(coarse / fine)) / log(2))
        assert abs(fine) < abs(coarse) < 1e-3


@pytest.mark.slow
def test_energy_under_projection_drifts_with_more_than_the_fourth_power() -> None:
    rows = cost.energy_under_projection()
    assert len(rows) == 6
    for row in rows:
        assert row.order > 4.0
