"""3.4 Properties of M, C and g: bounds, tool inertia, manipulability, rank, skewness.

float64, batched over samples: M has shape (N, n, n), a Jacobian (N, m, n), vectors (N,
n). Formulas of one robot's data take the model; the rest is linear algebra on what the
reference (or anybody else) computed.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from models import Model
from reference.carriers import UNIT_ROUNDOFF, Magnitude, Matrix, Numpy
from reference.carriers.ring import number
from reference.measured import Measured
from reference.quantity import entrywise
from reference.robot import Robot, robot

Array = np.ndarray


def evaluated(model: Model, formula: Callable[..., Matrix], *inputs: Array) -> Array:
    """A formula of the chapter at inputs (N, n): values, shape (N, rows, columns)."""
    la = Numpy()
    result = formula(robot(model, la), *map(la.variables, inputs))
    return la.array(result, (len(inputs[0]),))


def measured(model: Model, formula: Callable[..., Matrix], *inputs: Array) -> Measured:
    """The same with the rounding bound of the evaluation (magnitude carrier)."""
    value = evaluated(model, formula, *inputs)
    la = Magnitude()
    blocks = formula(robot(model, la), *map(la.variables, inputs)).error
    rows, columns = value.shape[1:]
    wide = np.repeat(blocks, columns // blocks.shape[-1], axis=-1)
    return Measured(value, UNIT_ROUNDOFF * entrywise(wide, len(value), (rows, columns)))


# ------------------------------------------------- 3.4.3.2, 3.4.3.4 bounds of M and g


def _reaches(arm: Robot) -> list[Array]:
    """r_jl for the joints j of each link l's path, base first [m].

    r_jl = sum of |d_k| for k after j, up to l, plus |c_l|.
    """
    la, found = Numpy(), []
    offsets = [float(np.linalg.norm(la.array(link.p, ()))) for link in arm.links]
    for i, link in enumerate(arm.links):
        after = [offsets[k] for k in arm.path(i)[1:]]
        com = float(np.linalg.norm(la.array(link.com, ())))
        found.append(np.append(np.cumsum(after[::-1])[::-1], 0.0) + com)
    return found


def _revolute(model: Model) -> Robot:
    arm = robot(model, Numpy())
    if not all(link.turning for link in arm.links):
        raise ValueError(f"{model.name} has prismatic joints: M has no bound for all q")
    return arm


def reflected_inertias(model: Model) -> Array:
    """N_i^2 J_m,i, shape (n,) [kg m^2], added to the diagonal of M (3.4.3.8)."""
    return np.array([model.bodies[i].joint.armature for i in model.moving])


def mass_matrix_bound(model: Model) -> float:
    """Bound mbar with M(q) <= mbar 1 for all q, revolute joints only [kg m^2].

    mbar = sum_l (m_l sum_{j <= l} r_jl^2 + l lambda_max(I_c,l)), l in the second term
    the number of joints that move link l (3.4.3.2); the largest rotor is added to it.

    Raises:
        ValueError: If the model has prismatic joints.
    """
    arm, la, total = _revolute(model), Numpy(), 0.0
    for link, r in zip(arm.links, _reaches(arm), strict=True):
        moments = np.linalg.eigvalsh(la.array(link.tensor, ()))
        total += float(number(link.mass)) * float(r @ r) + len(r) * float(moments[-1])
    return total + float(reflected_inertias(model).max())


def gravity_bound(model: Model) -> float:
    """Bound gbar with |g(q)| <= gbar for all q, revolute joints only [N m].

    gbar = |gamma| sum_l m_l sqrt(sum_{j <= l} r_jl^2) (3.4.3.4).

    Raises:
        ValueError: If the model has prismatic joints.
    """
    arm = _revolute(model)
    lifted = sum(
        float(number(link.mass)) * float(np.linalg.norm(r))
        for link, r in zip(arm.links, _reaches(arm), strict=True)
    )
    return float(np.linalg.norm(model.gravity)) * lifted


def coupling_index(M: Array) -> Array:
    """Frobenius norm of M off the diagonal over the norm of the diagonal, (N,)."""
    diagonal = M.diagonal(axis1=1, axis2=2)
    off = M - diagonal[:, :, None] * np.eye(M.shape[1])
    index: Array = np.linalg.norm(off, axis=(1, 2)) / np.linalg.norm(diagonal, axis=1)
    return index


# ------------------------------------------------------------- 3.4.3.3 factorisations


def coriolis_gain(C: Array, v: Array) -> Array:
    """|C(q, v)|_F / |v|, (N,) [kg m^2].

    Its supremum over q and v is a k_c with |C(q, x) y| <= k_c |x| |y|; samples give a
    lower bound of that supremum, not of the smallest such k_c, which the 2-norm of C
    would give.
    """
    gain: Array = np.linalg.norm(C, axis=(1, 2)) / np.linalg.norm(v, axis=1)
    return gain


def symmetric_part(Mdot: Measured, C: Measured) -> Measured:
    """N + N' of N = Mdot - 2 C, which is zero if N is skew."""
    N = Mdot - C * 2.0
    return N + N.mT


def skew_addition(v: Array) -> Measured:
    """K = u w' - w u' with unit u, w orthogonal to v: K v = 0 and K is skew (3.4.3.3).

    u and w each have two entries, taken from v so that they cancel in u'v and w'v: with
    v_i the largest entry, u = v_i e_j - v_j e_i and w = v_k e_i - v_i e_k.  The bound
    holds the rounding of their normalisation and of the products.

    Args:
        v: Velocities (N, n), n >= 3; for n = 2, u and w are parallel and K = 0.

    Raises:
        ValueError: If n < 3, or if a velocity is zero.
    """
    if v.shape[1] < 3 or not np.all(np.any(v != 0, axis=1)):
        raise ValueError("C' = C + K needs three joints or more, and v other than zero")
    rows, i = np.arange(len(v)), np.abs(v).argmax(1)
    j, k = (i + 1) % v.shape[1], (i + 2) % v.shape[1]
    u, w = np.zeros_like(v), np.zeros_like(v)
    u[rows, j], u[rows, i] = v[rows, i], -v[rows, j]
    w[rows, i], w[rows, k] = v[rows, k], -v[rows, i]
    # two squares, a sum, a root and a quotient: 2 u on the norm, 1 u on the quotient
    u, w = (x / np.linalg.norm(x, axis=1, keepdims=True) for x in (u, w))
    U, W = (
        Measured(x[..., None], 4 * UNIT_ROUNDOFF * np.abs(x)[..., None]) for x in (u, w)
    )
    outer = U @ W.mT
    return outer - outer.mT


# ----------------------------------------------------------- 3.4.3.5 regressor's rank


class Rank(NamedTuple):
    """Numerical rank of a matrix.

    Attributes:
        rank: Number of singular values above the threshold.
        gap: sigma_r / sigma_{r+1}, infinite if nothing lies below the threshold.
    """

    rank: int
    gap: float


def numerical_rank(Y: Array, threshold: float = 1e-9) -> Rank:
    """Count singular values above threshold times the largest, of one matrix."""
    sigma = np.linalg.svd(Y, compute_uv=False)
    rank = int((sigma > threshold * sigma[0]).sum())
    below = sigma[rank] if rank < len(sigma) else 0.0
    return Rank(rank, float(sigma[rank - 1] / below) if below else float("inf"))


def zero_columns(Y: Array, bound: Array | float = 0.0) -> list[int]:
    """Columns of a matrix that do not exceed a bound on their rounding error."""
    return [int(c) for c in np.flatnonzero((np.abs(Y) <= bound).all(axis=0))]


# ---------------------------------------------- 3.4.3.7 tool-space inertia and the like


def inverse_tool_inertia(M: Array, J: Array) -> Array:
    """A = J M^-1 J', (N, m, m): a force F at rest accelerates the tool by A F."""
    return J @ np.linalg.solve(M, J.mT)


def operational_space_inertia(M: Array, J: Array) -> Array:
    """Lambda = (J M^-1 J')^-1, (N, m, m); for square J it is J^-T M J^-1 (L&P 8.90).

    With J of m = 6 rows this is Lambda_6; with its last three rows the position part
    Lambda_v, which is not the last block of Lambda_6.
    """
    inverse: Array = np.linalg.inv(inverse_tool_inertia(M, J))
    return inverse


def effective_mass(A: Array, u: Array) -> Array:
    """m_u = 1/(u'A u), (N,) [kg]: what a push along the unit vectors u (N, 3) feels."""
    mobility: Array = np.einsum("ni,nij,nj->n", u, A, u)
    return 1 / mobility


def effective_mass_extrema(A: Array) -> Array:
    """Smallest and largest effective mass over all directions, (N, 2) [kg]."""
    values = np.linalg.eigvalsh(A)
    return 1 / values[:, [-1, 0]]


def velocity_half_axes(J: Array) -> Array:
    """Half-axes of {J v: |v| <= 1}, largest first, (N, m) (2.9)."""
    axes: Array = np.linalg.svd(J, compute_uv=False)
    return axes


def acceleration_half_axes(M: Array, J: Array, torque_limits: Any) -> Array:
    """Half-axes of {J M^-1 T x: |x| <= 1}, largest first, (N, m); T holds the limits.

    Accelerations of the tool from rest, without gravity, by torques in the ellipsoid.
    """
    reach = J @ np.linalg.solve(M, np.diag(np.asarray(torque_limits, float)))
    axes: Array = np.linalg.svd(reach, compute_uv=False)
    return axes
