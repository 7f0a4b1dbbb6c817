"""Mechanisms of published benchmarks that the catalogue does not hold, and their forces."""

from __future__ import annotations

from math import atan2, cos, hypot, pi, sin, sqrt

import numpy as np

from models import Body, Frame, Inertia, Joint, Loop, Model, Pose, Tendon

Array = np.ndarray
Vec3 = tuple[float, float, float]

X, Y, Z = (1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0)


def _diagonal(mass: float, com: Vec3, ixx: float, iyy: float, izz: float) -> Inertia:
    return Inertia(mass, Pose(com), (ixx, 0.0, 0.0, iyy, 0.0, izz))


def _box(density: float, a: float, b: float, c: float, com: Vec3) -> Inertia:
    """A homogeneous box with sides a, b, c along x, y, z."""
    m = density * a * b * c
    moments = (b * b + c * c, a * a + c * c, a * a + b * b)
    return _diagonal(m, com, *(m * s / 12 for s in moments))


# --------------------------------------------------------------------- Andrews' squeezer

DRIVE, STIFFNESS, REST = 0.033, 4530.0, 0.07785
"""Torque on K1 [N m], stiffness [N/m] and free length [m] of the spring C-D."""
C, D = np.array([0.014, 0.072]), np.array([0.02, -0.018])
"""Its ends: C in the world, D in the body K3 from its hinge B."""


def _turned(angle: float, r: Array) -> Array:
    return np.array(
        [cos(angle) * r[0] - sin(angle) * r[1], sin(angle) * r[0] + cos(angle) * r[1]]
    )


def _pull(point: Array) -> Array:
    """Force of the spring on its end at a point."""
    length = hypot(*(point - C))
    return -STIFFNESS * (length - REST) * (point - C) / length


def squeezer_forces(q: Array, v: Array) -> Array:
    """Drive and spring in the coordinates of the tree: beta is the first, gamma the third."""
    arm = _turned(q[2], D)
    fx, fy = _pull(np.array([-0.03635, 0.03273]) + arm)
    tau = np.zeros(7)
    tau[0], tau[2] = DRIVE, arm[0] * fy - arm[1] * fx
    return tau


def squeezer_forces_on_bodies(q: Array, v: Array) -> Array:
    """The same on x, y, angle of the centres of mass of seven bodies, K1 and K3 of them."""
    x, y, angle = q[6:9]
    arm = _turned(angle, D - np.array([0.01043, -0.01874]))
    force = _pull(np.array([x, y]) + arm)
    tau = np.zeros(21)
    tau[2], tau[6:8] = DRIVE, force
    tau[8] = arm[0] * force[1] - arm[1] * force[0]
    return tau


def squeezer_energy_of_spring(q: Array) -> float:
    """Of a configuration of the tree [J]."""
    point = np.array([-0.03635, 0.03273]) + _turned(q[2], D)
    return STIFFNESS / 2 * (hypot(*(point - C)) - REST) ** 2


# ------------------------------------------------------------------------------ pendulum


def dumbbell() -> Model:
    """A pendulum of 1 kg on 1 m, and 1 kg at the pivot that never moves.

    The second mass makes the bar's own inertia regular in maximal coordinates.
    """
    bar = _diagonal(2.0, (0.5, 0.0, 0.0), 0.5, 0.5, 0.5)
    return Model(
        "pendulum",
        (Body("bar", -1, Joint("pin"), inertia=bar),),
        Frame("tip", 0, Pose(X)),
        (0.0, -9.81, 0.0),
        source="IFToMM multibody benchmark A01",
    )


# ------------------------------------------------------------------------------ governor


def governor() -> Model:
    """Flyball governor: a shaft, a slider on it, two rods with balls, two springs.

    q is the turn of the shaft, the height of the slider and the rise of both rods above
    the horizontal.
    """

    def rod(name: str, side: float) -> Body:
        bar = _box(3000.0, 1.0, 0.01, 0.01, (0.5, 0.0, 0.0))
        m, com = bar.mass + 5.0, (bar.mass * 0.5 + 5.0) / (bar.mass + 5.0)
        across = bar.moments[3] + bar.mass * (0.5 - com) ** 2 + 5.0 * (1.0 - com) ** 2
        slim = bar.moments[0]
        inertia = _diagonal(m, (side * com, 0.0, 0.0), slim, across, across)
        joint = Joint(f"{name}_hinge", axis=(0.0, -side, 0.0))
        return Body(name, 0, joint, Pose((side * 0.05, 0.0, 1.0)), inertia)

    shaft = _box(3000.0, 0.01, 0.01, 1.0, (0.0, 0.0, 0.5))
    cube = _box(3000.0, 0.1, 0.1, 0.1, (0.0, 0.0, 0.0))
    springs = tuple(
        Tendon(
            f"spring_{name}",
            (
                Frame(f"foot_{name}", 1, Pose((side * 0.05, 0.0, 0.0))),
                Frame(f"middle_{name}", body, Pose((side * 0.5, 0.0, 0.0))),
            ),
        )
        for name, side, body in (("right", 1.0, 2), ("left", -1.0, 3))
    )
    return Model(
        "governor",
        (
            Body("shaft", -1, Joint("turn"), inertia=shaft),
            Body("slider", 0, Joint("height", "prismatic"), inertia=cube),
            rod("right", 1.0),
            rod("left", -1.0),
        ),
        Frame("ball", 2, Pose(X)),
        tendons=springs,
        home=(0.0, 0.5, -pi / 6, -pi / 6),
        source="IFToMM multibody benchmark A05",
    )


def spring_damper_forces(q: Array, v: Array) -> tuple[Array, float]:
    """tau (4,) of both springs and dampers of the governor, and the power they take."""
    tau, power = np.zeros(4), 0.0
    for i in (2, 3):
        dx, dz = 0.5 * cos(q[i]), 1.0 + 0.5 * sin(q[i]) - q[1]
        length = hypot(dx, dz)
        per_height = -dz / length
        per_rise = (0.5 * cos(q[i]) * dz - 0.5 * sin(q[i]) * dx) / length
        speed = per_height * v[1] + per_rise * v[i]
        force = -8e5 * (length - 0.5) - 4e4 * speed
        tau[1] += per_height * force
        tau[i] += per_rise * force
        power += 4e4 * speed**2
    return tau, power


def energy_of_springs(q: Array) -> float:
    """Of both springs [J]."""
    lengths = [hypot(0.5 * cos(x), 1.0 + 0.5 * sin(x) - q[1]) for x in q[2:]]
    return sum(4e5 * (length - 0.5) ** 2 for length in lengths)


# -------------------------------------------------------------------------- slider-crank


def slider_crank() -> Model:
    """Spatial slider-crank: crank about x, slider along x, rod on a universal joint.

    The universal joint's first axis is x, its second across x and the rod; the rod is
    closed onto the crank at the ball joint B.
    """
    crank = _diagonal(0.12, (0.0, 0.0, 0.04), 1e-4, 1e-4, 1e-4)
    slider = _diagonal(2.0, (0.0, 0.0, 0.0), 1e-4, 1e-4, 1e-4)
    rod = _diagonal(0.5, (0.15, 0.0, 0.0), 4e-4, 4e-3, 4e-3)
    bodies = (
        Body("crank", -1, Joint("crank", axis=X), Pose((0.0, 0.1, 0.12)), crank),
        Body("slider", -1, Joint("slide", "prismatic", X), inertia=slider),
        Body("cross", 1, Joint("first", axis=X)),
        Body("rod", 2, Joint("second", axis=Y), inertia=rod),
    )
    B = (
        Frame("B_rod", 3, Pose((0.3, 0.0, 0.0))),
        Frame("B_crank", 0, Pose((0, 0, 0.08))),
    )
    return Model(
        "slider_crank",
        bodies,
        Frame("rod_centre", 3, Pose((0.15, 0.0, 0.0))),
        loops=(Loop("B", "point", *B),),
        home=(0.0, 0.2, atan2(-0.1, 0.2), atan2(-sqrt(0.05), -0.2)),
        source="IFToMM multibody benchmark, rigid spatial slider-crank (Haug)",
    )


# ------------------------------------------------------------------------ Tsai's platform

FEET: tuple[Vec3, ...] = (
    (-2.12, 1.374, 0.0), (-2.38, 1.224, 0.0), (-2.38, -1.224, 0.0),
    (-2.12, -1.374, 0.0), (0.0, -0.15, 0.0), (0.0, 0.15, 0.0),
)  # fmt: skip
BALLS: tuple[Vec3, ...] = (
    (0.17, 0.595, -0.4), (-0.6, 0.15, -0.4), (-0.6, -0.15, -0.4),
    (0.17, -0.595, -0.4), (0.43, -0.445, -0.4), (0.43, 0.445, -0.4),
)  # fmt: skip
ACROSS = 0.00625
"""Moment of each tube of a leg across it [kg m^2]; none about it."""


def tsai_platform() -> Model:
    """Tsai's platform on legs of two tubes: x, y, z, yaw, pitch, roll, then six legs.

    Each leg turns about x, then y, and slides; its tubes have no moment about the leg, so
    that its spin does not matter.
    """
    axes = zip("xyzabc", (X, Y, Z, Z, Y, X), strict=True)
    plate = _diagonal(1.5, (0.0, 0.0, 0.0), 0.08, 0.08, 0.08)
    bodies = [
        Body(
            f"plate_{name}",
            k - 1,
            Joint(f"platform_{name}", "prismatic" if k < 3 else "revolute", axis),
            inertia=plate if k == 5 else None,
        )
        for k, (name, axis) in enumerate(axes)
    ]
    loops = []
    for k, (foot, ball) in enumerate(zip(FEET, BALLS, strict=True)):
        lower = _diagonal(0.1, (0.0, 0.0, 0.5), ACROSS, ACROSS, 0.0)
        upper = _diagonal(0.1, (0.0, 0.0, -0.5), ACROSS, ACROSS, 0.0)
        n = len(bodies)
        bodies += [
            Body(f"cross{k}", -1, Joint(f"leg{k}_x", axis=X), Pose(foot)),
            Body(f"lower{k}", n, Joint(f"leg{k}_y", axis=Y), inertia=lower),
            Body(f"upper{k}", n + 1, Joint(f"leg{k}", "prismatic", Z), inertia=upper),
        ]
        ends = Frame(f"tip{k}", n + 2), Frame(f"ball{k}", 5, Pose(ball))
        loops.append(Loop(f"ball{k}", "point", *ends))
    p = np.array([-1.5, 0.0, 1.0])
    return Model(
        "tsai_platform",
        tuple(bodies),
        Frame("tool", 5),
        (0.0, 0.0, -9.80665),
        tuple(loops),
        home=(*p, 0.0, 0.0, 0.0, *leg_angles(p, np.eye(3)).ravel()),
        source="Tsai, J. Mech. Des. 122 (2000) 3-9, example",
    )


def leg_angles(p: Array, R: Array) -> Array:
    """Turn about x, turn about y and length of each leg, (6, 3)."""
    found = []
    for foot, ball in zip(FEET, BALLS, strict=True):
        x, y, z = p + R @ ball - foot
        found.append([atan2(-y, z), atan2(x, hypot(y, z)), hypot(x, y, z)])
    return np.array(found)
