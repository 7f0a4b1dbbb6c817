"""3.11 Independent coordinates: z = q[chosen] moves, the loops give the rest (3.11.3.6)."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from models import Model
from reference.ch03_11_motion import Forces, mechanism, no_forces
from reference.closing import CLOSED, OpenLoopError, nearest_closed
from reference.quantity import Array

STRIDE = 0.2
"""Longest step in an independent coordinate that is taken at once [rad | m]."""


class Reduced:
    """A closed chain in independent coordinates: z = q[chosen], the rest follows.

    Positions are found from those of the last call, along the tangent in steps of at most
    `STRIDE` and by Newton's method, so states should be asked for in the order of a motion.
    Where branches meet, the one that is followed is a matter of luck: give `q` then.
    """

    def __init__(self, model: Model, chosen: Sequence[int], q: Array) -> None:
        """Start on the branch of a closed configuration q.

        Raises:
            OpenLoopError: If q cannot be closed.
        """
        self.chain, self.chosen = mechanism(model), list(chosen)
        self.others = [i for i in range(model.nv) if i not in self.chosen]
        self.q = nearest_closed(model, np.asarray(q, float)[None])[0]
        if self.chain.violation(self.q, 0 * self.q)[0] > CLOSED:
            raise OpenLoopError(f"{model.name}: cannot be closed from {q}")

    def position(self, z: Array) -> Array:
        """All of q, for the independent part z.

        Raises:
            OpenLoopError: Where the branch ends.
        """
        q = self.q
        way = z - q[self.chosen]
        strides = int(np.ceil(np.abs(way).max(initial=0.0) / STRIDE)) or 1
        for k in range(strides):
            if strides > 1:
                q = q + self.map(self.chain.terms(q, 0 * q).J) @ (way / strides)
            q = self._closed(q, z - (strides - 1 - k) / strides * way)
        self.q = q
        return q

    def _closed(self, q: Array, z: Array) -> Array:
        q = q.copy()
        q[self.chosen] = z
        for _ in range(50):
            terms = self.chain.terms(q, 0 * q)
            change = self._solve(terms.J[:, self.others], -terms.error)
            q[self.others] += change
            if np.abs(change).max() < 1e-15:
                break
        else:
            if np.abs(terms.error).max() > CLOSED:
                raise OpenLoopError(f"{self.chain.model.name}: no closure at {z}")
        return q

    def _solve(self, A: Array, b: Array) -> Array:
        x: Array = np.linalg.lstsq(A, b, rcond=1e-12)[0]
        return x

    def map(self, J: Array) -> Array:
        """Z with v = Z zdot: the chosen rows are the identity, J Z = 0."""
        Z = np.zeros((J.shape[1], len(self.chosen)))
        Z[self.chosen] = np.eye(len(self.chosen))
        Z[self.others] = self._solve(J[:, self.others], -J[:, self.chosen])
        return Z

    def state(self, z: Array, speed: Array) -> tuple[Array, Array]:
        """q and v of an independent state."""
        q = self.position(z)
        return q, self.map(self.chain.terms(q, 0 * q).J) @ speed

    def acceleration(self, z: Array, speed: Array, forces: Forces) -> Array:
        """Z' M Z zddot = Z' (tau - h - M a_p), a_p the acceleration at zddot = 0."""
        q, v = self.state(z, speed)
        at = self.chain.terms(q, v)
        Z, particular = self.map(at.J), np.zeros(len(q))
        particular[self.others] = self._solve(at.J[:, self.others], at.gamma)
        known = forces(q, v) - at.h - at.M @ particular
        found: Array = np.linalg.solve(Z.T @ at.M @ Z, Z.T @ known)
        return found

    def rate(self, state: Array, forces: Forces = no_forces) -> Array:
        """d/dt of (z, zdot), for an integrator."""
        k = len(self.chosen)
        z, speed = state[:k], state[k:]
        return np.concatenate([speed, self.acceleration(z, speed, forces)])
