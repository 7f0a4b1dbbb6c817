"""A run goes on whatever a library does, and says what it did."""

from __future__ import annotations

import json
import threading
from pathlib import Path
from typing import Any

import pytest

from libcheck import blame, cli, compare, interrogate, run, selection
from libcheck.config import Settings, read
from libcheck.record import Record, Report
from libcheck.run import execute
from libcheck.selection import Selection
from reference import CHAPTERS

QUIET = ("run", "--quiet", "--samples", "10")
FAULTS = {
    "frame_pose": ("CRASH", "library", "exit status 3: noise on file descriptor 1"),
    "frame_velocity": ("ERROR", "adapter", "ValueError: shape (7,) where sample 0 had (6,)"),
    "frame_jacobian": ("ERROR", "adapter", "TypeError: ndarray of object, not real numbers"),
    "space_jacobian": ("ERROR", "adapter", "shape (6,), expected (6, 2)"),
    "mass_matrix": ("CRASH", "library", "SIGSEGV: Fatal Python error: Segmentation fault"),
    "coriolis_matrix": (
        "ERROR", "adapter", "TypeError: ndarray of complex128, not real numbers"
    ),
    "coriolis_forces": ("ERROR", "adapter", "shape (3,), expected (2,)"),
    "gravity_forces": ("ERROR", "library", "ValueError: library says no"),
    "potential_energy": ("DIFFER", "convention", "agrees after switching gravity off"),
    "kinetic_energy": (
        "DIFFER", "undecided",
        "it breaks none of its laws, and no known convention explains it",
    ),
    "bias_forces": ("NONFINITE", "library", "NaN or infinity at 10 of 10 samples"),
    "inverse_dynamics": ("TIMEOUT", "library", "no answer within 2 s"),
    "forward_dynamics": ("CRASH", "library", "SIGABRT: Fatal Python error: Aborted"),
}  # fmt: skip
"""What adapters/_faulty.py does with each quantity: verdict, party at fault, message."""


def config(folder: Path, *libraries: str, more: str = "") -> Path:
    """A file of settings with these libraries."""
    path = folder / "settings.toml"
    text = f"[tool.libcheck]\nlibraries = {json.dumps(libraries)}\ntimeout = 2\n{more}"
    path.write_text(text, encoding="utf-8")
    return path


def report_of(
    settings: Settings,
    chosen: Selection = Selection(models=("arm_2r",)),  # noqa: B008
) -> Report:
    return execute(settings, chosen, ["libcheck"], lambda *_: None)[0]


def of(report: Report, library: str) -> list[Record]:
    return [r for r in report.records if r.library == library]


def without_claims(*libraries: str, **options: Any) -> Selection:
    return Selection(libraries=libraries, models=("arm_2r",), **options)


@pytest.fixture(scope="module")
def both(tmp_path_factory: pytest.TempPathFactory) -> Report:
    """Pinocchio beside a library with every fault there is."""
    path = config(
        tmp_path_factory.mktemp("run"), "pinocchio", "_faulty", more="samples = 10"
    )
    return report_of(read(path))


def test_each_fault_is_recognised(both: Report) -> None:
    found = {
        r.name: (r.verdict, r.fault, r.message) for r in of(both, "_faulty") if r.fails
    }
    assert found == FAULTS


def test_only_a_difference_has_a_stage(both: Report) -> None:
    stages = {r.verdict: r.stage for r in of(both, "_faulty")}
    assert {k: v for k, v in stages.items() if v} == {"DIFFER": "gravity"}


def test_what_is_not_offered_is_unsupported_with_the_reason(both: Report) -> None:
    reasons = {
        r.name: r.message for r in of(both, "_faulty") if r.verdict == "UNSUPPORTED"
    }
    assert reasons["joint_torque_regressor"] == "the library has no call for it"
    assert reasons["body_jacobian"] == "not for this robot"
    assert reasons["mass_matrix_is_symmetric"] == "needs mass_matrix, which failed"
    assert reasons["equation_of_motion"].endswith("which failed")


def test_every_check_has_one_record_for_each_library(both: Report) -> None:
    stated = [*CHAPTERS["3.4"].quantities, *CHAPTERS["3.4"].laws]
    for library in ("pinocchio", "_faulty"):
        assert [r.name for r in of(both, library)] == stated


def test_a_crash_names_its_sample_and_how_to_repeat_it(both: Report) -> None:
    (record,) = [r for r in of(both, "_faulty") if r.name == "forward_dynamics"]
    assert record.sample == 5, "the first where q[0] is positive"
    assert record.inputs.startswith("q = [3.141592653589793, -3.141592653589793]; v = ")
    assert record.command.endswith(
        "run --chapter 3.4 --library _faulty --quantity forward_dynamics --model arm_2r "
        "--sample 5"
    )


def test_a_failure_shows_the_inputs_that_the_quantity_has(both: Report) -> None:
    inputs = {r.name: r.inputs for r in both.failures}
    assert inputs["kinetic_energy"] == "q = [0.0, 0.0]; v = [0.0, 0.0]"
    assert inputs["frame_pose"] == "q = [0.0, 0.0]"


def test_one_librarys_faults_do_not_touch_another(both: Report) -> None:
    alone = report_of(Settings(libraries=("pinocchio",), samples=10, jobs=1))
    assert of(both, "pinocchio") == of(alone, "pinocchio")
    assert not alone.failures


@pytest.mark.parametrize(("named", "status"), [((), 1), (("--library", "_faulty"), 3)])
def test_the_exit_status_is_3_if_the_library_was_asked_for_by_name(
    tmp_path: Path, named: tuple[str, ...], status: int
) -> None:
    path = config(tmp_path, "_faulty")
    words = [*QUIET, "--config", str(path), "--out", str(tmp_path / "reports")]
    words += ["--model", "arm_2r", "--quantity", "mass_matrix,kinetic_energy", *named]
    assert cli.main(words) == status


# ------------------------------------------------------ libraries that do not even start


def unusable(folder: Path, library: str, more: str = "") -> Record:
    path = config(folder, library, more=more)
    (record,) = report_of(read(path), without_claims(library)).records
    chapters = ", ".join(CHAPTERS)
    assert (record.name, record.chapter) == ("import", chapters)
    return record


def test_a_library_that_is_absent_has_one_row(tmp_path: Path) -> None:
    record = unusable(tmp_path, "_absent")
    assert (record.verdict, record.fault) == ("ABSENT", "")
    assert record.message.startswith("not installed: ModuleNotFoundError")


def test_a_library_that_is_broken_has_one_row(tmp_path: Path) -> None:
    record = unusable(tmp_path, "_broken")
    assert (record.verdict, record.fault) == ("ERROR", "library")
    assert record.message.startswith("does not import: ImportError: libfoo.so.3")


def test_a_library_that_dies_on_import_has_one_row(tmp_path: Path) -> None:
    record = unusable(tmp_path, "_dies_on_import")
    assert (record.verdict, record.fault) == ("CRASH", "library")
    assert record.message.startswith("died on import: SIGABRT")


def test_an_interpreter_that_is_missing_is_our_users_to_correct(tmp_path: Path) -> None:
    more = '[tool.libcheck.python]\n_faulty = "/no/such/python"\n'
    record = unusable(tmp_path, "_faulty", more)
    assert (record.verdict, record.fault) == ("ERROR", "input")
    assert "cannot run /no/such/python: No such file" in record.message


def test_a_library_that_writes_rubbish_has_crashed(tmp_path: Path) -> None:
    settings = read(config(tmp_path, "_writes_rubbish"))
    chosen = without_claims("_writes_rubbish", names=("mass_matrix", "frame_pose"))
    verdicts = {r.name: r.verdict for r in report_of(settings, chosen).records}
    assert verdicts == {"frame_pose": "UNSUPPORTED", "mass_matrix": "CRASH"}


@pytest.mark.parametrize(
    ("library", "unnamed", "named"),
    [("_absent", 0, 3), ("_broken", 1, 3), ("_dies_on_import", 1, 3)],
)
def test_a_library_that_cannot_be_run_is_an_error_if_asked_for_by_name(
    tmp_path: Path, library: str, unnamed: int, named: int
) -> None:
    path = config(tmp_path, library)
    words = [*QUIET, "--config", str(path), "--out", str(tmp_path / "reports")]
    words += ["--model", "arm_2r"]
    assert cli.main(words) == unnamed
    assert cli.main([*words, "--library", library]) == named
    assert (tmp_path / "reports" / "3.4-libcheck-output.txt").exists()


def test_a_call_that_hangs_on_model_after_model_is_given_up(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(interrogate, "PATIENCE", 1)
    settings = Settings(libraries=("_faulty",), samples=2, timeout=0.3, jobs=1)
    models, names = ("arm_2r", "arm_6r"), ("inverse_dynamics",)
    report = report_of(
        settings, Selection(libraries=("_faulty",), models=models, names=names)
    )
    assert [r.verdict for r in report.records] == ["TIMEOUT", "TIMEOUT"]
    assert report.records[0].message == "no answer within 0.3 s"
    assert report.records[1].message.startswith("not asked again")


# -------------------------------------------------------------------------- the run itself


def test_libraries_side_by_side_give_the_same_report() -> None:
    settings = {"libraries": ("pinocchio", "mujoco", "_absent"), "samples": 9}
    chosen = Selection(
        models=("arm_2r", "long_axes"), names=("mass_matrix", "frame_pose")
    )
    one = report_of(Settings(**settings, jobs=1), chosen)  # type: ignore[arg-type]
    two = report_of(Settings(**settings, jobs=2), chosen)  # type: ignore[arg-type]
    assert one == two


def test_one_sample_is_the_same_as_among_all() -> None:
    settings = Settings(libraries=("pinocchio",), samples=10, jobs=1)
    names = ("gravity_forces",)
    whole = report_of(settings, without_claims("pinocchio", names=names)).records[0]
    part = report_of(
        settings, without_claims("pinocchio", names=names, sample=whole.sample)
    ).records[0]
    assert (part.error, part.bound, part.sample) == (
        whole.error,
        whole.bound,
        whole.sample,
    )
    assert part.samples == 1


def test_a_sample_far_out_costs_no_more() -> None:
    settings = Settings(libraries=("pinocchio",), jobs=1)
    chosen = without_claims("pinocchio", names=("frame_pose",), sample=10**12)
    assert report_of(settings, chosen).records[0].sample == 10**12


@pytest.mark.parametrize("module", [compare, blame])
def test_a_bug_of_ours_is_not_booked_on_a_library(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    module: Any,
) -> None:
    def buggy(*args: object) -> None:
        raise ZeroDivisionError("our own mistake")

    monkeypatch.setattr(module, "judge", buggy)
    path = config(tmp_path, "pinocchio", "_faulty")
    words = ["run", "--config", str(path), "--out", str(tmp_path / "reports")]
    words += ["--model", "arm_2r", "--quantity", "kinetic_energy", "--jobs", "2"]
    assert cli.main(words) == 70
    last = capsys.readouterr().err.splitlines()[-1]
    assert last == (
        "libcheck: a bug of ours, please report it: ZeroDivisionError: our own mistake"
    )
    assert not list((tmp_path / "reports").iterdir())


def test_a_bug_in_one_thread_ends_the_others(monkeypatch: pytest.MonkeyPatch) -> None:
    begun = threading.Event()

    def begin(library: str, model: str) -> None:
        if library == "pinocchio":
            begun.wait(10)
            raise ZeroDivisionError
        begun.set()

    settings = Settings(libraries=("_faulty", "pinocchio"), timeout=60, jobs=2)
    chosen = Selection(models=("arm_2r",), names=("inverse_dynamics",))
    with pytest.raises(ZeroDivisionError):
        execute(settings, chosen, ["libcheck"], begin)


def test_an_interrupt_keeps_what_is_done(monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(chosen: Selection) -> list[Record]:
        raise KeyboardInterrupt

    monkeypatch.setattr(run, "claim_records", interrupted)
    settings = Settings(libraries=("pinocchio",), samples=2, jobs=1)
    report = report_of(settings)
    assert report.provenance["interrupted"] is True
    assert {r.library for r in report.records} == {"pinocchio"}
    assert not report.failures


def test_a_selection_of_nothing_is_noticed() -> None:
    settings = Settings()
    assert not selection.is_empty(Selection(), settings)
    claim = CHAPTERS["3.4"].claims()[0]
    assert not selection.is_empty(Selection(names=(claim.id,)), settings)
    assert selection.is_empty(
        Selection(libraries=("drake",), names=(claim.id,)), settings
    )
    assert selection.is_empty(Selection(), Settings(libraries=())) is False, "claims"
    only = Selection(libraries=("reference",), names=("mass_matrix",))
    assert selection.is_empty(only, settings)
