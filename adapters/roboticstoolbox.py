"""Robotics Toolbox, https://github.com/petercorke/robotics-toolbox-python; takes links.

Conventions that are converted:

- Spatial vectors are (linear, angular): the two halves change places.
- Elementary transforms know the axes x, y, z; a negative one is `flip`, and for any
  other `models.links` turns the link frame, which changes none of the quantities.  Link
  frames are not those of the model then, hence no quantity in link axes.
- The rotor of a joint is Jm with gear ratio G = 1; friction B and Tc is left out.
- Since 1.5, gravity is the true vector.
- Jacobians of a frame have columns for the joints between base and frame only.
- coriolis_forces and bias_forces are `rne`, without gravity and at zero acceleration.
- Joints are numbered by the library: each link tells its number.
- A robot has one base link: where several links hang on the world, one stands for it.

What a user would call is called, although 1.5.0 fails at some: `coriolis` raises on
robots of more than one link, `jacob0_dot` on those with more than one tip, and `rne`
has the sign of `flip` wrong and loses the placement of fixed links.  Those are known
issues, not conventions.

Not offered: the velocity of a frame, the Jacobian at the world's origin, the regressor,
energies.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import roboticstoolbox as rtb

from adapters._wire import Unsupported
from models import Link, Model, links

distribution = "roboticstoolbox-python"

ANGULAR_FIRST = [3, 4, 5, 0, 1, 2]
AXES = {
    ("revolute", "x"): rtb.ET.Rx,
    ("revolute", "y"): rtb.ET.Ry,
    ("revolute", "z"): rtb.ET.Rz,
    ("prismatic", "x"): rtb.ET.tx,
    ("prismatic", "y"): rtb.ET.ty,
    ("prismatic", "z"): rtb.ET.tz,
}


class Robot(NamedTuple):
    """The library's robot, the numbers of our joints, those that move the tool."""

    robot: rtb.Robot
    order: list[int]
    tool: str
    tool_joints: list[int]


def load(model: Model) -> Robot:
    """Build the robot link by link.

    Raises:
        Unsupported: If a joint is neither revolute, prismatic nor fixed.
    """
    try:
        described = links(model)
    except ValueError as error:
        raise Unsupported(str(error)) from error
    built: dict[int, Any] = {-1: _ground(described)}
    for i, link in enumerate(described):
        built[i] = _link(link, built[link.parent])
    parts = [part for part in built.values() if part is not None]
    robot = rtb.Robot(parts, name=model.name, gravity=np.array(model.gravity))
    order = [built[i].jindex for i in model.moving]
    above = model.path(model.tool.body)
    tool_joints = [built[i].jindex for i in above if i in model.moving]
    return Robot(robot, order, described[-1].name, tool_joints)


def _ground(described: list[Link]) -> Any:
    """A link for the world where several links hang on it: there may be one base only."""
    bases = [link for link in described if link.parent < 0]
    return rtb.Link(name="the_world") if len(bases) > 1 else None


def _link(link: Link, parent: Any) -> rtb.Link:
    ets = rtb.ETS([rtb.ET.SE3(link.placement)])
    if link.motion != "fixed":
        ets = ets * AXES[link.motion, link.letter](flip=link.negative)
    return rtb.Link(
        ets,
        name=link.name,
        parent=parent,
        m=link.mass,
        r=link.com,
        I=link.tensor,
        Jm=link.armature,
        G=1.0,
        B=0.0,
        Tc=[0.0, 0.0],
    )


def _q(robot: Robot, q: np.ndarray) -> np.ndarray:
    found = np.zeros(robot.robot.n)
    found[robot.order] = q
    return found


def _spread(robot: Robot, J: np.ndarray) -> np.ndarray:
    """Columns for all joints, zero for those that do not move the tool."""
    full = np.zeros((6, robot.robot.n))
    full[:, robot.tool_joints] = J
    return full[np.ix_(ANGULAR_FIRST, robot.order)]


def frame_pose(robot: Robot, q: np.ndarray) -> np.ndarray:
    """`fkine`."""
    return robot.robot.fkine(_q(robot, q), end=robot.tool).A[:3]


def frame_jacobian(robot: Robot, q: np.ndarray) -> np.ndarray:
    """`jacob0`."""
    return _spread(robot, robot.robot.jacob0(_q(robot, q), end=robot.tool))


def body_jacobian(robot: Robot, q: np.ndarray) -> np.ndarray:
    """`jacobe`."""
    return _spread(robot, robot.robot.jacobe(_q(robot, q), end=robot.tool))


def frame_bias_acceleration(robot: Robot, q: np.ndarray, v: np.ndarray) -> np.ndarray:
    """`jacob0_dot` of the tool's Jacobian, times v."""
    J = robot.robot.jacob0(_q(robot, q), end=robot.tool)
    v_tool = _q(robot, v)[robot.tool_joints]
    found = robot.robot.jacob0_dot(None, v_tool, J0=J) @ v_tool
    return found[ANGULAR_FIRST]


def mass_matrix(robot: Robot, q: np.ndarray) -> np.ndarray:
    """`inertia`."""
    M = robot.robot.inertia(_q(robot, q))
    return M[np.ix_(robot.order, robot.order)]


def coriolis_matrix(robot: Robot, q: np.ndarray, v: np.ndarray) -> np.ndarray:
    """`coriolis`."""
    C = robot.robot.coriolis(_q(robot, q), _q(robot, v))
    return C[np.ix_(robot.order, robot.order)]


def coriolis_forces(robot: Robot, q: np.ndarray, v: np.ndarray) -> np.ndarray:
    """`rne` without gravity at zero acceleration."""
    state = _q(robot, q), _q(robot, v), _q(robot, 0 * v)
    return robot.robot.rne(*state, gravity=[0.0, 0.0, 0.0])[robot.order]


def gravity_forces(robot: Robot, q: np.ndarray) -> np.ndarray:
    """`gravload`."""
    return robot.robot.gravload(_q(robot, q))[robot.order]


def bias_forces(robot: Robot, q: np.ndarray, v: np.ndarray) -> np.ndarray:
    """`rne` at zero acceleration."""
    return inverse_dynamics(robot, q, v, 0 * v)


def inverse_dynamics(
    robot: Robot, q: np.ndarray, v: np.ndarray, a: np.ndarray
) -> np.ndarray:
    """`rne`."""
    state = _q(robot, q), _q(robot, v), _q(robot, a)
    return robot.robot.rne(*state)[robot.order]


def forward_dynamics(
    robot: Robot, q: np.ndarray, v: np.ndarray, tau: np.ndarray
) -> np.ndarray:
    """`accel`."""
    return robot.robot.accel(_q(robot, q), _q(robot, v), _q(robot, tau))[robot.order]
