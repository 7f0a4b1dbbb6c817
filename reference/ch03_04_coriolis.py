"""3.4.3.3 The Coriolis matrix body by body: C = sum_b J_b' (G_b Jdot_b + B_b J_b).

A second route to the Christoffel matrix, without a derivative of M.  Unlike the first, it does
not know which entries vanish by structure: they cancel, and their rounding errors do not, which
is what a library that takes this route shows.

Source: Echeandia & Wensing, Numerical methods to compute the Coriolis matrix and Christoffel
symbols for rigid-body systems, J. Comput. Nonlinear Dynamics 16 (2021).
"""

from __future__ import annotations

from reference.carriers import Carrier, Matrix, Scalar
from reference.kinematics import body_columns, link_twists, local
from reference.robot import Robot
from reference.spatial import cross_motion


def coriolis_matrix_by_bodies(robot: Robot, q: list[Scalar], v: list[Scalar]) -> Matrix:
    """C, nv x nv, from the twists of the bodies; all in the frame of each body."""
    la, at = robot.la, local(robot, q)
    twists = link_twists(robot, at, v)
    rates: list[dict[int, Matrix]] = []
    C = la.table([[la.zero] * robot.nv for _ in range(robot.nv)])
    nothing = la.zeros(6, 1)
    for b, columns in enumerate(body_columns(robot, at)):
        above = rates[robot.links[b].parent] if robot.links[b].parent >= 0 else {}
        own = cross_motion(la, twists[b]) @ at.s[b]
        rates.append({k: at.X[b] @ S for k, S in above.items()} | {b: own})
        J, Jdot = (
            la.block([[of.get(i, nothing) for i in range(robot.nv)]])
            for of in (columns, rates[b])
        )
        G = at.inertia[b]
        C = C + J.mT @ (G @ Jdot + _body_matrix(la, G, twists[b]) @ J)
    return C


def _body_matrix(la: Carrier, G: Matrix, V: Matrix) -> Matrix:
    """B with B V = V x* G V and B + B' the rate of G: half of both, and a skew part."""
    turn = cross_motion(la, V)
    moment, force = la.split(G @ V)
    skew = la.block(
        [[-la.hat(moment), -la.hat(force)], [-la.hat(force), la.zeros(3, 3)]]
    )
    return (skew - turn.mT @ G - G @ turn) * la.half
