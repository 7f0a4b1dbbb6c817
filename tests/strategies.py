"""Random models and inputs for Hypothesis."""

from __future__ import annotations

from typing import Any

from flint import fmpq
from hypothesis import settings
from hypothesis import strategies as st

from models import Body, Frame, Inertia, Joint, Model, Pose, Rpy

Draw = Any

REPEATABLE = settings(max_examples=30, deadline=None, derandomize=True)
"""The same examples in every run."""

doubles = st.floats(allow_nan=False, allow_infinity=False, width=64)
vectors = st.tuples(doubles, doubles, doubles)
names = st.from_regex(r"[A-Za-z][A-Za-z0-9_. -]{0,8}", fullmatch=True)


def eighths(limit: int) -> st.SearchStrategy[float]:
    """Multiples of 1/8: their products stay short as rationals."""
    return st.integers(-limit, limit).map(lambda k: k / 8)


UNIT_AXES = [
    *[(1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0)],
    *[(-1.0, 0.0, 0.0), (0.0, 0.0, -0.5), (0.0, 3.0, 0.0)],
    *[(3.0, 4.0, 0.0), (0.0, -0.6 * 5, 4.0), (1.0, 2.0, -2.0)],
    *[(2.0, -3.0, 6.0), (-1.0, 4.0, 8.0), (0.5, 1.0, 1.0)],
]
"""Axes of rational length."""


@st.composite
def documents(draw: Draw) -> Model:
    """Any tree that URDF can hold, with any doubles in it; physics does not matter."""
    count = draw(st.integers(1, 5))
    labels = draw(st.lists(names, min_size=2 * count, max_size=2 * count, unique=True))
    bodies = []
    for i in range(count):
        kind = draw(st.sampled_from(["fixed", "revolute", "continuous", "prismatic"]))
        limits = None, None
        if kind in ("revolute", "prismatic"):
            limits = draw(doubles), draw(doubles)
        joint = Joint(labels[count + i], "fixed")
        if kind != "fixed":
            joint = Joint(
                labels[count + i],
                kind,
                draw(vectors.filter(any)),
                damping=draw(doubles),
                friction=draw(doubles),
                lower=limits[0],
                upper=limits[1],
            )
        moments = draw(st.tuples(*[doubles] * 6))
        inertia = Inertia(draw(doubles.filter(bool)), draw(poses()), moments)
        parent = draw(st.integers(-1, i - 1))
        bodies.append(Body(labels[i], parent, joint, draw(poses()), inertia))
    tool = Frame("the tool", draw(st.integers(-1, count - 1)), draw(poses()))
    return Model("any", tuple(bodies), tool)


@st.composite
def poses(draw: Draw) -> Pose:
    """Any position and roll, pitch, yaw."""
    return Pose(draw(vectors), Rpy(*draw(vectors)))


# ------------------------------------------------------------- models for rationals


@st.composite
def rational_poses(draw: Draw, turned: bool = True) -> Pose:
    """Short rationals; angles are read as tan(angle / 2)."""
    p = draw(st.tuples(*[eighths(8)] * 3))
    angles = st.sampled_from([0.0, 0.5, -0.25, 1.0, -2.0])
    rotation = Rpy(*draw(st.tuples(angles, angles, angles))) if turned else Rpy()
    return Pose(p, rotation)


@st.composite
def rational_inertias(draw: Draw, turned: bool = True) -> Inertia:
    """Physical: the second moments of mass are A A' + 1/16."""
    mass = draw(st.integers(1, 20)) / 4
    A = [[draw(st.integers(-2, 2)) / 4 for _ in range(3)] for _ in range(3)]
    S = [
        [sum(x * y for x, y in zip(p, q, strict=True)) + (p is q) / 16 for q in A]
        for p in A
    ]
    trace = S[0][0] + S[1][1] + S[2][2]
    moments = (
        trace - S[0][0], -S[0][1], -S[0][2],
        trace - S[1][1], -S[1][2], trace - S[2][2],
    )  # fmt: skip
    return Inertia(mass, draw(rational_poses(turned)), moments)


@st.composite
def rational_trees(draw: Draw, turned: bool = True) -> Model:
    """Small trees whose every number is a short rational, with rotors."""
    count = draw(st.integers(1, 5))
    kinds = [draw(st.sampled_from("RRRPPF")) for _ in range(count)]
    if set(kinds) == {"F"}:
        kinds[-1] = "R"
    words = {"R": "revolute", "P": "prismatic", "F": "fixed"}
    bodies = []
    for i, kind in enumerate(kinds):
        joint = Joint(f"joint{i}", "fixed")
        if kind != "F":
            axis = draw(st.sampled_from(UNIT_AXES))
            rotor = draw(st.sampled_from([0.0, 0.125]))
            joint = Joint(f"joint{i}", words[kind], axis, armature=rotor)
        inertia = draw(rational_inertias(turned))
        parent = draw(st.integers(-1, i - 1))
        placement = draw(rational_poses(turned))
        bodies.append(Body(f"link{i}", parent, joint, placement, inertia))
    tool = Frame("tool", draw(st.integers(0, count - 1)), draw(rational_poses(turned)))
    gravity = draw(st.tuples(*[eighths(80)] * 3))
    return Model("rational", tuple(bodies), tool, gravity)


rationals = st.builds(fmpq, st.integers(-12, 12), st.integers(1, 7))
"""Positions of slides, tangents of half angles, velocities."""


@st.composite
def states(draw: Draw, model: Model, vectors: int) -> list[list[fmpq]]:
    """So many vectors of nv rationals."""
    return [[draw(rationals) for _ in range(model.nv)] for _ in range(vectors)]
