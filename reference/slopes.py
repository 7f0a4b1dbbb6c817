"""Derivatives with respect to q of what a library computes, exact but for rounding.

Along a revolute joint every quantity of rigid-body mechanics that the laws differentiate is a
trigonometric polynomial, along a prismatic joint a polynomial, of degree two or less, so that
a few evaluations determine the slope without truncation.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from models import Model
from reference.measured import Array, Measured

MOST_JOINTS = 12
"""Laws with slopes ask for 4 n evaluations; beyond so many joints they are not asked."""


def slope(ask: Any, name: str, q: Array, k: int) -> Measured:
    """Derivative of a quantity f(q) along joint k, exact but for rounding.

    Revolute: f = a + b cos q + c sin q + d cos 2q + e sin 2q, so that with D(h) = f(q + h) -
    f(q - h) the slope is D(pi/4) + (1 - sqrt 2)/2 D(pi/2).  Prismatic: f is quadratic, and
    the slope is D(1)/2.

    q + h is rounded, which moves f by (|q| + h) u times its slope at most; the slope is at
    most twice the size of f, and the bound of f is six times u times its size or more.
    """
    compute = getattr(ask, name)

    def difference(h: float) -> Measured:
        step = np.zeros(q.shape[1])
        step[k] = h
        found: Measured = compute(q + step) - compute(q - step)
        moved = (np.abs(q[:, k]) + h)[:, None, None] / 3
        return Measured(found.value, found.bound * (1 + moved))

    if not ask.turning[k]:
        return difference(1.0) * 0.5
    fine, coarse = difference(np.pi / 4), difference(np.pi / 2)
    found: Measured = fine + coarse * ((1 - np.sqrt(2.0)) / 2)
    return found


def slopes(ask: Any, name: str, q: Array) -> list[Measured]:
    """The slopes along all joints, in their order."""
    return [slope(ask, name, q, k) for k in range(q.shape[1])]


def few_joints(model: Model) -> str:
    """Why a law with slopes is not asked of a model; empty if it is."""
    if model.nv <= MOST_JOINTS:
        return ""
    return f"asks for {4 * model.nv} evaluations a sample; asked up to {MOST_JOINTS} joints"
