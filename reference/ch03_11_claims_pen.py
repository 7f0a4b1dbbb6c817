"""3.11 Claims on the pen: a planar 3R arm whose tip moves along a line (one constraint)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import cache

import numpy as np

from models import Body, Frame, Inertia, Joint, Model, Pose
from reference.carriers import UNIT_ROUNDOFF
from reference.ch03_04_manipulator_equation import bias_forces, mass_matrix
from reference.ch03_04_properties import measured
from reference.ch03_11_rounding import solution_bound
from reference.ch03_11_solvers import (
    Solution,
    System,
    by_full_system,
    by_least_constraint,
    by_null_space,
    by_projection,
    by_schur_complement,
)
from reference.claim import (
    Claim,
    Judge,
    Outcome,
    judge_property,
    judge_residual,
    undecided,
)
from reference.kinematics import frame_bias_acceleration, frame_jacobian
from reference.measured import Measured, column

Array = np.ndarray

LENGTHS = (0.3, 0.25, 0.15)
"""Of the links [m], uniform rods of 1 kg/m; ours, the chapter prints none."""
STATES, SEED = 200, 311
ACROSS = 4
"""Row of the tool's Jacobian that the constraint sets to zero: the velocity along y."""


def pen_arm() -> Model:
    """The arm, in the plane x-y, gravity along -y."""
    bodies = tuple(
        Body(
            f"link{k + 1}",
            k - 1,
            Joint(f"joint{k + 1}"),
            Pose((LENGTHS[k - 1] if k else 0.0, 0.0, 0.0)),
            Inertia(x, Pose((x / 2, 0.0, 0.0)), (0.0, 0.0, 0.0, 0.0, 0.0, x**3 / 12)),
        )
        for k, x in enumerate(LENGTHS)
    )
    tip = Frame("tool", 2, Pose((LENGTHS[2], 0.0, 0.0)))
    return Model("pen", bodies, tip, (0.0, -9.81, 0.0))


PEN = pen_arm()


# ---------------------------------------------------------------------- in float64


@cache
def sampled() -> tuple[Array, Array, Array]:
    """q, v along the line, and tau of the states, each (200, 3)."""
    rng = np.random.default_rng(SEED)
    q = rng.uniform(-np.pi, np.pi, (STATES, 3))
    v, tau = 2 * rng.normal(size=(STATES, 3)), rng.normal(size=(STATES, 3))
    J = frame_jacobian.value(PEN, {"q": q})[:, ACROSS]
    for _ in range(2):  # the second takes away what rounding left
        off = np.einsum("ni,ni->n", J, v) / np.einsum("ni,ni->n", J, J)
        v = v - off[:, None] * J
    return q, v, tau


def pen_system(q: Array, v: Array, tau: Array) -> System:
    """M, J, tau - h and gamma at states (N, 3)."""
    state = {"q": q, "v": v}
    J = frame_jacobian.value(PEN, state)[:, [ACROSS]]
    gamma = -frame_bias_acceleration.value(PEN, state)[:, [ACROSS]]
    h = bias_forces.value(PEN, state)
    return System(mass_matrix.value(PEN, state), J, tau - h, gamma)


@cache
def _system() -> System:
    return pen_system(*sampled())


@cache
def _solution() -> Solution:
    return by_schur_complement(_system())


def _each(route: Callable[[System], Array]) -> Array:
    """A route that takes one sample, for all of them, (200, 3)."""
    s = _system()
    terms = zip(s.M, s.J, s.f, s.gamma, strict=True)
    return np.stack([route(System(*sample)) for sample in terms])


def _apart(others: list[Array]) -> Measured:
    """What accelerations differ by from those by the Schur complement, (200, 3, k).

    Each of two stable routes may be off by `solution_bound`.
    """
    found = _solution()
    bound = 2 * solution_bound(_system(), found)[:, :3]
    off = np.stack([a - found.a for a in others], axis=-1)
    return Measured(off, np.repeat(bound[..., None], len(others), axis=-1))


def routes_agree(claim: Claim) -> Outcome:
    """Full system, projection and null space against the Schur complement."""
    s = _system()
    others = [by_full_system(s).a, by_projection(s), _each(by_null_space)]
    apart = _apart(others)
    largest = float(np.abs(_solution().a).max())
    share = float(np.abs(apart.value).max()) / largest
    remark = (
        f"relative to the largest acceleration, {largest:.4g} rad/s^2, the four routes "
        f"differ by {share:.1g}"
    )
    return judge_residual(claim, apart, remark=remark)


def largest_acceleration(claim: Claim) -> Outcome:
    """Of our states."""
    size = float(np.abs(_solution().a).max())
    return undecided(claim, [size], "neither the arm nor its states are printed")


def largest_multiplier(claim: Claim) -> Outcome:
    """Of our states."""
    size = float(np.abs(_solution().multipliers).max())
    return undecided(claim, [size], "neither the arm nor its states are printed")


def constraint_force_does_no_work(claim: Claim) -> Outcome:
    """lambda J v against zero; v itself fulfils J v = 0 to a few roundings."""
    q, v, _ = sampled()
    J = measured(PEN, frame_jacobian.compute, q).rows(ACROSS, ACROSS + 1)
    speed = J @ column(v)
    size = np.abs(J.value) @ np.abs(v)[..., None]
    rate = Measured(speed.value, speed.bound + 8 * UNIT_ROUNDOFF * size)
    power = column(_solution().multipliers) @ rate
    largest = float(np.abs(_solution().multipliers).max())
    return judge_residual(claim, power, remark=f"multipliers up to {largest:.3g} N")


def _slsqp(s: System) -> tuple[Array, float]:
    """Gauss' minimum by SciPy's SLSQP, and how far off its stopping rule may leave it.

    It stops where the objective, which itself carries rounding, changes by less than ftol:
    (a - a*)' M (a - a*) / 2 then is of that size.
    """
    from scipy.optimize import minimize  # late: SciPy takes long to import

    free, ftol = s.free_acceleration, 1e-14

    def objective(a: Array) -> float:
        return float((a - free) @ s.M @ (a - free)) / 2

    found = minimize(
        objective,
        np.zeros_like(free),
        jac=lambda a: s.M @ (a - free),
        constraints={
            "type": "eq",
            "fun": lambda a: s.J @ a - s.gamma,
            "jac": lambda a: s.J,
        },
        method="SLSQP",
        options={"ftol": ftol, "maxiter": 200},
    )
    a: Array = found.x
    d = np.sqrt(s.M.diagonal())
    size = float(d @ (np.abs(a) + np.abs(free))) ** 2
    stop = ftol + 12 * UNIT_ROUNDOFF * size
    return a, float(np.sqrt(2 * stop / np.linalg.eigvalsh(s.M)[0]))


def gauss_by_quadratic_programmes(claim: Claim) -> Outcome:
    """quadprog to rounding; SLSQP to where it stops, on the first twenty states."""
    s, own = _system(), _solution().a
    off, allowed = [], []
    for k in range(20):
        a, stop = _slsqp(System(s.M[k], s.J[k], s.f[k], s.gamma[k]))
        off.append(float(np.abs(a - own[k]).max()))
        allowed.append(stop)
    converged = all(x <= y for x, y in zip(off, allowed, strict=True))
    remark = (
        f"by quadprog; SLSQP is {max(off):.2g} off, {'within' if converged else 'beyond'} "
        f"its stopping rule's {max(allowed):.2g}: the printed {claim.printed[0]} is its "
        f"convergence, not the principle's"
    )
    if not converged:
        return judge_property(claim, False, f"{max(off):.2g}", remark)
    plain = replace(claim, printed=())
    return judge_residual(plain, _apart([_each(by_least_constraint)]), remark=remark)


CLAIMS: dict[str, Judge] = {
    "3.11-pen-work": constraint_force_does_no_work,
    "3.11-pen-accel-agreement": routes_agree,
    "3.11-pen-accel-max": largest_acceleration,
    "3.11-pen-lambda-max": largest_multiplier,
    "3.11-pen-gauss-qp": gauss_by_quadratic_programmes,
}
