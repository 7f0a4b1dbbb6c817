"""3.4 Motion of an arm: energy under free motion, work of torques, conserved momentum.

One step of an integrator needs one sample, so a formula of the chapter is first written
down as straight-line Python (`straight_line`), twenty times as fast as the carrier
itself and the same sums and products in the same order.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np

from models import Model
from reference.carriers import Matrix, Numpy, Scalar
from reference.carriers.ring import number
from reference.ch03_04_manipulator_equation import (
    forward_dynamics,
    gravity_forces,
    kinetic_energy,
    mass_matrix,
    potential_energy,
)
from reference.robot import robot

Array = np.ndarray
Floats = Sequence[float]

# --------------------------------------------------- a formula as straight-line Python


class _Term:
    """A number of the formula that stands in a line of its own."""

    __slots__ = ("name", "tape")

    def __init__(self, name: str, tape: _Tape) -> None:
        self.name, self.tape = name, tape

    def __add__(self, other: Scalar) -> Scalar:
        return self.tape.line(self, "+", other)

    def __radd__(self, other: Scalar) -> Scalar:
        return self.tape.line(other, "+", self)

    def __sub__(self, other: Scalar) -> Scalar:
        return self.tape.line(self, "-", other)

    def __rsub__(self, other: Scalar) -> Scalar:
        return self.tape.line(other, "-", self)

    def __mul__(self, other: Scalar) -> Scalar:
        return self.tape.line(self, "*", other)

    def __rmul__(self, other: Scalar) -> Scalar:
        return self.tape.line(other, "*", self)

    def __truediv__(self, other: Scalar) -> Scalar:
        return self.tape.line(self, "/", other)

    def __rtruediv__(self, other: Scalar) -> Scalar:
        return self.tape.line(other, "/", self)

    def __neg__(self) -> Scalar:
        return self.tape.line(0.0, "-", self)


class _Tape(Numpy):
    """Carrier that writes a formula down, each number once."""

    def __init__(self) -> None:
        self.lines: dict[str, _Term] = {}

    def _kept(self, expression: str) -> _Term:
        if expression not in self.lines:
            self.lines[expression] = _Term(f"t{len(self.lines)}", self)
        return self.lines[expression]

    def line(self, left: Scalar, operator: str, right: Scalar) -> _Term:
        """The number that an operation gives."""
        return self._kept(f"{_written(left)} {operator} {_written(right)}")

    def sin(self, x: Scalar) -> Scalar:
        """Sine."""
        return self._kept(f"sin({_written(x)})")

    def cos(self, x: Scalar) -> Scalar:
        """Cosine."""
        return self._kept(f"cos({_written(x)})")


def _written(x: Scalar) -> str:
    return x.name if isinstance(x, _Term) else f"({float(x)!r})"


def straight_line(
    model: Model, formula: Callable[..., Matrix], inputs: int
) -> Callable[..., list[float]]:
    """A formula of the chapter at one sample, as a function of lists of n floats.

    Args:
        model: The arm.
        formula: Gives a column; its parameters after the robot are vectors of length n.
        inputs: Number of those vectors.

    Returns:
        A function of that many lists which gives the column as a list.
    """
    tape = _Tape()
    names = [[f"x{k}_{i}" for i in range(model.nv)] for k in range(inputs)]
    arguments = [[_Term(name, tape) for name in vector] for vector in names]
    column = formula(robot(model, tape), *arguments)
    results = [_written(number(row[0])) for row in column.rows]
    body = [f"{', '.join(vector)}, = x{k}" for k, vector in enumerate(names)]
    body += [f"{term.name} = {text}" for text, term in tape.lines.items()]
    body.append(f"return [{', '.join(results)}]")
    head = f"def computed({', '.join(f'x{k}' for k in range(inputs))}):"
    scope: dict[str, Any] = {"sin": math.sin, "cos": math.cos}
    exec("\n    ".join([head, *body]), scope)
    compiled: Callable[..., list[float]] = scope["computed"]
    return compiled


@lru_cache(maxsize=8)
def _motion(model: Model) -> Callable[..., list[float]]:
    return straight_line(model, forward_dynamics.compute, 3)


# ------------------------------------------------------------------------ integration

Torque = Callable[[list[float], list[float]], list[float]]
"""Torques of a state (q, v) [N m]."""
Power = Callable[[list[float], list[float], list[float]], float]
"""A power of (q, v, tau) [W]."""


@dataclass(frozen=True)
class Trajectory:
    """States at times 0, h, 2 h, ...

    Attributes:
        time: (K + 1,) [s].
        q: (K + 1, n) [rad | m].
        v: (K + 1, n).
        work: Integral of a power, (K + 1,) [J].
    """

    time: Array
    q: Array
    v: Array
    work: Array


def input_power(q: list[float], v: list[float], tau: list[float]) -> float:
    """v'tau, the power of the torques."""
    return sum(x * y for x, y in zip(v, tau, strict=True))


def gravity_power(model: Model) -> Power:
    """-v'g(q), the power of gravity."""
    forces = straight_line(model, gravity_forces.compute, 1)

    def power(q: list[float], v: list[float], tau: list[float]) -> float:
        return -input_power(q, v, forces(q))

    return power


def pd_control(stiffness: Floats, damping: Floats, goal: Floats) -> Torque:
    """tau_i = k_i (goal_i - q_i) - d_i v_i, k in N m/rad, d in N m s/rad."""

    def torque(q: list[float], v: list[float]) -> list[float]:
        return [
            k * (end - x) - d * u
            for k, d, end, x, u in zip(stiffness, damping, goal, q, v, strict=True)
        ]

    return torque


def simulate(
    model: Model,
    start: tuple[Floats, Floats],
    step: float,
    duration: float,
    *,
    method: str = "rk4",
    torque: Torque | None = None,
    power: Power = input_power,
) -> Trajectory:
    """Integrate a = M^-1 (tau - C v - g) and the work of a power.

    Args:
        model: The arm.
        start: q and v at time 0.
        step: Time step [s].
        duration: Length of the motion, a multiple of the step [s].
        method: "rk4", the classical method of order four, or "euler", explicit.
        torque: Torques, none for free motion.
        power: The power whose integral is kept beside the state, to the same order.
    """
    n, acceleration = model.nv, _motion(model)

    def rate(state: list[float]) -> list[float]:
        q, v = state[:n], state[n : 2 * n]
        tau = torque(q, v) if torque else [0.0] * n
        return [*v, *acceleration(q, v, tau), power(q, v, tau)]

    advance = {"rk4": runge_kutta, "euler": _euler}[method]
    state = [*map(float, start[0]), *map(float, start[1]), 0.0]
    states, steps = [state], round(duration / step)
    for _ in range(steps):
        state = advance(rate, state, step)
        states.append(state)
    table = np.array(states)
    time = step * np.arange(steps + 1)
    return Trajectory(time, table[:, :n], table[:, n : 2 * n], table[:, 2 * n])


Rate = Callable[[list[float]], list[float]]


def _moved(state: list[float], rate: list[float], step: float) -> list[float]:
    return [y + step * k for y, k in zip(state, rate, strict=True)]


def _euler(rate: Rate, state: list[float], step: float) -> list[float]:
    return _moved(state, rate(state), step)


def runge_kutta(rate: Rate, state: list[float], step: float) -> list[float]:
    """One step of the classical method of order four, in plain floats."""
    first = rate(state)
    second = rate(_moved(state, first, step / 2))
    third = rate(_moved(state, second, step / 2))
    fourth = rate(_moved(state, third, step))
    stages = zip(first, second, third, fourth, strict=True)
    return _moved(state, [a + 2 * b + 2 * c + d for a, b, c, d in stages], step / 6)


# -------------------------------------------------------------- what a motion conserves


def energy(model: Model, motion: Trajectory) -> Array:
    """Kinetic and potential energy along a motion, (K + 1,) [J]."""
    batch = {"q": motion.q, "v": motion.v}
    return kinetic_energy.value(model, batch) + potential_energy.value(model, batch)


def first_momentum(model: Model, motion: Trajectory) -> Array:
    """p_1 = (M v)_1, (K + 1,) [kg m^2/s].

    Constant in free motion if the first axis is plumb: q_1 is then cyclic (3.4.3.6).
    """
    row = mass_matrix.value(model, {"q": motion.q})[:, 0]
    momentum: Array = np.einsum("kj,kj->k", row, motion.v)
    return momentum


def energy_error(model: Model, motion: Trajectory) -> float:
    """Largest |E(t) - E(0) - W(t)| [J], W the work of the torques."""
    change = energy(model, motion)
    return float(np.abs(change - change[0] - motion.work).max())


def momentum_drift(model: Model, motion: Trajectory) -> float:
    """Largest |p_1(t) - p_1(0)| [kg m^2/s]."""
    momentum = first_momentum(model, motion)
    return float(np.abs(momentum - momentum[0]).max())


def observed_order(steps: Floats, errors: Floats) -> float:
    """Slope of log(error) over log(step), by least squares."""
    return float(np.polyfit(np.log(steps), np.log(errors), 1)[0])
