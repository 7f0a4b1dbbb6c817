"""Planar mechanisms with closed loops: four-bars, a five-bar, Andrews' squeezer.

They move in the plane x-y about z; every home is computed in closed form.
"""

from __future__ import annotations

from dataclasses import replace
from math import atan2, cos, hypot, pi, remainder, sin, sqrt
from typing import Tuple

from models.maximal import in_maximal_coordinates
from models.tree import Body, Frame, Inertia, Joint, Loop, Model, Pose, Rpy

DOWN = (0.0, -9.81, 0.0)

Point = Tuple[float, float]


def _at(x: float, y: float = 0.0) -> Pose:
    return Pose((x, y, 0.0))


def _hinged(name: str, parent: int, at: Point, inertia: Inertia) -> Body:
    """A body on a hinge about z at a point of its parent."""
    return Body(name, parent, Joint(f"{name}_joint"), _at(*at), inertia)


def _rod(length: float, mass: float) -> Inertia:
    """A uniform rod along x from the origin; thin, but not so thin that it vanishes."""
    across = mass * length * length / 12
    moments = (mass * 1e-4, 0.0, 0.0, across, 0.0, across)
    return Inertia(mass, _at(length / 2), moments)


def _upright(length: float, mass: float) -> Inertia:
    """The same along y."""
    across = mass * length * length / 12
    moments = (across, 0.0, 0.0, mass * 1e-4, 0.0, across)
    return Inertia(mass, _at(0.0, length / 2), moments)


def _left_of(a: Point, b: Point, from_a: float, from_b: float) -> Point:
    """The point at given distances from a and b, on the left of the way from a to b."""
    dx, dy = b[0] - a[0], b[1] - a[1]
    d = hypot(dx, dy)
    along = (d * d + from_a * from_a - from_b * from_b) / (2 * d)
    aside = sqrt(from_a * from_a - along * along)
    ex, ey = dx / d, dy / d
    return a[0] + along * ex - aside * ey, a[1] + along * ey + aside * ex


def _angle(a: Point, b: Point) -> float:
    """Angle of the way from a to b against x."""
    return atan2(b[1] - a[1], b[0] - a[0])


def _between(first: float, second: float) -> float:
    """The turn from one angle to another, within half a turn."""
    return remainder(second - first, 2 * pi)


def fourbar() -> Model:
    """Planar four-bar of uniform rods, 1 kg/m, as a tree closed at the rocker's tip."""
    ground, crank, coupler, rocker, angle = 0.97, 0.32, 1.27, 0.9, 0.75
    b, d = (crank * cos(angle), crank * sin(angle)), (ground, 0.0)
    c = _left_of(b, d, coupler, rocker)
    tip = Frame("coupler_tip", 1, _at(coupler))
    return Model(
        "fourbar",
        (
            _hinged("crank", -1, (0.0, 0.0), _rod(crank, crank)),
            _hinged("coupler", 0, (crank, 0.0), _rod(coupler, coupler)),
            _hinged("rocker", -1, d, _rod(rocker, rocker)),
        ),
        Frame("tool", 1, _at(coupler / 2)),
        DOWN,
        (Loop("closure", "point", tip, Frame("rocker_tip", 2, _at(rocker))),),
        home=(angle, _between(angle, _angle(b, c)), _angle(d, c)),
        source="chapter 3.11; lengths and angle fitted to its printed numbers",
    )


def fourbar_welded() -> Model:
    """The four-bar with its tips welded: 6 rows of rank 3, and nothing can move."""
    model = fourbar()
    (loop,) = model.loops
    crank, coupler, rocker = model.home
    turned = Rpy(0.0, 0.0, crank + coupler - rocker)
    second = loop.second._replace(pose=Pose(loop.second.pose.p, turned))
    weld = loop._replace(kind="frame", second=second)
    return replace(model, name="fourbar_welded", loops=(weld,))


def fourbar_maximal() -> Model:
    """The four-bar in maximal coordinates: 9 coordinates, 12 rows."""
    return in_maximal_coordinates(fourbar())


def fivebar() -> Model:
    """Planar five-bar of uniform rods, 1 kg/m, elbows outward, closed at its tip P."""
    base, upper, lower, p = 0.15, 0.25, 0.35, (0.0, 0.4)
    left, right = (-base, 0.0), (base, 0.0)
    left_elbow = _left_of(left, p, upper, lower)
    right_elbow = _left_of(p, right, lower, upper)
    proximal, distal = _rod(upper, upper), _rod(lower, lower)
    tips = (
        Frame(f"{side}_tip", i, _at(lower)) for side, i in (("left", 1), ("right", 3))
    )
    home = (
        _angle(left, left_elbow),
        _between(_angle(left, left_elbow), _angle(left_elbow, p)),
        _angle(right, right_elbow),
        _between(_angle(right, right_elbow), _angle(right_elbow, p)),
    )
    return Model(
        "fivebar",
        (
            _hinged("left_proximal", -1, left, proximal),
            _hinged("left_distal", 0, (upper, 0.0), distal),
            _hinged("right_proximal", -1, right, proximal),
            _hinged("right_distal", 2, (upper, 0.0), distal),
        ),
        Frame("tool", 1, _at(lower)),
        DOWN,
        (Loop("P", "point", *tips),),
        home=home,
        source="chapter 3.11; lengths found from its printed numbers",
    )


def fivebar_maximal() -> Model:
    """The five-bar in maximal coordinates: 12 coordinates, 15 rows."""
    return in_maximal_coordinates(fivebar())


def double_fourbar() -> Model:
    """Three upright cranks and two couplers of 1 m, 1 kg: two parallelograms in a row.

    The cranks' rods lie along y, so that upright is zero and exact.
    """
    crank, coupler = _upright(1.0, 1.0), _rod(1.0, 1.0)
    bodies = (
        _hinged("crank1", -1, (0.0, 0.0), crank),
        _hinged("coupler1", 0, (0.0, 1.0), coupler),
        _hinged("crank2", -1, (1.0, 0.0), crank),
        _hinged("coupler2", 2, (0.0, 1.0), coupler),
        _hinged("crank3", -1, (2.0, 0.0), crank),
    )
    loops = tuple(
        Loop(
            f"closure{k}",
            "point",
            Frame(f"coupler{k}_tip", 2 * k - 1, _at(1.0)),
            Frame(f"crank{k + 1}_tip", 2 * k, _at(0.0, 1.0)),
        )
        for k in (1, 2)
    )
    return Model(
        "double_fourbar",
        bodies,
        Frame("tool", 0, _at(0.0, 1.0)),
        DOWN,
        loops,
        home=(0.0,) * 5,
        source="IFToMM multibody benchmark A02, N = 2",
    )


def andrews() -> Model:
    """Andrews' squeezer of seven bodies, three loops at E; no spring, no drive, no gravity.

    Bodies are numbered as in the text; joints are named after its angles.  The spring
    goes from C = (0.014, 0.072) to D, the point (0.02, -0.018) of K3.
    """
    d, e, ss, zf = 0.028, 0.02, 0.035, 0.02
    ends = (("K3", 2, (0.0, -ss)), ("K4", 4, (0.0, -e)), ("K6", 6, (zf, 0.0)))
    loops = tuple(
        Loop(
            f"E_{name}",
            "point",
            Frame(f"E_K2_{name}", 1, _at(-d)),
            Frame(f"E_{name}", i, _at(*at)),
        )
        for name, i, at in ends
    )
    return Model(
        "andrews",
        _andrews_bodies(),
        Frame("tool", 1, _at(-d)),
        (0.0, 0.0, 0.0),
        loops,
        home=(  # as the test set prints it; it closes to 2e-17 m
            -0.06171389001427645, 0.0, 0.45527981916307037, 0.48736497954384256,
            0.22266839016588588, 1.2305474445498212, -0.22266839016588588,
        ),
        source="IVP Test Set, Andrews' squeezing mechanism; Hairer & Wanner II, VII.7",
    )  # fmt: skip


def _andrews_bodies() -> Tuple[Body, ...]:
    A, B = (-0.06934, -0.00227), (-0.03635, 0.03273)
    rr, zt, u = 0.007, 0.04, 0.04
    rows = (  # body, joint, parent, its point, mass, centre of mass, moment
        ("K1", "beta", -1, (0.0, 0.0), 0.04325, (0.00092, 0.0), 2.194e-6),
        ("K2", "Theta", 0, (rr, 0.0), 0.00365, (-0.0115, 0.0), 4.41e-7),
        ("K3", "gamma", -1, B, 0.02373, (0.01043, -0.01874), 5.255e-6),
        ("K5", "delta", -1, A, 0.0705, (0.02308, 0.00916), 1.169e-5),
        ("K4", "Phi", 3, (zt, 0.0), 0.00706, (0.0, -(0.02 - 0.01421)), 5.667e-7),
        ("K7", "epsilon", -1, A, 0.05498, (-0.00449, -0.01228), 1.912e-5),
        ("K6", "Omega", 5, (0.0, -u), 0.00706, (0.02 - 0.01421, 0.0), 5.667e-7),
    )
    return tuple(
        Body(
            name,
            parent,
            Joint(joint),
            _at(*at),
            Inertia(mass, _at(*com), (moment, 0.0, 0.0, moment, 0.0, moment)),
        )
        for name, joint, parent, at, mass, com, moment in rows
    )
