"""How Pinocchio reads a model: joints, frames, and loops as constraints.

- Joints are numbered depth first, siblings by name: looked up by name.
- A continuous joint is configured by (cos q, sin q).
- The reflected inertia of rotors is `armature` of the model; URDF has no word for it.
- URDF has no loops: each becomes a `RigidConstraintModel` between its two frames.
- `getConstraintsJacobian` takes what `calc` left in the constraints' data; without it, that
  of an earlier configuration.
- `initConstraintDynamics` takes the constraints' data as well from release 4 on, and
  stabilization is `m_baumgarte_parameters`, before it was `corrector`.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import pinocchio as pin

from adapters._loops import Closure, closures
from adapters._wire import Unsupported
from models import Loop, Model, UrdfError, write_urdf

ALIGNED = pin.ReferenceFrame.LOCAL_WORLD_ALIGNED
LOCAL = pin.ReferenceFrame.LOCAL


class System(NamedTuple):
    """The loops as constraints, and the workspaces made for them."""

    constraints: pin.StdVec_RigidConstraintModel
    found: pin.StdVec_RigidConstraintData
    data: pin.Data


class Robot(NamedTuple):
    """The model, its twin without gravity, and how joints and frames are numbered.

    ``systems`` is empty without loops; otherwise it holds the constraints in the
    axes of the "world", of the "first" frames, and, to be "stabilized", in the world's.
    """

    model: pin.Model
    data: pin.Data
    weightless: pin.Model
    joints: list[pin.JointModel]
    order: list[int]
    tool: int
    loops: list[Closure]
    systems: dict[str, System]

    def q(self, q: np.ndarray) -> np.ndarray:
        """A configuration in the library's numbering."""
        found = np.zeros(self.model.nq)
        for joint, angle in zip(self.joints, q):
            unbounded = joint.nq == 2
            found[joint.idx_q : joint.idx_q + joint.nq] = (
                (np.cos(angle), np.sin(angle)) if unbounded else angle
            )
        return found

    def v(self, v: np.ndarray) -> np.ndarray:
        """A velocity, an acceleration or a force in the library's numbering."""
        found = np.zeros(self.model.nv)
        found[self.order] = v
        return found


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
    loops = closures(model, lambda frame: robot.getFrameId(frame.name))
    axes = {"world": ALIGNED, "first": LOCAL, "stabilized": ALIGNED}
    systems = {
        name: _system(robot, model.loops, frame)
        for name, frame in axes.items()
        if model.loops
    }
    data = robot.createData()
    return Robot(robot, data, weightless, joints, order, tool, loops, systems)


def _system(
    robot: pin.Model, loops: tuple[Loop, ...], axes: pin.ReferenceFrame
) -> System:
    constraints = pin.StdVec_RigidConstraintModel()
    found = pin.StdVec_RigidConstraintData()
    contacts = {
        "point": pin.ContactType.CONTACT_3D,
        "frame": pin.ContactType.CONTACT_6D,
    }
    for loop in loops:
        ends = [
            robot.frames[robot.getFrameId(f.name)] for f in (loop.first, loop.second)
        ]
        placed = [x for end in ends for x in (end.parentJoint, end.placement)]
        constraint = pin.RigidConstraintModel(contacts[loop.kind], robot, *placed, axes)
        constraints.append(constraint)
        found.append(constraint.createData())
    data = robot.createData()
    try:
        pin.initConstraintDynamics(robot, data, constraints, found)
    except TypeError:  # the signature up to 3
        pin.initConstraintDynamics(robot, data, constraints)
    return System(constraints, found, data)


def stabilize(system: System, alpha: float, beta: float) -> None:
    """Let J a = gamma - 2 alpha J v - beta^2 Phi hold for every constraint."""
    for constraint in system.constraints:
        if hasattr(constraint, "m_baumgarte_parameters"):
            constraint.m_baumgarte_parameters.Kp = beta**2
            constraint.m_baumgarte_parameters.Kd = 2 * alpha
        else:  # up to 3
            constraint.corrector.Kp[:] = beta**2
            constraint.corrector.Kd[:] = 2 * alpha


def constraint_rows(robot: Robot, q: np.ndarray) -> np.ndarray:
    """`getConstraintsJacobian` of the `RigidConstraintModel`s."""
    constraints, found, data = robot.systems["world"]
    pin.computeJointJacobians(robot.model, data, robot.q(q))
    for constraint, of_constraint in zip(constraints, found):
        constraint.calc(robot.model, data, of_constraint)
    J = pin.getConstraintsJacobian(robot.model, data, constraints, found)
    return J[:, robot.order]


def joint_sizes() -> dict[str, tuple[int, int]]:
    """`JointModelRX()` and all others that have a size of their own, `nq` and `nv`."""
    borrowed = "JointModel", "JointModelComposite", "JointModelMimic"
    names = [n for n in dir(pin) if n.startswith("JointModel") and n not in borrowed]
    return {joint: _size(getattr(pin, joint)()) for joint in names}


def _size(joint: pin.JointModel) -> tuple[int, int]:
    return joint.nq, joint.nv
