"""How MuJoCo reads a model: degrees of freedom, sites, loops and tendons.

- Joints are numbered depth first: looked up by name, as are sites and tendons.
- Constraints (limits, contacts, friction) and passive forces are switched off: tau is
  then all that acts beside inertia and gravity.
- Loops are equality constraints: off in the tree, on in its closed twins.
"""

from __future__ import annotations

import copy
from typing import NamedTuple

import mujoco
import numpy as np

from adapters._loops import Closure, closures
from adapters._wire import Unsupported
from models import MjcfError, Model, write_mjcf

OFF = ("CONTACT", "FRICTIONLOSS", "LIMIT", "PASSIVE", "SPRING", "DAMPER")
"""Flags of either generation: PASSIVE became SPRING and DAMPER."""


class Robot(NamedTuple):
    """The tree, its twin without gravity, and how degrees of freedom are numbered.

    ``closed`` is the twin whose loops are constraints, with the settings of the file;
    in ``soft`` they are solved to the last digit and not stabilized.
    """

    model: mujoco.MjModel
    weightless: mujoco.MjModel
    closed: mujoco.MjModel
    soft: mujoco.MjModel
    data: mujoco.MjData
    order: list[int]
    tool: int
    loops: list[Closure]
    tendons: list[int]
    motors: list[int]

    def run(
        self, model: mujoco.MjModel, q: np.ndarray, **state: np.ndarray
    ) -> mujoco.MjData:
        """`mj_forward` of a twin at q, at rest and unforced but for what is given."""
        mujoco.mj_resetData(model, self.data)
        self.data.qpos[self.order] = q
        for name, value in state.items():
            getattr(self.data, name)[self.order] = value
        mujoco.mj_forward(model, self.data)
        return self.data


def load(model: Model) -> Robot:
    """Read the model from MJCF.

    Raises:
        Unsupported: If MJCF cannot hold the model.
    """
    try:
        closed = mujoco.MjModel.from_xml_string(write_mjcf(model))
    except MjcfError as error:
        raise Unsupported(str(error)) from error
    _disable(closed, *OFF)
    closed.opt.enableflags |= int(mujoco.mjtEnableBit.mjENBL_ENERGY)
    robot = copy.copy(closed)
    _disable(robot, "CONSTRAINT")
    weightless = copy.copy(robot)
    _disable(weightless, "GRAVITY")
    names = [model.bodies[i].joint.name for i in model.moving]
    loops = closures(model, lambda frame: robot.site(frame.name).id)
    return Robot(
        robot,
        weightless,
        closed,
        _softened(closed),
        mujoco.MjData(closed),
        order=[int(robot.joint(name).dofadr[0]) for name in names],
        tool=robot.site(model.tool.name).id,
        loops=loops,
        tendons=[robot.tendon(tendon.name).id for tendon in model.tendons],
        motors=[robot.actuator(tendon.name).id for tendon in model.tendons],
    )


def _disable(robot: mujoco.MjModel, *names: str) -> None:
    for name in names:
        flag = getattr(mujoco.mjtDisableBit, f"mjDSBL_{name}", 0)
        robot.opt.disableflags |= int(flag)


def _softened(closed: mujoco.MjModel) -> mujoco.MjModel:
    """A twin without stiffness and damping: its equations are linear.

    One step of Newton's solves them and the next refines; hundreds would wander off.
    """
    soft = copy.copy(closed)
    _disable(soft, "WARMSTART")
    soft.eq_solref[:] = 0
    soft.opt.tolerance = 0
    soft.opt.iterations = 3
    return soft


def joint_sizes() -> dict[str, tuple[int, int]]:
    """`MjModel.from_xml_string` with one joint of each `mjtJoint`, then `nq` and `nv`."""
    kinds = [name[len("mjJNT_") :].lower() for name in mujoco.mjtJoint.__members__]
    robots = [mujoco.MjModel.from_xml_string(_ONE_JOINT % kind) for kind in kinds]
    return {kind: (robot.nq, robot.nv) for kind, robot in zip(kinds, robots)}


_ONE_JOINT = (
    '<mujoco><worldbody><body><joint type="%s"/><geom size="1"/></body></worldbody>'
    "</mujoco>"
)
