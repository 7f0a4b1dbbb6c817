"""3.11 What must hold for the constrained motion of any library, by its own terms."""

from __future__ import annotations

from typing import Any

import numpy as np

from models import Model
from reference.ch03_11_solvers import System, full_matrix, least_motion
from reference.law import law
from reference.measured import Array, Measured, above, beside, column, exactly
from reference.quantity import constraint_rows, needs_points
from reference.slopes import few_joints, slopes

TERMS = "mass_matrix bias_forces constraint_jacobian constraint_bias_acceleration"
IMPEDANCES = (0.9999, 0.9998, 0.9997, 0.9996)
"""Hard impedances, from which the rigid limit is extrapolated by a cubic."""


def few_points(model: Model) -> str:
    """Why a law with slopes of Phi is not asked of a model; empty if it is."""
    return needs_points(model) or few_joints(model)


def straight(model: Model) -> str:
    """Why tendons are not straight lines between two points, or slopes cost too much."""
    bent = any(len(tendon.points) > 2 for tendon in model.tendons)
    return few_joints(model) or ("a tendon bends" if bent else "")


# --------------------------------------------------------------------- 3.11.3.1 Phi, J


@law("3.11.3.1", "constraint_error constraint_jacobian", few_points)
def constraint_jacobian_is_the_slope_of_the_error(
    ask: Any, q: Array
) -> tuple[Any, Any]:
    """J = dPhi/dq, of loops that coincide in points."""
    return ask.constraint_jacobian(q), beside(slopes(ask, "constraint_error", q))


@law("3.11.3.1", "constraint_jacobian constraint_bias_acceleration", few_joints)
def constraint_bias_is_jacobian_rate_times_v(
    ask: Any, q: Array, v: Array
) -> tuple[Any, Any]:
    """Jdot v = sum_k dJ/dq_k v_k v: versions of MuJoCo up to 3.6.0 left it out."""
    turned = slopes(ask, "constraint_jacobian", q)
    rate = beside([d @ column(v) for d in turned]) @ column(v)
    return ask.constraint_bias_acceleration(q, v), rate


# ----------------------------------------------------------------- 3.11.3.2 KKT system


def _parts(motion: Measured, n: int) -> tuple[Measured, Measured, Array]:
    """a, lambda and the bound on what both leave of the equations."""
    residual = motion.residual
    if residual is None:
        raise TypeError("not the solution of an equation")
    rows = motion.value.shape[1]
    return motion.rows(0, n), motion.rows(n, rows), residual


@law("3.11.3.2; L&P (8.93)", f"constrained_motion {TERMS}")
def constrained_motion_solves_its_own_equations(
    ask: Any, q: Array, v: Array, tau: Array
) -> tuple[Any, Any]:
    """M a + h - J' lambda = tau and J a = -Jdot v in the library's own M, h, J and Jdot v."""
    a, lam, residual = _parts(ask.constrained_motion(q, v, tau), q.shape[1])
    J = ask.constraint_jacobian(q)
    upper = ask.mass_matrix(q) @ a + ask.bias_forces(q, v) - J.mT @ lam
    left = above(upper, J @ a + ask.constraint_bias_acceleration(q, v))
    zero = np.zeros((len(q), J.value.shape[1]))
    right = column(np.concatenate([tau, zero], axis=1))
    return Measured(left.value, left.bound + residual), right


@law("3.11.3.2", "constrained_motion constraint_jacobian mass_matrix bias_forces")
def constraint_forces_do_no_work(
    ask: Any, q: Array, v: Array, tau: Array
) -> tuple[Any, Any]:
    """lambda' J v = 0 and v' (M a + h - tau) = 0 at velocities that keep the loops closed.

    The first is of the library's multipliers, the second of the force that its acceleration
    needs beside tau.  The sampled state itself fulfils J v = 0 to a few u, and the motion
    its equation to the bound of its residual.
    """
    n, u = q.shape[1], column(v)
    a, lam, residual = _parts(ask.constrained_motion(q, v, tau), n)
    J = ask.constraint_jacobian(q)
    size = np.abs(lam.value).mT @ (np.abs(J.value) @ np.abs(u.value))
    inputs = 2.0**-50 * size
    first = lam.mT @ (J @ u)
    force = ask.mass_matrix(q) @ a + ask.bias_forces(q, v) - column(tau)
    second = u.mT @ force
    left = np.abs(u.value).mT @ residual[:, :n] + first.bound
    power = above(
        Measured(first.value, first.bound + inputs),
        Measured(second.value, second.bound + left + inputs),
    )
    return power, exactly(0 * power.value)


# ------------------------------------------------------------------ 3.11.3.6 soft rows


def _system(ask: Any, q: Array, v: Array, tau: Array) -> System:
    """The library's own terms."""
    f = column(tau) - ask.bias_forces(q, v)
    gamma = -ask.constraint_bias_acceleration(q, v)
    M, J = ask.mass_matrix(q), ask.constraint_jacobian(q)
    return System(M.value, J.value, f.value[..., 0], gamma.value[..., 0])


def _inverse(s: System, R: Array) -> Array:
    """|K^-1| of K = [[M, -J'], [J, R]], its rows for a."""
    return np.abs(np.linalg.inv(full_matrix(s, R)))[:, : s.f.shape[-1]]


def _truncation(s: System, diagonal: Array, shares: Array) -> Array:
    """Error of the polynomial extrapolation of a to R = 0, with R = share * diagonal.

    In the eigenvectors of G against the diagonal each part of lambda is c / (mu + share);
    what a polynomial through the shares misses at zero is the product of share / (mu +
    share), of that part at zero.
    """
    G = s.J @ np.linalg.solve(s.M, s.J.mT)
    root = diagonal**-0.5
    mu, V = np.linalg.eigh(root[:, :, None] * G * root[:, None, :])
    free = np.linalg.solve(s.M, s.f[..., None])
    c = V.mT @ (root[..., None] * (s.gamma[..., None] - s.J @ free))
    sound = mu > 1e-10 * mu[:, -1:]
    mu = np.where(sound, mu, 1.0)
    missed = np.prod([x / (mu + x) for x in shares], axis=0) / mu
    lam = root[..., None] * (V @ (np.where(sound, missed, 0.0)[..., None] * c))
    return np.abs(np.linalg.solve(s.M, s.J.mT @ lam))


@law("3.11.3.6", f"softened_motion {TERMS}")
def softness_vanishes_with_the_regularisation(
    ask: Any, q: Array, v: Array, tau: Array
) -> tuple[Any, Any]:
    """a, extrapolated to R = 0 from four impedances, is that of the rigid constraints."""
    s, n, m = _system(ask, q, v, tau), q.shape[1], constraint_rows(ask.model)
    shares = np.array([(1 - d) / d for d in IMPEDANCES])
    a, error = np.zeros((len(q), n, 1)), np.zeros((len(q), n, 1))
    diagonal = np.ones((len(q), m))
    for k, d in enumerate(IMPEDANCES):
        soft = ask.softened_motion(q, v, tau, np.full((len(q), 1), d))
        found, _, residual = _parts(soft, n)
        R = soft.value[:, n + m :, 0]
        others = np.delete(shares, k)
        weight = np.prod(others / (others - shares[k]))
        a = a + weight * found.value
        error = error + abs(weight) * (_inverse(s, R) @ residual)
        diagonal = R / shares[k]
    rigid = least_motion(s)
    own = _own_bound(ask, q, v, rigid.a[..., None], rigid.multipliers[..., None])
    bound = 2 * _truncation(s, diagonal, shares) + error
    return (
        Measured(a, bound),
        Measured(rigid.a[..., None], _inverse(s, shares[0] * diagonal) @ own),
    )


def _own_bound(ask: Any, q: Array, v: Array, a: Array, lam: Array) -> Array:
    """What the bounds on a library's own terms leave of the equations, and rounding."""
    M, J, h = ask.mass_matrix(q), ask.constraint_jacobian(q), ask.bias_forces(q, v)
    bias, x, y = ask.constraint_bias_acceleration(q, v), np.abs(a), np.abs(lam)
    rounding = 3 * (a.shape[1] + lam.shape[1]) * 2.0**-53
    sizes = np.abs(M.value) @ x + np.abs(J.value).mT @ y + np.abs(h.value)
    upper = M.bound @ x + J.bound.mT @ y + h.bound + rounding * sizes
    lower = J.bound @ x + bias.bound + rounding * (np.abs(J.value) @ x)
    return np.concatenate([upper, lower], axis=1)


# ---------------------------------------------------------------- 3.11.3.5 leg forces


@law("3.11.3.5", "tendon_lengths tendon_jacobian", straight)
def tendon_jacobian_is_the_slope_of_the_lengths(ask: Any, q: Array) -> tuple[Any, Any]:
    """2 l dl/dq = d(l^2)/dq, of straight tendons, whose l^2 is a trigonometric polynomial."""
    lengths = ask.tendon_lengths(q)
    squares = beside(slopes(_Squared(ask), "squared_lengths", q))
    diagonal = Measured(
        lengths.value * np.eye(lengths.value.shape[1]),
        lengths.bound * np.eye(lengths.value.shape[1]),
    )
    return diagonal @ ask.tendon_jacobian(q) * 2.0, squares


class _Squared:
    """What `slopes` may ask: the squares of a library's tendon lengths."""

    def __init__(self, ask: Any) -> None:
        self.turning, self._ask = ask.turning, ask

    def squared_lengths(self, q: Array) -> Measured:
        """l^2 and its bound."""
        lengths = self._ask.tendon_lengths(q)
        value = lengths.value**2
        return Measured(value, 2 * lengths.value * lengths.bound + 2.0**-53 * value)


@law("3.11.5(6)", "tendon_driven_acceleration tendon_jacobian mass_matrix bias_forces")
def positive_tendon_forces_push(
    ask: Any, q: Array, v: Array, f: Array
) -> tuple[Any, Any]:
    """M a + h = + L' f: a positive force lengthens the tendon."""
    answer = ask.tendon_driven_acceleration(q, v, f)
    left = ask.mass_matrix(q) @ answer + ask.bias_forces(q, v)
    right = ask.tendon_jacobian(q).mT @ column(f)
    return Measured(left.value, left.bound + answer.residual), right


LAWS = {
    statement.name: statement
    for statement in (
        constraint_jacobian_is_the_slope_of_the_error,
        constraint_bias_is_jacobian_rate_times_v,
        constrained_motion_solves_its_own_equations,
        constraint_forces_do_no_work,
        softness_vanishes_with_the_regularisation,
        tendon_jacobian_is_the_slope_of_the_lengths,
        positive_tendon_forces_push,
    )
}
"""The laws, in the order of the text."""
