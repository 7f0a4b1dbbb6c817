"""How Drake reads a model: joints, rotors, frames, and loops as constraints.

- Joints are looked up by name.  The URDF link "world" is the world.
- The reflected inertia of a rotor is rotor_inertia * gear_ratio^2 of an actuator; one
  is added, with ratio 1, to every joint that has any.  Forces go through the
  generalized-force port, so that joints without an actuator take them as well.
- Damping of a joint is one of those forces and no part of our quantities: it is set to
  zero.
- Only a discrete plant has constraints: the loops are in such twins, made when needed.
  Limits of joints are constraints there, which a step of 1 s may well meet: none are left.
- Output ports of a discrete plant hold what the last step left: told not to sample, they
  compute.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from pydrake.math import RigidTransform
from pydrake.multibody import tree
from pydrake.multibody.parsing import Parser
from pydrake.multibody.plant import DiscreteContactApproximation, MultibodyPlant
from pydrake.multibody.tree import Frame
from pydrake.systems.framework import Context

from adapters._loops import Closure, closures
from adapters._wire import Unsupported
from models import Model, UrdfError, write_urdf

SAP = DiscreteContactApproximation.kSap
ORIGIN = np.zeros(3)


class Robot(NamedTuple):
    """The plant of the tree and its state, and how velocities are numbered."""

    model: Model
    plant: MultibodyPlant
    context: Context
    order: list[int]
    tool: Frame
    loops: list[Closure]
    twins: dict[float, tuple[MultibodyPlant, Context]]

    def v(self, v: np.ndarray) -> np.ndarray:
        """Numbers of the joints in the plant's order; positions have the same."""
        found = np.zeros(self.plant.num_velocities())
        found[self.order] = v
        return found

    def at(self, q: np.ndarray, v: np.ndarray) -> Context:
        """The context of the tree at that state."""
        self.plant.SetPositions(self.context, self.v(q))
        self.plant.SetVelocities(self.context, self.v(v))
        return self.context


def load(model: Model) -> Robot:
    """Read the model from URDF.

    Raises:
        Unsupported: If URDF cannot hold the model.
    """
    plant = _parsed(model, 0.0)
    context = _finalized(plant)
    names = [model.bodies[i].joint.name for i in model.moving]
    loops = closures(model, lambda frame: plant.GetFrameByName(frame.name))
    return Robot(
        model,
        plant,
        context,
        [plant.GetJointByName(name).velocity_start() for name in names],
        plant.GetFrameByName(model.tool.name),
        loops,
        {},
    )


def discrete(
    robot: Robot, step: float, solver: DiscreteContactApproximation | None = None
) -> tuple[MultibodyPlant, Context]:
    """The twin of that time step, whose loops are constraints.

    Args:
        robot: The robot; it keeps the twin.
        step: Time step [s].
        solver: None for the default.
    """
    if step not in robot.twins:
        plant = _parsed(robot.model, step)
        plant.SetUseSampledOutputPorts(False)
        if solver is not None:
            plant.set_discrete_contact_approximation(solver)
        _close(plant, robot.model)
        robot.twins[step] = plant, _finalized(plant)
    return robot.twins[step]


def _close(plant: MultibodyPlant, model: Model) -> None:
    for loop in model.loops:
        first = plant.GetBodyByName(loop.first.name)
        second = plant.GetBodyByName(loop.second.name)
        if loop.kind == "point":
            plant.AddBallConstraint(first, ORIGIN, second, ORIGIN)
        else:
            here = RigidTransform()
            plant.AddWeldConstraint(first, here, second, here)


def _parsed(model: Model, step: float) -> MultibodyPlant:
    plant = MultibodyPlant(step)
    try:
        Parser(plant).AddModelsFromString(write_urdf(model), "urdf")
    except UrdfError as error:
        raise Unsupported(str(error)) from error
    for joint in (model.bodies[i].joint for i in model.moving):
        driven = plant.GetJointByName(joint.name)
        driven.set_default_damping_vector(np.zeros(driven.num_velocities()))
        free = np.full(driven.num_positions(), np.inf)
        driven.set_position_limits(-free, free)
        if joint.armature:
            actuator = plant.AddJointActuator(f"{joint.name}_rotor", driven)
            actuator.set_default_rotor_inertia(joint.armature)
            actuator.set_default_gear_ratio(1.0)
    plant.mutable_gravity_field().set_gravity_vector(np.array(model.gravity))
    return plant


def _finalized(plant: MultibodyPlant) -> Context:
    plant.Finalize()
    context = plant.CreateDefaultContext()
    plant.get_actuation_input_port().FixValue(context, np.zeros(plant.num_actuators()))
    return context


def joint_sizes() -> dict[str, tuple[int, int]]:
    """`AddJoint` of each `Joint`, then `num_positions` and `num_velocities`."""
    names = [n for n in dir(tree) if n.endswith("Joint") and n != "Joint"]
    return {name: _size(getattr(tree, name), _NEEDS.get(name, ())) for name in names}


_Z = np.array([0.0, 0.0, 1.0])
_NEEDS = {
    "PrismaticJoint": (_Z,),
    "RevoluteJoint": (_Z,),
    "ScrewJoint": (0.1, 0.0),
    "WeldJoint": (RigidTransform(),),
}
"""What a kind of joint asks for beside its frames: axis, or pitch and damping, or pose."""


def _size(
    kind: Callable[..., tree.Joint], needs: tuple[object, ...]
) -> tuple[int, int]:
    plant = MultibodyPlant(0.0)
    carried = plant.AddRigidBody("body").body_frame()
    joint = kind("joint", plant.world_frame(), carried, *needs)
    plant.AddJoint(joint)
    plant.Finalize()
    return joint.num_positions(), joint.num_velocities()
