"""The rules on the source text: who may import whom, and what a file may be and say."""

from __future__ import annotations

import ast
import re
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from reference import CHAPTERS

ROOT = Path(__file__).resolve().parent.parent
PACKAGES = ("models", "reference", "adapters", "libcheck")
SOURCES = sorted(f for p in (*PACKAGES, "tests") for f in (ROOT / p).rglob("*.py"))

HARNESS = {"numpy", "scipy", "flint", "quadprog", "tqdm"}
"""What libcheck may import of others; no robotics library is among them."""

MAY_IMPORT = {
    "models": {"models", "numpy"},
    "reference": {"reference", "models", "numpy", "scipy", "flint", "quadprog"},
    "adapters": {"adapters._loops", "adapters._wire", "models", "numpy"},
    "libcheck": {"libcheck", "models", "reference", "adapters._wire", *HARNESS},
    "libcheck/reporters": {"libcheck.record", "libcheck.reporters"},
}
"""By folder, besides the standard library: prefixes of dotted names."""

MAX_LINES = 300
EMPTY_NAMES = {"utils", "helpers", "manager", "base", "core"}

MACHINE = re.compile(
    r"/work[/]|/root[/]|/tmp[/]w|/home[/]\w+|pypi[.]org|pythonhosted[.]org|anaconda[.]org"
)
"""Paths of one machine, and hosts of package registries."""

TEXTS = {".cff", ".lock", ".md", ".py", ".toml", ".urdf", ".xml", ".yaml", ".yml"}
UNTRACKED = {"reports", "dist", "uv.lock"}


def imported(file: Path) -> list[str]:
    """Dotted names of all that a file imports, wherever in it; `from a import b` is a.b."""
    names: list[str] = []
    for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            names += [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{file}: relative import"
            names += [f"{node.module}.{alias.name}" for alias in node.names]
    return [n for n in names if n.split(".")[0] not in sys.stdlib_module_names]


def within(name: str, allowed: set[str]) -> bool:
    return any(f"{name}.".startswith(f"{prefix}.") for prefix in allowed)


def folder(file: Path) -> str:
    inside = file.relative_to(ROOT).parts
    return "/".join(inside[:2]) if inside[1] == "reporters" else inside[0]


def named(file: Path) -> str:
    return str(file.relative_to(ROOT))


OURS = [f for f in SOURCES if folder(f) in MAY_IMPORT]


@pytest.mark.parametrize("file", OURS, ids=named)
def test_a_package_imports_only_what_the_design_allows_it(file: Path) -> None:
    reader = f"adapters._{file.stem}_robot"  # the other half of an adapter
    allowed = MAY_IMPORT[folder(file)] | {reader}
    foreign = [n for n in imported(file) if not within(n, allowed)]
    if folder(file) == "adapters":
        libraries = {name.split(".")[0] for name in foreign}
        assert not libraries & set(PACKAGES), "an adapter stands alone"
        assert not libraries & HARNESS, "the worker needs NumPy and the library only"
        assert len(libraries) <= 1, "one adapter, one library"
    else:
        assert not foreign


def test_the_rule_on_imports_sees_every_kind_of_import(tmp_path: Path) -> None:
    file = tmp_path / "sample.py"
    file.write_text(
        "import os\nimport a.b\nfrom c import d\n"
        "def f():\n    import e\nif f:\n    from g.h import i as j\n"
    )
    assert sorted(imported(file)) == ["a.b", "c.d", "e", "g.h.i"]
    assert within("a.b", {"a"})
    assert not within("ab.c", {"a"})
    assert not within("adapters.drake", {"adapters._wire"})


@pytest.mark.parametrize("file", sorted(ROOT.glob("reference/ch*.py")), ids=named)
def test_a_chapter_uses_no_later_chapter(file: Path) -> None:
    def numbers(text: str) -> Iterator[tuple[int, int]]:
        for part, chapter in re.findall(r"\bch(\d\d)_(\d\d)", text):
            yield int(part), int(chapter)

    (own,) = numbers(file.stem)
    assert all(other <= own for name in imported(file) for other in numbers(name))


@pytest.mark.parametrize("file", SOURCES, ids=named)
def test_a_file_is_short_and_its_name_says_something(file: Path) -> None:
    lines = file.read_text(encoding="utf-8").count("\n")
    assert lines <= MAX_LINES
    assert not EMPTY_NAMES & set(file.with_suffix("").parts[-2:])


@pytest.mark.parametrize(
    "file", [f for f in OURS if folder(f) in {"models", "adapters"}], ids=named
)
def test_models_and_adapters_are_python_3_9(file: Path) -> None:
    ast.parse(file.read_text(encoding="utf-8"), feature_version=(3, 9))


def texts() -> Iterator[Path]:
    """Files that a commit may hold, but for what a hidden folder of a tool keeps."""
    for file in sorted(ROOT.rglob("*")):
        first = file.relative_to(ROOT).parts[0]
        hidden = first.startswith(".") and first not in {".ci", ".github"}
        if (hidden and file.parent != ROOT) or first in UNTRACKED or not file.is_file():
            continue
        if ".ci/uv/" not in file.as_posix() and (file.suffix in TEXTS or hidden):
            yield file
    yield ROOT / ".ci" / "run"


def test_no_file_names_a_machine_or_a_registry() -> None:
    found = [
        f"{named(file)}: {match[0]}"
        for file in texts()
        for match in MACHINE.finditer(file.read_text(encoding="utf-8"))
    ]
    assert not found


def test_every_quantity_stands_in_the_conventions() -> None:
    page = (ROOT / "docs" / "conventions.md").read_text(encoding="utf-8")
    quantities = {name for chapter in CHAPTERS.values() for name in chapter.quantities}
    assert not {name for name in quantities if f"`{name}`" not in page}
