"""Motions of the tests, by the integrators of SciPy."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
from scipy.integrate import solve_ivp

from models import Model
from reference.ch03_11_motion import Forces, Mechanism, no_forces
from reference.ch03_11_reduction import Reduced

Array = np.ndarray


def motion(
    rate: Callable[[Array], Array],
    start: Array,
    times: Sequence[float],
    rtol: float,
    method: str = "DOP853",
) -> Array:
    """States at times, (times, n), each the end of a run: nothing is interpolated.

    Runs go on with the step that the one before had: a first step that is tried too large
    would lead Newton's method onto another branch.
    """
    states, begin, step = [np.asarray(start, float)], 0.0, None
    for end in times:
        found = solve_ivp(
            lambda t, y: rate(y),
            (begin, end),
            states[-1],
            method,
            first_step=step and min(step, end - begin),
            rtol=rtol,
            atol=rtol / 10,
        )
        assert found.success, found.message
        states.append(found.y[:, -1])
        begin, step = end, np.diff(found.t)[-2:].max()
    return np.array(states[1:])


def free_rate(chain: Mechanism, forces: Forces = no_forces) -> Callable[[Array], Array]:
    """d/dt of (q, v) by the constrained acceleration, nothing stabilised."""
    n = chain.model.nv

    def rate(state: Array) -> Array:
        q, v = state[:n], state[n:]
        return np.concatenate([v, chain.acceleration(q, v, forces(q, v)).a])

    return rate


def full_state(reduced: Reduced, state: Array, forces: Forces) -> tuple[Array, ...]:
    """q, v, a and the multipliers at an independent state."""
    k = len(reduced.chosen)
    q, v = reduced.state(state[:k], state[k:])
    return (q, v, *reduced.chain.acceleration(q, v, forces(q, v)))


def double_fourbar_rate(model: Model) -> Callable[[Array], Array]:
    """d/dt of angle and speed of the first crank, on the branch of parallel cranks.

    In the flat positions branches meet; Newton's method, starting from the last state,
    would land on any of them, so it starts from the closed form.
    """
    reduced = Reduced(model, [0], np.array(model.home))

    def rate(state: Array) -> Array:
        reduced.q = state[0] * np.array([1.0, -1.0, 1.0, -1.0, 1.0])
        return reduced.rate(state)

    return rate
