"""Configurations that close the loops of a model, and velocities that keep them closed."""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache

import numpy as np

from models import Model
from reference.constraints import (
    constraint_bias_acceleration,
    constraint_error,
    constraint_jacobian,
)
from reference.quantity import Array, needs_points
from reference.rank import RANK_RTOL, Rank, rank_of

CLOSED = 1e-12
"""Largest gap [m | 1] that still counts as rounding."""
STEPS = 25
REGULAR = 1e-5
"""Smallest share of the largest singular value of J at which a pose counts as regular."""
CONTRADICTION = "its constraints contradict each other when open"


class OpenLoopError(ValueError):
    """A state does not fulfil the constraints; the message has the gap."""


def home(model: Model) -> Array:
    """The configuration (nq,) that the model names as closed, zeros if it names none."""
    return np.array(model.home or (0.0,) * model.nq)


def gap(model: Model, q: Array) -> Array:
    """How far the loops are open at configurations (N, nq): the largest entry, (N,)."""
    if not model.loops:
        return np.zeros(len(q))
    largest: Array = np.abs(constraint_error.value(model, {"q": q})).max(axis=1)
    return largest


def _correction(J: Array, error: Array) -> Array:
    """The shortest x with J x = error, rows of any rank; (N, n)."""
    return (np.linalg.pinv(J, rcond=RANK_RTOL) @ error[..., None])[..., 0]


def nearest_closed(model: Model, q: Array) -> Array:
    """Newton's method to a closed configuration, each step the shortest; (N, nq).

    Rows that find none come back open: see `gap`.
    """
    q = np.array(q, float)
    if not model.loops:
        return q
    best, smallest = q.copy(), gap(model, q)
    active = np.arange(len(q))
    for _ in range(STEPS):
        error = constraint_error.value(model, {"q": q[active]})
        J = constraint_jacobian.value(model, {"q": q[active]})
        q[active] -= np.clip(_correction(J, error), -0.5, 0.5)
        now = gap(model, q[active])
        better = now < smallest[active]
        gained = active[better]
        best[gained], smallest[gained] = q[gained], now[better]
        active = active[better | (smallest[active] >= CLOSED)]
        if not len(active):
            break
    return best


def closed_near(model: Model, q: Array) -> Array:
    """Closed configurations on the way from the model's home to q (N, nq).

    Where Newton's method does not close the loops from q, or ends where J all but loses
    rank, it starts half way back, and so on; the home itself is the last resort.

    Raises:
        OpenLoopError: If the model's home does not close either.
    """
    start = home(model)
    found = np.tile(closed_home(model), (len(q), 1))
    open_ = np.arange(len(q))
    for share in (1.0, 0.5, 0.25, 0.125, 0.0625):
        tried = nearest_closed(model, start + share * (q[open_] - start))
        good = (gap(model, tried) < CLOSED) & _is_regular(model, tried)
        found[open_[good]] = tried[good]
        open_ = open_[~good]
        if not len(open_):
            break
    return found


def _is_regular(model: Model, q: Array) -> Array:
    """Whether no singular value of J lies between rounding and `REGULAR`; (N,)."""
    if not model.loops:
        return np.full(len(q), True)
    J = constraint_jacobian.value(model, {"q": q})
    s = np.linalg.svd(J, compute_uv=False)
    between = (s > RANK_RTOL * s[:, :1]) & (s < REGULAR * s[:, :1])
    regular: Array = ~between.any(axis=1)
    return regular


def closed_home(model: Model) -> Array:
    """The closed configuration (nq,) nearest to the model's home.

    Raises:
        OpenLoopError: If Newton's method finds none from there.
    """
    start = home(model)[None]
    if gap(model, start)[0] < CLOSED:
        return start[0]
    found = nearest_closed(model, start)
    if gap(model, found)[0] >= CLOSED:
        raise OpenLoopError(
            f"{model.name}: the loops are open by {gap(model, start)[0]:.3g} at home and "
            f"cannot be closed from there (best {gap(model, found)[0]:.3g}); give a home "
            "that is closer to a closed configuration"
        )
    return found[0]


OPEN = 1e-6
"""Gap [m | 1] beyond which a stated home is no rounding of a closed one."""


def closed_at_home(model: Model) -> Array:
    """The closed configuration (nq,) at the model's home, which must be closed if stated.

    Raises:
        OpenLoopError: If it is open by more than rounding, or cannot be closed.
    """
    closed = closed_home(model)
    off = float(gap(model, home(model)[None])[0])
    if not model.home or off <= OPEN:
        return closed
    names = [model.bodies[i].joint.name for i in model.moving]
    near = ", ".join(
        f"{n} = {x!r}" for n, x in zip(names, closed.tolist(), strict=True)
    )
    raise OpenLoopError(
        f"inconsistent home: the loops are open by {off:.3g}; nearest closed: {near}"
    )


def admissible(model: Model, q: Array, v: Array) -> Array:
    """The velocities nearest to v (N, nv) that keep the loops closed."""
    if not model.loops:
        return v
    J, wanted = constraint_jacobian.value(model, {"q": q}), v
    for _ in range(2):  # the second takes away what rounding left
        v = v - _correction(J, (J @ v[..., None])[..., 0])
    rounding = 1e-14 * np.abs(wanted).max(axis=1, keepdims=True)
    return np.where(np.abs(v).max(axis=1, keepdims=True) > rounding, v, 0.0)


@lru_cache
def needs_solvable_open_states(model: Model) -> str:
    """Why the constraints of a model contradict each other where its loops are open.

    Rows that depend on each other where the loops are closed may have no common solution
    anywhere else; those that vanish by structure do.  Asked at one state near home.
    """
    reason = needs_points(model)
    if reason:
        return reason
    closed = closed_home(model)
    swing = np.sin(1.0 + np.arange(model.nq))
    state = {"q": (closed + 0.01 * swing)[None], "v": swing[None]}
    J = constraint_jacobian.value(model, state)[0]
    if rank_of(J).rank != constraint_rank(model).rank:
        return CONTRADICTION
    wanted = [
        f.value(model, state)[0]
        for f in (constraint_error, constraint_bias_acceleration)
    ]
    for b in wanted:
        x = np.linalg.lstsq(J, b, rcond=RANK_RTOL)[0]
        if np.abs(J @ x - b).max() > 1e-9 * np.abs(b).max():
            return CONTRADICTION
    return ""


@lru_cache
def structural_rows(model: Model) -> tuple[int, ...]:
    """The rows of a model's constraints that do not vanish by structure."""
    if not model.loops:
        return ()
    start = closed_home(model)
    near = start + 0.3 * np.sin(1.0 + np.arange(model.nq))
    J = constraint_jacobian.value(model, {"q": np.stack([start, near])})
    return tuple(np.flatnonzero(np.abs(J).max(axis=(0, 2)) > 0).tolist())


@lru_cache
def constraint_rank(model: Model) -> Rank:
    """Rank of J at the closed home, with the singular values on both sides of the gap."""
    q = closed_home(model)[None]
    return rank_of(constraint_jacobian.value(model, {"q": q})[0])


def locked(model: Model) -> str:
    """Why nothing can move: the rows of the constraints fix every velocity."""
    if not model.loops:
        return ""
    rank = constraint_rank(model)
    if rank.rank < model.nv:
        return ""
    points = replace(model, loops=tuple(x._replace(kind="point") for x in model.loops))
    freed = model.nv - constraint_rank(points).rank
    hint = f"; closed in points only it has {freed}" if freed else ""
    return (
        f"over-constrained: {rank} leave none of {model.nv} velocities free{hint}, so an "
        "acceleration that a library gives here is that of no mechanism"
    )


def redundancy(model: Model) -> str:
    """What is not unique because rows of the constraints depend on each other."""
    rank = constraint_rank(model)
    if rank.rank == rank.rows:
        return ""
    return (
        f"{rank}: a and J' lambda are unique and judged, the part of lambda that J' sends "
        "to zero is not"
    )


def check_state(model: Model, q: Array, v: Array) -> None:
    """Refuse a state (nq,), (nv,) that is off the constraints.

    Raises:
        OpenLoopError: With the gap in position or velocity.
    """
    if not model.loops:
        return
    position = gap(model, q[None])[0]
    speed = constraint_jacobian.value(model, {"q": q[None]})[0] @ v
    off = float(np.abs(speed).max())
    if position > CLOSED:
        raise OpenLoopError(
            f"{model.name}: inconsistent state: the loops are open by {position:.3g}"
        )
    if off > CLOSED * max(1.0, float(np.abs(v).max())):
        raise OpenLoopError(
            f"{model.name}: inconsistent state: the loops open at a rate of {off:.3g}"
        )
