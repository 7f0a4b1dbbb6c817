"""Drake, https://drake.mit.edu; reads the URDF into a continuous `MultibodyPlant`.

Conventions that are converted:

- Spatial vectors are (rotational, translational), as ours; the frame of expression and
  the point are arguments.
- `CalcBiasTerm` is C v, without gravity.
- `CalcGravityGeneralizedForces` is the force of gravity, hence minus our g.
- `CalcInverseDynamics` knows gravity only through the `MultibodyForces` given to it.
- The reflected inertia of a rotor is rotor_inertia * gear_ratio^2 of an actuator; one
  is added, with ratio 1, to every joint that has any.  Forces go through the
  generalized-force port, so that joints without an actuator take them as well.
- Damping of a joint is one of those forces and no part of our quantities: it is set to
  zero.
- Joints are looked up by name.
- The URDF link "world" is the world.  Potential energy counts bodies welded to it.

Not offered: C as a matrix, and the regressor (none in the Python bindings).
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from pydrake.multibody.parsing import Parser
from pydrake.multibody.plant import MultibodyPlant
from pydrake.multibody.tree import Frame, JacobianWrtVariable, MultibodyForces
from pydrake.systems.framework import Context

from adapters._wire import Unsupported
from models import Model, UrdfError, write_urdf

distribution = "drake"

PER_VELOCITY = JacobianWrtVariable.kV
ORIGIN = np.zeros(3)


class Robot(NamedTuple):
    """The plant and its state, and how velocities are numbered."""

    plant: MultibodyPlant
    context: Context
    order: list[int]
    tool: Frame


def load(model: Model) -> Robot:
    """Read the model from URDF.

    Raises:
        Unsupported: If URDF cannot hold the model.
    """
    plant = MultibodyPlant(0.0)
    try:
        Parser(plant).AddModelsFromString(write_urdf(model), "urdf")
    except UrdfError as error:
        raise Unsupported(str(error)) from error
    moving = [model.bodies[i].joint for i in model.moving]
    for joint in moving:
        driven = plant.GetJointByName(joint.name)
        driven.set_default_damping_vector(np.zeros(driven.num_velocities()))
        if joint.armature:
            actuator = plant.AddJointActuator(f"{joint.name}_rotor", driven)
            actuator.set_default_rotor_inertia(joint.armature)
            actuator.set_default_gear_ratio(1.0)
    plant.mutable_gravity_field().set_gravity_vector(np.array(model.gravity))
    plant.Finalize()
    context = plant.CreateDefaultContext()
    plant.get_actuation_input_port().FixValue(context, np.zeros(plant.num_actuators()))
    order = [plant.GetJointByName(joint.name).velocity_start() for joint in moving]
    return Robot(plant, context, order, plant.GetFrameByName(model.tool.name))


def _v(robot: Robot, v: np.ndarray) -> np.ndarray:
    found = np.zeros(robot.plant.num_velocities())
    found[robot.order] = v
    return found


def _state(robot: Robot, q: np.ndarray, v: np.ndarray) -> Context:
    """Set the state; every joint has one position, numbered as its velocity."""
    robot.plant.SetPositions(robot.context, _v(robot, q))
    robot.plant.SetVelocities(robot.context, _v(robot, v))
    return robot.context


def _jacobian(
    robot: Robot, context: Context, point: np.ndarray, axes: Frame
) -> np.ndarray:
    world = robot.plant.world_frame()
    J = robot.plant.CalcJacobianSpatialVelocity(
        context, PER_VELOCITY, robot.tool, point, world, axes
    )
    return J[:, robot.order]


def frame_pose(robot: Robot, q: np.ndarray) -> np.ndarray:
    """`Frame.CalcPoseInWorld`."""
    context = _state(robot, q, 0 * q)
    return robot.tool.CalcPoseInWorld(context).GetAsMatrix34()


def frame_velocity(robot: Robot, q: np.ndarray, v: np.ndarray) -> np.ndarray:
    """`Frame.CalcSpatialVelocityInWorld`."""
    return robot.tool.CalcSpatialVelocityInWorld(_state(robot, q, v)).get_coeffs()


def frame_jacobian(robot: Robot, q: np.ndarray) -> np.ndarray:
    """`CalcJacobianSpatialVelocity` of the tool's origin in world axes."""
    context = _state(robot, q, 0 * q)
    return _jacobian(robot, context, ORIGIN, robot.plant.world_frame())


def body_jacobian(robot: Robot, q: np.ndarray) -> np.ndarray:
    """`CalcJacobianSpatialVelocity` of the tool's origin in its own axes."""
    return _jacobian(robot, _state(robot, q, 0 * q), ORIGIN, robot.tool)


def space_jacobian(robot: Robot, q: np.ndarray) -> np.ndarray:
    """`CalcJacobianSpatialVelocity` of the tool's point at the world's origin."""
    context, world = _state(robot, q, 0 * q), robot.plant.world_frame()
    point = robot.plant.CalcPointsPositions(context, world, ORIGIN, robot.tool)
    return _jacobian(robot, context, point, world)


def frame_bias_acceleration(robot: Robot, q: np.ndarray, v: np.ndarray) -> np.ndarray:
    """`CalcBiasSpatialAcceleration` of the tool's origin in world axes."""
    world = robot.plant.world_frame()
    return robot.plant.CalcBiasSpatialAcceleration(
        _state(robot, q, v), PER_VELOCITY, robot.tool, ORIGIN, world, world
    ).get_coeffs()


def mass_matrix(robot: Robot, q: np.ndarray) -> np.ndarray:
    """`CalcMassMatrix`."""
    M = robot.plant.CalcMassMatrix(_state(robot, q, 0 * q))
    return M[np.ix_(robot.order, robot.order)]


def coriolis_forces(robot: Robot, q: np.ndarray, v: np.ndarray) -> np.ndarray:
    """`CalcBiasTerm`."""
    return robot.plant.CalcBiasTerm(_state(robot, q, v))[robot.order]


def gravity_forces(robot: Robot, q: np.ndarray) -> np.ndarray:
    """Minus `CalcGravityGeneralizedForces`."""
    context = _state(robot, q, 0 * q)
    return -robot.plant.CalcGravityGeneralizedForces(context)[robot.order]


def bias_forces(robot: Robot, q: np.ndarray, v: np.ndarray) -> np.ndarray:
    """`CalcBiasTerm` minus `CalcGravityGeneralizedForces`."""
    context = _state(robot, q, v)
    weight = robot.plant.CalcGravityGeneralizedForces(context)
    return (robot.plant.CalcBiasTerm(context) - weight)[robot.order]


def inverse_dynamics(
    robot: Robot, q: np.ndarray, v: np.ndarray, a: np.ndarray
) -> np.ndarray:
    """`CalcForceElementsContribution`, then `CalcInverseDynamics`."""
    context, forces = _state(robot, q, v), MultibodyForces(robot.plant)
    robot.plant.CalcForceElementsContribution(context, forces)
    tau = robot.plant.CalcInverseDynamics(context, _v(robot, a), forces)
    return tau[robot.order]


def forward_dynamics(
    robot: Robot, q: np.ndarray, v: np.ndarray, tau: np.ndarray
) -> np.ndarray:
    """`get_generalized_acceleration_output_port`, tau at the applied-force port."""
    context = _state(robot, q, v)
    port = robot.plant.get_applied_generalized_force_input_port()
    port.FixValue(context, _v(robot, tau))
    found = robot.plant.get_generalized_acceleration_output_port().Eval(context)
    return found[robot.order]


def kinetic_energy(robot: Robot, q: np.ndarray, v: np.ndarray) -> float:
    """`CalcKineticEnergy`."""
    return robot.plant.CalcKineticEnergy(_state(robot, q, v))


def potential_energy(robot: Robot, q: np.ndarray) -> float:
    """`CalcPotentialEnergy`."""
    return robot.plant.CalcPotentialEnergy(_state(robot, q, 0 * q))
