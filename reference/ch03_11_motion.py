"""3.11 Motion of closed chains in time: drift, stabilisation, projection.

An integrator needs one sample at a time, so the terms of the equations are written down as
straight-line Python first (see 3.4).  Rows of J that vanish by structure, such as those
across the plane of a planar mechanism, are left out; the others must be independent, or the
solution is taken by singular values.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

import numpy as np

from models import Model
from reference.carriers import Matrix, Scalar
from reference.ch03_04_manipulator_equation import (
    bias_forces,
    kinetic_energy,
    mass_matrix,
    potential_energy,
)
from reference.ch03_04_simulation import straight_line
from reference.ch03_11_solvers import Solution, System, independent_motion, least_motion
from reference.closing import home, structural_rows
from reference.constraints import (
    constraint_bias_acceleration,
    constraint_error,
    constraint_jacobian,
)
from reference.quantity import Array, constraint_rows
from reference.rank import rank_of
from reference.robot import Robot

Forces = Callable[[Array, Array], Array]
"""Generalised forces tau of a state (q, v)."""


def no_forces(q: Array, v: Array) -> Array:
    """tau = 0."""
    return np.zeros_like(v)


def _stacked(robot: Robot, q: list[Scalar], v: list[Scalar]) -> Matrix:
    """h, Phi, Jdot v and the columns of M and J, one below the other."""
    la = robot.la
    M, J = mass_matrix(robot, q), constraint_jacobian(robot, q)
    columns = [
        la.block([[A]])
        for matrix in (M, J)
        for A in (
            la.column([matrix.rows[i][k] for i in range(len(matrix.rows))])
            for k in range(robot.nv)
        )
    ]
    parts = [
        bias_forces(robot, q, v),
        constraint_error(robot, q),
        constraint_bias_acceleration(robot, q, v),
    ]
    return la.block([[part] for part in (*parts, *columns)])


class Terms(NamedTuple):
    """The terms at one state, rows of J that vanish by structure left out."""

    M: Array
    J: Array
    h: Array
    gamma: Array
    error: Array


class Mechanism:
    """A closed chain in straight-line Python.

    Attributes:
        model: The model.
        rows: The rows of its constraints that do not vanish by structure.
        independent: Whether these are independent at the model's home.
    """

    def __init__(self, model: Model) -> None:
        """Write the terms down; takes a moment."""
        self.model = model
        self._compiled = straight_line(model, _stacked, 2)
        n, m = model.nv, constraint_rows(model)
        self._ends = np.cumsum([n, m, m, n * n, n * m])
        self.rows = list(structural_rows(model))
        start = home(model)
        J = self.terms(start, 0 * start).J
        self.independent = rank_of(J).rank == len(self.rows)

    def terms(self, q: Array, v: Array) -> Terms:
        """M, J, h, gamma and Phi at a state."""
        n, m = self.model.nv, constraint_rows(self.model)
        h, error, bias, M, J, _ = np.split(
            np.array(self._compiled(q.tolist(), v.tolist())), self._ends
        )
        keep = self.rows
        return Terms(
            M.reshape(n, n).T, J.reshape(n, m).T[keep], h, -bias[keep], error[keep]
        )

    def solution(self, system: System) -> Solution:
        """a and lambda of a system."""
        return independent_motion(system) if self.independent else least_motion(system)

    def acceleration(
        self, q: Array, v: Array, tau: Array, gains: tuple[float, float] = (0.0, 0.0)
    ) -> Solution:
        """a and lambda with J a = gamma - 2 alpha J v - beta^2 Phi."""
        M, J, h, gamma, error = self.terms(q, v)
        alpha, beta = gains
        if alpha or beta:
            gamma = gamma - 2 * alpha * (J @ v) - beta**2 * error
        return self.solution(System(M, J, tau - h, gamma))

    def rate(
        self,
        state: Array,
        forces: Forces = no_forces,
        gains: tuple[float, float] = (0.0, 0.0),
    ) -> Array:
        """d/dt of (q, v), for an integrator."""
        q, v = state[: self.model.nv], state[self.model.nv :]
        return np.concatenate([v, self.acceleration(q, v, forces(q, v), gains).a])

    def violation(self, q: Array, v: Array) -> tuple[float, float]:
        """Largest entry of Phi and of J v."""
        terms = self.terms(q, v)
        return float(np.abs(terms.error).max()), float(np.abs(terms.J @ v).max())

    def projected(self, q: Array, v: Array, steps: int = 3) -> tuple[Array, Array]:
        """The state moved onto the constraints, by least mass-weighted corrections.

        Each solves M d = J' mu with J d = -Phi (`steps` times), and once J d = -J v,
        3.11.3.4.
        """
        nothing = np.zeros(self.model.nv)
        for _ in range(steps):
            at = self.terms(q, v)
            q = q + self.solution(System(at.M, at.J, nothing, -at.error)).a
        at = self.terms(q, v)
        return q, v + self.solution(System(at.M, at.J, nothing, -(at.J @ v))).a


@lru_cache(maxsize=8)
def mechanism(model: Model) -> Mechanism:
    """The mechanism of a model, written down once."""
    return Mechanism(model)


# ---------------------------------------------------------------------------- in time


@dataclass(frozen=True)
class History:
    """States at times 0, h, 2 h, ... and how far they are off the constraints.

    Attributes:
        time: (K + 1,) [s].
        q: (K + 1, n).
        v: (K + 1, n).
        position: Largest entry of Phi, (K + 1,) [m].
        speed: Largest entry of J v, (K + 1,) [m/s].
    """

    time: Array
    q: Array
    v: Array
    position: Array
    speed: Array

    def energy(self, model: Model) -> Array:
        """Kinetic and potential energy, (K + 1,) [J]."""
        batch = {"q": self.q, "v": self.v}
        return kinetic_energy.value(model, batch) + potential_energy.value(model, batch)


def integrated(
    model: Model,
    start: tuple[Array, Array],
    step: float,
    duration: float,
    *,
    gains: tuple[float, float] = (0.0, 0.0),
    projecting: bool = False,
    forces: Forces = no_forces,
) -> History:
    """Integrate a by the classical Runge-Kutta method of order four.

    Args:
        model: The closed chain.
        start: q and v at time 0, on the constraints.
        step: Time step [s].
        duration: A multiple of the step [s].
        gains: alpha and beta of Baumgarte's stabilisation, none for the plain equation.
        projecting: Whether position and velocity are projected after every step.
        forces: tau of a state.
    """
    chain, n = mechanism(model), model.nv

    def rate(state: Array) -> Array:
        return chain.rate(state, forces, gains)

    state = np.concatenate([np.asarray(x, float) for x in start])
    states, steps = [state], round(duration / step)
    for _ in range(steps):
        state = runge_kutta(rate, state, step)
        if projecting:
            state = np.concatenate(chain.projected(state[:n], state[n:]))
        states.append(state)
    table = np.array(states)
    off = np.array([chain.violation(x[:n], x[n:]) for x in table])
    time = step * np.arange(steps + 1)
    return History(time, table[:, :n], table[:, n:], off[:, 0], off[:, 1])


def runge_kutta(rate: Callable[[Array], Array], state: Array, step: float) -> Array:
    """One step of the classical method of order four."""
    first = rate(state)
    second = rate(state + step / 2 * first)
    third = rate(state + step / 2 * second)
    fourth = rate(state + step * third)
    return state + step / 6 * (first + 2 * second + 2 * third + fourth)
