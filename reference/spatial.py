"""Spatial vectors (angular, linear) and inertias, in any carrier.

Source: Featherstone, Rigid Body Dynamics Algorithms (2008), chapter 2; Lynch & Park,
Modern Robotics, chapter 3 (there [ad_V] and [Ad_T]).
"""

from __future__ import annotations

from reference.carriers import Carrier, Matrix, Scalar


def cross_motion(la: Carrier, V: Matrix) -> Matrix:
    """The 6x6 matrix of V x, the motion cross product."""
    w, v = la.split(V)
    return la.block([[la.hat(w), la.zeros(3, 3)], [la.hat(v), la.hat(w)]])


def into_frame(la: Carrier, R: Matrix, p: Matrix) -> Matrix:
    """The 6x6 map of motions from frame a into frame b, where b has pose (R, p) in a."""
    return la.block([[R.mT, la.zeros(3, 3)], [-(R.mT @ la.hat(p)), R.mT]])


def out_of_frame(la: Carrier, R: Matrix, p: Matrix) -> Matrix:
    """The 6x6 map of motions from frame b into frame a, where b has pose (R, p) in a."""
    return la.block([[R, la.zeros(3, 3)], [la.hat(p) @ R, R]])


def turned(la: Carrier, R: Matrix) -> Matrix:
    """The 6x6 map that turns both halves of a spatial vector."""
    return la.block([[R, la.zeros(3, 3)], [la.zeros(3, 3), R]])


def spatial_inertia(la: Carrier, mass: Scalar, com: Matrix, tensor: Matrix) -> Matrix:
    """The 6x6 inertia about the frame's origin; the tensor is about the centre of mass."""
    C = la.hat(com)
    return la.block(
        [[tensor + C @ C.mT * mass, C * mass], [C.mT * mass, la.eye(3) * mass]]
    )
