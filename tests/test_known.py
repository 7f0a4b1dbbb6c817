"""A known issue explains what it says, and nothing else."""

from __future__ import annotations

from pathlib import Path

import pytest

from libcheck import ROOT, known
from libcheck.blame import Outcome
from libcheck.booking import Book
from libcheck.compare import Judgement
from libcheck.config import Settings
from libcheck.interrogate import Finding, Task
from libcheck.known import Issue, KnownIssuesError, in_range
from libcheck.oracle import Oracle
from libcheck.record import Verdict
from libcheck.samples import draw
from models import MODELS
from reference import CHAPTERS

MODEL = MODELS["arm_2r"]
ENTRY = {
    "id": '"slow"',
    "library": '"lib"',
    "names": '["mass_*"]',
    "models": '["arm_*"]',
    "verdict": '"DIFFER"',
    "reason": '"because"',
    "link": '"https://example.org/1"',
}


def issue(**changes: object) -> Issue:
    """An entry about M of all arms at tiny samples."""
    plain: dict[str, object] = {
        "id": "slow",
        "library": "lib",
        "names": ("mass_*",),
        "models": ("arm_*",),
        "verdict": "DIFFER",
        "reason": "because",
        "link": "https://example.org/1",
        "samples": ("tiny",),
    }
    return Issue(**(plain | changes))  # type: ignore[arg-type]


def file(folder: Path, **changes: str | None) -> Path:
    """A file with one entry; a change to None leaves the key out."""
    lines = [f"{k} = {v}" for k, v in (ENTRY | changes).items() if v is not None]
    path = folder / "known.toml"
    path.write_text("\n".join(["[[issue]]", *lines]), encoding="utf-8")
    return path


@pytest.mark.parametrize(
    ("version", "bounds", "inside"),
    [
        ("1.5.0", ">=1.5,<1.6", True),
        ("1.6", ">=1.5,<1.6", False),
        ("1.10", ">=1.5,<1.6", False),
        ("1.5", "==1.5.0", True),
        ("1.5.1", "==1.5", False),
        ("1.1.1", "<=1.1.1", True),
        ("1.1.1.post1", ">1.1.1", False),
        ("2", ">1.99", True),
        ("2.0.0rc1", ">=2", True),
        ("anything", "", True),
        ("unknown", "<=9", False),
        ("", "<9", False),
    ],
)
def test_a_version_lies_in_a_range_or_not(
    version: str, bounds: str, inside: bool
) -> None:
    assert in_range(version, bounds) is inside


@pytest.mark.parametrize(
    "bounds", ["1.5", "=>1.5", ">=1.5;<2", "~=1.5", ">=1..5", ">=."]
)
def test_what_is_no_range_is_refused(bounds: str) -> None:
    with pytest.raises(KnownIssuesError, match="not a version range"):
        in_range("1.5", bounds)


def test_names_and_models_are_patterns() -> None:
    assert issue().covers("lib", "1", "mass_matrix", "arm_2r")
    assert not issue().covers("lib", "1", "mass_matrix", "panda")
    assert not issue().covers("lib", "1", "Mass_matrix", "arm_2r")
    assert not issue().covers("other", "1", "mass_matrix", "arm_2r")
    assert not issue(versions=">=2").covers("lib", "1", "mass_matrix", "arm_2r")
    assert issue(names=("*",), models=("*",)).covers("lib", "1", "any", "any")


def test_an_entry_on_redundant_rows_is_about_mechanisms_that_have_them() -> None:
    redundant = issue(rows="redundant")
    assert redundant.is_about(MODELS["fourbar"])
    for name in ("twin_arms", "stewart_legs", "stewart", "arm_2r"):
        assert not redundant.is_about(MODELS[name])
        assert issue().is_about(MODELS[name])


def test_an_entry_explains_its_verdict_only() -> None:
    assert issue(samples=()).explains("DIFFER", [8])
    for verdict in ("ERROR", "CRASH", "TIMEOUT", "NONFINITE", "UNDECIDED"):
        assert not issue(samples=()).explains(verdict, [8])


def test_an_entry_explains_its_kind_of_sample_only() -> None:
    assert issue().explains("DIFFER", [1, 4])
    assert not issue().explains("DIFFER", [8])
    assert not issue().explains("DIFFER", [1, 8]), "tiny and random"
    assert not issue().explains("DIFFER", []), "at no sample in particular"
    assert issue(samples=("tiny", "random")).explains("DIFFER", [1, 8])


# --------------------------------------------------------------------------- in a report


def booked(entry: Issue, verdict: Verdict, wrong: list[int], samples: int = 32) -> Book:
    """A book with one record, of M on the 2R arm."""
    chapter = CHAPTERS["3.4"]
    task = Task(chapter, MODEL, tuple(chapter.quantities.values()), ())
    judgement = Judgement(verdict, wrong[0] if wrong else -1, wrong=wrong)
    outcome = Outcome(
        "quantity", "mass_matrix", verdict, "inertia", judgement=judgement
    )
    book = Book(Settings(samples=samples), (entry,))
    oracle = Oracle(MODEL, draw(MODEL, samples, seed=0))
    book.keep(Finding(task, [outcome], "inertia"), oracle, "lib", "1")
    return book


def test_a_failure_that_is_explained_is_known_and_linked() -> None:
    (record,) = booked(issue(fault="importer"), Verdict.DIFFER, [1, 2]).records
    assert (record.verdict, record.known, record.fault) == ("KNOWN", "slow", "importer")
    assert record.message == "DIFFER: because (https://example.org/1)"
    assert not record.fails


@pytest.mark.parametrize(
    ("verdict", "wrong"),
    [(Verdict.CRASH, [1]), (Verdict.DIFFER, [8]), (Verdict.DIFFER, [1, 8])],
    ids=["another verdict", "another sample", "mixed samples"],
)
def test_a_failure_that_is_not_explained_stays_and_the_entry_is_stale(
    verdict: Verdict, wrong: list[int]
) -> None:
    book = booked(issue(), verdict, wrong)
    assert book.records[0].verdict == verdict.value
    assert book.records[0].known == ""
    assert book.stale() == ("slow",)


def test_an_entry_that_reproduces_is_not_stale() -> None:
    assert booked(issue(), Verdict.DIFFER, [1]).stale() == ()


def test_an_entry_that_no_longer_reproduces_is_stale() -> None:
    assert booked(issue(), Verdict.AGREE, []).stale() == ("slow",)


@pytest.mark.parametrize(
    "other",
    [
        {"library": "other"},
        {"versions": ">=2"},
        {"models": ("panda",)},
        {"names": ("x",)},
    ],
    ids=str,
)
def test_an_entry_about_something_else_is_not_stale(other: dict[str, object]) -> None:
    assert booked(issue(**other), Verdict.AGREE, []).stale() == ()


def test_too_few_samples_make_nothing_stale() -> None:
    assert booked(issue(), Verdict.AGREE, [], samples=1).stale() == ()
    assert booked(issue(), Verdict.AGREE, [], samples=31).stale() == ()


def test_what_a_library_does_not_offer_makes_nothing_stale() -> None:
    assert booked(issue(), Verdict.UNSUPPORTED, []).stale() == ()


# ------------------------------------------------------------------------------ the file


def test_the_list_that_comes_with_the_adapters_is_right() -> None:
    for entry in known.read():
        assert (ROOT / "adapters" / f"{entry.library}.py").is_file()
        assert entry.link.startswith("https://")
        statements = {n for c in CHAPTERS.values() for n in (*c.quantities, *c.laws)}
        for name in set(entry.names) - {"*"}:
            assert name in statements
        for model in set(entry.models) - {"*"}:
            assert model in MODELS


def test_an_entry_is_read(tmp_path: Path) -> None:
    path = file(tmp_path, samples='["tiny"]')
    assert known.read(path) == (issue(),)


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"link": None}, "slow: no 'link'"),
        ({"id": None}, "entry 1: no 'id'"),
        ({"colour": '"red"'}, "slow: unknown key 'colour'"),
        (
            {"names": '"mass_matrix"'},
            "slow: names = 'mass_matrix' is not a list of texts",
        ),
        ({"models": "[3]"}, r"slow: models = \[3\] is not a list of texts"),
        ({"reason": "3"}, "slow: reason = 3 is not text"),
        ({"verdict": '"AGREE"'}, "slow: verdict 'AGREE' is none of DIFFER"),
        ({"fault": '"moon"'}, "slow: fault 'moon' is none of library"),
        ({"samples": '["huge"]'}, "slow: samples 'huge' is none of zero"),
        ({"versions": '"1.5"'}, "slow: not a version range: '1.5'"),
        ({"id": '"slow"\n[[issue]'}, "cannot read"),
    ],
    ids=lambda x: x if isinstance(x, str) else "",
)
def test_an_entry_that_is_wrong_is_named(
    tmp_path: Path, changes: dict[str, str | None], message: str
) -> None:
    with pytest.raises(KnownIssuesError, match=message) as error:
        known.read(file(tmp_path, **changes))
    assert "known.toml" in str(error.value)


def test_an_id_is_there_once(tmp_path: Path) -> None:
    path = file(tmp_path)
    path.write_text(2 * (path.read_text(encoding="utf-8") + "\n"), encoding="utf-8")
    with pytest.raises(KnownIssuesError, match="slow: is there twice"):
        known.read(path)


@pytest.mark.parametrize("text", ["issue = 3", "[issues]", "issue = [3]"])
def test_a_file_of_something_else_is_refused(tmp_path: Path, text: str) -> None:
    path = tmp_path / "known.toml"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(KnownIssuesError):
        known.read(path)


def test_a_file_that_is_missing_or_not_utf8_is_refused(tmp_path: Path) -> None:
    with pytest.raises(KnownIssuesError, match="cannot read"):
        known.read(tmp_path / "none.toml")
    (tmp_path / "binary.toml").write_bytes(b"\xff\xfe")
    with pytest.raises(KnownIssuesError, match="cannot read"):
        known.read(tmp_path / "binary.toml")
