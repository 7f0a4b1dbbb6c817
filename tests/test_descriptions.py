"""Screws, links and matrices of a model describe the robot that the balls describe."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from flint import arb
from hypothesis import given
from hypothesis import strategies as st

from models import CATALOGUE, MODELS, Model, Quaternion, Rpy, links, screws, tool_home
from models.rotation import WIDE, hat, matrix
from models.tree import Rotation
from reference import CHAPTERS
from reference.carriers import Ball, precision
from tests.strategies import REPEATABLE

Array = np.ndarray
QUANTITIES = CHAPTERS["3.4"].quantities


def certified(key: str, model: Model, q: Array) -> tuple[Array, Array]:
    """The certified value at one configuration, and its tolerance."""
    batch, quantity = {"q": q[None]}, QUANTITIES[key]
    _, tolerance = quantity.bounds(model, batch)
    entries = [float(x.mid()) for x in quantity.certified(model, batch, 0, 128)]
    return np.array(entries).reshape(tolerance[0].shape), tolerance[0]


CHAINS = [name for name, model in CATALOGUE.items() if model.is_chain]


def adjoint(T: Array) -> Array:
    """The map of twists by a pose."""
    R, zero = T[:3, :3], np.zeros((3, 3))
    return np.block([[R, zero], [hat(T[:3, 3]) @ R, R]])


@pytest.mark.parametrize("name", CHAINS)
def test_screws_describe_the_robot_that_balls_do(name: str) -> None:
    model = CATALOGUE[name]
    chain, zero = screws(model), np.zeros(model.nv)
    expected, tolerance = certified("space_jacobian", model, zero)
    if model.tool.body == model.moving[-1]:  # else the tool may hang on an earlier link
        assert np.all(np.abs(chain.axes - expected) <= tolerance)
    expected, tolerance = certified("frame_pose", model, zero)
    home = tool_home(model).astype(float)[:3]
    assert np.all(np.abs(home - expected) <= tolerance)
    M, T = np.diag([model.bodies[i].joint.armature for i in model.moving]), np.eye(4)
    for i, G in enumerate(chain.inertias):
        T = T @ chain.links[i]
        J = adjoint(np.linalg.inv(T)) @ chain.axes
        J[:, i + 1 :] = 0
        M = M + J.T @ G @ J
    expected, tolerance = certified("mass_matrix", model, zero)
    assert np.all(np.abs(M - expected) <= tolerance)


@pytest.mark.parametrize("name", MODELS)
def test_links_describe_the_robot_that_balls_do(name: str) -> None:
    """Poses and M by another formula: velocities of the centres of mass, in the world."""
    model = MODELS[name]
    q = np.random.default_rng([7, model.nv]).uniform(-3, 3, model.nv)
    position = dict(zip(model.moving, q, strict=True))
    column = {body: k for k, body in enumerate(model.moving)}
    M = np.zeros((model.nv, model.nv))
    poses: list[Array] = []
    moves: list[list[tuple[int, bool, Array, Array]]] = []
    for i, link in enumerate(links(model)):
        T = (poses[link.parent] if link.parent >= 0 else np.eye(4)) @ link.placement
        found = list(moves[link.parent]) if link.parent >= 0 else []
        if link.motion != "fixed":
            axis = np.eye(3)["xyz".index(link.letter)] * (-1 if link.negative else 1)
            turns, x = link.motion == "revolute", position[i]
            found.append((column[i], turns, T[:3, :3] @ axis, T[:3, 3]))
            step, K = np.eye(4), hat(axis)
            if turns:
                step[:3, :3] += np.sin(x) * K + (1 - np.cos(x)) * K @ K
            else:
                step[:3, 3] = x * axis
            T = T @ step
            M[column[i], column[i]] += link.armature
        poses.append(T)
        moves.append(found)
        J = np.zeros((6, model.nv))
        for k, turns, axis, origin in found:
            arm = T[:3, :3] @ link.com + T[:3, 3] - origin
            J[:3, k] = axis if turns else 0
            J[3:, k] = np.cross(axis, arm) if turns else axis
        tensor = T[:3, :3] @ link.tensor @ T[:3, :3].T
        M += J[:3].T @ tensor @ J[:3] + link.mass * J[3:].T @ J[3:]
    for key, value in (("frame_pose", poses[-1][:3]), ("mass_matrix", M)):
        expected, tolerance = certified(key, model, q)
        assert np.all(np.abs(value - expected) <= tolerance), key


angles = st.floats(-10, 10)
rotations: st.SearchStrategy[Rotation] = st.builds(
    Rpy, angles, angles, angles
) | st.builds(Quaternion, *[st.floats(-10, 10)] * 4).filter(
    lambda q: max(map(abs, q)) > 1e-3
)


def enclosed(rotation: Rotation) -> Any:
    """The rotation in balls, each turn by itself, or by the quaternion's double cover."""
    la = Ball()
    if isinstance(rotation, Rpy):
        R = la.eye(3)
        for k in (2, 1, 0):
            axis = la.const([[float(i == k)] for i in range(3)])
            R = R @ la.rotation(axis, la.scalar(rotation[k]))
        return R
    w, x, y, z = (la.scalar(c) for c in rotation)
    square = w * w + x * x + y * y + z * z
    rows = [
        [w * w + x * x - y * y - z * z, 2 * (x * y - w * z), 2 * (x * z + w * y)],
        [2 * (x * y + w * z), w * w - x * x + y * y - z * z, 2 * (y * z - w * x)],
        [2 * (x * z - w * y), 2 * (y * z + w * x), w * w - x * x - y * y + z * z],
    ]
    return la.divided(la.table(rows), square)


@given(rotations)
@REPEATABLE
def test_a_rotation_of_a_document_is_right_to_the_last_digits_of_the_widest_float(
    rotation: Rotation,
) -> None:
    found = matrix(rotation)
    high = found.astype(float)
    low = (found - high).astype(float)
    with precision(200):
        pairs = zip(
            high.ravel(), low.ravel(), enclosed(rotation).m.entries(), strict=True
        )
        errors = [
            float(abs(arb(float(h)) + arb(float(x)) - ball).abs_upper())
            for h, x, ball in pairs
        ]
    # nine roundings of numbers up to two: sines and cosines to an ulp, products, sums;
    # a quaternion's squares and their sum, a quotient, two products, two sums
    assert max(errors) <= 2 * 9 * float(np.finfo(WIDE).eps) / 2
