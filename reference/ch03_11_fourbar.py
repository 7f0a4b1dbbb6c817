"""3.11.3.6 A planar four-bar in its one independent coordinate, in closed form (2.18).

The rate of the crank is all an integrator needs, in plain floats: a step of the general
reduction takes as long as forty of these, and this is a derivation of its own.
"""

from __future__ import annotations

from math import cos, hypot, sin, sqrt
from typing import NamedTuple

from models import Model
from reference.ch03_04_simulation import runge_kutta


class _Bar(NamedTuple):
    """A link: length, distance of the centre of mass, mass, moment about the centre."""

    length: float
    centre: float
    mass: float
    moment: float

    @property
    def about_end(self) -> float:
        return self.moment + self.mass * self.centre**2


class FourBar:
    """Crank, coupler and rocker, the coupler's tip on the left of the way B to D.

    Attributes:
        ground: Distance of the fixed pivots along x [m].
        crank: The driven link.
        coupler: The link between B and C.
        rocker: The link between D and C.
        pull: Acceleration of gravity along y [m/s^2].
    """

    def __init__(self, model: Model) -> None:
        """Read a model built like `fourbar`: a tree of three links, closed at C."""
        _, coupler, rocker = model.bodies
        (loop,) = model.loops
        self.ground = rocker.placement.p[0]
        lengths = (
            coupler.placement.p[0],
            loop.first.pose.p[0],
            loop.second.pose.p[0],
        )
        bars = []
        for body, length in zip(model.bodies, lengths, strict=True):
            inertia = body.inertia
            assert inertia is not None  # links of a four-bar have mass
            bars.append(
                _Bar(length, inertia.pose.p[0], inertia.mass, inertia.moments[5])
            )
        self.crank, self.coupler, self.rocker = bars
        self.pull = model.gravity[1]

    def directions(self, theta: float) -> tuple[float, float, float, float]:
        """Cosine and sine of the coupler's and the rocker's angle.

        Raises:
            ValueError: Where the links do not reach.
        """
        a, b, c, d = *self._lengths(), self.ground
        bx, by = a * cos(theta), a * sin(theta)
        rx, ry = d - bx, -by
        r = hypot(rx, ry)
        along = (r * r + b * b - c * c) / (2 * r)
        aside = sqrt(b * b - along * along)
        x, y = (along * rx - aside * ry) / r, (along * ry + aside * rx) / r
        return x / b, y / b, (x - rx) / c, (y - ry) / c

    def _lengths(self) -> tuple[float, float, float]:
        return self.crank.length, self.coupler.length, self.rocker.length

    def acceleration(self, theta: float, omega: float) -> float:
        """Angular acceleration of the free crank, by the power of all forces.

        k3 and k4 are the angular velocities of coupler and rocker per that of the crank, e3
        and e4 their accelerations while the crank's is zero.
        """
        a, b, c = self._lengths()
        c2, s2, w2 = cos(theta), sin(theta), omega * omega
        c3, s3, c4, s4 = self.directions(theta)
        s43, c43 = s4 * c3 - c4 * s3, c4 * c3 + s4 * s3
        k3 = -a * (s4 * c2 - c4 * s2) / (b * s43)
        k4 = -a * (s3 * c2 - c3 * s2) / (c * s43)
        from_b, from_c = b * k3 * k3 * w2, c * k4 * k4 * w2
        e3 = (from_b * c43 + a * w2 * (c2 * c4 + s2 * s4) - from_c) / (b * s43)
        e4 = (from_b + a * w2 * (c2 * c3 + s2 * s3) - from_c * c43) / (c * s43)

        crank, coupler, rocker = self.crank, self.coupler, self.rocker
        l3, m3 = coupler.centre, coupler.mass
        px, py = -a * s2 - l3 * k3 * s3, a * c2 + l3 * k3 * c3
        bx = -a * w2 * c2 - l3 * (e3 * s3 + k3 * k3 * w2 * c3)
        by = -a * w2 * s2 + l3 * (e3 * c3 - k3 * k3 * w2 * s3)
        inertia = crank.about_end + m3 * (px * px + py * py)
        inertia += coupler.moment * k3 * k3 + rocker.about_end * k4 * k4
        bias = m3 * (px * bx + py * by)
        bias += coupler.moment * k3 * e3 + rocker.about_end * k4 * e4
        lever = crank.mass * crank.centre * c2 + m3 * py
        lever += rocker.mass * rocker.centre * k4 * c4
        return (self.pull * lever - bias) / inertia

    def after(
        self, state: tuple[float, float], step: float, steps: int
    ) -> tuple[float, float]:
        """Angle and speed after so many steps of the classical Runge-Kutta method."""
        now = list(state)
        for _ in range(steps):
            now = runge_kutta(lambda x: [x[1], self.acceleration(*x)], now, step)
        return now[0], now[1]
