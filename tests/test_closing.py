"""Closing loops: samples on the constraints, ranks, and states that cannot be."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from libcheck.samples import draw
from models import CATALOGUE, CLOSED_CHAINS, Frame, Loop, Model, Pose
from reference import CHAPTERS
from reference.ch03_11_constrained_dynamics import constrained_motion
from reference.closing import (
    OpenLoopError,
    admissible,
    check_state,
    closed_home,
    closed_near,
    constraint_rank,
    gap,
    home,
    locked,
    needs_solvable_open_states,
    redundancy,
)
from reference.constraints import constraint_jacobian

CHAPTER = CHAPTERS["3.11"]
FOURBAR, WELDED = CLOSED_CHAINS["fourbar"], CLOSED_CHAINS["fourbar_welded"]


@pytest.mark.parametrize("model", CLOSED_CHAINS.values(), ids=lambda m: m.name)
def test_samples_lie_on_the_constraints_and_move_along_them(model: Model) -> None:
    batch = draw(model, 12, 3)
    assert gap(model, batch["q"]).max() < 1e-14 * 100
    if model.loops:
        J = constraint_jacobian.value(model, batch)
        speed = np.abs(J @ batch["v"][..., None]).max()
        assert speed < 1e-13 * max(1.0, np.abs(batch["v"]).max())
    if not locked(model):
        assert np.abs(batch["v"][8:]).max(axis=1).min() > 1e-3
        assert np.unique(batch["q"][8:].round(6), axis=0).shape[0] > 1


def test_a_sample_of_a_mechanism_does_not_depend_on_the_others() -> None:
    for model in (FOURBAR, CLOSED_CHAINS["stewart"]):
        whole = draw(model, 12, 5)
        for i in (0, 2, 7, 11):
            alone = draw(model, 1, 5, first=i)
            for name, rows in whole.items():
                assert np.array_equal(rows[i], alone[name][0]), (model.name, name, i)


def test_the_first_sample_of_legs_holds_the_platform() -> None:
    model = CLOSED_CHAINS["stewart"]
    batch = draw(model, 1, 0)
    a = CHAPTER.quantities["tendon_driven_acceleration"].value(model, batch)
    assert np.abs(a).max() < 1e-11  # 20 N m, rounded, over 0.01 kg m^2
    assert np.abs(batch["f"]).max() > 1


def test_a_plane_loop_closed_in_a_frame_is_over_constrained() -> None:
    reason = locked(WELDED)
    assert reason.startswith("over-constrained: rank 3 of 6 rows")
    assert "leave none of 3 velocities free" in reason
    assert "closed in points only it has 1" in reason
    assert constrained_motion.refused(WELDED) == reason
    assert locked(FOURBAR) == ""


@pytest.mark.parametrize(
    ("name", "rows", "rank"),
    [
        ("fourbar", 3, 2),
        ("fourbar_maximal", 12, 8),
        ("fivebar_maximal", 15, 10),
        ("bricard", 6, 4),
        ("stewart_legs", 18, 18),
        ("twin_arms", 6, 6),
    ],
)
def test_ranks_are_those_of_mechanics(name: str, rows: int, rank: int) -> None:
    """n less the mobility: planar pins count two, Bricard's linkage moves against the count."""
    found = constraint_rank(CLOSED_CHAINS[name])
    assert (found.rows, found.rank) == (rows, rank)
    assert found.next < 1e-12 * found.largest < found.smallest
    assert bool(redundancy(CLOSED_CHAINS[name])) is (rank < rows)


def test_constraints_that_only_close_by_luck_have_no_open_answer() -> None:
    assert needs_solvable_open_states(FOURBAR) == ""
    assert "contradict" in needs_solvable_open_states(CLOSED_CHAINS["bricard"])
    assert "axes" in needs_solvable_open_states(WELDED)


def test_an_inconsistent_state_is_named_with_its_gap() -> None:
    q = home(FOURBAR)
    v = admissible(FOURBAR, q[None], np.ones((1, 3)))[0]
    check_state(FOURBAR, q, v)
    with pytest.raises(OpenLoopError, match=r"loops are open by 0\.0"):
        check_state(FOURBAR, q + np.array([0.0, 0.05, 0.0]), v)
    with pytest.raises(OpenLoopError, match="open at a rate of"):
        check_state(FOURBAR, q, v + np.array([0.0, 0.1, 0.0]))
    check_state(CATALOGUE["arm_2r"], np.ones(2), np.ones(2))


def test_a_loop_that_cannot_close_is_named_with_its_gap() -> None:
    far = Loop(
        "far", "point", FOURBAR.loops[0].first, Frame("post", -1, Pose((9, 0, 0)))
    )
    model = replace(FOURBAR, name="torn", loops=(far,))
    with pytest.raises(OpenLoopError, match="torn: the loops are open by"):
        closed_home(model)
    with pytest.raises(OpenLoopError, match="closer to a closed configuration"):
        closed_near(model, np.zeros((1, 3)))
