"""Serial chains in the two forms that take no document: screws, and links with an axis.

Fixed bodies are folded into the body that carries them.  Everything is computed in the
widest float and rounded once; the roundings are part of the tolerance of a constant.
"""

from __future__ import annotations

from typing import Any, List, NamedTuple

import numpy as np

from models.rotation import WIDE, Array, hat, matrix, transform, unit
from models.tree import Inertia, Model


class Lump(NamedTuple):
    """Mass, centre of mass and inertia about it, in one frame; in the widest float."""

    mass: np.floating[Any]
    com: Array
    tensor: Array


class Screws(NamedTuple):
    """A serial chain in the form of Lynch & Park, chapter 8.

    Attributes:
        axes: Screw axes (angular, linear) in the world at q = 0, shape (6, n).
        links: Home pose of each centroidal frame in the one before it, then of the tool
            in the last, shape (n + 1, 4, 4).
        inertias: Spatial inertia of each link in its centroidal frame, (n, 6, 6).
    """

    axes: Array
    links: Array
    inertias: Array


def home_poses(model: Model) -> List[Array]:
    """Pose (4, 4) of every body in the world at q = 0, in the widest float."""
    poses: List[Array] = []
    for body in model.bodies:
        parent = poses[body.parent] if body.parent >= 0 else np.eye(4, dtype=WIDE)
        poses.append(parent @ transform(body.placement))
    return poses


def lump(inertia: Inertia, T: Array) -> Lump:
    """An inertia of a body, seen from the frame in which the body has pose T."""
    ixx, ixy, ixz, iyy, iyz, izz = (WIDE(x) for x in inertia.moments)
    tensor = np.array([[ixx, ixy, ixz], [ixy, iyy, iyz], [ixz, iyz, izz]])
    R = T[:3, :3] @ matrix(inertia.pose.rotation)
    com = T[:3, :3] @ np.asarray(inertia.pose.p, WIDE) + T[:3, 3]
    return Lump(WIDE(inertia.mass), com, R @ tensor @ R.T)


def joined(parts: List[Lump]) -> Lump:
    """Several lumps as one (Steiner)."""
    if len(parts) == 1:
        return parts[0]
    mass = np.sum([part.mass for part in parts])
    if mass == 0:
        zero = np.zeros(3, WIDE)
        return Lump(WIDE(0), zero, np.sum([part.tensor for part in parts], axis=0))
    com = sum(part.mass * part.com for part in parts) / mass
    tensor = np.zeros((3, 3), WIDE)
    for part in parts:
        d = hat(part.com - com)
        tensor = tensor + part.tensor + part.mass * d @ d.T
    return Lump(mass, com, tensor)


def carried(model: Model, body: int) -> Lump:
    """All mass that moves with a moving body, in its own frame at q = 0."""
    home = home_poses(model)
    inverse = inverted(home[body])
    return joined(
        [
            lump(other.inertia, inverse @ home[k])
            for k, other in enumerate(model.bodies)
            if other.inertia is not None and model.carrier(k) == body
        ]
    )


def inverted(T: Array) -> Array:
    """The inverse of a pose (4, 4)."""
    inverse = np.eye(4, dtype=T.dtype)
    inverse[:3, :3] = T[:3, :3].T
    inverse[:3, 3] = -T[:3, :3].T @ T[:3, 3]
    return inverse


def screws(model: Model) -> Screws:
    """The screw axes, home poses and inertias of a chain.

    Raises:
        ValueError: If the model is not a chain of revolute and prismatic joints.
    """
    _refuse_all_but_chains(model)
    home = home_poses(model)
    axes, frames, inertias = [], [np.eye(4, dtype=WIDE)], []
    for i in model.moving:
        joint, T, mass = model.bodies[i].joint, home[i], carried(model, i)
        a = T[:3, :3] @ unit(joint.axis)
        turning = joint.kind != "prismatic"
        axes.append(
            np.r_[a, hat(T[:3, 3]) @ a] if turning else np.r_[np.zeros(3, WIDE), a]
        )
        G = np.zeros((6, 6), WIDE)
        G[:3, :3], G[3:, 3:] = mass.tensor, mass.mass * np.eye(3)
        inertias.append(G)
        centroid = T.copy()
        centroid[:3, 3] += T[:3, :3] @ mass.com
        frames.append(centroid)
    frames.append(tool_home(model))
    links = [inverted(a) @ b for a, b in zip(frames, frames[1:])]
    return Screws(
        np.array(axes, float).T, np.array(links, float), np.array(inertias, float)
    )


def tool_home(model: Model) -> Array:
    """Pose (4, 4) of the tool in the world at q = 0, in the widest float."""
    T = transform(model.tool.pose)
    return T if model.tool.body < 0 else home_poses(model)[model.tool.body] @ T


def _refuse_all_but_chains(model: Model) -> None:
    if not model.is_chain:
        raise ValueError(f"{model.name} branches")
    kinds = {model.bodies[i].joint.kind for i in model.moving}
    odd = sorted(kinds - {"revolute", "continuous", "prismatic"})
    if odd or any(b.joint.mimic for b in model.bodies):
        raise ValueError(
            f"{model.name} has joints other than R and P: {', '.join(odd)}"
        )
