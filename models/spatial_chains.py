"""Spatial mechanisms with closed loops: platforms, two arms, Bricard's chain."""

from __future__ import annotations

from dataclasses import replace
from math import atan2, cos, hypot, pi, sin
from typing import List, Sequence, Tuple

import numpy as np

from models.catalogue import Draw, X, Y, Z, random_tree, skew_axes
from models.placing import matching
from models.rotation import transform
from models.tree import (
    Body,
    Frame,
    Inertia,
    Joint,
    Loop,
    Model,
    Pose,
    Rpy,
    Tendon,
    Vec3,
)

PLATFORM = (-0.15, 0.08, 0.33), Rpy(-0.07, -0.06, 0.0)
"""Position and rotation of the platform at home."""


# ---------------------------------------------------------------------------- platforms


def _hexagon(radius: float, half_angle: float) -> List[Vec3]:
    """Three pairs of points, at 0, 120 and 240 degrees, each half an angle aside [deg]."""
    found: List[Vec3] = []
    for k in range(6):
        turn = 2 * pi * (k // 2) / 3 + (1 if k % 2 else -1) * half_angle * pi / 180
        found.append((radius * cos(turn), radius * sin(turn), 0.0))
    return found


def _platform() -> Tuple[Body, ...]:
    """A body on three slides and three hinges, so that its rotation is Rz Ry Rx."""
    names = ("x", "y", "z", "yaw", "pitch", "roll")
    axes = (X, Y, Z, Z, Y, X)
    plate = Inertia(2.0, Pose(), (0.01, 0.0, 0.0, 0.01, 0.0, 0.02))
    return tuple(
        Body(
            f"{name}_link" if k < 5 else "platform",
            k - 1,
            Joint(name, "prismatic" if k < 3 else "revolute", axis),
            inertia=plate if k == 5 else None,
        )
        for k, (name, axis) in enumerate(zip(names, axes))
    )


def _platform_home() -> Tuple[float, ...]:
    p, (roll, pitch, yaw) = PLATFORM
    return (*p, yaw, pitch, roll)


def stewart() -> Model:
    """Stewart platform as a free body of 2 kg on six massless legs that push."""
    legs = zip(_hexagon(0.4, 25.0), _hexagon(0.25, 15.0))
    tendons = tuple(
        Tendon(
            f"leg{k}",
            (Frame(f"foot{k}", -1, Pose(foot)), Frame(f"ball{k}", 5, Pose(ball))),
        )
        for k, (foot, ball) in enumerate(legs, 1)
    )
    return Model(
        "stewart",
        _platform(),
        Frame("tool", 5),
        tendons=tendons,
        home=_platform_home(),
        source="chapter 3.11; geometry and pose fitted to its printed numbers",
    )


def stewart_legs() -> Model:
    """The same platform on six legs of two tubes each: 24 joints, six point loops."""
    small = (3e-4, 0.0, 0.0, 3e-4, 0.0, 1e-5)
    bodies, home, loops = list(_platform()), list(_platform_home()), []
    T = transform(Pose(*PLATFORM))
    legs = zip(_hexagon(0.4, 25.0), _hexagon(0.25, 15.0))
    for k, (foot, ball) in enumerate(legs, 1):
        n, joint = len(bodies), f"leg{k}"
        bodies += [
            Body(f"{joint}_x_link", -1, Joint(f"{joint}_x", axis=X), Pose(foot)),
            Body(
                f"lower{k}", n, Joint(f"{joint}_y", axis=Y),
                inertia=Inertia(0.1, Pose((0.0, 0.0, 0.1)), small),
            ),
            Body(
                f"upper{k}", n + 1, Joint(f"{joint}_slide", "prismatic", Z),
                inertia=Inertia(0.1, Pose((0.0, 0.0, -0.1)), small),
            ),
        ]  # fmt: skip
        tip, end = Frame(f"tip{k}", n + 2), Frame(f"ball{k}", 5, Pose(ball))
        loops.append(Loop(joint, "point", tip, end))
        x, y, z = (T[:3, :3] @ np.array(ball) + T[:3, 3] - np.array(foot)).astype(float)
        home += [atan2(-y, z), atan2(x, hypot(y, z)), hypot(x, y, z)]
    return Model(
        "stewart_legs",
        tuple(bodies),
        Frame("tool", 5),
        loops=tuple(loops),
        home=tuple(home),
        source="chapter 3.11 for the platform; legs made for this catalogue",
    )


# ------------------------------------------------------------------------- general chains


def twin_arms() -> Model:
    """Two 6R arms in general position whose tools are welded together."""
    arm, base = skew_axes(), Pose((1.2, -0.4, 0.3), Rpy(0.4, -0.7, 1.9))
    other = [
        replace(
            body,
            name=f"other_{body.name}",
            parent=body.parent + 6 if k else -1,
            joint=replace(body.joint, name=f"other_{body.joint.name}"),
            placement=body.placement if k else base,
        )
        for k, body in enumerate(arm.bodies)
    ]
    model = Model(
        "twin_arms",
        (*arm.bodies, *other),
        arm.tool,
        home=(0.3, -0.8, 1.1, 0.6, -0.4, 0.9, -0.5, 0.7, -1.2, 0.4, 0.8, -0.6),
        source="made for this catalogue",
    )
    first = arm.tool._replace(name="grip")
    second = matching(model, model.home, first, 11, "other_grip")
    return replace(model, loops=(Loop("weld", "frame", first, second),))


def twin_arms_pinned() -> Model:
    """The two arms with their tools on one ball joint."""
    model = twin_arms()
    (loop,) = model.loops
    pin = loop._replace(name="pin", kind="point")
    return replace(model, name="twin_arms_pinned", loops=(pin,))


def spatial_chain() -> Model:
    """Hinges and slides about skew axes, turned fixed bodies, a point and a frame loop.

    A trunk of two joints carries two branches of five; the branches' ends are welded, and
    a point of the first branch is held by the world.
    """
    parents = (-1, 0, 1, 2, 3, 4, 5, 6, 7, 2, 9, 10, 11, 12)
    kinds = "RFR" + "RPFRRR" + "PRRPR"
    tree = random_tree("spatial_chain", parents, kinds)
    home = tuple(0.1 * ((5 * k) % 13 - 6) for k in range(tree.nq))
    draw = Draw("spatial_chain loops")
    held = Frame("held", 4, Pose(draw.vec(0.2), draw.rpy()))
    end = Frame("end", 8, Pose(draw.vec(0.2), draw.rpy()))
    loops = (
        Loop("pin", "point", held, matching(tree, home, held, -1, "holder")),
        Loop("weld", "frame", end, matching(tree, home, end, 13, "other_end")),
    )
    return replace(tree, loops=loops, home=home)


def bricard() -> Model:
    """Rectangular Bricard chain: six hinges, five rods of 1 m and the ground.

    The tree has the first five hinges.  The sixth, about x, is two point loops at points
    of its axis: their distance is fixed, so one of the six rows is spent, and mobility 1
    leaves rank 4.  All numbers are exact and so is the closure at zero.
    """
    points = ((0, 0, 0), (1, 0, 0), (1, -1, 0), (1, -1, 1), (0, -1, 1), (0, 0, 1))
    bodies = []
    for k, axis in enumerate((Y, Z, X, Y, Z)):
        above = points[k - 1] if k else points[0]
        rod = _difference(points[k + 1], points[k])
        bodies.append(
            Body(
                f"rod{k + 1}",
                k - 1,
                Joint(f"hinge{k + 1}", axis=axis),
                Pose(_difference(points[k], above)),
                _square_rod(rod),
            )
        )
    x0, y0, z0 = _difference(points[5], points[4])
    loops = tuple(
        Loop(
            f"hinge6_{name}",
            "point",
            Frame(f"rod5_{name}", 4, Pose((x0 + x, y0, z0))),
            Frame(f"ground_{name}", -1, Pose((x, 0.0, 1.0))),
        )
        for name, x in (("origin", 0.0), ("axis", 0.5))
    )
    return Model(
        "bricard",
        tuple(bodies),
        Frame("tool", 2),
        (0.0, -9.81, 0.0),
        loops,
        home=(0.0,) * 5,
        source="IFToMM multibody benchmark A04",
    )


def _difference(a: Sequence[float], b: Sequence[float]) -> Vec3:
    x, y, z = (float(p - q) for p, q in zip(a, b))
    return (x, y, z)


def _square_rod(along: Vec3) -> Inertia:
    """A rod of 1 kg from the origin to a unit vector of an axis, section 0.1 m square."""
    slim, wide = 2 * 0.01 / 12, (1 + 0.01) / 12
    ixx, iyy, izz = (slim if c else wide for c in along)
    x, y, z = along
    return Inertia(1.0, Pose((x / 2, y / 2, z / 2)), (ixx, 0.0, 0.0, iyy, 0.0, izz))
