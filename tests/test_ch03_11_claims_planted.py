"""Faults planted in the computations behind the claims of chapter 3.11 turn verdicts."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from models import CLOSED_CHAINS, Model
from reference import ch03_11_claims_constraints as constraints
from reference import ch03_11_claims_drift as drift
from reference import ch03_11_claims_drives as drives
from reference import ch03_11_claims_fivebar as fivebar
from reference import ch03_11_claims_pen as pen
from reference import ch03_11_claims_projection as projection
from reference import ch03_11_claims_stewart as stewart
from reference.ch03_11_claims import CLAIMS
from reference.ch03_11_motion import integrated, mechanism
from reference.ch03_11_parallel import singular_values
from reference.ch03_11_solvers import by_projection
from reference.claim import load
from reference.constraints import constraint_bias_acceleration

Array = np.ndarray


def verdict(name: str) -> str:
    """Of a claim by its id without the chapter."""
    (claim,) = (c for c in load("3.11") if c.id == f"3.11-{name}")
    return CLAIMS[claim.id](claim).verdict


def heavier(model: Model, share: float) -> Model:
    """The same mechanism of another density."""
    bodies = []
    for body in model.bodies:
        if body.inertia is not None:
            ixx, ixy, ixz, iyy, iyz, izz = (share * c for c in body.inertia.moments)
            moments = (ixx, ixy, ixz, iyy, iyz, izz)
            inertia = body.inertia._replace(
                mass=share * body.inertia.mass, moments=moments
            )
            body = replace(body, inertia=inertia)
        bodies.append(body)
    return replace(model, name=f"{model.name}, {share}", bodies=tuple(bodies))


def test_a_wrong_density_shows_in_torques_and_not_in_the_geometry(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    model = heavier(CLOSED_CHAINS["fivebar_maximal"], 1.01)
    monkeypatch.setattr(fivebar, "MAXIMAL", model)
    assert verdict("fivebar-cond-0.1505") == "AGREE"
    for name in ("static-0.40", "static-0.1505", "tausigma-lo", "accel-0.1505"):
        assert verdict(f"fivebar-{name}") == "UNDECIDED"
    monkeypatch.setattr(drives, "_drive", lambda: drives.drive(model))
    assert verdict("fivebar-traj-tau1max") == "UNDECIDED"


def test_a_shifted_reference_point_shows_in_the_condition(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def from_joints(terms: Any) -> Array:
        """The angle's column of each body about its joint instead of its centre."""
        T = np.eye(12)
        moved = terms.J.copy()
        for k in range(4):
            T[3 * k + 1, 3 * k + 2] = 0.1
        return singular_values(replace(terms, J=moved @ T))

    monkeypatch.setattr(fivebar, "singular_values", from_joints)
    assert verdict("fivebar-cond-0.1505") == "UNDECIDED"


class _Negated:
    """A quantity with the other sign."""

    def __init__(self, quantity: Any) -> None:
        self._quantity = quantity

    def value(self, *given: Any) -> Array:
        return -self._quantity.value(*given)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._quantity, name)


def test_a_gamma_of_the_other_sign_shows_in_the_pins(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    faulty = _Negated(constraint_bias_acceleration)
    monkeypatch.setattr(constraints, "constraint_bias_acceleration", faulty)
    assert verdict("pin-planar-gamma") == "DIFFER"


def test_a_gamma_of_the_other_sign_shows_in_the_drift(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    chain = mechanism(drift.MAXIMAL)
    terms = chain.terms

    def turned(q: Array, v: Array) -> Any:
        found = terms(q, v)
        return found._replace(gamma=-found.gamma)

    begin = drift.start()
    monkeypatch.setattr(chain, "terms", turned)
    monkeypatch.setattr(
        drift,
        "motion",
        lambda step=0.01, gain=0.0, projecting=False: integrated(
            drift.MAXIMAL,
            begin,
            step,
            0.2,
            gains=(gain, gain),
            projecting=projecting,
        ),
    )
    assert verdict("drift-ratio") == "UNDECIDED"
    assert verdict("proj-theta2") == "UNDECIDED"


def test_a_projection_without_gamma_is_not_one_of_the_routes(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(
        pen, "by_projection", lambda s: by_projection(replace(s, gamma=0 * s.gamma))
    )
    assert verdict("pen-accel-agreement") == "DIFFER"


def test_velocities_off_the_line_show_in_the_work(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    q, v, tau = pen.sampled()
    monkeypatch.setattr(pen, "sampled", lambda: (q, v + 1e-11, tau))
    assert verdict("pen-work") == "DIFFER"


def test_the_other_sign_of_gamma_shows_in_the_identities(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    state = projection.rational()
    tilted = replace(state, M=state.M + projection.unit() * state.J[0, 0])
    solved = state.solved

    class Faulty(projection.Rational):
        def solved(self, sign: int) -> Any:
            a, lam = solved(sign)
            return a, -lam

    faulty = Faulty(*(getattr(state, name) for name in state.__dataclass_fields__))
    monkeypatch.setattr(projection, "rational", lambda: faulty)
    assert verdict("schur-sign") == "DIFFER"
    monkeypatch.setattr(Faulty, "solved", lambda self, sign: solved(1))
    assert verdict("mr-sign") == "DIFFER"
    other, _ = tilted.solved(1)
    monkeypatch.setattr(Faulty, "solved", lambda self, sign: (other, other))
    for name in ("pen-Ptau-identity", "pen-Pqdd-gamma"):
        assert verdict(name) == "DIFFER"


def test_a_wrong_projection_shows_in_what_defines_one(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    class Halved(projection.Rational):
        @property
        def P(self) -> Any:  # noqa: N802
            return super().P / 2

    state = projection.rational()
    halved = Halved(*(getattr(state, name) for name in state.__dataclass_fields__))
    monkeypatch.setattr(projection, "rational", lambda: halved)
    names = ("pen-P-idempotent", "pen-trP", "pen-P-oblique", "pen-Pqdd-form")
    assert [verdict(name) for name in names] == ["DIFFER"] * 4


def test_torques_of_the_other_sign_show_in_both_routes(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    found = drives.drive()
    faulty = found._replace(torques=-found.torques)
    monkeypatch.setattr(drives, "_drive", lambda: faulty)
    assert verdict("Jfull-transpose-sign") == "DIFFER"
    assert verdict("fivebar-mult-vs-vw") == "DIFFER"


def test_accelerations_off_by_a_part_in_ten_to_the_twelfth_show(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    found = drives.drive()
    faulty = found._replace(a=found.a * (1 + 1e-12))
    monkeypatch.setattr(drives, "_drive", lambda: faulty)
    assert verdict("fivebar-acc-residual") == "DIFFER"


def test_tendon_forces_of_the_other_sign_show(monkeypatch: pytest.MonkeyPatch) -> None:
    still, moving = stewart._static(), stewart._moving()
    monkeypatch.setattr(stewart, "_static", lambda: -still)
    assert verdict("mujoco-sign") == "DIFFER"
    assert verdict("mujoco-wrong-sign") == "DIFFER"
    monkeypatch.setattr(stewart, "_static", lambda: still)
    assert verdict("mujoco-sign") == "AGREE"
    monkeypatch.setattr(stewart, "_moving", lambda: moving * (1 + 1e-10))
    assert verdict("mujoco-sign") == "DIFFER"


def test_hexagons_that_are_not_quite_similar_are_not_singular(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    model = stewart.similar_hexagons()
    first, *rest = model.tendons
    foot, ball = first.points
    x, y, z = ball.pose.p
    moved = ball._replace(pose=ball.pose._replace(p=(x + 1e-12, y, z)))
    faulty = replace(model, tendons=(first._replace(points=(foot, moved)), *rest))
    monkeypatch.setattr(stewart, "similar_hexagons", lambda: faulty)
    assert verdict("stewart-structural") == "DIFFER"


def test_a_projection_of_two_steps_costs_three_solutions(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    class Hasty(constraints._Counting):
        def projected(self, q: Array, v: Array, steps: int = 2) -> tuple[Array, Array]:
            return super().projected(q, v, steps)

    monkeypatch.setattr(constraints, "_Counting", Hasty)
    assert verdict("projection-count") == "DIFFER"


def test_a_stop_short_of_convergence_is_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    exact = pen._slsqp
    monkeypatch.setattr(pen, "_slsqp", lambda s: (exact(s)[0] + 1.0, exact(s)[1]))
    assert verdict("pen-gauss-qp") == "DIFFER"
