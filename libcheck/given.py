"""Models that a user gives as files: read, and refused where nothing could be computed."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np

from libcheck.config import UsageError
from models import MechanismError, Model, read_mechanism, without_quaternions
from reference.ch03_04_manipulator_equation import mass_matrix
from reference.closing import OpenLoopError, closed_at_home
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


def _checked(path: Path) -> Model:
    try:
        model = without_quaternions(read_mechanism(path))
        if not model.nv:
            raise UsageError(f"{path}: no joint can move")
        closed = closed_at_home(model)
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
