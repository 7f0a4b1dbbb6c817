"""Tool-space inertia, effective mass and manipulability of chapter 3.4."""

from __future__ import annotations

import numpy as np
import pytest

from models import CATALOGUE, Model
from reference import ch03_04_properties as properties
from reference.ch03_04_manipulator_equation import (
    forward_dynamics,
    gravity_forces,
    mass_matrix,
)
from reference.kinematics import frame_jacobian

Array = np.ndarray

TWO, SIX = CATALOGUE["arm_2r"], CATALOGUE["arm_6r"]


def drawn(model: Model) -> Array:
    """Configurations, (20, n)."""
    return np.random.default_rng(3).uniform(-3, 3, (20, model.nv))


def tool(name: str, rows: slice = slice(0, 6)) -> tuple[Array, Array]:
    """M and a part of the Jacobian at some samples."""
    model = CATALOGUE[name]
    batch = {"q": drawn(model)}
    return mass_matrix.value(model, batch), frame_jacobian.value(model, batch)[:, rows]


def test_square_tool_inertia_is_the_mass_matrix_seen_through_j() -> None:
    M, J = tool("skew_axes")
    Lambda = properties.operational_space_inertia(M, J)
    np.testing.assert_allclose(J.mT @ Lambda @ J, M, atol=1e-9)


@pytest.mark.parametrize("name", ["panda", "tree_12", "arm_6r"])
def test_redundant_tool_inertia_inverts_the_mobility(name: str) -> None:
    M, J = tool(name, slice(3, 6))
    product = properties.operational_space_inertia(M, J) @ J @ np.linalg.inv(M) @ J.mT
    np.testing.assert_allclose(
        product, np.broadcast_to(np.eye(3), (20, 3, 3)), atol=1e-8
    )


def test_tool_inertia_of_the_2r_arm_is_its_closed_form() -> None:
    bends = np.linspace(0.3, 2.8, 20)
    batch = {"q": np.stack([0 * bends, bends], axis=1)}
    M, J = mass_matrix.value(TWO, batch), frame_jacobian.value(TWO, batch)[:, 3:5]
    c, s = np.cos(bends), np.sin(bends)
    expected = np.array([[1 / s**2, c / s], [c / s, 2 + 0 * c]]).transpose(2, 0, 1)
    found = properties.operational_space_inertia(M, J)
    np.testing.assert_allclose(found, expected, atol=1e-12)


def test_effective_mass_is_force_over_acceleration_and_lies_between_the_extrema() -> (
    None
):
    q = drawn(SIX)
    u = np.random.default_rng(5).normal(size=(20, 3))
    u /= np.linalg.norm(u, axis=1, keepdims=True)
    M, J = tool("arm_6r", slice(3, 6))
    A = properties.inverse_tool_inertia(M, J)
    torque = gravity_forces.value(SIX, {"q": q}) + 10 * np.einsum("nij,ni->nj", J, u)
    a = forward_dynamics.value(SIX, {"q": q, "v": 0 * q, "tau": torque})
    felt = 10 / np.einsum("ni,nij,nj->n", u, J, a)
    mass, extrema = (
        properties.effective_mass(A, u),
        properties.effective_mass_extrema(A),
    )
    np.testing.assert_allclose(felt, mass, rtol=1e-10)
    assert (extrema[:, 0] <= mass).all()
    assert (mass <= extrema[:, 1]).all()


def test_half_axes_bound_what_unit_efforts_can_do() -> None:
    M, J = tool("arm_6r", slice(3, 6))
    limits = np.array([125.0, 164.0, 65.0, 59.0, 33.0, 10.0])
    x = np.random.default_rng(6).normal(size=(500, 6))
    x /= np.linalg.norm(x, axis=1, keepdims=True)
    maps = {
        "velocity": (J, properties.velocity_half_axes(J)),
        "acceleration": (
            J @ np.linalg.inv(M) * limits,
            properties.acceleration_half_axes(M, J, limits),
        ),
    }
    for matrix, axes in maps.values():
        lengths = np.linalg.norm(matrix @ x.T, axis=1)
        assert (lengths <= axes[:, :1] * (1 + 1e-9)).all()
        volumes = np.sqrt(np.linalg.det(matrix @ matrix.mT))
        np.testing.assert_allclose(axes.prod(1), volumes, rtol=1e-6)


def test_the_lever_of_the_last_joint_bounds_the_smallest_effective_mass() -> None:
    M, J = tool("arm_6r", slice(3, 6))
    least = properties.effective_mass_extrema(properties.inverse_tool_inertia(M, J))[
        :, 0
    ]
    assert (least <= M[:, 5, 5] / (J[:, :, 5] ** 2).sum(1)).all()
