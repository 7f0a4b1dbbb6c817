"""Adapters convert and call: judged on their source, so no library is needed."""

from __future__ import annotations

import ast
import sys
from pathlib import Path

import pytest

from libcheck import ROOT

QUANTITIES = {
    "frame_pose": ("q",),
    "frame_velocity": ("q", "v"),
    "frame_jacobian": ("q",),
    "body_jacobian": ("q",),
    "space_jacobian": ("q",),
    "frame_bias_acceleration": ("q", "v"),
    "mass_matrix": ("q",),
    "coriolis_matrix": ("q", "v"),
    "coriolis_forces": ("q", "v"),
    "gravity_forces": ("q",),
    "bias_forces": ("q", "v"),
    "inverse_dynamics": ("q", "v", "a"),
    "forward_dynamics": ("q", "v", "tau"),
    "joint_torque_regressor": ("q", "v", "a"),
    "kinetic_energy": ("q", "v"),
    "potential_energy": ("q",),
    "constraint_error": ("q",),
    "constraint_jacobian": ("q",),
    "constraint_bias_acceleration": ("q", "v"),
    "constrained_motion": ("q", "v", "tau"),
    "constrained_motion_in_first_axes": ("q", "v", "tau"),
    "default_constrained_acceleration": ("q", "v", "tau"),
    "stabilized_motion": ("q_open", "v_open", "tau", "gains"),
    "softened_motion": ("q", "v", "tau", "impedance"),
    "velocity_level_acceleration": ("q", "v", "tau"),
    "tendon_lengths": ("q",),
    "tendon_jacobian": ("q",),
    "tendon_driven_acceleration": ("q", "v", "f"),
}

STRUCTURE = {
    "constraint_rows": ("robot", "q"),
    "joint_sizes": (),
}
"""What an adapter may offer beside quantities, for chapter 2.1, with the arguments."""

LIBRARY = {  # the package an adapter is about, where it is not the adapter's name
    "drake": "pydrake",
}

COMPUTING = {  # what would make an adapter a second reference
    "inv", "pinv", "solve", "lstsq", "cross", "gradient", "cholesky", "expm", "einsum",
}  # fmt: skip

ADAPTERS = sorted(
    path for path in (ROOT / "adapters").glob("*.py") if not path.stem.startswith("_")
)
READERS = sorted((ROOT / "adapters").glob("_*_robot.py"))
"""How a library reads a model, where an adapter keeps that in a file of its own."""

EVERYWHERE = [
    *ADAPTERS,
    *(ROOT / "adapters").glob("_*.py"),
    *(ROOT / "models").glob("*.py"),
]


def tree(path: Path) -> ast.Module:
    """The module's syntax, as far as Python 3.9 has it."""
    return ast.parse(
        path.read_text(encoding="utf-8"), path.name, feature_version=(3, 9)
    )


def public(module: ast.Module) -> dict[str, ast.FunctionDef]:
    """Its public functions."""
    functions = (node for node in module.body if isinstance(node, ast.FunctionDef))
    return {f.name: f for f in functions if not f.name.startswith("_")}


def imported(module: ast.Module) -> set[str]:
    """The modules it imports, anywhere."""
    found = set()
    for node in ast.walk(module):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            found.add("." * node.level + (node.module or ""))
    return found


def reader(path: Path) -> Path:
    """The file beside an adapter that reads the model; the adapter itself without one."""
    other = path.with_name(f"_{path.stem}_robot.py")
    return other if other in READERS else path


def offered(path: Path) -> dict[str, ast.FunctionDef]:
    """What an adapter offers; what it says of structure may stand in its reader."""
    read = public(tree(reader(path)))
    own = public(tree(path))
    found = {n: f for n, f in read.items() if n in STRUCTURE and n not in own}
    for name in found:
        text = f"from adapters.{reader(path).stem} import {name} as {name}"
        assert text in path.read_text(encoding="utf-8"), "what the worker does not see"
    return own | found


def library(path: Path) -> str:
    """The package that an adapter, or its reader, is about."""
    adapter = path.stem.removeprefix("_").removesuffix("_robot")
    return LIBRARY.get(adapter, adapter)


def of(paths: list[Path]) -> pytest.MarkDecorator:
    """Run a test for every module."""
    return pytest.mark.parametrize("path", paths, ids=lambda path: path.stem)


def test_there_are_adapters() -> None:
    assert {"drake", "mujoco", "pinocchio"} <= {path.stem for path in ADAPTERS}


@of(ADAPTERS)
def test_an_adapter_names_its_distribution(path: Path) -> None:
    (value,) = (
        node.value
        for node in tree(path).body
        if isinstance(node, ast.Assign)
        and [ast.unparse(target) for target in node.targets] == ["distribution"]
    )
    assert isinstance(ast.literal_eval(value), str)


@of(ADAPTERS)
def test_an_adapter_offers_quantities_with_their_inputs(path: Path) -> None:
    functions = offered(path)
    load = functions.pop("load", None) or public(tree(reader(path)))["load"]
    assert [arg.arg for arg in load.args.args] == ["model"]
    assert functions
    wanted = {n: ("robot", *inputs) for n, inputs in QUANTITIES.items()} | STRUCTURE
    for name, function in functions.items():
        arguments = function.args
        assert name in wanted
        assert tuple(arg.arg for arg in arguments.args) == wanted[name], name
        more = (arguments.vararg, arguments.kwarg, *arguments.kwonlyargs)
        assert not any([*more, *arguments.defaults]), name


@of(ADAPTERS)
def test_an_adapter_offers_them_in_the_order_of_the_reference(path: Path) -> None:
    left_out = {"load", *STRUCTURE}
    names = [name for name in public(tree(path)) if name not in left_out]
    assert names == [name for name in QUANTITIES if name in names]


@of(ADAPTERS)
def test_every_docstring_names_a_call_of_the_library(path: Path) -> None:
    module = tree(path)
    assert "https://" in (ast.get_docstring(module) or "")
    for name, function in offered(path).items():
        text = ast.get_docstring(function) or ""
        assert text, name
        if name != "load":
            assert "`" in text.splitlines()[0], name
            assert len(text.splitlines()) == 1, name


def test_every_reader_belongs_to_an_adapter() -> None:
    assert set(READERS) <= {reader(path) for path in ADAPTERS}


@of([*ADAPTERS, *READERS])
def test_an_adapter_imports_its_library_and_nothing_of_ours_but_models(
    path: Path,
) -> None:
    allowed = {library(path), "numpy", "models", *sys.stdlib_module_names}
    ours = {"adapters._loops", "adapters._wire", f"adapters.{reader(path).stem}"}
    for name in imported(tree(path)):
        assert name in ours or name.split(".")[0] in allowed


@of([*ADAPTERS, *READERS])
def test_an_adapter_computes_nothing(path: Path) -> None:
    names = {
        node.attr for node in ast.walk(tree(path)) if isinstance(node, ast.Attribute)
    }
    assert not names & COMPUTING


@of([*ADAPTERS, *READERS])
def test_an_adapter_is_read_in_one_sitting(path: Path) -> None:
    assert 50 <= len(path.read_text(encoding="utf-8").splitlines()) <= 250


@of(ADAPTERS)
def test_an_adapter_has_no_classes_but_its_robot_and_what_that_holds(
    path: Path,
) -> None:
    files = {path, reader(path)}
    classes = [
        node for f in files for node in tree(f).body if isinstance(node, ast.ClassDef)
    ]
    assert {ast.unparse(base) for c in classes for base in c.bases} == {"NamedTuple"}
    assert [c.name for c in classes].count("Robot") == 1
    assert {c.name for c in classes} <= {"Robot", "Closure", "System"}


@of(EVERYWHERE)
def test_what_runs_in_a_foreign_interpreter_runs_on_python_3_9(path: Path) -> None:
    module = tree(path)  # a SyntaxError where the grammar is newer
    strict = [
        node.lineno
        for node in ast.walk(module)
        if isinstance(node, ast.Call)
        and ast.unparse(node.func) == "zip"
        and any(keyword.arg == "strict" for keyword in node.keywords)
    ]
    assert strict == []
    unions = any(
        isinstance(node, ast.BinOp)
        and isinstance(node.op, ast.BitOr)
        and "None" in (ast.unparse(node.left), ast.unparse(node.right))
        for node in ast.walk(module)
    )
    assert not unions or "from __future__ import annotations" in ast.unparse(module)


@of(EVERYWHERE)
def test_what_runs_in_a_foreign_interpreter_imports_nothing_else_of_ours(
    path: Path,
) -> None:
    assert not {name.split(".")[0] for name in imported(tree(path))} & {
        "libcheck",
        "reference",
    }
