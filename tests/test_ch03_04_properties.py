"""The properties of chapter 3.4 and its motions, against independent derivations."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from flint import fmpq, fmpq_mat

from models import CATALOGUE, Body, Model
from reference import ch03_04_properties as properties
from reference.carriers import UNIT_ROUNDOFF, Exact
from reference.carriers.ring import number
from reference.ch03_04_claims_inertia import OwnAnswers
from reference.ch03_04_laws import LAWS
from reference.ch03_04_manipulator_equation import (
    coriolis_matrix,
    gravity_forces,
    joint_torque_regressor,
    mass_matrix,
    mass_matrix_by_jacobians,
)
from reference.law import Law
from reference.measured import Measured, column
from reference.robot import robot

Array = np.ndarray

TWO, SIX = CATALOGUE["arm_2r"], CATALOGUE["arm_6r"]
SMALL = [name for name, model in CATALOGUE.items() if model.nv <= 6]


def drawn(model: Model, count: int = 20, seed: int = 3) -> Array:
    """q, v, a, tau, each (count, n)."""
    rng = np.random.default_rng(seed)
    return rng.uniform(-3, 3, (4, count, model.nv))


def closed_form_2r(q: Array, v: Array) -> list[Array]:
    """M, C, g of the 2R arm with unit lengths and masses (Lynch & Park 8.9-8.11)."""
    c2, s2, zero = np.cos(q[:, 1]), np.sin(q[:, 1]), 0 * q[:, 0]
    M = [[3 + 2 * c2, 1 + c2], [1 + c2, 1 + zero]]
    C = [[-s2 * v[:, 1], -s2 * (v[:, 0] + v[:, 1])], [s2 * v[:, 0], zero]]
    c1, c12 = np.cos(q[:, 0]), np.cos(q[:, 0] + q[:, 1])
    g = 9.81 * np.array([[2 * c1 + c12], [c12]])
    return [np.moveaxis(np.array(x), -1, 0) for x in (M, C, g)]


def within(found: Measured, expected: Array | float, rounding: Array | float) -> bool:
    """Whether a measured matrix is the expected one, which has a rounding of its own."""
    return bool((np.abs(found.value - expected) <= found.bound + rounding).all())


# -------------------------------------------------------------------- laws and routes


def test_m_c_g_of_the_2r_arm_are_lynch_and_parks_closed_forms() -> None:
    q, v, _, _ = drawn(TWO)
    expected = closed_form_2r(q, v)
    found = [
        properties.measured(TWO, mass_matrix.compute, q),
        properties.measured(TWO, coriolis_matrix.compute, q, v),
        properties.measured(TWO, gravity_forces.compute, q),
    ]
    for ours, theirs in zip(found, expected, strict=True):
        # q1 + q2, up to 6 rad, is rounded before its cosine, which 9.81 multiplies
        assert within(ours, theirs, 100 * UNIT_ROUNDOFF)


def test_a_wrong_sign_in_the_closed_form_is_seen() -> None:
    q, v, _, _ = drawn(TWO)
    ours = properties.measured(TWO, coriolis_matrix.compute, q, v)
    assert not within(ours, -closed_form_2r(q, v)[1], 100 * UNIT_ROUNDOFF)


@pytest.mark.parametrize("name", [*SMALL, "panda", "tree_12"])
def test_composite_bodies_and_body_jacobians_give_the_same_mass_matrix(
    name: str,
) -> None:
    model = CATALOGUE[name]
    q = drawn(model)[0]
    composite = properties.measured(model, mass_matrix.compute, q)
    jacobians = properties.measured(model, mass_matrix_by_jacobians, q)
    assert within(composite, jacobians.value, jacobians.bound)


SAID = [
    (law, name)
    for law in LAWS.values()
    for name in SMALL
    if "forward_dynamics" not in law.needs and not law.silent(CATALOGUE[name])
]
"""Laws and models they speak about; forward dynamics is judged by its residual."""


@pytest.mark.parametrize(("law", "name"), SAID, ids=[f"{x.name}-{y}" for x, y in SAID])
def test_the_reference_obeys_its_laws(law: Law, name: str) -> None:
    model = CATALOGUE[name]
    sample = dict(zip(("q", "v", "a", "tau"), drawn(model, 5), strict=True))
    left, right = law.sides(OwnAnswers(model), **{k: sample[k] for k in law.inputs})
    difference = left - right
    assert (np.abs(difference.value) <= difference.bound).all()


def test_a_law_catches_a_mass_matrix_with_a_small_fault() -> None:
    class Faulty(OwnAnswers):
        def mass_matrix(self, q: Array) -> Measured:
            M = properties.measured(self.model, mass_matrix.compute, q)
            return Measured(M.value * (1 + 1e-6 * np.sin(q))[:, None, :], M.bound)

    q, v, _, _ = drawn(SIX, 5)
    law = LAWS["mass_matrix_rate_is_c_plus_its_transpose"]
    difference = np.subtract(*(side.value for side in law.sides(Faulty(SIX), q, v)))
    sound = law.sides(OwnAnswers(SIX), q, v)
    assert (np.abs(difference) > 10 * (sound[0] - sound[1]).bound).any()


# ------------------------------------------------------------------- bounds, rotors


def test_bounds_of_the_2r_arm_are_those_done_by_hand() -> None:
    # reaches 1 of link 1, (2, 1) of link 2
    assert properties.mass_matrix_bound(TWO) == pytest.approx(6, rel=1e-15)
    by_hand = 9.81 * (1 + np.sqrt(5))
    assert properties.gravity_bound(TWO) == pytest.approx(by_hand, rel=1e-15)


def test_every_joint_below_a_link_spins_its_largest_moment() -> None:
    def spun(body: Body) -> Body:
        assert body.inertia
        moments = (0.1, 0.0, 0.0, 0.2, 0.0, 0.3)
        return replace(body, inertia=body.inertia._replace(moments=moments))

    model = replace(TWO, bodies=tuple(spun(body) for body in TWO.bodies))
    by_hand = properties.mass_matrix_bound(TWO) + (1 + 2) * 0.3
    assert properties.mass_matrix_bound(model) == pytest.approx(by_hand, rel=1e-14)


@pytest.mark.parametrize("name", ["arm_2r", "arm_6r_geared", "ur5", "skew_axes"])
def test_no_sample_exceeds_the_bounds(name: str) -> None:
    model = CATALOGUE[name]
    q = np.vstack([np.zeros(model.nv), drawn(model, 300)[0]])
    top = np.linalg.eigvalsh(mass_matrix.value(model, {"q": q}))[:, -1].max()
    lift = np.linalg.norm(gravity_forces.value(model, {"q": q}), axis=1).max()
    assert top <= properties.mass_matrix_bound(model)
    assert lift <= properties.gravity_bound(model)


def test_prismatic_joints_have_no_bound() -> None:
    with pytest.raises(ValueError, match="prismatic"):
        properties.mass_matrix_bound(CATALOGUE["prismatic"])


def test_rotors_only_add_to_the_diagonal() -> None:
    geared, q = CATALOGUE["arm_6r_geared"], drawn(SIX)[0]
    added = mass_matrix.value(geared, {"q": q}) - mass_matrix.value(SIX, {"q": q})
    expected = np.diag(properties.reflected_inertias(geared))
    np.testing.assert_allclose(
        added, np.broadcast_to(expected, added.shape), atol=1e-14
    )
    assert np.linalg.eigvalsh(mass_matrix.value(geared, {"q": q})).min() > 0.3


def test_coupling_index_is_zero_for_a_diagonal_and_one_for_equal_entries() -> None:
    M = np.stack([np.diag([1.0, 2.0]), np.ones((2, 2))])
    np.testing.assert_allclose(properties.coupling_index(M), [0, 1])


# ------------------------------------------------------------------- factorisations


def test_skew_addition_is_skew_and_leaves_v_alone() -> None:
    for n in (3, 4, 6):
        v = np.random.default_rng(n).normal(size=(50, n))
        v[0] = np.eye(n)[0]
        K = properties.skew_addition(v)
        forces = K @ column(v)
        assert (K.value == -K.value.mT).all()
        assert (np.abs(forces.value) <= forces.bound).all()
        assert (np.abs(K.value).max((1, 2)) > 0.1).all()


@pytest.mark.parametrize("v", [np.ones((1, 2)), np.zeros((1, 4))])
def test_skew_addition_needs_three_joints_and_a_velocity(v: Array) -> None:
    with pytest.raises(ValueError, match="three joints"):
        properties.skew_addition(v)


def test_an_added_symmetric_matrix_is_not_taken_for_skew() -> None:
    q, v, _, _ = drawn(SIX)
    own = OwnAnswers(SIX)
    C = own.coriolis_matrix(q, v)
    rate = C + C.mT
    shifted = Measured(C.value + 1e-9, C.bound)
    assert within(properties.symmetric_part(rate, C), 0, 0)
    assert not within(properties.symmetric_part(rate, shifted), 0, 0)


# -------------------------------------------------------------------------- regressor


def test_exact_rank_of_the_regressor_is_the_numerical_rank() -> None:
    la, rng = Exact(), np.random.default_rng(8)
    arm, rows, samples = robot(SIX, la), [], 8
    for _ in range(samples):
        q, v, a = (
            la.variables([fmpq(int(k), 7) for k in rng.integers(-20, 21, SIX.nv)])
            for _ in range(3)
        )
        Y = joint_torque_regressor(arm, q, v, a)
        rows += [[fmpq(number(x)) for x in row] for row in Y.rows]
    exact = fmpq_mat(rows).rank()
    q, v, a, _ = drawn(SIX, 40)
    batch = {"q": q, "v": v, "a": a}
    stacked = joint_torque_regressor.value(SIX, batch).reshape(-1, 60)
    found = properties.numerical_rank(stacked)
    assert found.rank == exact
    assert found.gap > 1e6


def test_rank_and_zero_columns_of_a_made_up_matrix() -> None:
    rng = np.random.default_rng(0)
    A = rng.normal(size=(30, 4)) @ rng.normal(size=(4, 9))
    A[:, 5] = 0
    assert properties.numerical_rank(A).rank == 4
    assert properties.zero_columns(A) == [5]
    assert properties.numerical_rank(np.eye(3)).gap == np.inf


def test_nine_zero_columns_need_the_lateral_offset_of_the_shoulder() -> None:
    def count(model: Model) -> int:
        q, v, a, _ = drawn(model, 40)
        Y = properties.measured(model, joint_torque_regressor.compute, q, v, a)
        flat = (x.reshape(-1, 60) for x in (Y.value, Y.bound))
        return len(properties.zero_columns(*flat))

    shoulder = replace(SIX.bodies[1], placement=SIX.bodies[0].placement)
    straight = replace(SIX, bodies=(SIX.bodies[0], shoulder, *SIX.bodies[2:]))
    assert (count(SIX), count(straight)) == (9, 11)
