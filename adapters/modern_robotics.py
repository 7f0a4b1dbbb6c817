"""Modern Robotics, https://github.com/NxRLab/ModernRobotics; takes screws, no document.

Conventions that are converted:

- Spatial vectors are (angular, linear) and gravity is the true vector, as ours.
- A chain is screw axes and link frames at the centres of mass, from `models.screws`;
  fixed bodies are folded into the links there.
- The screws of the tool, for `JacobianBody`, are the library's own adjoint map of
  those.
- bias_forces is `InverseDynamics` at rest in acceleration: there is no call of that
  name.

Not offered: C as a matrix, the Jacobian of the tool in world axes, its velocity and
bias acceleration, the regressor, energies.  Trees and rotors have no place in the
library.
"""

from __future__ import annotations

from typing import NamedTuple

import modern_robotics as mr
import numpy as np

from adapters._wire import Unsupported
from models import Model, screws, tool_home

distribution = "modern_robotics"

NO_WRENCH = np.zeros(6)


class Robot(NamedTuple):
    """The arguments that the library's functions want."""

    gravity: np.ndarray
    links: np.ndarray
    inertias: np.ndarray
    axes: np.ndarray
    body_axes: np.ndarray
    home: np.ndarray

    @property
    def chain(self) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """The last arguments of every function of dynamics."""
        return self.links, self.inertias, self.axes


def load(model: Model) -> Robot:
    """Take the model's screws.

    Raises:
        Unsupported: If the model is not a chain of joints R and P without rotors.
    """
    if any(body.joint.armature for body in model.bodies):
        raise Unsupported("no reflected inertia of rotors")
    try:
        chain = screws(model)
    except ValueError as error:
        raise Unsupported(f"serial chains only: {error}") from error
    home = tool_home(model).astype(float)
    body_axes = mr.Adjoint(mr.TransInv(home)) @ chain.axes
    gravity = np.array(model.gravity)
    return Robot(gravity, chain.links, chain.inertias, chain.axes, body_axes, home)


def frame_pose(robot: Robot, q: np.ndarray) -> np.ndarray:
    """`FKinSpace`."""
    return mr.FKinSpace(robot.home, robot.axes, q)[:3]


def body_jacobian(robot: Robot, q: np.ndarray) -> np.ndarray:
    """`JacobianBody`."""
    return mr.JacobianBody(robot.body_axes, q)


def space_jacobian(robot: Robot, q: np.ndarray) -> np.ndarray:
    """`JacobianSpace`."""
    return mr.JacobianSpace(robot.axes, q)


def mass_matrix(robot: Robot, q: np.ndarray) -> np.ndarray:
    """`MassMatrix`."""
    return mr.MassMatrix(q, *robot.chain)


def coriolis_forces(robot: Robot, q: np.ndarray, v: np.ndarray) -> np.ndarray:
    """`VelQuadraticForces`."""
    return mr.VelQuadraticForces(q, v, *robot.chain)


def gravity_forces(robot: Robot, q: np.ndarray) -> np.ndarray:
    """`GravityForces`."""
    return mr.GravityForces(q, robot.gravity, *robot.chain)


def bias_forces(robot: Robot, q: np.ndarray, v: np.ndarray) -> np.ndarray:
    """`InverseDynamics` at zero acceleration."""
    return inverse_dynamics(robot, q, v, 0 * v)


def inverse_dynamics(
    robot: Robot, q: np.ndarray, v: np.ndarray, a: np.ndarray
) -> np.ndarray:
    """`InverseDynamics`."""
    return mr.InverseDynamics(q, v, a, robot.gravity, NO_WRENCH, *robot.chain)


def forward_dynamics(
    robot: Robot, q: np.ndarray, v: np.ndarray, tau: np.ndarray
) -> np.ndarray:
    """`ForwardDynamics`."""
    return mr.ForwardDynamics(q, v, tau, robot.gravity, NO_WRENCH, *robot.chain)
