"""Pinocchio, https://github.com/stack-of-tasks/pinocchio; reads the URDF.

Conventions that are converted:

- Spatial vectors are (linear, angular): the two halves change places.
- Frames: LOCAL_WORLD_ALIGNED is ours of `frame_*`, LOCAL that of `body_jacobian`, WORLD
  that of `space_jacobian`.
- `getFrameAcceleration` is spatial; the classical one is asked for.
- Until release 3, `crba` fills the upper triangle of M only, later M is full; mirroring
  the upper triangle is right for both.
- Gravity is the true vector; the potential energy counts the bodies that can move.
- `contact_force` acts on the first frame's body, as our lambda, in world axes where the
  constraint is LOCAL_WORLD_ALIGNED and in those of the first frame where it is LOCAL.
- `constraintDynamics` is exact for a small `mu` and several iterations only; by default
  mu is 0, and dependent rows give NaN or rubbish.  `absolute_residual` is no residual.

How the model is read, numbered and closed is in `_pinocchio_robot`.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pinocchio as pin

from adapters._loops import across
from adapters._pinocchio_robot import ALIGNED, LOCAL, Robot, stabilize
from adapters._pinocchio_robot import constraint_rows as constraint_rows
from adapters._pinocchio_robot import joint_sizes as joint_sizes
from adapters._pinocchio_robot import load as load
from adapters._wire import Unsupported

distribution = "pin"

ANGULAR_FIRST = [3, 4, 5, 0, 1, 2]
EXACT = (1e-14, 1e-12, 500)
"""Accuracy, mu and iterations of `ProximalSettings`: a larger mu stalls where rows of J are
all but dependent, a smaller one drowns in rounding where they are."""


def _jacobian(
    robot: Robot, q: np.ndarray, axes: pin.ReferenceFrame, frame: int
) -> np.ndarray:
    J = pin.computeFrameJacobian(robot.model, robot.data, robot.q(q), frame, axes)
    return J[np.ix_(ANGULAR_FIRST, robot.order)]


def _bias_of_frames(
    robot: Robot, q: np.ndarray, v: np.ndarray
) -> Callable[[int], np.ndarray]:
    model, data = robot.model, robot.data
    pin.forwardKinematics(model, data, robot.q(q), robot.v(v), robot.v(0 * v))

    def of_frame(frame: int) -> np.ndarray:
        found = pin.getFrameClassicalAcceleration(model, data, frame, ALIGNED)
        return found.vector[ANGULAR_FIRST]

    return of_frame


def _motion(
    robot: Robot, axes: str, settings: pin.ProximalSettings, *state: np.ndarray
) -> np.ndarray:
    """Joint accelerations at the state q, v, tau."""
    (q, v, tau), system = state, robot.systems[axes]
    own = robot.model, system.data, robot.q(q), robot.v(v), robot.v(tau)
    a = pin.constraintDynamics(*own, system.constraints, system.found, settings)
    return a[robot.order]


def _motion_and_forces(robot: Robot, axes: str, *state: np.ndarray) -> np.ndarray:
    a = _motion(robot, axes, pin.ProximalSettings(*EXACT), *state)
    forces = [
        found.contact_force.vector[ANGULAR_FIRST][loop.rows]
        for found, loop in zip(robot.systems[axes].found, robot.loops)
    ]
    return np.concatenate([a, *forces])


def frame_pose(robot: Robot, q: np.ndarray) -> np.ndarray:
    """`framesForwardKinematics`, then `data.oMf`."""
    pin.framesForwardKinematics(robot.model, robot.data, robot.q(q))
    return robot.data.oMf[robot.tool].homogeneous[:3]


def frame_velocity(robot: Robot, q: np.ndarray, v: np.ndarray) -> np.ndarray:
    """`getFrameVelocity`, LOCAL_WORLD_ALIGNED."""
    pin.forwardKinematics(robot.model, robot.data, robot.q(q), robot.v(v))
    twist = pin.getFrameVelocity(robot.model, robot.data, robot.tool, ALIGNED)
    return twist.vector[ANGULAR_FIRST]


def frame_jacobian(robot: Robot, q: np.ndarray) -> np.ndarray:
    """`computeFrameJacobian`, LOCAL_WORLD_ALIGNED."""
    return _jacobian(robot, q, ALIGNED, robot.tool)


def body_jacobian(robot: Robot, q: np.ndarray) -> np.ndarray:
    """`computeFrameJacobian`, LOCAL."""
    return _jacobian(robot, q, LOCAL, robot.tool)


def space_jacobian(robot: Robot, q: np.ndarray) -> np.ndarray:
    """`computeFrameJacobian`, WORLD."""
    return _jacobian(robot, q, pin.ReferenceFrame.WORLD, robot.tool)


def frame_bias_acceleration(robot: Robot, q: np.ndarray, v: np.ndarray) -> np.ndarray:
    """`getFrameClassicalAcceleration` at zero joint acceleration."""
    return _bias_of_frames(robot, q, v)(robot.tool)


def mass_matrix(robot: Robot, q: np.ndarray) -> np.ndarray:
    """`crba`, the upper triangle mirrored."""
    M = pin.crba(robot.model, robot.data, robot.q(q))
    full = np.triu(M) + np.triu(M, 1).T
    return full[np.ix_(robot.order, robot.order)]


def coriolis_matrix(robot: Robot, q: np.ndarray, v: np.ndarray) -> np.ndarray:
    """`computeCoriolisMatrix`."""
    C = pin.computeCoriolisMatrix(robot.model, robot.data, robot.q(q), robot.v(v))
    return C[np.ix_(robot.order, robot.order)]


def coriolis_forces(robot: Robot, q: np.ndarray, v: np.ndarray) -> np.ndarray:
    """`nonLinearEffects` without gravity."""
    weightless = robot.weightless
    h = pin.nonLinearEffects(weightless, robot.data, robot.q(q), robot.v(v))
    return h[robot.order]


def gravity_forces(robot: Robot, q: np.ndarray) -> np.ndarray:
    """`computeGeneralizedGravity`."""
    g = pin.computeGeneralizedGravity(robot.model, robot.data, robot.q(q))
    return g[robot.order]


def bias_forces(robot: Robot, q: np.ndarray, v: np.ndarray) -> np.ndarray:
    """`nonLinearEffects`."""
    h = pin.nonLinearEffects(robot.model, robot.data, robot.q(q), robot.v(v))
    return h[robot.order]


def inverse_dynamics(
    robot: Robot, q: np.ndarray, v: np.ndarray, a: np.ndarray
) -> np.ndarray:
    """`rnea`."""
    state = robot.q(q), robot.v(v), robot.v(a)
    return pin.rnea(robot.model, robot.data, *state)[robot.order]


def forward_dynamics(
    robot: Robot, q: np.ndarray, v: np.ndarray, tau: np.ndarray
) -> np.ndarray:
    """`aba`."""
    state = robot.q(q), robot.v(v), robot.v(tau)
    return pin.aba(robot.model, robot.data, *state)[robot.order]


def joint_torque_regressor(
    robot: Robot, q: np.ndarray, v: np.ndarray, a: np.ndarray
) -> np.ndarray:
    """`computeJointTorqueRegressor`; ten columns per joint, in the order of ours."""
    state = robot.q(q), robot.v(v), robot.v(a)
    Y = pin.computeJointTorqueRegressor(robot.model, robot.data, *state)
    columns = [10 * (joint.id - 1) + k for joint in robot.joints for k in range(10)]
    return Y[np.ix_(robot.order, columns)]


def kinetic_energy(robot: Robot, q: np.ndarray, v: np.ndarray) -> float:
    """`computeKineticEnergy`."""
    return pin.computeKineticEnergy(robot.model, robot.data, robot.q(q), robot.v(v))


def potential_energy(robot: Robot, q: np.ndarray) -> float:
    """`computePotentialEnergy`."""
    return pin.computePotentialEnergy(robot.model, robot.data, robot.q(q))


def constraint_error(robot: Robot, q: np.ndarray) -> np.ndarray:
    """`framesForwardKinematics`, then `data.oMf`; `unSkew` of the relative rotation."""
    pin.framesForwardKinematics(robot.model, robot.data, robot.q(q))
    found = []
    for loop in robot.loops:
        first, second = robot.data.oMf[loop.first], robot.data.oMf[loop.second]
        turn = pin.unSkew(first.rotation @ second.rotation.T)
        gap = first.translation - second.translation
        found.append(np.concatenate([turn, gap])[loop.rows])
    return np.concatenate(found)


def constraint_jacobian(robot: Robot, q: np.ndarray) -> np.ndarray:
    """`computeFrameJacobian`, LOCAL_WORLD_ALIGNED, of either frame."""
    return across(robot.loops, lambda frame: _jacobian(robot, q, ALIGNED, frame))


def constraint_bias_acceleration(
    robot: Robot, q: np.ndarray, v: np.ndarray
) -> np.ndarray:
    """`getFrameClassicalAcceleration` of either frame at zero joint acceleration."""
    return across(robot.loops, _bias_of_frames(robot, q, v))


def constrained_motion(
    robot: Robot, q: np.ndarray, v: np.ndarray, tau: np.ndarray
) -> np.ndarray:
    """`constraintDynamics`, LOCAL_WORLD_ALIGNED, with a small `mu`."""
    return _motion_and_forces(robot, "world", q, v, tau)


def constrained_motion_in_first_axes(
    robot: Robot, q: np.ndarray, v: np.ndarray, tau: np.ndarray
) -> np.ndarray:
    """`constraintDynamics`, LOCAL, with a small `mu`."""
    return _motion_and_forces(robot, "first", q, v, tau)


def default_constrained_acceleration(
    robot: Robot, q: np.ndarray, v: np.ndarray, tau: np.ndarray
) -> np.ndarray:
    """`constraintDynamics` with the default `ProximalSettings()` and frames (LOCAL)."""
    return _motion(robot, "first", pin.ProximalSettings(), q, v, tau)


def stabilized_motion(
    robot: Robot,
    q_open: np.ndarray,
    v_open: np.ndarray,
    tau: np.ndarray,
    gains: np.ndarray,
) -> np.ndarray:
    """`constraintDynamics` with `m_baumgarte_parameters`, Kp = beta^2, Kd = 2 alpha."""
    if any(loop.rows != slice(3, 6) for loop in robot.loops):
        raise Unsupported("of a frame, what is fed back is the logarithm of the pose")
    stabilize(robot.systems["stabilized"], *gains.tolist())
    return _motion_and_forces(robot, "stabilized", q_open, v_open, tau)


_BARE_CALLS = {
    "mass_matrix": lambda robot, q: pin.crba(robot.model, robot.data, q),
    "inverse_dynamics": lambda robot, q, v, a: pin.rnea(
        robot.model, robot.data, q, v, a
    ),
}
"""What a user's loop calls, for the bench: rows are in the library's own order."""
