"""The tolerance sees what it should, scales as the units do, and widens with distance."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest

from libcheck.samples import draw
from models import CATALOGUE, Body, Inertia, Model, Pose, Rpy
from reference import CHAPTERS, Quantity
from reference.carriers import Ball, Magnitude
from reference.robot import robot
from reference.world_frame import widened

Array = np.ndarray
Batch = dict[str, Array]

QUANTITIES = CHAPTERS["3.4"].quantities
DIRECT = [q for q in QUANTITIES.values() if q.residual is None]
PLANTED = ["arm_6r", "ur5", "skew_axes"]
DIGIT = 1 + 1e-11


def seen(model: Model, batch: Batch, wrong: Callable[[Quantity], Array]) -> set[str]:
    """The quantities whose values are certainly outside the wide tolerance."""
    found = set()
    for quantity in DIRECT:
        own, tolerance = quantity.bounds(model, batch)
        error = np.abs(wrong(quantity) - quantity.value(model, batch)) - 2 * own
        if np.any(error > tolerance):
            found.add(quantity.name)
    return found


def with_body(model: Model, i: int, body: Body) -> Model:
    return replace(model, bodies=(*model.bodies[:i], body, *model.bodies[i + 1 :]))


def inertia_of(body: Body) -> Inertia:
    assert body.inertia is not None
    return body.inertia


def scaled(pose: Pose, factor: float) -> Pose:
    x, y, z = (factor * c for c in pose.p)
    return Pose((x, y, z), pose.rotation)


def scaled_moments(inertia: Inertia, factor: float) -> Inertia:
    a, b, c, d, e, f = (factor * x for x in inertia.moments)
    return inertia._replace(moments=(a, b, c, d, e, f))


# ------------------------------------------------------------------------ planted faults


@pytest.mark.parametrize("name", PLANTED)
def test_the_eleventh_digit_of_the_mass_of_any_moving_body_is_seen(name: str) -> None:
    model = CATALOGUE[name]
    batch = draw(model, 32, 0)
    for i in model.moving:
        inertia = inertia_of(model.bodies[i])
        heavier = inertia._replace(mass=DIGIT * inertia.mass)
        wrong = with_body(model, i, replace(model.bodies[i], inertia=heavier))
        assert seen(model, batch, lambda q, w=wrong: q.value(w, batch))  # type: ignore[misc]


@pytest.mark.parametrize("name", PLANTED)
def test_the_eleventh_digit_of_any_offset_between_joints_is_seen(name: str) -> None:
    model = CATALOGUE[name]
    batch = draw(model, 32, 0)
    for i in model.moving:
        body = model.bodies[i]
        longer = replace(body, placement=scaled(body.placement, DIGIT))
        wrong = with_body(model, i, longer)
        found = seen(model, batch, lambda q, w=wrong: q.value(w, batch))  # type: ignore[misc]
        assert bool(found) is any(body.placement.p)


@pytest.mark.parametrize("name", PLANTED)
def test_the_eleventh_digit_of_the_last_inertia_is_seen_in_the_mass_matrix(
    name: str,
) -> None:
    model = CATALOGUE[name]
    batch = draw(model, 32, 0)
    i = model.moving[-1]
    rounder = scaled_moments(inertia_of(model.bodies[i]), DIGIT)
    wrong = with_body(model, i, replace(model.bodies[i], inertia=rounder))
    assert "mass_matrix" in seen(model, batch, lambda q: q.value(wrong, batch))


def turned_back(model: Model, batch: Batch, quantity: Quantity) -> Array:
    """Joint rotations transposed."""
    return quantity.value(model, {**batch, "q": -batch["q"]})


def placed_back(model: Model, batch: Batch, quantity: Quantity) -> Array:
    """The rotation of the first joint frame transposed, or made where there is none."""
    body = model.bodies[model.moving[0]]
    r, p, y = body.placement.rotation[-3:]
    rotation = Rpy(-r, -p, -y) if any((r, p, y)) else Rpy(1e-11, 0.0, 0.0)
    turned = replace(body, placement=Pose(body.placement.p, rotation))
    return quantity.value(with_body(model, model.moving[0], turned), batch)


def without_steiner(model: Model, batch: Batch, quantity: Quantity) -> Array:
    """Centres of mass dropped."""
    bodies = tuple(
        replace(
            b, inertia=b.inertia._replace(pose=Pose((0, 0, 0), b.inertia.pose.rotation))
        )
        if b.inertia
        else b
        for b in model.bodies
    )
    return quantity.value(replace(model, bodies=bodies), batch)


def at_rest(model: Model, batch: Batch, quantity: Quantity) -> Array:
    """Terms in v dropped."""
    return quantity.value(model, {**batch, "v": 0 * batch["v"]})


def weightless(model: Model, batch: Batch, quantity: Quantity) -> Array:
    """Gravity dropped."""
    return quantity.value(replace(model, gravity=(0.0, 0.0, 0.0)), batch)


def pulled_up(model: Model, batch: Batch, quantity: Quantity) -> Array:
    """The sign of gravity turned."""
    x, y, z = model.gravity
    return quantity.value(replace(model, gravity=(-x, -y, -z)), batch)


DYNAMICS = {"bias_forces", "inverse_dynamics", "joint_torque_regressor"}
STATICS = {"gravity_forces", "potential_energy"}
SPEED = {"coriolis_matrix", "coriolis_forces", "kinetic_energy"}
GEOMETRY = {"frame_pose", "frame_jacobian", "space_jacobian", "body_jacobian"}

WRONG = [
    # the 6R arm is flat: V - V(0) is odd in q, so g is even, and its sign is not seen there
    (turned_back, GEOMETRY | SPEED | DYNAMICS | {"mass_matrix", "potential_energy"}),
    (placed_back, {"frame_pose", "frame_jacobian", "space_jacobian"}),
    (
        without_steiner,
        {"mass_matrix"} | STATICS | SPEED | DYNAMICS - {"joint_torque_regressor"},
    ),
    (at_rest, SPEED | DYNAMICS | {"frame_velocity", "frame_bias_acceleration"}),
    (weightless, STATICS | DYNAMICS),
    (pulled_up, STATICS | DYNAMICS),
]


@pytest.mark.parametrize("name", PLANTED)
@pytest.mark.parametrize(
    ("fault", "expected"), WRONG, ids=[f.__name__ for f, _ in WRONG]
)
def test_a_wrong_formula_is_seen_in_every_quantity_it_touches(
    fault: Callable[[Model, Batch, Quantity], Array], expected: set[str], name: str
) -> None:
    model = CATALOGUE[name]
    batch = draw(model, 10, 0)
    assert expected <= seen(model, batch, lambda q: fault(model, batch, q))


@pytest.mark.parametrize("name", PLANTED)
def test_an_acceleration_off_in_the_eleventh_digit_leaves_a_residual(name: str) -> None:
    model = CATALOGUE[name]
    batch = draw(model, 10, 0)
    solver = QUANTITIES["forward_dynamics"]
    a = solver.value(model, batch)
    for factor, fits in ((1.0, True), (DIGIT, False)):
        solved = {**batch, "solution": factor * a}
        equation = solver.equation()
        own, tolerance = equation.bounds(model, solved)
        left = np.abs(equation.value(model, solved))
        assert bool(np.all(left + own <= tolerance)) is fits


# ---------------------------------------------------------------------- units, distance


def in_units(model: Model, kilogram: float, metre: float) -> Model:
    """The same robot, its numbers in other units of mass and length."""

    def body(b: Body) -> Body:
        inertia = inertia_of(b)
        moments = scaled_moments(inertia, kilogram * metre**2).moments
        return replace(
            b,
            placement=scaled(b.placement, metre),
            inertia=Inertia(
                kilogram * inertia.mass, scaled(inertia.pose, metre), moments
            ),
        )

    x, y, z = (metre * g for g in model.gravity)
    tool = model.tool._replace(pose=scaled(model.tool.pose, metre))
    bodies = tuple(body(b) for b in model.bodies)
    return replace(model, bodies=bodies, tool=tool, gravity=(x, y, z))


@pytest.mark.parametrize(
    "name",
    [
        *["mass_matrix", "coriolis_matrix", "coriolis_forces", "gravity_forces"],
        *["bias_forces", "inverse_dynamics", "kinetic_energy", "potential_energy"],
    ],
)
def test_the_tolerance_does_not_depend_on_units(name: str) -> None:
    model = CATALOGUE["skew_axes"]  # revolute joints only: all of these are kg m^2
    kilogram, metre = 2.0**7, 2.0**-11  # powers of two scale without rounding
    other = in_units(model, kilogram, metre)
    batch = draw(model, 9, 0)
    quantity = QUANTITIES[name]
    for here, there in zip(
        (quantity.value(model, batch), *quantity.bounds(model, batch)),
        (quantity.value(other, batch), *quantity.bounds(other, batch)),
        strict=True,
    ):
        assert np.array_equal(kilogram * metre**2 * here, there)


@pytest.mark.parametrize("quantity", DIRECT, ids=lambda q: q.name)
def test_the_tolerance_grows_with_the_distance_from_the_world(
    quantity: Quantity,
) -> None:
    far = CATALOGUE["far_base"]
    batch = draw(far, 10, 0)
    before = np.zeros(1)
    for distance in (0.01, 0.1, 1.0, 10.0):
        base = far.bodies[0]
        moved = replace(base, placement=scaled(base.placement, distance))
        own, tolerance = quantity.bounds(with_body(far, 0, moved), batch)
        assert np.all(tolerance >= before)
        assert np.any(tolerance > before)
        assert np.all(tolerance >= own)
        before = tolerance


@pytest.mark.parametrize("name", CATALOGUE)
def test_widening_adds_error_and_leaves_sizes_alone(name: str) -> None:
    model, la = CATALOGUE[name], Magnitude()
    narrow = robot(model, la)
    wide = widened(narrow, la.variables(np.ones((2, model.nv))))
    for before, after in zip(narrow.links, wide.links, strict=True):
        for part in ("p", "com", "axis", "tensor", "R"):
            first, second = getattr(before, part), getattr(after, part)
            assert np.all(first.size == second.size)
            assert np.all(first.error <= second.error)
        assert np.all(before.p.error < after.p.error)


def test_only_magnitudes_are_widened() -> None:
    with pytest.raises(TypeError, match="magnitudes"):
        widened(robot(CATALOGUE["arm_2r"], Ball()), [])


# ------------------------------------------------------------------------------- zeros


@pytest.mark.parametrize("quantity", DIRECT, ids=lambda q: q.name)
@pytest.mark.parametrize("name", ["branch", "tree_12", "fixed_siblings", "panda"])
def test_where_the_tolerance_is_zero_the_value_is_certainly_zero(
    name: str, quantity: Quantity
) -> None:
    model = CATALOGUE[name]
    batch = draw(model, 9, 0)
    _, tolerance = quantity.bounds(model, batch)
    assert np.all(quantity.value(model, batch)[tolerance == 0] == 0)
    for i in (0, 8):
        entries = quantity.certified(model, batch, i, 128)
        nothing = [
            e for e, t in zip(entries, tolerance[i].ravel(), strict=True) if t == 0
        ]
        assert all(e == 0 for e in nothing)


def test_joints_on_different_arms_have_no_tolerance_and_no_others_do() -> None:
    model = CATALOGUE["branch"]  # torso 0, one arm 1 2, the other 3 4 5
    batch = draw(model, 9, 0)
    _, tolerance = QUANTITIES["mass_matrix"].bounds(model, batch)
    apart = np.zeros((6, 6), bool)
    apart[1:3, 3:] = apart[3:, 1:3] = True
    assert np.array_equal(tolerance == 0, np.broadcast_to(apart, tolerance.shape))
    _, tolerance = QUANTITIES["frame_jacobian"].bounds(model, batch)
    assert np.all(tolerance[:, :, 1:3] == 0)  # the tool is on the other arm
