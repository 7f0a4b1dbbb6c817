"""The four-bar in one coordinate, in closed form, against the general reduction."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from models import CLOSED_CHAINS, Pose
from reference.ch03_11_fourbar import FourBar
from reference.ch03_11_motion import no_forces
from reference.ch03_11_reduction import Reduced

FOURBAR = CLOSED_CHAINS["fourbar"]


@pytest.mark.parametrize("turn", [0.0, 0.2, -0.3])
@pytest.mark.parametrize("speed", [0.0, 5.8, -3.0])
def test_the_closed_form_of_the_fourbar_is_the_general_reduction(
    turn: float, speed: float
) -> None:
    angle = FOURBAR.home[0] + turn
    general = Reduced(FOURBAR, [0], np.array(FOURBAR.home))
    expected = general.acceleration(np.array([angle]), np.array([speed]), no_forces)
    found = FourBar(FOURBAR).acceleration(angle, speed)
    assert found == pytest.approx(expected[0], rel=1e-12)


def test_the_fourbar_in_one_coordinate_converges_at_least_with_order_four() -> None:
    chain, start = FourBar(FOURBAR), (FOURBAR.home[0], 5.8)
    ends = [chain.after(start, 0.01 / k, 100 * k)[0] for k in (1, 2, 4, 8)]
    first, _, last = np.abs(np.diff(ends))
    assert first / last > 12**2


def test_a_crank_let_go_at_rest_swings_back_to_where_it_was() -> None:
    chain, angle = FourBar(FOURBAR), FOURBAR.home[0]
    states = [(angle, 0.0)]
    for _ in range(4000):
        states.append(chain.after(states[-1], 1e-3, 1))
    x, w = np.array(states).T
    there, back, *_ = 1 + np.flatnonzero(np.diff(np.sign(w[1:])))
    assert abs(x[there] - angle) > 0.5
    assert x[back] == pytest.approx(angle, abs=1e-4)


def test_links_that_do_not_reach_are_refused() -> None:
    (loop,) = FOURBAR.loops
    short = loop.second._replace(pose=Pose((0.01, 0.0, 0.0)))
    model = replace(FOURBAR, loops=(loop._replace(second=short),))
    with pytest.raises(ValueError, match="math domain"):
        FourBar(model).directions(FOURBAR.home[0])
