"""Robots in rationals, and derivatives without truncation."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from flint import fmpq
from hypothesis import given
from hypothesis import strategies as st

from models import Model
from reference.carriers import Exact, Matrix
from reference.carriers.ring import number
from reference.ch03_04_manipulator_equation import mass_matrix
from reference.robot import Robot, robot
from tests.strategies import REPEATABLE, rational_trees, states

LA = Exact()
Vector = list[fmpq]
Rows = list[list[fmpq]]


def rows(A: Matrix) -> Rows:
    """The entries, with structure forgotten."""
    return [[fmpq(number(x)) for x in row] for row in A.rows]


@st.composite
def moving(draw: Any, vectors: int = 1) -> tuple[Robot, list[Vector]]:
    """A robot and so many inputs."""
    model: Model = draw(rational_trees())
    return robot(model, LA), draw(states(model, vectors))


def every(vectors: int) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """Test for many robots and inputs."""
    return lambda test: REPEATABLE(given(moving(vectors))(test))


# ------------------------------------------------------------------------ derivatives


def shifted(robot: Robot, q: Vector, k: int, tangent: fmpq) -> Vector:
    """q with joint k turned by the angle of that half tangent, or slid by it."""
    moved = list(q)
    t = q[k]
    turning = robot.links[k].turning
    moved[k] = (t + tangent) / (1 - t * tangent) if turning else t + tangent
    return moved


def slope(f: Callable[[Vector], Rows], robot: Robot, q: Vector, k: int) -> Rows:
    """df/dq_k, exact: f is a trigonometric polynomial, or a polynomial, of degree two.

    With D(h) = f(q + h) - f(q - h), D of a right angle holds the first harmonic alone, and
    D of the angle with sine 4/5, whose double has sine 24/25, the second as well.
    """

    def difference(tangent: fmpq) -> Rows:
        up, down = (f(shifted(robot, q, k, s * tangent)) for s in (1, -1))
        return combined(up, down, fmpq(1), fmpq(-1))

    if not robot.links[k].turning:
        D = difference(fmpq(1))
        return combined(D, D, fmpq(1, 4), fmpq(1, 4))
    right, other = difference(fmpq(1)), difference(fmpq(1, 2))
    first = fmpq(1, 2) - fmpq(4, 5) * fmpq(25, 24)
    return combined(right, other, first, fmpq(25, 24))


def combined(A: Rows, B: Rows, a: fmpq, b: fmpq) -> Rows:
    """A a + B b."""
    return [
        [x * a + y * b for x, y in zip(p, q, strict=True)]
        for p, q in zip(A, B, strict=True)
    ]


def away_from_half_turns(robot: Robot, q: Vector) -> Vector:
    """q, but no step of `slope` ends at a half turn, whose half tangent is infinite."""
    poles = {fmpq(1), fmpq(-1), fmpq(2), fmpq(-2)}
    return [
        x + fmpq(1, 11) if x in poles and link.turning else x
        for x, link in zip(q, robot.links, strict=True)
    ]


def mass(robot: Robot) -> Callable[[Vector], Rows]:
    """M as a function of q."""
    return lambda q: rows(mass_matrix(robot, q))
