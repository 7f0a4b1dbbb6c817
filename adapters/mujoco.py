"""MuJoCo, https://mujoco.org; reads the MJCF.

Conventions that are converted:

- Spatial vectors are (rotational, linear), as ours, about the site and in world axes;
  Jacobians come in two halves.
- `qfrc_bias` is C v + g.  Without gravity (a twin of the model) it is C v; with v = 0
  it is g.
- Accelerations contain minus gravity, hence the twin for `frame_bias_acceleration` as
  well.
- `mj_fullM` takes (model, M's sparse values) up to 3.9 and (model, data) from 3.10 on.
- Potential energy counts bodies welded to the world too.
- Constraints are soft: J a + R lambda = gamma, but for what stabilizes them.  The rows
  of `connect` are ours; those of `weld` are (linear, half a quaternion's error).
- A motor on a tendon pushes its ends apart when positive, as our f.
- `ten_J` is dense up to 3.5, and from 3.6 on holds the entries that are not zero.

Not offered: C as a matrix, the regressor, Jacobians in body axes or at the world's
origin, motion under constraints that are not soft.

How the model is read and numbered is in `_mujoco_robot`.
"""

from __future__ import annotations

import mujoco
import numpy as np

from adapters._loops import across
from adapters._mujoco_robot import Robot
from adapters._mujoco_robot import joint_sizes as joint_sizes
from adapters._mujoco_robot import load as load
from adapters._wire import Unsupported

distribution = "mujoco"

SITE = mujoco.mjtObj.mjOBJ_SITE
WORLD_AXES = 0


def frame_pose(robot: Robot, q: np.ndarray) -> np.ndarray:
    """`mj_forward`, then `site_xmat` and `site_xpos`."""
    data = robot.run(robot.model, q)
    R = data.site_xmat[robot.tool].reshape(3, 3)
    return np.column_stack([R, data.site_xpos[robot.tool]])


def frame_velocity(robot: Robot, q: np.ndarray, v: np.ndarray) -> np.ndarray:
    """`mj_objectVelocity` of the site."""
    data, twist = robot.run(robot.model, q, qvel=v), np.zeros(6)
    mujoco.mj_objectVelocity(robot.model, data, SITE, robot.tool, twist, WORLD_AXES)
    return twist


def frame_jacobian(robot: Robot, q: np.ndarray) -> np.ndarray:
    """`mj_jacSite`."""
    data, J = robot.run(robot.model, q), np.zeros((6, robot.model.nv))
    mujoco.mj_jacSite(robot.model, data, J[3:], J[:3], robot.tool)
    return J[:, robot.order]


def frame_bias_acceleration(robot: Robot, q: np.ndarray, v: np.ndarray) -> np.ndarray:
    """`mj_objectAcceleration` of the site, without gravity and with `qacc` = 0."""
    data, found = robot.run(robot.weightless, q, qvel=v), np.zeros(6)
    data.qacc[:] = 0
    mujoco.mj_rnePostConstraint(robot.weightless, data)
    mujoco.mj_objectAcceleration(
        robot.weightless, data, SITE, robot.tool, found, WORLD_AXES
    )
    return found


def mass_matrix(robot: Robot, q: np.ndarray) -> np.ndarray:
    """`mj_forward`, then `mj_fullM`."""
    data, M = robot.run(robot.model, q), np.zeros((robot.model.nv, robot.model.nv))
    try:
        mujoco.mj_fullM(robot.model, data, M)
    except TypeError:  # the signature up to 3.9
        mujoco.mj_fullM(robot.model, M, data.qM)
    return M[np.ix_(robot.order, robot.order)]


def coriolis_forces(robot: Robot, q: np.ndarray, v: np.ndarray) -> np.ndarray:
    """`qfrc_bias` without gravity."""
    return robot.run(robot.weightless, q, qvel=v).qfrc_bias[robot.order]


def gravity_forces(robot: Robot, q: np.ndarray) -> np.ndarray:
    """`qfrc_bias` at rest."""
    return robot.run(robot.model, q).qfrc_bias[robot.order]


def bias_forces(robot: Robot, q: np.ndarray, v: np.ndarray) -> np.ndarray:
    """`qfrc_bias`."""
    return robot.run(robot.model, q, qvel=v).qfrc_bias[robot.order]


def inverse_dynamics(
    robot: Robot, q: np.ndarray, v: np.ndarray, a: np.ndarray
) -> np.ndarray:
    """`mj_inverse`, then `qfrc_inverse`."""
    data = robot.run(robot.model, q, qvel=v)
    data.qacc[robot.order] = a
    mujoco.mj_inverse(robot.model, data)
    return data.qfrc_inverse[robot.order]


def forward_dynamics(
    robot: Robot, q: np.ndarray, v: np.ndarray, tau: np.ndarray
) -> np.ndarray:
    """`qfrc_applied`, `mj_forward`, then `qacc`."""
    return robot.run(robot.model, q, qvel=v, qfrc_applied=tau).qacc[robot.order]


def kinetic_energy(robot: Robot, q: np.ndarray, v: np.ndarray) -> float:
    """`energy[1]`."""
    return robot.run(robot.model, q, qvel=v).energy[1]


def potential_energy(robot: Robot, q: np.ndarray) -> float:
    """`energy[0]`."""
    return robot.run(robot.model, q).energy[0]


def constraint_error(robot: Robot, q: np.ndarray) -> np.ndarray:
    """`mj_forward`, then `site_xmat` and `site_xpos` of either site."""
    data, found = robot.run(robot.model, q), []
    for loop in robot.loops:
        first, second = (data.site_xmat[i].reshape(3, 3) for i in loop[:2])
        turn = first @ second.T
        halves = ((turn - turn.T) / 2)[[2, 0, 1], [1, 2, 0]]
        gap = data.site_xpos[loop.first] - data.site_xpos[loop.second]
        found.append(np.concatenate([halves, gap])[loop.rows])
    return np.concatenate(found)


def constraint_jacobian(robot: Robot, q: np.ndarray) -> np.ndarray:
    """`mj_jacSite` of either site."""
    data = robot.run(robot.model, q)

    def of_site(site: int) -> np.ndarray:
        J = np.zeros((6, robot.model.nv))
        mujoco.mj_jacSite(robot.model, data, J[3:], J[:3], site)
        return J

    return across(robot.loops, of_site)[:, robot.order]


def constraint_rows(robot: Robot, q: np.ndarray) -> np.ndarray:
    """`mj_forward`, then `efc_J`, by `mju_sparse2dense` where it is sparse."""
    data, nv = robot.run(robot.closed, q), robot.closed.nv
    if not mujoco.mj_isSparse(robot.closed):
        return data.efc_J.reshape(data.nefc, nv)[:, robot.order]
    J, columns = np.zeros((data.nefc, nv)), (data.efc_J_rowadr, data.efc_J_colind)
    mujoco.mju_sparse2dense(J, data.efc_J, data.efc_J_rownnz, *columns)
    return J[:, robot.order]


def constraint_bias_acceleration(
    robot: Robot, q: np.ndarray, v: np.ndarray
) -> np.ndarray:
    """`mj_jacDot` of either site, times v."""
    if not hasattr(mujoco, "mj_jacDot"):
        raise Unsupported("this release has no mj_jacDot")
    model, data = robot.model, robot.run(robot.model, q, qvel=v)

    def of_site(site: int) -> np.ndarray:
        rate, body = np.zeros((6, model.nv)), model.site_bodyid[site]
        point = data.site_xpos[site]
        mujoco.mj_jacDot(model, data, rate[3:], rate[:3], point, body)
        return rate @ data.qvel

    return across(robot.loops, of_site)


def default_constrained_acceleration(
    robot: Robot, q: np.ndarray, v: np.ndarray, tau: np.ndarray
) -> np.ndarray:
    """`mj_forward`, then `qacc`, with the default `solref` and `solimp`."""
    return robot.run(robot.closed, q, qvel=v, qfrc_applied=tau).qacc[robot.order]


def softened_motion(
    robot: Robot, q: np.ndarray, v: np.ndarray, tau: np.ndarray, impedance: np.ndarray
) -> np.ndarray:
    """`qacc`, `efc_force` and `efc_R` with `solimp` = (d, d), neither K nor B."""
    if any(loop.rows != slice(3, 6) for loop in robot.loops):
        raise Unsupported("the rows of a weld are no angular velocity")
    robot.soft.eq_solimp[:, :2] = impedance
    data = robot.run(robot.soft, q, qvel=v, qfrc_applied=tau)
    return np.concatenate([data.qacc[robot.order], data.efc_force, data.efc_R])


def tendon_lengths(robot: Robot, q: np.ndarray) -> np.ndarray:
    """`ten_length`."""
    return robot.run(robot.model, q).ten_length[robot.tendons]


def tendon_jacobian(robot: Robot, q: np.ndarray) -> np.ndarray:
    """`ten_J`, by `mju_sparse2dense` where it is sparse."""
    model, data = robot.model, robot.run(robot.model, q)
    L = data.ten_J
    if L.ndim == 1:  # sparse, its structure in the model or, in between, in the data
        where = model if hasattr(model, "ten_J_rownnz") else data
        columns = where.ten_J_rownnz, where.ten_J_rowadr, where.ten_J_colind
        L = np.zeros((model.ntendon, model.nv))
        mujoco.mju_sparse2dense(L, data.ten_J, *columns)
    return L[np.ix_(robot.tendons, robot.order)]


def tendon_driven_acceleration(
    robot: Robot, q: np.ndarray, v: np.ndarray, f: np.ndarray
) -> np.ndarray:
    """`ctrl` of the motors on the tendons, `mj_forward`, then `qacc`."""
    data = robot.run(robot.model, q, qvel=v)
    data.ctrl[robot.motors] = f
    mujoco.mj_forward(robot.model, data)
    return data.qacc[robot.order]
