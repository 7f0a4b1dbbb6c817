"""3.11 The numbers behind the chapter's three figures, from the claims' own runs."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from reference.ch03_11_claims_drift import STEP, motion
from reference.ch03_11_claims_fivebar import (
    HEIGHTS,
    LINKS,
    MAXIMAL,
    UP,
    at_rest,
    largest,
    pose,
    torques,
)
from reference.ch03_11_parallel import singular_values
from reference.kinematics import frame_pose
from reference.quantity import Array
from reference.table import Table


def _table(header: Sequence[str], columns: Sequence[Array]) -> Table:
    rows = np.stack(columns, axis=1).tolist()
    return Table(tuple(header), tuple(map(tuple, rows)))


def fivebar() -> Table:
    """Figure 1: the points of the five-bar under the names of their constraints.

    The first row is the home; the others lead to the singularity.  The two driven angles
    stand after the pins and P.
    """
    q = np.array([pose(y) for y in HEIGHTS])
    names, columns = ["y [m]"], [np.array(HEIGHTS)]
    for name, x, y in _points(q):
        names += [f"{name} x [m]", f"{name} y [m]"]
        columns += [x, y]
    for k in (0, 2):
        names.append(f"{LINKS.bodies[k].name}_angle [rad]")
        columns.append(q[:, 3 * k + 2])
    return _table(names, columns)


def _points(q: Array) -> list[tuple[str, Array, Array]]:
    """Name, x and y of the base pins, the elbows and P."""
    found: list[tuple[str, Array, Array]] = []
    ends: dict[int, tuple[Array, Array]] = {}
    for k, body in enumerate(LINKS.bodies):
        x = np.full(len(q), body.placement.p[0])
        y = np.zeros(len(q))
        if body.parent >= 0:
            x, y = ends[body.parent]
        found.append((body.joint.name, x, y))
        centre = q[:, 3 * k : 3 * k + 2]  # of a uniform rod: half way to its end
        ends[k] = 2 * centre[:, 0] - x, 2 * centre[:, 1] - y
    P = frame_pose.value(MAXIMAL, {"q": q})[:, :2, 3]
    return [*found, (LINKS.loops[0].name, P[:, 0], P[:, 1])]


def drift() -> Table:
    """Figure 2: violation of the constraints of the four-bar over six seconds."""
    header = (
        "time [s]",
        "plain, h = 0.01 s [m]",
        "plain, h = 0.005 s [m]",
        "Baumgarte 5 [m]",
        "Baumgarte 20 [m]",
        "Baumgarte 100 [m]",
        "projection [m]",
    )
    plain = motion()
    gains = [motion(STEP, g).position for g in (5.0, 20.0, 100.0)]
    columns = [
        plain.time,
        plain.position,
        motion(STEP / 2).position[::2],
        *gains,
        motion(projecting=True).position,
    ]
    return _table(header, columns)


def torque_singularity() -> Table:
    """Figure 3: torques of the five-bar's drives against sigma_min(J_full)."""
    header = (
        "y [m]",
        "sigma_min",
        "condition",
        "static torque [N m]",
        "torque with 1 m/s^2 upward [N m]",
        "static torque times sigma_min [N m]",
    )
    s = singular_values(at_rest(HEIGHTS))
    static, raised = largest(torques(HEIGHTS)), largest(torques(HEIGHTS, UP))
    sigma = s[:, -1]
    columns = [
        np.array(HEIGHTS),
        sigma,
        s[:, 0] / sigma,
        static,
        raised,
        static * sigma,
    ]
    return _table(header, columns)


def figures() -> dict[str, Table]:
    """The tables by name, in the order of the figures."""
    return {
        "fivebar": fivebar(),
        "drift": drift(),
        "torque_singularity": torque_singularity(),
    }
