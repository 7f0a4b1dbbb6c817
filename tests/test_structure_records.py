"""What libraries say of structure: joint sizes, mobility; and planted faults."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from libcheck import known, selection
from libcheck.booking import Book
from libcheck.claims import claim_ids
from libcheck.config import Settings, UsageError
from libcheck.known import Issue
from libcheck.record import Record, Report, from_data
from libcheck.reporters import junit, markdown, structure, text
from libcheck.run import execute
from libcheck.selection import Selection
from models import CLOSED_CHAINS
from models.linkage import Linkage
from reference.ch02_01_joints import SIZES
from reference.ch02_01_mobility import instantaneous_mobility
from reference.linkage_of import linkage_of
from tests.planted import planted

LIBRARIES = ("pinocchio", "mujoco", "drake")
MOBILITY = {
    "andrews": 1,
    "bricard": 1,
    "double_fourbar": 1,
    "fivebar": 2,
    "fivebar_maximal": 2,
    "fourbar": 1,
    "fourbar_maximal": 1,
    "fourbar_welded": 0,
    "spatial_chain": 3,
    "stewart_legs": 6,
    "twin_arms": 6,
    "twin_arms_pinned": 9,
}
"""Counted by hand: the plane's 3 (N - 1 - J) + sum f; Bricard's 1, an exception to every
count; a platform's 6; and 12 joints less 6, 3 or, of three balls, 9 independent rows."""


def run(
    chosen: Selection, libraries: tuple[str, ...] = LIBRARIES, samples: int = 10
) -> Report:
    settings = Settings(libraries=libraries, samples=samples)
    return execute(settings, chosen, ["libcheck"], lambda *_: None)[0]


@pytest.fixture(scope="module")
def report() -> Report:
    """All of structure, but no claims."""
    names = tuple(selection.STRUCTURE)
    return run(Selection(chapters=("2.1",), names=names))


def of(report: Report, name: str, library: str) -> list[Record]:
    return [r for r in report.records if (r.name, r.library) == (name, library)]


# -------------------------------------------------------------------------- the libraries


def test_all_records_are_of_structure_and_none_fails(report: Report) -> None:
    assert {r.kind for r in report.records} == {"structure"}
    assert {r.verdict for r in report.records} == {"AGREE"}
    keys = [r.key for r in report.records]
    assert len(set(keys)) == len(keys)


@pytest.mark.parametrize("library", LIBRARIES)
def test_a_library_has_the_joint_models_of_the_table_and_no_others(
    report: Report, library: str
) -> None:
    found = {r.model: r.got for r in of(report, "joint_sizes", library)}
    assert found == {joint: str(size) for joint, size in SIZES[library].items()}


@pytest.mark.parametrize("library", LIBRARIES)
def test_a_library_knows_the_mobility_of_every_mechanism(
    report: Report, library: str
) -> None:
    found = {r.model: r.got for r in of(report, "mobility", library)}
    assert found == {model: str(mobility) for model, mobility in MOBILITY.items()}
    assert set(found) == {name for name, m in CLOSED_CHAINS.items() if m.loops}


@pytest.mark.parametrize("library", LIBRARIES)
def test_a_record_says_why_grueblers_count_is_wrong(
    report: Report, library: str
) -> None:
    said = {r.model: r.message for r in of(report, "mobility", library)}
    assert said["fourbar"].endswith(
        "1 redundant (1 of them zero at every sample), which Gruebler's count of 0 misses"
    )
    assert said["bricard"].endswith("2 redundant, which Gruebler's count of -1 misses")
    assert said["stewart_legs"].endswith("Gruebler's count of 6 is right")


def test_a_library_without_closed_chains_says_so() -> None:
    names = ("joint_sizes", "mobility")
    chosen = Selection(chapters=("2.1",), names=names)
    records = run(chosen, ("roboticstoolbox",)).records
    assert {r.verdict for r in records} == {"UNSUPPORTED"}
    assert {r.message for r in records} == {
        "the library has no joint models to ask for",
        "the library has no call for it",
    }


# -------------------------------------------------------------------------- planted faults


@pytest.mark.parametrize(
    ("library", "change"),
    [
        ("pinocchio", ("return joint.nq, joint.nv", "return joint.nv, joint.nv")),
        ("mujoco", ("(robot.nq, robot.nv)", "(robot.nq, robot.nv + 1)")),
        (
            "drake",
            ("return joint.num_positions(),", "return 1 + joint.num_positions(),"),
        ),
    ],
)
def test_a_wrong_joint_size_differs(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    library: str,
    change: tuple[str, str],
) -> None:
    names = ("joint_sizes",)
    found, status = planted(tmp_path, monkeypatch, change, library, "", names)
    assert found["joint_sizes"].verdict == "DIFFER"
    assert "in the table of chapter 2.1" in found["joint_sizes"].message
    assert status == 1


@pytest.mark.parametrize(
    ("library", "model", "change"),
    [
        ("mujoco", "fourbar", ("nefc, nv)[:, ", "nefc, nv)[1:, ")),
        ("drake", "stewart_legs", ("(\n        robot.loops, ", "(robot.loops[1:], ")),
        ("pinocchio", "fivebar_maximal", ("constraint.calc(", "id or (")),
    ],
    ids=["a row lost by MuJoCo", "a loop lost by Drake", "Pinocchio's data of another pose"],
)  # fmt: skip
def test_wrong_rows_of_constraints_differ(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    library: str,
    model: str,
    change: tuple[str, str],
) -> None:
    names = ("mobility",)
    found, status = planted(tmp_path, monkeypatch, change, library, model, names)
    record = found["mobility"]
    assert (record.verdict, record.expected) == ("DIFFER", str(MOBILITY[model]))
    assert int(record.got) > MOBILITY[model]
    assert "; the reference has rank" in record.message
    assert f"--quantity mobility --model {model} --sample" in record.command
    assert status == 1


@pytest.mark.parametrize(
    ("change", "verdict", "fault"),
    [
        ("np.nan * data.efc_J", ("NONFINITE"), "library"),
        ("data.efc_J[:, None, None]", "ERROR", "adapter"),
        ("1 / 0 + data.efc_J", "ERROR", "library"),
    ],
)
def test_rows_that_are_none_are_told(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    change: str,
    verdict: str,
    fault: str,
) -> None:
    lines = "data.efc_J.reshape(data.nefc, nv)[:, robot.order]"
    as_rows = change if "None" in change else f"({change}).reshape(data.nefc, nv)"
    found, _ = planted(
        tmp_path, monkeypatch, (lines, as_rows), "mujoco", "fourbar", ("mobility",)
    )
    assert (found["mobility"].verdict, found["mobility"].fault) == (verdict, fault)


def test_a_graph_of_another_mobility_leaves_nothing_decided(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A spherical joint that was taken for a fixed one."""
    monkeypatch.setattr(
        "libcheck.structure._graph_mobility",
        lambda model: instantaneous_mobility(_without_spheres(linkage_of(model))),
    )
    chosen = Selection(names=("mobility",), models=("twin_arms_pinned",))
    (record,) = run(chosen, ("mujoco",)).records
    assert (record.verdict, record.fault) == ("UNDECIDED", "reference")
    assert "leave a mobility of 9, the structure matrix of the graph one of 6" in (
        record.message
    )


def _without_spheres(linkage: Linkage) -> Linkage:
    kinds = {"spherical": "fixed"}
    pairs = (replace(p, kind=kinds.get(p.kind, p.kind)) for p in linkage.pairs)
    return replace(linkage, pairs=tuple(pairs))


def test_half_a_velocity_is_the_adapters_fault() -> None:
    chosen = Selection(chapters=("2.1",), names=("joint_sizes",))
    (record,) = run(chosen, ("_faulty",)).records
    assert (record.verdict, record.fault) == ("ERROR", "adapter")


def test_joint_models_of_one_side_only_are_not_judged(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    table = {"ball": (4, 3), "free": (7, 6), "hinge": (1, 1), "cylinder": (2, 2)}
    monkeypatch.setitem(SIZES, "mujoco", table)
    chosen = Selection(chapters=("2.1",), names=("joint_sizes",))
    said = {r.model: r.message for r in run(chosen, ("mujoco",)).records if r.message}
    assert said == {
        "cylinder": "this release has no such joint model",
        "slide": "no such joint model in the table; its (nq, nv) is (1, 1)",
    }


# ------------------------------------------------------------- selection, issues, reports


@pytest.mark.parametrize(
    ("chosen", "names"),
    [
        (Selection(), {"joint_sizes", "mobility", "matrix_rank"}),
        (Selection(chapters=("3.4",)), set()),
        (Selection(names=("mass_matrix",)), set()),
        (Selection(names=("matrix_rank",)), {"matrix_rank"}),
        (Selection(models=("fourbar",)), {"mobility"}),
        (Selection(sample=3), {"mobility"}),
        (Selection(files=(CLOSED_CHAINS["fourbar"],)), {"mobility"}),
    ],
)
def test_structure_is_part_of_what_includes_it(
    chosen: Selection, names: set[str]
) -> None:
    wanted = {n for n in selection.STRUCTURE if selection.wants_structure(chosen, n)}
    assert wanted == names


def test_numpy_and_the_names_of_structure_may_be_asked_for() -> None:
    names = tuple(selection.STRUCTURE)
    chosen = Selection(libraries=("numpy",), names=names)
    selection.check(chosen, Settings(), claim_ids())
    assert selection.libraries(chosen, Settings()) == []
    assert not selection.is_empty(chosen, Settings())
    with pytest.raises(UsageError, match="mobility"):
        selection.check(Selection(names=("mobilty",)), Settings(), claim_ids())
    fourbar_only = Selection(libraries=("numpy",), models=("fourbar",))
    assert selection.is_empty(fourbar_only, Settings())


def test_a_known_issue_explains_a_record_of_structure(report: Report) -> None:
    plain = of(report, "joint_sizes", "drake")[0]
    issue = Issue(
        "drake-sizes", "drake", ("joint_sizes",), (plain.model,), "DIFFER", "Wrong.",
        "https://example.org/1",
    )  # fmt: skip
    book = Book(Settings(), (*known.read(), issue))
    book.enter([replace(plain, verdict="DIFFER", message="so")])
    (record,) = book.records
    assert (record.verdict, record.known) == ("KNOWN", "drake-sizes")
    assert record.message == "DIFFER: Wrong. (https://example.org/1) -- so"
    assert book.stale() == ()
    agreeing = Book(Settings(), (issue,))
    agreeing.enter([plain])
    assert agreeing.stale() == ("drake-sizes",)


def test_a_report_shows_structure_in_every_format(report: Report) -> None:
    assert from_data(report.as_data()).records == report.records
    head, *rows = structure.matrix(report)
    assert [word.split()[0] for word in head[1:]] == [*LIBRARIES, "numpy"]
    assert rows[0][0] == "joint_sizes"
    assert rows[1][:4] == ["mobility", *["12 equal"] * 3]
    page = text.render(report)
    assert "drake (3, 3): BallRpyJoint, PlanarJoint" in page
    assert "fourbar           1          1          1       1" in page
    assert "chapter-bennett-exact: 24 x 22: NumPy 21; elimination 21" in page
    assert "## Structure" in markdown.render(report)
    assert 'classname="2.1.structure.mobility"' in junit.render(report)


def test_a_failing_record_of_structure_is_told(report: Report) -> None:
    wrong = replace(of(report, "mobility", "drake")[0], verdict="DIFFER")
    changed = Report({}, (wrong, *of(report, "joint_sizes", "drake")))
    assert structure.matrix(changed)[1][1] == "DIFFER 1"
    assert "1 of 10 checks fail (drake)" in text.render(changed)
    assert '<failure type="DIFFER"' in junit.render(changed)
