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


def slopes(ask: Any, name: str, q: Array) -> list[Measured]:
    """Derivatives of a quantity f(q) along all joints, exact but for rounding.

    Revolute: f = a + b cos q + c sin q + d cos 2q + e sin 2q, so that with D(h) = f(q + h) -
    f(q - h) the slope is D(pi/4) + (1 - sqrt 2)/2 D(pi/2).  Prismatic: f is quadratic, and
    the slope is D(1)/2.

    q + h is rounded, which moves f by (|q| + h) u times its slope at most; the slope is at
    most twice the size of f, and the bound of f is six times u times its size or more.

    All states are asked for at once, as each question has its price.
    """
    steps = [
        (k, h)
        for k in range(q.shape[1])
        for h in ((np.pi / 4, np.pi / 2) if ask.turning[k] else (1.0,))
    ]
    shifted = [
        q + sign * h * np.eye(q.shape[1])[k] for k, h in steps for sign in (1, -1)
    ]
    found: Measured = getattr(ask, name)(np.concatenate(shifted))
    n = len(q)

    def difference(i: int) -> Measured:
        k, h = steps[i]
        above, below = (
            Measured(found.value[j : j + n], found.bound[j : j + n])
            for j in (2 * i * n, (2 * i + 1) * n)
        )
        moved = (np.abs(q[:, k]) + h)[:, None, None] / 3
        change = above - below
        return Measured(change.value, change.bound * (1 + moved))

    differences = iter(map(difference, range(len(steps))))
    return [
        _combined(next(differences), next(differences))
        if turning
        else next(differences) * 0.5
        for turning in ask.turning
    ]


def _combined(fine: Measured, coarse: Measured) -> Measured:
    """D(pi/4) + (1 - sqrt 2)/2 D(pi/2), in steps whose rounding `Measured` counts."""
    return fine + (coarse - coarse * np.sqrt(2.0)) * 0.5


def few_joints(model: Model) -> str:
    """Why a law with slopes is not asked of a model; empty if it is."""
    if model.nv <= MOST_JOINTS:
        return ""
    return f"asks for {4 * model.nv} evaluations a sample; asked up to {MOST_JOINTS} joints"
