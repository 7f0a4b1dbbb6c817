"""Drake, https://drake.mit.edu; reads the URDF into a continuous `MultibodyPlant`.

Conventions that are converted:

- Spatial vectors are (rotational, translational), as ours; the frame of expression and
  the point are arguments.
- `CalcBiasTerm` is C v, without gravity.
- `CalcGravityGeneralizedForces` is the force of gravity, hence minus our g.
- `CalcInverseDynamics` knows gravity only through the `MultibodyForces` given to it.
- Potential energy counts bodies welded to the world.
- Constraints act on the velocity after a step, at the positions before it:
  J v+ = -R lambda h, where R = (0.1 / 2 pi)^2 |J diag(M)^-1 J'| / rows of each loop, by
  Frobenius.  Jdot v is no part of it.

Not offered: C as a matrix, and the regressor (none in the Python bindings); motion under
constraints on accelerations, their forces; tendons.

How the model is read, numbered and closed is in `_drake_robot`.
"""

from __future__ import annotations

import numpy as np
from pydrake.multibody.plant import MultibodyPlant
from pydrake.multibody.tree import Frame, JacobianWrtVariable, MultibodyForces
from pydrake.systems.framework import Context

from adapters._drake_robot import ORIGIN, SAP, Robot, discrete
from adapters._drake_robot import joint_sizes as joint_sizes
from adapters._drake_robot import load as load
from adapters._loops import across

distribution = "drake"

PER_VELOCITY = JacobianWrtVariable.kV


def _jacobian(
    robot: Robot, context: Context, frame: Frame, point: np.ndarray, axes: Frame
) -> np.ndarray:
    world = robot.plant.world_frame()
    J = robot.plant.CalcJacobianSpatialVelocity(
        context, PER_VELOCITY, frame, point, world, axes
    )
    return J[:, robot.order]


def _bias(robot: Robot, context: Context, frame: Frame) -> np.ndarray:
    world = robot.plant.world_frame()
    return robot.plant.CalcBiasSpatialAcceleration(
        context, PER_VELOCITY, frame, ORIGIN, world, world
    ).get_coeffs()


def _acceleration(
    robot: Robot,
    twin: tuple[MultibodyPlant, Context],
    *state: np.ndarray,
) -> np.ndarray:
    """What a plant's port says at the state q, v, tau."""
    (q, v, tau), (plant, context) = map(robot.v, state), twin
    plant.SetPositions(context, q)
    plant.SetVelocities(context, v)
    plant.get_applied_generalized_force_input_port().FixValue(context, tau)
    found = plant.get_generalized_acceleration_output_port().Eval(context)
    return found[robot.order]


def frame_pose(robot: Robot, q: np.ndarray) -> np.ndarray:
    """`Frame.CalcPoseInWorld`."""
    context = robot.at(q, 0 * q)
    return robot.tool.CalcPoseInWorld(context).GetAsMatrix34()


def frame_velocity(robot: Robot, q: np.ndarray, v: np.ndarray) -> np.ndarray:
    """`Frame.CalcSpatialVelocityInWorld`."""
    return robot.tool.CalcSpatialVelocityInWorld(robot.at(q, v)).get_coeffs()


def frame_jacobian(robot: Robot, q: np.ndarray) -> np.ndarray:
    """`CalcJacobianSpatialVelocity` of the tool's origin in world axes."""
    context = robot.at(q, 0 * q)
    return _jacobian(robot, context, robot.tool, ORIGIN, robot.plant.world_frame())


def body_jacobian(robot: Robot, q: np.ndarray) -> np.ndarray:
    """`CalcJacobianSpatialVelocity` of the tool's origin in its own axes."""
    return _jacobian(robot, robot.at(q, 0 * q), robot.tool, ORIGIN, robot.tool)


def space_jacobian(robot: Robot, q: np.ndarray) -> np.ndarray:
    """`CalcJacobianSpatialVelocity` of the tool's point at the world's origin."""
    context, world = robot.at(q, 0 * q), robot.plant.world_frame()
    point = robot.plant.CalcPointsPositions(context, world, ORIGIN, robot.tool)
    return _jacobian(robot, context, robot.tool, point, world)


def frame_bias_acceleration(robot: Robot, q: np.ndarray, v: np.ndarray) -> np.ndarray:
    """`CalcBiasSpatialAcceleration` of the tool's origin in world axes."""
    return _bias(robot, robot.at(q, v), robot.tool)


def mass_matrix(robot: Robot, q: np.ndarray) -> np.ndarray:
    """`CalcMassMatrix`."""
    M = robot.plant.CalcMassMatrix(robot.at(q, 0 * q))
    return M[np.ix_(robot.order, robot.order)]


def coriolis_forces(robot: Robot, q: np.ndarray, v: np.ndarray) -> np.ndarray:
    """`CalcBiasTerm`."""
    return robot.plant.CalcBiasTerm(robot.at(q, v))[robot.order]


def gravity_forces(robot: Robot, q: np.ndarray) -> np.ndarray:
    """Minus `CalcGravityGeneralizedForces`."""
    context = robot.at(q, 0 * q)
    return -robot.plant.CalcGravityGeneralizedForces(context)[robot.order]


def bias_forces(robot: Robot, q: np.ndarray, v: np.ndarray) -> np.ndarray:
    """`CalcBiasTerm` minus `CalcGravityGeneralizedForces`."""
    context = robot.at(q, v)
    weight = robot.plant.CalcGravityGeneralizedForces(context)
    return (robot.plant.CalcBiasTerm(context) - weight)[robot.order]


def inverse_dynamics(
    robot: Robot, q: np.ndarray, v: np.ndarray, a: np.ndarray
) -> np.ndarray:
    """`CalcForceElementsContribution`, then `CalcInverseDynamics`."""
    context, forces = robot.at(q, v), MultibodyForces(robot.plant)
    robot.plant.CalcForceElementsContribution(context, forces)
    tau = robot.plant.CalcInverseDynamics(context, robot.v(a), forces)
    return tau[robot.order]


def forward_dynamics(
    robot: Robot, q: np.ndarray, v: np.ndarray, tau: np.ndarray
) -> np.ndarray:
    """`get_generalized_acceleration_output_port`, tau at the applied-force port."""
    return _acceleration(robot, (robot.plant, robot.context), q, v, tau)


def kinetic_energy(robot: Robot, q: np.ndarray, v: np.ndarray) -> float:
    """`CalcKineticEnergy`."""
    return robot.plant.CalcKineticEnergy(robot.at(q, v))


def potential_energy(robot: Robot, q: np.ndarray) -> float:
    """`CalcPotentialEnergy`."""
    return robot.plant.CalcPotentialEnergy(robot.at(q, 0 * q))


def constraint_error(robot: Robot, q: np.ndarray) -> np.ndarray:
    """`Frame.CalcPoseInWorld` of either frame."""
    context, found = robot.at(q, 0 * q), []
    for loop in robot.loops:
        first, second = (frame.CalcPoseInWorld(context) for frame in loop[:2])
        turn = (first.rotation() @ second.rotation().transpose()).matrix()
        halves = ((turn - turn.T) / 2)[[2, 0, 1], [1, 2, 0]]
        gap = first.translation() - second.translation()
        found.append(np.concatenate([halves, gap])[loop.rows])
    return np.concatenate(found)


def constraint_jacobian(robot: Robot, q: np.ndarray) -> np.ndarray:
    """`CalcJacobianSpatialVelocity` of either frame's origin in world axes."""
    context, world = robot.at(q, 0 * q), robot.plant.world_frame()
    return across(
        robot.loops, lambda frame: _jacobian(robot, context, frame, ORIGIN, world)
    )


def constraint_bias_acceleration(
    robot: Robot, q: np.ndarray, v: np.ndarray
) -> np.ndarray:
    """`CalcBiasSpatialAcceleration` of either frame's origin in world axes."""
    context = robot.at(q, v)
    return across(robot.loops, lambda frame: _bias(robot, context, frame))


def default_constrained_acceleration(
    robot: Robot, q: np.ndarray, v: np.ndarray, tau: np.ndarray
) -> np.ndarray:
    """`AddBallConstraint`, `AddWeldConstraint`, step 1 ms, the solver of the default."""
    return _acceleration(robot, discrete(robot, 1e-3), q, v, tau)


def velocity_level_acceleration(
    robot: Robot, q: np.ndarray, v: np.ndarray, tau: np.ndarray
) -> np.ndarray:
    """`AddBallConstraint`, `AddWeldConstraint`, one step of 1 s, kSap."""
    return _acceleration(robot, discrete(robot, 1.0, SAP), q, v, tau)
