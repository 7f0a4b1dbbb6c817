"""The world-frame rule: what a library may lose that computes in the axes of the world."""

from __future__ import annotations

from dataclasses import replace
from itertools import chain
from typing import Any

import numpy as np

from reference.carriers import (
    BLOCK_PRODUCT,
    VECTOR_PRODUCT,
    Magnitude,
    MagnitudeMatrix,
    Scalar,
)
from reference.robot import Mount, Robot


def widened(robot: Robot, q: list[Scalar]) -> Robot:
    """The world-frame rule: errors that a library may make which computes elsewhere.

    A library may express any vector or inertia in world axes, about any point of the robot
    or of the world, and bring it back.  Offsets then err by 6 u L, L the length of the robot
    from the world's origin; inertias by 6 u m L^2; and everything by rho u of its size, rho
    the rotations made on the way.  See docs/tolerances.md.
    """
    if not isinstance(robot.la, Magnitude):
        raise TypeError("only magnitudes can be widened")
    reach, turns = _reach_and_turns(robot, q)
    length = _length(robot, reach)

    def offset(v: MagnitudeMatrix, rho: Any) -> MagnitudeMatrix:
        return v.widened(VECTOR_PRODUCT * length + rho * v.size)

    def moved(mount: Mount) -> Mount:
        rho = turns[mount.link] if mount.link >= 0 else 0.0
        return replace(mount, p=offset(mount.p, rho))

    links = tuple(
        replace(
            link,
            p=offset(link.p, rho),
            com=offset(link.com, rho),
            axis=link.axis.widened(rho * link.axis.size),
            tensor=link.tensor.widened(
                VECTOR_PRODUCT * (link.tensor.size + link.mass.size * length**2)
                + 2 * rho * link.tensor.size
            ),
        )
        for link, rho in zip(robot.links, turns, strict=True)
    )
    return replace(
        robot,
        links=links,
        tool=moved(robot.tool),
        base=tuple((mass, offset(com, 2 * BLOCK_PRODUCT)) for mass, com in robot.base),
        loops=tuple(
            replace(loop, first=moved(loop.first), second=moved(loop.second))
            for loop in robot.loops
        ),
        tendons=tuple(tuple(map(moved, points)) for points in robot.tendons),
    )


def _length(robot: Robot, reach: list[Any]) -> Any:
    """Length of the robot from the world's origin: of links, tool, loops and tendons."""
    ends = [(loop.first, loop.second) for loop in robot.loops]
    mounts = chain([robot.tool], *ends, *robot.tendons)
    lengths = [(reach[m.link] if m.link >= 0 else 0.0) + m.p.size for m in mounts]
    lengths += [r + link.com.size for link, r in zip(robot.links, reach, strict=True)]
    longest = lengths[0]
    for other in lengths[1:]:
        longest = np.maximum(longest, other)
    return longest


def _reach_and_turns(robot: Robot, q: list[Scalar]) -> tuple[list[Any], list[Any]]:
    """Path length from the world's origin, and rotation error, of every link."""
    reach: list[Any] = []
    turns: list[Any] = []
    for link, x in zip(robot.links, q, strict=True):
        above = reach[link.parent] if link.parent >= 0 else 0.0
        reach.append(above + link.p.size + (0.0 if link.turning else x.size))
        before = turns[link.parent] if link.parent >= 0 else 0.0
        joint = robot.la.rotation(link.axis, x).error
        turns.append(before + link.R.error + joint + 2 * BLOCK_PRODUCT)
    return reach, turns
