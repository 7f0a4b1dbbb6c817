"""Pinocchio, https://github.com/stack-of-tasks/pinocchio; reads the URDF.

Conventions that are converted:

- Spatial vectors are (linear, angular): the two halves change places.
- Frames: LOCAL_WORLD_ALIGNED is ours of `frame_*`, LOCAL that of `body_jacobian`, WORLD
  that of `space_jacobian`.
- `getFrameAcceleration` is spatial; the classical one is asked for.
- Joints are numbered depth first, siblings by name: looked up by name.
- A continuous joint is configured by (cos q, sin q).
- Until release 3, `crba` fills the upper triangle of M only, later M is full; mirroring
  the upper triangle is right for both.
- The reflected inertia of rotors is `armature` of the model; URDF has no word for it.
- Gravity is the true vector; the potential energy counts the bodies that can move.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import pinocchio as pin

from adapters._wire import Unsupported
from models import Model, UrdfError, write_urdf

distribution = "pin"

ANGULAR_FIRST = [3, 4, 5, 0, 1, 2]
ALIGNED = pin.ReferenceFrame.LOCAL_WORLD_ALIGNED


class Robot(NamedTuple):
    """The model, its twin without gravity, and how joints and the tool are numbered."""

    model: pin.Model
    data: pin.Data
    weightless: pin.Model
    joints: list[pin.JointModel]
    order: list[int]
    tool: int


def load(model: Model) -> Robot:
    """Read the model from URDF.

    Raises:
        Unsupported: If URDF cannot hold the model.
    """
    try:
        robot = pin.buildModelFromXML(write_urdf(model))
    except UrdfError as error:
        raise Unsupported(str(error)) from error
    moving = [model.bodies[i].joint for i in model.moving]
    joints = [robot.joints[robot.getJointId(joint.name)] for joint in moving]
    order = [joint.idx_v for joint in joints]
    armature = np.zeros(robot.nv)
    armature[order] = [joint.armature for joint in moving]
    robot.armature = armature
    weightless = robot.copy()
    robot.gravity.linear = np.array(model.gravity)
    weightless.gravity.linear = np.zeros(3)
    tool = robot.getFrameId(model.tool.name)
    return Robot(robot, robot.createData(), weightless, joints, order, tool)


def _q(robot: Robot, q: np.ndarray) -> np.ndarray:
    found = np.zeros(robot.model.nq)
    for joint, angle in zip(robot.joints, q):
        unbounded = joint.nq == 2
        found[joint.idx_q : joint.idx_q + joint.nq] = (
            (np.cos(angle), np.sin(angle)) if unbounded else angle
        )
    return found


def _v(robot: Robot, v: np.ndarray) -> np.ndarray:
    found = np.zeros(robot.model.nv)
    found[robot.order] = v
    return found


def _jacobian(robot: Robot, q: np.ndarray, frame: pin.ReferenceFrame) -> np.ndarray:
    J = pin.computeFrameJacobian(
        robot.model, robot.data, _q(robot, q), robot.tool, frame
    )
    return J[np.ix_(ANGULAR_FIRST, robot.order)]


def frame_pose(robot: Robot, q: np.ndarray) -> np.ndarray:
    """`framesForwardKinematics`, then `data.oMf`."""
    pin.framesForwardKinematics(robot.model, robot.data, _q(robot, q))
    return robot.data.oMf[robot.tool].homogeneous[:3]


def frame_velocity(robot: Robot, q: np.ndarray, v: np.ndarray) -> np.ndarray:
    """`getFrameVelocity`, LOCAL_WORLD_ALIGNED."""
    pin.forwardKinematics(robot.model, robot.data, _q(robot, q), _v(robot, v))
    twist = pin.getFrameVelocity(robot.model, robot.data, robot.tool, ALIGNED)
    return twist.vector[ANGULAR_FIRST]


def frame_jacobian(robot: Robot, q: np.ndarray) -> np.ndarray:
    """`computeFrameJacobian`, LOCAL_WORLD_ALIGNED."""
    return _jacobian(robot, q, ALIGNED)


def body_jacobian(robot: Robot, q: np.ndarray) -> np.ndarray:
    """`computeFrameJacobian`, LOCAL."""
    return _jacobian(robot, q, pin.ReferenceFrame.LOCAL)


def space_jacobian(robot: Robot, q: np.ndarray) -> np.ndarray:
    """`computeFrameJacobian`, WORLD."""
    return _jacobian(robot, q, pin.ReferenceFrame.WORLD)


def frame_bias_acceleration(robot: Robot, q: np.ndarray, v: np.ndarray) -> np.ndarray:
    """`getFrameClassicalAcceleration` at zero joint acceleration."""
    model, data = robot.model, robot.data
    pin.forwardKinematics(model, data, _q(robot, q), _v(robot, v), 0 * _v(robot, v))
    found = pin.getFrameClassicalAcceleration(model, data, robot.tool, ALIGNED)
    return found.vector[ANGULAR_FIRST]


def mass_matrix(robot: Robot, q: np.ndarray) -> np.ndarray:
    """`crba`, the upper triangle mirrored."""
    M = pin.crba(robot.model, robot.data, _q(robot, q))
    full = np.triu(M) + np.triu(M, 1).T
    return full[np.ix_(robot.order, robot.order)]


def coriolis_matrix(robot: Robot, q: np.ndarray, v: np.ndarray) -> np.ndarray:
    """`computeCoriolisMatrix`."""
    C = pin.computeCoriolisMatrix(robot.model, robot.data, _q(robot, q), _v(robot, v))
    return C[np.ix_(robot.order, robot.order)]


def coriolis_forces(robot: Robot, q: np.ndarray, v: np.ndarray) -> np.ndarray:
    """`nonLinearEffects` without gravity."""
    weightless = robot.weightless
    h = pin.nonLinearEffects(weightless, robot.data, _q(robot, q), _v(robot, v))
    return h[robot.order]


def gravity_forces(robot: Robot, q: np.ndarray) -> np.ndarray:
    """`computeGeneralizedGravity`."""
    g = pin.computeGeneralizedGravity(robot.model, robot.data, _q(robot, q))
    return g[robot.order]


def bias_forces(robot: Robot, q: np.ndarray, v: np.ndarray) -> np.ndarray:
    """`nonLinearEffects`."""
    h = pin.nonLinearEffects(robot.model, robot.data, _q(robot, q), _v(robot, v))
    return h[robot.order]


def inverse_dynamics(
    robot: Robot, q: np.ndarray, v: np.ndarray, a: np.ndarray
) -> np.ndarray:
    """`rnea`."""
    state = _q(robot, q), _v(robot, v), _v(robot, a)
    return pin.rnea(robot.model, robot.data, *state)[robot.order]


def forward_dynamics(
    robot: Robot, q: np.ndarray, v: np.ndarray, tau: np.ndarray
) -> np.ndarray:
    """`aba`."""
    state = _q(robot, q), _v(robot, v), _v(robot, tau)
    return pin.aba(robot.model, robot.data, *state)[robot.order]


def joint_torque_regressor(
    robot: Robot, q: np.ndarray, v: np.ndarray, a: np.ndarray
) -> np.ndarray:
    """`computeJointTorqueRegressor`; ten columns per joint, in the order of ours."""
    state = _q(robot, q), _v(robot, v), _v(robot, a)
    Y = pin.computeJointTorqueRegressor(robot.model, robot.data, *state)
    columns = [10 * (joint.id - 1) + k for joint in robot.joints for k in range(10)]
    return Y[np.ix_(robot.order, columns)]


def kinetic_energy(robot: Robot, q: np.ndarray, v: np.ndarray) -> float:
    """`computeKineticEnergy`."""
    return pin.computeKineticEnergy(robot.model, robot.data, _q(robot, q), _v(robot, v))


def potential_energy(robot: Robot, q: np.ndarray) -> float:
    """`computePotentialEnergy`."""
    return pin.computePotentialEnergy(robot.model, robot.data, _q(robot, q))


_BARE_CALLS = {
    "mass_matrix": lambda robot, q: pin.crba(robot.model, robot.data, q),
    "inverse_dynamics": lambda robot, q, v, a: pin.rnea(
        robot.model, robot.data, q, v, a
    ),
}
"""What a user's loop calls, for the bench: rows are in the library's own order."""
