"""Constraints of loops and lengths of tendons: Phi(q), J(q) = dPhi/dq, Jdot v.

A loop says that two frames coincide: in their origins (a point, three rows), or in their
axes as well (a frame, six rows, angular first).  All is in the axes of the world, first
frame minus second.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from itertools import chain

import numpy as np

from models import Model
from reference.carriers import Carrier, Magnitude, Matrix, Numpy, Scalar
from reference.kinematics import (
    body_columns,
    link_motions,
    link_poses,
    local,
    mount_acceleration,
    mount_columns,
    mount_pose,
)
from reference.quantity import Batch, needs_loops, needs_tendons, quantity
from reference.robot import Mount, Robot, robot


def _turn_between(la: Carrier, first: Matrix, second: Matrix) -> Matrix:
    """u sin(theta) of the rotation exp(theta [u]) that leads from second to first."""
    pairs = zip(la.columns(second), la.columns(first), strict=True)
    return la.sum(la.hat(s) @ f for s, f in pairs) * la.half


@quantity(
    "Phi(q)",
    shape="nc",
    unit="1 | m",
    source="3.11.3.1",
    stage="constraints",
    silent=needs_loops,
)
def constraint_error(robot: Robot, q: list[Scalar]) -> Matrix:
    """How far each loop is open: first origin minus second; of a frame also u sin(theta)."""
    la, poses = robot.la, link_poses(robot, local(robot, q))
    blocks = []
    for loop in robot.loops:
        (R1, p1), (R2, p2) = (mount_pose(m, poses) for m in (loop.first, loop.second))
        if loop.is_frame:
            blocks.append([_turn_between(la, R1, R2)])
        blocks.append([p1 - p2])
    return la.block(blocks)


def _columns_in_world(
    robot: Robot, q: list[Scalar]
) -> Callable[[Mount], tuple[Matrix, Matrix]]:
    """Of any frame, the Jacobians of its angular velocity and of its origin's velocity."""
    at = local(robot, q)
    poses, columns = link_poses(robot, at), body_columns(robot, at)

    def of_frame(mount: Mount) -> tuple[Matrix, Matrix]:
        R, _ = mount_pose(mount, poses)
        angular, linear = robot.la.split(mount_columns(robot, mount, columns))
        return R @ angular, R @ linear

    return of_frame


@quantity(
    "J(q) = dPhi/dq",
    shape="nc nv",
    unit="1 | m",
    source="3.11.3.1; L&P (8.92)",
    stage="constraints",
    silent=needs_loops,
)
def constraint_jacobian(robot: Robot, q: list[Scalar]) -> Matrix:
    """Relative angular velocity, and relative velocity of the origins, are J v."""
    in_world, blocks = _columns_in_world(robot, q), []
    for loop in robot.loops:
        (w1, v1), (w2, v2) = in_world(loop.first), in_world(loop.second)
        blocks += [[w1 - w2], [v1 - v2]] if loop.is_frame else [[v1 - v2]]
    return robot.la.block(blocks)


@quantity(
    "Jdot v = -gamma",
    shape="nc",
    unit="rad/s^2 | m/s^2",
    source="3.11.3.1",
    stage="constraints",
    silent=needs_loops,
)
def constraint_bias_acceleration(
    robot: Robot, q: list[Scalar], v: list[Scalar]
) -> Matrix:
    """Relative acceleration at a = 0: angular, and of the origins."""
    la, at = robot.la, local(robot, q)
    poses = link_poses(robot, at)
    motions = link_motions(robot, at, v, robot.at_rest(), la.zeros(3, 1))

    def in_world(mount: Mount) -> tuple[Matrix, Matrix]:
        R, _ = mount_pose(mount, poses)
        angular, linear = mount_acceleration(robot, mount, *motions)
        return R @ angular, R @ linear

    blocks = []
    for loop in robot.loops:
        (w1, a1), (w2, a2) = in_world(loop.first), in_world(loop.second)
        blocks += [[w1 - w2], [a1 - a2]] if loop.is_frame else [[a1 - a2]]
    return la.block(blocks)


def first_axes(robot: Robot, q: list[Scalar]) -> list[Matrix]:
    """For every block of three rows, the rotation of its loop's first frame."""
    poses = link_poses(robot, local(robot, q))
    found = []
    for loop in robot.loops:
        R, _ = mount_pose(loop.first, poses)
        found += [R] * loop.blocks
    return found


# ---------------------------------------------------------------------------- tendons


Span = tuple[Mount, Mount, Matrix]
"""A straight part of a tendon: its ends and the vector between them."""


def _spans(robot: Robot, q: list[Scalar]) -> list[list[Span]]:
    """The straight parts of every tendon."""
    poses = link_poses(robot, local(robot, q))
    found = []
    for points in robot.tendons:
        ends = [mount_pose(m, poses)[1] for m in points]
        parts = zip(points[:-1], points[1:], ends[:-1], ends[1:], strict=True)
        found.append([(a, b, to - start) for a, b, start, to in parts])
    return found


def _directions(robot: Robot, spans: list[list[Span]]) -> list[list[Matrix]]:
    """Unit vector along every part of every tendon.

    Its rounding error is that of the span over the span's length, which magnitudes, being
    upper bounds, do not know: `robot.known` tells them.
    """
    la = robot.la
    if not isinstance(la, Magnitude):
        return [[la.normalized(d) for _, _, d in parts] for parts in spans]
    lengths = iter(robot.known["lengths"])
    return [[la.direction(d, next(lengths)) for _, _, d in parts] for parts in spans]


def with_lengths(seen: Robot, model: Model, batch: Batch) -> Robot:
    """The robot in magnitudes, told the lengths of the parts of its tendons."""
    la = Numpy()
    parts = chain.from_iterable(_spans(robot(model, la), la.variables(batch["q"])))
    spans = [la.array(d, (len(batch["q"]),)) for _, _, d in parts]
    lengths = [np.linalg.norm(d, axis=1)[:, None] for d in spans]
    return replace(seen, known={"lengths": lengths})


@quantity(
    "l(q)",
    shape="nt",
    unit="m",
    source="3.11.3.5; 2.13",
    stage="constraints",
    silent=needs_tendons,
    prepared=with_lengths,
)
def tendon_lengths(robot: Robot, q: list[Scalar]) -> Matrix:
    """Length of every tendon."""
    spans = _spans(robot, q)
    return robot.la.block(
        [
            [robot.la.sum(n.mT @ d for n, (_, _, d) in zip(ns, parts, strict=True))]
            for ns, parts in zip(_directions(robot, spans), spans, strict=True)
        ]
    )


@quantity(
    "L(q) = dl/dq",
    shape="nt nv",
    unit="m | 1",
    source="3.11.3.5; 2.13",
    stage="constraints",
    silent=needs_tendons,
    prepared=with_lengths,
)
def tendon_jacobian(robot: Robot, q: list[Scalar]) -> Matrix:
    """Rate of every tendon's length is L v; a force f that lengthens it gives tau = L' f."""
    spans, in_world = _spans(robot, q), _columns_in_world(robot, q)
    rows = []
    for ns, parts in zip(_directions(robot, spans), spans, strict=True):
        terms = [
            n.mT @ (in_world(b)[1] - in_world(a)[1])
            for n, (a, b, _) in zip(ns, parts, strict=True)
        ]
        rows.append([robot.la.sum(terms)])
    return robot.la.block(rows)
