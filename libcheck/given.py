"""Models that a user gives as files: read, and refused where nothing could be computed."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np

from libcheck.config import UsageError
from models import MechanismError, Model, read_mechanism, without_quaternions
from reference.ch03_04_manipulator_equation import mass_matrix
from reference.closing import OpenLoopError, closed_home, gap, home
from reference.quantity import Array
from reference.robot import UnservedModelError


def models_of(files: Sequence[Path]) -> tuple[Model, ...]:
    """The models of some files.

    Raises:
        UsageError: In one line that names the file and what is wrong with it.
    """
    found: dict[str, Path] = {}
    models = []
    for path in files:
        model = _checked(path)
        if model.name in found:
            raise UsageError(
                f"{path}: the model's name {model.name!r} is that of {found[model.name]}"
            )
        found[model.name] = path
        models.append(model)
    return tuple(models)


OPEN = 1e-6
"""Gap [m | 1] beyond which a home that the file states is no rounding of a closed one."""


def _refuse_open(path: Path, model: Model, closed: Array) -> None:
    """Refuse a home that the file states and that does not close the loops.

    Raises:
        UsageError: With the gap and the closed configuration next to it.
    """
    stated = home(model)
    off = float(gap(model, stated[None])[0])
    if not model.home or off <= OPEN:
        return
    names = [model.bodies[i].joint.name for i in model.moving]
    near = ", ".join(
        f"{n} = {x!r}" for n, x in zip(names, closed.tolist(), strict=True)
    )
    raise UsageError(
        f"{path}: inconsistent home: the loops are open by {off:.3g}; nearest closed: {near}"
    )


def _checked(path: Path) -> Model:
    try:
        model = without_quaternions(read_mechanism(path))
        if not model.nv:
            raise UsageError(f"{path}: no joint can move")
        closed = closed_home(model)
        _refuse_open(path, model, closed)
        M = mass_matrix.value(model, {"q": closed[None]})[0]
    except MechanismError as error:
        raise UsageError(str(error)) from None
    except (OpenLoopError, UnservedModelError) as error:
        raise UsageError(f"{path}: {error}") from None
    diagonal = np.diag(M)
    if np.any(diagonal <= 0):
        joint = model.bodies[model.moving[int(np.argmin(diagonal))]].joint.name
        raise UsageError(
            f"{path}: nothing that joint {joint!r} moves has inertia about it, so the mass "
            "matrix is singular: give the links below it mass and inertia"
        )
    scaled = M / np.sqrt(np.outer(diagonal, diagonal))
    smallest = float(np.linalg.eigvalsh(scaled)[0])
    if smallest < 1e-14:
        raise UsageError(
            f"{path}: the mass matrix is singular at home (smallest eigenvalue "
            f"{smallest:.1e} at unit diagonal): some links lack mass or inertia"
        )
    return model
