"""3.11.6 What closed chains cost: time of a step, and energy under projection.

The chapter compares representations and ways to keep the constraints, and leaves open what
they cost.  Times are taken in turns within one run and given as ratios, which hold on a
machine whose speed drifts.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from statistics import median
from typing import NamedTuple

import numpy as np

from models import CLOSED_CHAINS, Model
from reference.ch03_04_simulation import observed_order
from reference.ch03_11_motion import (
    Mechanism,
    integrated,
    mechanism,
    runge_kutta,
)
from reference.ch03_11_reduction import Reduced
from reference.quantity import Array

STEP = 0.01
"""Time step [s]."""
GAIN = 20.0
"""alpha = beta of Baumgarte's stabilisation."""
STEPS = 10
"""Steps that are timed at a time."""
CHAINS = {"fourbar": ((0,), (5.8,)), "fivebar": ((0, 2), (1.0, -0.5))}
"""Independent coordinates of each tree, and their speeds at the start [rad/s]."""
SECONDS = (10, 20, 30, 40, 50, 60)


class Row(NamedTuple):
    """The cost of a way to advance a mechanism by one step.

    Attributes:
        mechanism: Name of the tree.
        way: Representation, and what keeps its constraints.
        coordinates: Number of coordinates that are integrated.
        rows: Number of constraints that each evaluation solves.
        microseconds: Median time of a Runge-Kutta step [us].
        ratio: The same over that of the mechanism's cheapest way.
    """

    mechanism: str
    way: str
    coordinates: int
    rows: int
    microseconds: float
    ratio: float


class _Way(NamedTuple):
    mechanism: str
    way: str
    coordinates: int
    rows: int
    state: Array
    advance: Callable[[Array], Array]


def cost_table(repeat: int = 9) -> list[Row]:
    """Median time of a step, of every way on the four-bar and the five-bar.

    Args:
        repeat: How often each way is timed; all ways take turns.
    """
    ways = [way for name in CHAINS for way in _ways(name)]
    for way in ways:
        _time(way)  # the first calls are slower
    times = [[_time(way) for way in ways] for _ in range(repeat)]
    medians = [median(column) for column in zip(*times, strict=True)]
    table = []
    for way, own in zip(ways, medians, strict=True):
        rivals = zip(ways, medians, strict=True)
        cheapest = min(x for other, x in rivals if other.mechanism == way.mechanism)
        table.append(Row(*way[:4], own, own / cheapest))
    return table


def _time(way: _Way) -> float:
    """Microseconds per step, always over the same steps of the motion."""
    state, start = way.state, time.perf_counter()
    for _ in range(STEPS):
        state = way.advance(state)
    return 1e6 * (time.perf_counter() - start) / STEPS


def _ways(name: str) -> list[_Way]:
    """Three representations, and what may keep the constraints of two of them."""
    tree = CLOSED_CHAINS[name]
    chosen, speed = CHAINS[name]
    home = np.array(tree.home)
    z = np.concatenate([home[list(chosen)], speed])
    reduced = Reduced(tree, chosen, home)
    found = [
        _Way(
            name,
            "independent coordinates",
            len(chosen),
            len(reduced.chain.rows),
            z,
            lambda state: runge_kutta(reduced.rate, state, STEP),
        )
    ]
    for label, model in (
        ("tree + cut joint", tree),
        ("maximal coordinates", CLOSED_CHAINS[f"{name}_maximal"]),
    ):
        state = np.concatenate(_start(model, tree, z))
        for how, advance in _stabilised(mechanism(model)).items():
            chain = mechanism(model)
            way = f"{label}, {how}"
            found.append(_Way(name, way, model.nv, len(chain.rows), state, advance))
    return found


def _start(model: Model, tree: Model, z: Array) -> tuple[Array, Array]:
    """q and v of a model of the mechanism at independent coordinates of its tree.

    Coordinate i of the tree is turned with body i; in maximal coordinates that is 3 i + 2.
    Chosen are joints on the ground, whose angle is their body's.
    """
    k = len(z) // 2
    chosen, _ = CHAINS[tree.name]
    indices = list(chosen) if model is tree else [3 * i + 2 for i in chosen]
    return Reduced(model, indices, np.array(model.home)).state(z[:k], z[k:])


def _stabilised(chain: Mechanism) -> dict[str, Callable[[Array], Array]]:
    """Ways to advance a state (q, v): plain, by Baumgarte, by projection."""
    n = chain.model.nv

    def step(state: Array, gain: float) -> Array:
        def rate(y: Array) -> Array:
            return chain.rate(y, gains=(gain, gain))

        return runge_kutta(rate, state, STEP)

    def projecting(state: Array) -> Array:
        moved = step(state, 0.0)
        return np.concatenate(chain.projected(moved[:n], moved[n:]))

    return {
        "not stabilised": lambda state: step(state, 0.0),
        "Baumgarte": lambda state: step(state, GAIN),
        "projection": projecting,
    }


# ------------------------------------------------------------------------------ energy


class EnergyRow(NamedTuple):
    """Energy of the free four-bar under projection after some time.

    Attributes:
        seconds: Time [s].
        errors: (E(t) - E(0)) / E(0) at each step size, in their order.
        order: Slope of log |error| over log(step), by least squares.
    """

    seconds: float
    errors: tuple[float, ...]
    order: float


def energy_under_projection(
    seconds: Sequence[float] = SECONDS, steps: Sequence[float] = (0.01, 0.005)
) -> list[EnergyRow]:
    """How the energy drifts over a long motion of the four-bar in maximal coordinates.

    Args:
        seconds: Multiples of every step, rising [s].
        steps: Time steps, falling [s].
    """
    model, tree = CLOSED_CHAINS["fourbar_maximal"], CLOSED_CHAINS["fourbar"]
    chosen, speed = CHAINS[tree.name]
    z = np.concatenate([np.array(tree.home)[list(chosen)], speed])
    start = _start(model, tree, z)
    errors = []
    for step in steps:
        motion = integrated(model, start, step, seconds[-1], projecting=True)
        energy = motion.energy(model)
        at = [round(t / step) for t in seconds]
        errors.append(energy[at] / energy[0] - 1.0)
    return [
        EnergyRow(t, tuple(e.tolist()), observed_order(steps, np.abs(e).tolist()))
        for t, e in zip(seconds, np.array(errors).T, strict=True)
    ]
