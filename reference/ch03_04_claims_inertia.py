"""3.4 Claims on M and g: eigenvalues, bounds, structural zeros, rotors, gravity."""

from __future__ import annotations

import math
from collections.abc import Callable
from decimal import Decimal
from fractions import Fraction
from functools import cache, partial
from typing import Any

import numpy as np
from flint import fmpq

from models import CATALOGUE, Model
from reference.carriers import Exact
from reference.carriers.ring import number
from reference.ch03_04_laws import mass_matrix_has_structural_zeros
from reference.ch03_04_manipulator_equation import (
    QUANTITIES,
    gravity_forces,
    inertial_parameters,
    mass_matrix,
)
from reference.ch03_04_properties import (
    coupling_index,
    gravity_bound,
    mass_matrix_bound,
    measured,
    reflected_inertias,
)
from reference.claim import (
    Claim,
    Judge,
    Outcome,
    judge_digits,
    judge_equal,
    judge_property,
    judge_residual,
)
from reference.measured import Measured, exactly, smallest_eigenvalue
from reference.robot import robot

Array = np.ndarray

ARM = CATALOGUE["arm_6r"]
GEARED = CATALOGUE["arm_6r_geared"]

# Reconstructed with the arm; the chapter prints no joint angles.
POSES = {
    "extended": (0.3, -0.3, 0.8, -0.58, -1.34, 0.2),
    "middle": (0.3, -1.05, 1.11, -0.58, -0.48, 0.2),
    "folded": (0.3, -1.71, 0.88, -0.58, 0.88, 0.2),
}
SAMPLES, SEED = 2000, 2000


def sampled_poses(model: Model, count: int = SAMPLES) -> Array:
    """Uniform configurations of a revolute arm, (count, n) [rad]."""
    rng = np.random.default_rng(SEED)
    return rng.uniform(-np.pi, np.pi, (count, model.nv))


def three_poses() -> Array:
    """The extended, middle and folded pose, (3, 6) [rad]."""
    return np.array(list(POSES.values()))


@cache
def _mass_matrices(model: Model) -> Array:
    values: Array = mass_matrix.value(model, {"q": sampled_poses(model)})
    return values


@cache
def _eigenvalues(model: Model) -> Array:
    values: Array = np.linalg.eigvalsh(_mass_matrices(model))
    return values


@cache
def _gravity_norms(model: Model) -> Array:
    forces = gravity_forces.value(model, {"q": sampled_poses(model)})
    norms: Array = np.linalg.norm(forces, axis=1)
    return norms


class OwnAnswers:
    """The reference in the place of a library, asked by the laws, with its bounds."""

    def __init__(self, model: Model) -> None:
        """Read the structure that the laws ask for."""
        joints = [model.bodies[i].joint for i in model.moving]
        self.model = model
        index = {body: i for i, body in enumerate(model.moving)} | {-1: -1}
        above = [model.carrier(model.bodies[i].parent) for i in model.moving]
        self.parents = [index[body] for body in above]
        self.turning = [joint.kind != "prismatic" for joint in joints]
        self.armature = reflected_inertias(model)

    @property
    def parameters(self) -> Measured:
        """The inertial parameters, (1, 10 n, 1)."""
        at = np.zeros((1, self.model.nv))
        return measured(self.model, lambda arm, q: inertial_parameters(arm), at)

    def __getattr__(self, name: str) -> Callable[..., Measured]:
        if name not in QUANTITIES:
            raise AttributeError(name)
        return partial(measured, self.model, QUANTITIES[name].compute)


# ---------------------------------------------------------------- numbers of the sample

_NUMBERS: dict[str, Callable[[], list[Any]]] = {
    "3.4-lmin": lambda: [_eigenvalues(ARM).min()],
    "3.4-lmax": lambda: [_eigenvalues(ARM).max()],
    "3.4-cond": lambda: [(_eigenvalues(ARM)[:, -1] / _eigenvalues(ARM)[:, 0]).max()],
    "3.4-mbar": lambda: [mass_matrix_bound(ARM)],
    "3.4-summary-eig": lambda: [mass_matrix_bound(ARM)],
    "3.4-ratio39": lambda: [100 * _eigenvalues(ARM).max() / mass_matrix_bound(ARM)],
    "3.4-gbar": lambda: [gravity_bound(ARM)],
    "3.4-gmax": lambda: [_gravity_norms(ARM).max()],
    "3.4-M11-ratio-direct": lambda: [_shoulder_ratio(ARM)],
    "3.4-M11-ratio-N100": lambda: [_shoulder_ratio(GEARED)],
    "3.4-coupling-direct": lambda: [coupling_index(_mass_matrices(ARM)).mean()],
    "3.4-coupling-N100": lambda: [coupling_index(_mass_matrices(GEARED)).mean()],
    "3.4-g-ext": lambda: [np.linalg.norm(_static_torques("extended"))],
    "3.4-g-shoulder": lambda: [abs(_static_torques("extended")[1])],
    "3.4-g-fold": lambda: [np.linalg.norm(_static_torques("folded"))],
    "3.4-M2half": lambda: [Decimal("17.15") / 2],
}


def _shoulder_ratio(model: Model) -> float:
    shoulder = _mass_matrices(model)[:, 0, 0]
    return float(shoulder.max() / shoulder.min())


def _static_torques(pose: str) -> Array:
    forces: Array = gravity_forces.value(ARM, {"q": np.array([POSES[pose]])})[0]
    return forces


def _digits(name: str) -> Judge:
    return lambda claim: judge_digits(claim, _NUMBERS[name]())


# ------------------------------------------------------------------------- statements


def moving_mass(claim: Claim) -> Outcome:
    """The sum of the masses, in decimals as the document writes them."""
    masses = [Decimal(repr(b.inertia.mass)) for b in ARM.bodies if b.inertia]
    return judge_equal(claim, [sum(masses, Decimal(0))])


def last_diagonal_entry(claim: Claim) -> Outcome:
    """M66 at every sample."""
    last = _mass_matrices(ARM)[:, 5, 5]
    spread = float(np.ptp(last))
    farthest = last[np.abs(last - last[0]).argmax()]
    remark = f"spread {spread:.2g} over {SAMPLES} poses"
    return judge_digits(claim, [float(farthest)], remark)


def structural_zeros(claim: Claim) -> Outcome:
    """Slopes of M along the joints that carry both of its indices."""
    left, right = mass_matrix_has_structural_zeros.sides(
        OwnAnswers(ARM), sampled_poses(ARM, 200)
    )
    return judge_residual(claim, left, right, "200 poses")


def plumb_axis_carries_nothing(claim: Claim) -> Outcome:
    """g1 with rational tan(q / 2), hence rational g."""
    la = Exact()
    arm = robot(ARM, la)
    rng = np.random.default_rng(SEED)
    halves = rng.integers(-30, 31, (8, ARM.nv)).tolist()
    first = [
        number(gravity_forces(arm, [fmpq(k, 11) for k in half]).rows[0][0])
        for half in halves
    ]
    largest = max((fmpq(x) for x in first), key=abs)
    value = Fraction(int(largest.p), int(largest.q))
    return judge_equal(claim, [value], "8 rational poses, without rounding")


def bounds_hold(claim: Claim) -> Outcome:
    """The sample against the bounds of this arm."""
    top, mbar = _eigenvalues(ARM).max(), mass_matrix_bound(ARM)
    lift, gbar = _gravity_norms(ARM).max(), gravity_bound(ARM)
    value = f"{top:.4g} <= {mbar:.4g}, {lift:.4g} <= {gbar:.4g}"
    holds = bool(top <= mbar and lift <= gbar)
    return judge_property(claim, holds, value, f"at all {SAMPLES} poses")


def bound_follows_from_the_construction(claim: Claim) -> Outcome:
    """The bound on revolute arms of the catalogue, among them stretched out ones."""
    names = ("arm_2r", "arm_6r", "arm_6r_geared", "ur5", "skew_axes", "far_base")
    shares = []
    for name in names:
        model = CATALOGUE[name]
        q = np.vstack([np.zeros(model.nv), sampled_poses(model, 500)])
        top = np.linalg.eigvalsh(mass_matrix.value(model, {"q": q}))[:, -1].max()
        shares.append(float(top / mass_matrix_bound(model)))
    value = ", ".join(f"{name} {x:.3f}" for name, x in zip(names, shares, strict=True))
    message = "largest eigenvalue over mbar, 501 poses of each model"
    return judge_property(claim, max(shares) <= 1, value, message)


def rotors_bound_from_below(claim: Claim) -> Outcome:
    """The smallest eigenvalue with rotors, less the smallest rotor."""
    least = float(reflected_inertias(GEARED).min())
    M = measured(GEARED, mass_matrix.compute, sampled_poses(GEARED))
    above = smallest_eigenvalue(M) - exactly(np.full((SAMPLES, 1, 1), least))
    value = f"{least + above.value.min():.6g} >= {least:g}"
    holds = bool((above.value >= -above.bound).all()) and math.isclose(least, 0.3)
    return judge_property(claim, holds, value, f"at all {SAMPLES} poses")


def wrist_gravity(claim: Claim) -> Outcome:
    """g5 and g6 of the three poses."""
    forces = np.abs(gravity_forces.value(ARM, {"q": three_poses()}))
    g5, g6 = forces[:, 4].max(), forces[:, 5].max()
    share = 100 * (forces[:, 4] / np.linalg.norm(forces, axis=1)).max()
    message = (
        f"'about zero' has no digits; in the reconstruction g6 vanishes and g5 is up "
        f"to {share:.2g} % of |g|"
    )
    return Outcome("UNDECIDED", f"{g5:.3g}, {g6:.3g}", message, float(g5))


CLAIMS: dict[str, Judge] = {name: _digits(name) for name in _NUMBERS} | {
    "3.4-mass": moving_mass,
    "3.4-M66": last_diagonal_entry,
    "3.4-structural-zero": structural_zeros,
    "3.4-g1": plumb_axis_carries_nothing,
    "3.4-bound-holds": bounds_hold,
    "3.4-CA-cs": bound_follows_from_the_construction,
    "3.4-reflected-bound": rotors_bound_from_below,
    "3.4-g56": wrist_gravity,
}
