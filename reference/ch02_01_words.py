"""2.1 Directions, points and twists in words, for people to find on a drawing."""

from __future__ import annotations

import numpy as np

from reference.ch02_01_displacement import Array


def twist_in_words(twist: Array) -> str:
    """The motion that a twist (omega, v) [rad/s, m/s] is, without its amount."""
    w, v = twist[:3], twist[3:]
    size = float(np.linalg.norm(w))
    if size < 1e-9:
        return f"shifts along {direction(v)}"
    p = np.cross(w, v) / size**2
    pitch = float(w @ v) / size**2
    how = "spins" if abs(pitch) < 1e-9 else f"screws (pitch {pitch:.3g} m)"
    return f"{how} about {direction(w)} through {point(p)}"


def direction(u: Array) -> str:
    """A direction as a unit vector, its largest entry positive."""
    u = u / np.linalg.norm(u)
    return point(u if u[int(np.argmax(np.abs(u)))] > 0 else -u)


def point(p: Array) -> str:
    """A point [m] with four digits."""
    return f"({', '.join(f'{x + 0.0:.4g}' for x in np.round(p, 12))})"
