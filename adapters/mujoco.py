"""MuJoCo, https://mujoco.org; reads the MJCF.

Conventions that are converted:

- Spatial vectors are (rotational, linear), as ours, about the site and in world axes;
  Jacobians come in two halves.
- `qfrc_bias` is C v + g.  Without gravity (a twin of the model) it is C v; with v = 0
  it is g.
- Accelerations contain minus gravity, hence the twin for `frame_bias_acceleration` as
  well.
- Joints are numbered depth first: looked up by name.
- Constraints (limits, contacts, friction) and passive forces are switched off: tau is
  then all that acts beside inertia and gravity.
- `mj_fullM` takes (model, M's sparse values) up to 3.9 and (model, data) from 3.10 on.
- Potential energy counts bodies welded to the world too.

Not offered: C as a matrix, the regressor, Jacobians in body axes or at the world's
origin.
"""

from __future__ import annotations

import copy
from typing import NamedTuple

import mujoco
import numpy as np

from adapters._wire import Unsupported
from models import MjcfError, Model, write_mjcf

distribution = "mujoco"

SITE = mujoco.mjtObj.mjOBJ_SITE
WORLD_AXES = 0
OFF = ("CONSTRAINT", "CONTACT", "PASSIVE", "SPRING", "DAMPER")
"""Flags of either generation: PASSIVE became SPRING and DAMPER."""


class Robot(NamedTuple):
    """The model, its twin without gravity, and how degrees of freedom are numbered."""

    model: mujoco.MjModel
    weightless: mujoco.MjModel
    data: mujoco.MjData
    order: list[int]
    tool: int


def load(model: Model) -> Robot:
    """Read the model from MJCF.

    Raises:
        Unsupported: If MJCF cannot hold the model.
    """
    try:
        robot = mujoco.MjModel.from_xml_string(write_mjcf(model))
    except MjcfError as error:
        raise Unsupported(str(error)) from error
    for name in OFF:
        flag = getattr(mujoco.mjtDisableBit, f"mjDSBL_{name}", 0)
        robot.opt.disableflags |= int(flag)
    robot.opt.enableflags |= int(mujoco.mjtEnableBit.mjENBL_ENERGY)
    weightless = copy.copy(robot)
    weightless.opt.disableflags |= int(mujoco.mjtDisableBit.mjDSBL_GRAVITY)
    names = [model.bodies[i].joint.name for i in model.moving]
    order = [int(robot.joint(name).dofadr[0]) for name in names]
    tool = robot.site(model.tool.name).id
    return Robot(robot, weightless, mujoco.MjData(robot), order, tool)


def _forward(robot: Robot, q: np.ndarray, **state: np.ndarray) -> mujoco.MjData:
    """`mj_forward` at q, at rest and unforced but for what is given."""
    return _run(robot.model, robot, q, **state)


def _run(
    model: mujoco.MjModel, robot: Robot, q: np.ndarray, **state: np.ndarray
) -> mujoco.MjData:
    mujoco.mj_resetData(model, robot.data)
    robot.data.qpos[robot.order] = q
    for name, value in state.items():
        getattr(robot.data, name)[robot.order] = value
    mujoco.mj_forward(model, robot.data)
    return robot.data


def frame_pose(robot: Robot, q: np.ndarray) -> np.ndarray:
    """`mj_forward`, then `site_xmat` and `site_xpos`."""
    data = _forward(robot, q)
    R = data.site_xmat[robot.tool].reshape(3, 3)
    return np.column_stack([R, data.site_xpos[robot.tool]])


def frame_velocity(robot: Robot, q: np.ndarray, v: np.ndarray) -> np.ndarray:
    """`mj_objectVelocity` of the site."""
    data, twist = _forward(robot, q, qvel=v), np.zeros(6)
    mujoco.mj_objectVelocity(robot.model, data, SITE, robot.tool, twist, WORLD_AXES)
    return twist


def frame_jacobian(robot: Robot, q: np.ndarray) -> np.ndarray:
    """`mj_jacSite`."""
    data, J = _forward(robot, q), np.zeros((6, robot.model.nv))
    mujoco.mj_jacSite(robot.model, data, J[3:], J[:3], robot.tool)
    return J[:, robot.order]


def frame_bias_acceleration(robot: Robot, q: np.ndarray, v: np.ndarray) -> np.ndarray:
    """`mj_objectAcceleration` of the site, without gravity and with `qacc` = 0."""
    data, found = _run(robot.weightless, robot, q, qvel=v), np.zeros(6)
    data.qacc[:] = 0
    mujoco.mj_rnePostConstraint(robot.weightless, data)
    mujoco.mj_objectAcceleration(
        robot.weightless, data, SITE, robot.tool, found, WORLD_AXES
    )
    return found


def mass_matrix(robot: Robot, q: np.ndarray) -> np.ndarray:
    """`mj_forward`, then `mj_fullM`."""
    data, M = _forward(robot, q), np.zeros((robot.model.nv, robot.model.nv))
    try:
        mujoco.mj_fullM(robot.model, data, M)
    except TypeError:  # the signature up to 3.9
        mujoco.mj_fullM(robot.model, M, data.qM)
    return M[np.ix_(robot.order, robot.order)]


def coriolis_forces(robot: Robot, q: np.ndarray, v: np.ndarray) -> np.ndarray:
    """`qfrc_bias` without gravity."""
    return _run(robot.weightless, robot, q, qvel=v).qfrc_bias[robot.order]


def gravity_forces(robot: Robot, q: np.ndarray) -> np.ndarray:
    """`qfrc_bias` at rest."""
    return _forward(robot, q).qfrc_bias[robot.order]


def bias_forces(robot: Robot, q: np.ndarray, v: np.ndarray) -> np.ndarray:
    """`qfrc_bias`."""
    return _forward(robot, q, qvel=v).qfrc_bias[robot.order]


def inverse_dynamics(
    robot: Robot, q: np.ndarray, v: np.ndarray, a: np.ndarray
) -> np.ndarray:
    """`mj_inverse`, then `qfrc_inverse`."""
    data = _forward(robot, q, qvel=v)
    data.qacc[robot.order] = a
    mujoco.mj_inverse(robot.model, data)
    return data.qfrc_inverse[robot.order]


def forward_dynamics(
    robot: Robot, q: np.ndarray, v: np.ndarray, tau: np.ndarray
) -> np.ndarray:
    """`qfrc_applied`, `mj_forward`, then `qacc`."""
    return _forward(robot, q, qvel=v, qfrc_applied=tau).qacc[robot.order]


def kinetic_energy(robot: Robot, q: np.ndarray, v: np.ndarray) -> float:
    """`energy[1]`."""
    return _forward(robot, q, qvel=v).energy[1]


def potential_energy(robot: Robot, q: np.ndarray) -> float:
    """`energy[0]`."""
    return _forward(robot, q).energy[0]
