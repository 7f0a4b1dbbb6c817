"""The wheel: what is in it, and that it runs among folders with the same names."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tomllib
import zipfile
from pathlib import Path

import pytest

import libcheck

ROOT = Path(__file__).resolve().parent.parent
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
LOCK = (ROOT / "requirements.lock").read_text(encoding="utf-8")
BUNDLED = ("models", "reference", "adapters")
DATA = ("*.urdf", "*.toml", "py.typed")


def run(*command: str, at: Path, path: Path | None = None) -> str:
    """Output of a command; its failure is ours."""
    done = subprocess.run(
        command,
        cwd=at,
        env=os.environ | ({"PYTHONPATH": str(path)} if path else {}),
        text=True,
        capture_output=True,
        check=False,
    )
    assert done.returncode == 0, f"{command}: {done.stdout}\n{done.stderr}"
    return done.stdout


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("wheel")
    build = ("-m", "build", "--wheel", "--no-isolation", "--outdir", str(out))
    run(sys.executable, *build, str(ROOT), at=out)
    (file,) = out.glob("*.whl")
    return file


@pytest.fixture(scope="module")
def site(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the wheel installed, as an installer would unpack it."""
    folder = tmp_path_factory.mktemp("site")
    zipfile.ZipFile(wheel).extractall(folder)
    return folder


@pytest.fixture
def decoy(tmp_path: Path) -> Path:
    """A working folder with packages of the names of ours, which must not be imported."""
    for name in BUNDLED:
        (tmp_path / name).mkdir()
        (tmp_path / name / "__init__.py").write_text('raise SystemExit("decoy")\n')
    return tmp_path


def test_the_wheel_installs_one_top_level_name(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        tops = {name.split("/")[0] for name in archive.namelist()}
    assert tops == {"libcheck", f"libcheck-{libcheck.__version__}.dist-info"}


def test_the_wheel_holds_every_source_and_data_file(site: Path) -> None:
    for name, place in [("libcheck", "."), *((n, "libcheck/_bundle") for n in BUNDLED)]:
        files = {f for kind in ("*.py", *DATA) for f in (ROOT / name).rglob(kind)}
        assert files
        missing = {
            f for f in files if not (site / place / f.relative_to(ROOT)).exists()
        }
        assert not missing
    assert (site / "libcheck" / "py.typed").exists()
    assert list(site.glob("libcheck/_bundle/models/data/*.urdf"))
    assert list(site.glob("*.dist-info/licenses/LICENSE"))


def test_the_wheel_prefers_its_own_packages_to_the_working_folder(
    site: Path, decoy: Path
) -> None:
    code = (
        "import libcheck, models, reference, adapters\n"
        "for package in models, reference, adapters: print(package.__path__[0])"
    )
    bundle = site / "libcheck" / "_bundle"
    found = run(sys.executable, "-c", code, at=decoy, path=site).splitlines()
    assert found == [str(bundle / name) for name in ("models", "reference", "adapters")]


def test_the_wheel_runs_in_a_folder_with_decoys(site: Path, decoy: Path) -> None:
    said = run(sys.executable, "-m", "libcheck", "--version", at=decoy, path=site)
    assert libcheck.__version__ in said
    models = run(
        sys.executable, "-m", "libcheck", "list", "models", at=decoy, path=site
    )
    assert models.strip()


def test_a_library_is_a_dependency_and_an_extra_by_its_adapters_name() -> None:
    required = PROJECT["project"]["dependencies"]
    for extra, (requirement,) in PROJECT["project"]["optional-dependencies"].items():
        assert (ROOT / "adapters" / f"{extra}.py").exists()
        assert requirement in required


def test_the_pins_of_the_project_are_those_of_the_lock() -> None:
    locked = dict(re.findall(r"^([\w-]+)==([\w.]+)", LOCK, re.MULTILINE))
    for pin in PROJECT["tool"]["uv"]["constraint-dependencies"]:
        name, version = pin.split("==")
        assert locked[name] == version


def test_the_lock_holds_the_binary_parts_of_pinocchio_and_no_address() -> None:
    assert re.search(r"^cmeel-urdfdom==", LOCK, re.MULTILINE)
    assert "://" not in LOCK
    entries = re.split(r"\n(?=\w)", LOCK.partition("\n\n")[2].strip())
    assert len(entries) > 50
    assert [e.splitlines()[0] for e in entries if "--hash=sha256:" not in e] == []
