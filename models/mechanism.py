"""A mechanism from a file of the user: MJCF, URDF, or a TOML with the loops of a URDF.

The TOML::

    urdf = "four_bar.urdf"          # beside the TOML
    name = "my_four_bar"            # these three are optional
    tool = "coupler_tip"            # a link
    gravity = [0.0, 0.0, -9.81]

    [[loop]]
    name = "closure"
    kind = "point"                  # or "frame"
    first = { link = "coupler", xyz = [0.9, 0.0, 0.0] }
    second = { link = "world", xyz = [1.0, 0.0, 0.0], rpy = [0.0, 0.0, 0.0] }

    [[tendon]]
    name = "cable"
    points = [{ link = "world" }, { link = "coupler", xyz = [0.1, 0.0, 0.0] }]

    [home]                          # a configuration that closes the loops
    crank_joint = 0.75
"""

from __future__ import annotations

from contextlib import suppress
from dataclasses import replace
from math import isfinite
from pathlib import Path
from typing import Any, Collection, Dict, List, Tuple

from models.mjcf import CLOSURES
from models.mjcf_reader import read_mjcf
from models.text import refuse_repeated
from models.tree import ZERO, Frame, Loop, Model, Pose, Rpy, Tendon, Vec3
from models.urdf import WORLD, UrdfError
from models.urdf_reader import read_urdf

Table = Dict[str, Any]


class MechanismError(ValueError):
    """The file holds no mechanism; one line that names the file, the place and the fix."""


def read_mechanism(path: str | Path) -> Model:
    """The mechanism of a file, by its suffix: .xml or .mjcf, .urdf, .toml.

    Args:
        path: The file; its name stands in the model's source.

    Raises:
        MechanismError: If the file cannot be read or holds no mechanism.
    """
    file = Path(path)
    readers = {
        ".xml": _from_mjcf,
        ".mjcf": _from_mjcf,
        ".urdf": _from_urdf,
        ".toml": _from_toml,
    }
    reader = readers.get(file.suffix.lower())
    if reader is None:
        raise MechanismError(
            f"{file}: suffix {file.suffix!r} is not one of {', '.join(readers)}"
        )
    try:
        model = reader(file)
        _refuse_unphysical(model)
    except MechanismError:
        raise  # it names a file already
    except ValueError as error:
        raise MechanismError(f"{file}: {' '.join(str(error).split())}") from error
    return replace(model, source=file.name)


def _text(file: Path) -> str:
    try:
        return file.read_text(encoding="utf-8-sig")
    except UnicodeDecodeError:
        raise MechanismError(f"{file}: is not UTF-8 text, convert it") from None
    except OSError as error:
        raise MechanismError(f"{file}: {error.strerror or error}") from None


def _from_mjcf(file: Path) -> Model:
    return read_mjcf(_text(file))


def _from_urdf(file: Path) -> Model:
    return read_urdf(_text(file))


def _refuse_unphysical(model: Model) -> None:
    for body in model.bodies:
        if body.inertia is not None and body.inertia.mass < 0:
            raise ValueError(f"body {body.name!r}: its mass is negative")


# --------------------------------------------------------------------------------- TOML


def _from_toml(file: Path) -> Model:
    table = _parsed(_text(file))
    keys = ("urdf", "name", "tool", "gravity", "loop", "tendon", "home")
    _refuse_unknown(table, keys, "the file")
    urdf = file.parent / _string(table, "urdf", "the file")
    loops, tendons = _tables(table, "loop"), _tables(table, "tendon")
    tool = _string(table, "tool", "the file") if "tool" in table else None
    try:
        model = read_urdf(_text(urdf), tool, keep=_links(loops, tendons))
    except UrdfError as error:
        raise MechanismError(f"{urdf}: {error}") from error
    closures = tuple(_loop(model, k, t) for k, t in enumerate(loops, 1))
    cables = tuple(_tendon(model, k, t) for k, t in enumerate(tendons, 1))
    for ties in (closures, cables):
        refuse_repeated([tie.name for tie in ties], ValueError)
    gravity = _vector(table, "gravity", model.gravity, "the file")
    name = _string(table, "name", "the file") if "name" in table else model.name
    home = _home(model, table["home"]) if "home" in table else ()
    return replace(
        model, name=name, gravity=gravity, loops=closures, tendons=cables, home=home
    )


def _parsed(text: str) -> Table:
    try:
        import tomllib
    except ImportError:
        raise ValueError("a TOML needs Python 3.11 or later") from None
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise ValueError(f"not TOML: {error}") from error


def _refuse_unknown(table: Table, keys: Collection[str], where: str) -> None:
    unknown = sorted(set(table) - set(keys))
    if unknown:
        raise ValueError(f"{where}: unknown key {unknown[0]!r}, use {', '.join(keys)}")


def _tables(table: Table, key: str) -> List[Table]:
    found = table.get(key, [])
    if not isinstance(found, list) or not all(isinstance(t, dict) for t in found):
        raise ValueError(f"{key}: write [[{key}]], with double brackets")
    return found


def _string(table: Table, key: str, where: str) -> str:
    value = table.get(key)
    if not isinstance(value, str) or not value:
        raise ValueError(f"{where}: {key} must be a string, is {value!r}")
    return value


def _number(value: Any, where: str) -> float:
    if isinstance(value, (int, float)) and not isinstance(value, bool):
        with suppress(OverflowError):  # an integer beyond the doubles
            if isfinite(float(value)):
                return float(value)
    raise ValueError(f"{where}: expected a finite number, got {value!r}")


def _vector(table: Table, key: str, default: Vec3, where: str) -> Vec3:
    value = table.get(key, list(default))
    if not isinstance(value, list) or len(value) != 3:
        raise ValueError(f"{where}: {key} must be three numbers, is {value!r}")
    x, y, z = (_number(v, f"{where}: {key}") for v in value)
    return (x, y, z)


def _links(loops: List[Table], tendons: List[Table]) -> Tuple[str, ...]:
    """The links that loops and tendons name; what is no name is refused later."""
    ends = [loop.get(end) for loop in loops for end in ("first", "second")]
    for tendon in tendons:
        points = tendon.get("points")
        ends += points if isinstance(points, list) else []
    names = (end.get("link") for end in ends if isinstance(end, dict))
    return tuple(name for name in names if isinstance(name, str))


def _frame(model: Model, table: Any, name: str, where: str) -> Frame:
    if not isinstance(table, dict):
        raise ValueError(f"{where}: write {{ link = ..., xyz = [...], rpy = [...] }}")
    _refuse_unknown(table, ("link", "xyz", "rpy"), where)
    link = _string(table, "link", where)
    bodies = [WORLD, *(b.name for b in model.bodies)]
    if link not in bodies:
        raise ValueError(f"{where}: there is no link {link!r}")
    rotation = Rpy(*_vector(table, "rpy", ZERO, where))
    pose = Pose(_vector(table, "xyz", ZERO, where), rotation)
    return Frame(name, bodies.index(link) - 1, pose)


def _loop(model: Model, k: int, table: Table) -> Loop:
    name = _string(table, "name", f"[[loop]] {k}")
    where = f"loop {name!r}"
    _refuse_unknown(table, ("name", "kind", "first", "second"), where)
    kind = _string(table, "kind", where)
    if kind not in CLOSURES:
        raise ValueError(f"{where}: kind must be one of {', '.join(CLOSURES)}")
    ends = [
        _frame(model, table.get(end), f"{name}_{end}", f"{where}: {end}")
        for end in ("first", "second")
    ]
    return Loop(name, kind, *ends)


def _tendon(model: Model, k: int, table: Table) -> Tendon:
    name = _string(table, "name", f"[[tendon]] {k}")
    where = f"tendon {name!r}"
    _refuse_unknown(table, ("name", "points"), where)
    points = table.get("points")
    if not isinstance(points, list) or len(points) < 2:
        raise ValueError(f"{where}: points must be a list of two or more")
    return Tendon(
        name,
        tuple(
            _frame(model, point, f"{name}_{i}", f"{where}: point {i}")
            for i, point in enumerate(points, 1)
        ),
    )


def _home(model: Model, table: Any) -> Tuple[float, ...]:
    """The configuration by joints; a joint without a value is at zero."""
    if not isinstance(table, dict):
        raise ValueError("home: write [home] and below it joint = value")
    joints = [b.joint.name for b in model.bodies if b.joint.nq]
    _refuse_unknown(table, joints, "home")
    return tuple(_number(table.get(j, 0.0), f"home: {j}") for j in joints)
