"""The commands behind the command line."""

from __future__ import annotations

import argparse
import json
import sys
import threading
import time
from pathlib import Path
from typing import Any

from libcheck import doctor, files, listing, selection
from libcheck.config import Settings, UsageError
from libcheck.exits import EXIT_CRASH, EXIT_DIFFER, EXIT_INTERRUPT, EXIT_OK, EXIT_STALE
from libcheck.given import models_of
from libcheck.record import Report, ReportError, Verdict, from_data
from libcheck.reporters import REPORTERS, csv, figures, table, text
from libcheck.run import Times, execute
from libcheck.selection import Selection

GONE = {Verdict.CRASH.value, Verdict.TIMEOUT.value, Verdict.ABSENT.value}


def all_command(
    args: argparse.Namespace, settings: Settings, command: list[str]
) -> int:
    """Check everything."""
    return _run(Selection(), settings, command, args)


def run_command(
    args: argparse.Namespace, settings: Settings, command: list[str]
) -> int:
    """Check a selection."""
    chosen = Selection(
        _words(args.chapter), _words(args.library), _words(args.quantity),
        _words(args.model), args.sample, models_of(args.file),
    )  # fmt: skip
    return _run(chosen, settings, command, args)


def _words(values: list[str]) -> tuple[str, ...]:
    """Names given by repeating an option, or separated by commas."""
    found = [word.strip() for value in values for word in value.split(",")]
    if not all(found):
        raise UsageError(f"an empty name in {','.join(values)!r}")
    return tuple(dict.fromkeys(found))


def _run(
    chosen: Selection,
    settings: Settings,
    command: list[str],
    args: argparse.Namespace,
) -> int:
    from libcheck.claims import claim_ids

    selection.check(chosen, settings, claim_ids())
    if selection.is_empty(chosen, settings):
        raise UsageError(
            "nothing to check: the parts of the selection have nothing in common"
        )
    out = Path(settings.out)
    files.writable_folder(out)
    with _Progress(chosen, settings) as progress:
        report, times = execute(settings, chosen, command, progress.begin)
    before = time.process_time()
    written = write_reports(report, out)
    times.reports_cpu = time.process_time() - before
    if args.quiet:
        print(table.verdict_sentence(report))
    else:
        parts = (
            text.summary, figures.render, text.mechanisms, text.known, text.failures
        )  # fmt: skip
        short = [part(report) for part in parts]
        whole = (
            text.render(report) if args.verbose else "\n\n".join(filter(None, short))
        )
        print(f"{whole.rstrip()}\n")
        print(spent(times))
        print(f"reports: {', '.join(str(path) for path in written)}")
    return status(report, chosen)


def write_reports(report: Report, out: Path) -> list[Path]:
    """Write all formats, each whole or not at all.

    Raises:
        UsageError: If a file cannot be written.
    """
    texts = {
        out / f"report.{suffix}": r.render(report) for suffix, r in REPORTERS.items()
    }
    chapters = {number for r in report.records for number in r.chapter.split(", ")}
    for number in sorted(chapters):
        texts[out / f"{number}-libcheck-output.txt"] = text.render(_of(report, number))
    for name, figure in report.figures.items():
        texts[out / f"{name}.csv"] = csv.render(figure)
    try:
        for path, content in texts.items():
            files.write(path, content)
    except OSError as error:
        raise UsageError(f"cannot write to {out}: {error.strerror}") from None
    return list(texts)


def _of(report: Report, chapter: str) -> Report:
    records = tuple(
        r for r in report.records if r.chapter == chapter or r.name == "import"
    )
    own = {n: f for n, f in report.figures.items() if n.startswith(f"{chapter}-")}
    return Report(
        report.provenance, records, report.reference, report.stale, report.texts, own
    )


def status(report: Report, chosen: Selection) -> int:
    """The exit status that a report asks for."""
    if report.provenance.get("interrupted"):
        return EXIT_INTERRUPT
    for r in report.records:
        unusable = r.verdict in GONE or (r.name == "import" and r.fails)
        if r.library in chosen.libraries and unusable:
            return EXIT_CRASH
    if report.failures:
        return EXIT_DIFFER
    return EXIT_STALE if report.stale else EXIT_OK


def spent(times: Times) -> str:
    """Where the time went, in two lines."""
    return (
        f"time: {times.wall:.1f} s wall; library import {times.imports:.1f} s, library "
        f"calls {times.calls:.1f} s\n"
        f"CPU: libraries {times.libraries_cpu:.1f} s, reference and claims "
        f"{times.reference_cpu:.1f} s, reports {times.reports_cpu:.1f} s"
    )


class _Progress:
    """One line on a terminal that says what is being done; nothing elsewhere."""

    def __init__(self, chosen: Selection, settings: Settings) -> None:
        names = selection.libraries(chosen, settings)
        self._total = len(names) * len(selection.tasks(chosen))
        self._bar: Any = None
        self._lock = threading.Lock()

    def __enter__(self) -> _Progress:
        if sys.stderr.isatty() and self._total:
            try:
                from tqdm import tqdm
            except ImportError:
                return self
            self._bar = tqdm(total=self._total, unit="model", leave=False)
        return self

    def begin(self, library: str, model: str) -> None:
        """Say which library works on which model."""
        if self._bar is None:
            return
        with self._lock:
            self._bar.set_postfix_str(f"{library} on {model}")
            self._bar.update(1)

    def __exit__(self, *error: object) -> None:
        if self._bar is not None:
            self._bar.close()


def list_command(
    args: argparse.Namespace, settings: Settings, command: list[str]
) -> int:
    """List what there is."""
    chosen = Selection(chapters=_words(args.chapter))
    selection.check(chosen, settings)
    print(listing.LISTS[args.what](chosen, settings), end="")
    return EXIT_OK


def mobility_command(
    args: argparse.Namespace, settings: Settings, command: list[str]
) -> int:
    """Say what of a mechanism can move."""
    from libcheck import mobility, mobility_text

    if bool(args.mechanism) == args.all:
        raise UsageError("name a file or a linkage, or say --all, one of the two")
    if args.all and args.platform is not None:
        raise UsageError("--platform names a link of one mechanism: name it, not --all")
    if args.poses < 1:
        raise UsageError("--poses must be 1 or more")
    found = mobility.every() if args.all else mobility.asked(args.mechanism)
    analyses = (
        mobility.analysed(linkage, args.platform, settings.seed, args.poses)
        for linkage in found
    )
    if args.json:
        data = [mobility.as_data(a) for a in analyses]
        print(json.dumps(data if len(data) > 1 else data[0], indent=2, allow_nan=False))
    elif args.all:
        print(mobility_text.overview(analyses), end="")
    else:
        print("\n".join(mobility_text.render(a) for a in analyses), end="")
    return EXIT_OK


def doctor_command(
    args: argparse.Namespace, settings: Settings, command: list[str]
) -> int:
    """Say which libraries can be run."""
    chosen = Selection(libraries=_words(args.library))
    selection.check(chosen, settings)
    diagnoses = doctor.diagnose(settings, chosen)
    print(doctor.render(diagnoses), end="")
    named = [d for d in diagnoses if d.library in chosen.libraries]
    return EXIT_CRASH if any(d.state != "ok" for d in named) else EXIT_OK


def render_command(
    args: argparse.Namespace, settings: Settings, command: list[str]
) -> int:
    """Write a report in other formats."""
    try:
        words = args.file.read_text(encoding="utf-8")
        report = from_data(json.loads(words, parse_constant=_no_number))
    except OSError as error:
        raise UsageError(f"cannot read {args.file}: {error.strerror}") from None
    except (ValueError, RecursionError) as error:  # not UTF-8, not JSON, not a report
        raise UsageError(f"{args.file}: {error}") from None
    if args.out:
        out = Path(args.out)
        files.writable_folder(out)
        for path in write_reports(report, out):
            print(path)
    else:
        renderers = {**REPORTERS, "text": text}
        print(renderers[args.format or "text"].render(report), end="")
    return EXIT_OK


def _no_number(name: str) -> float:
    raise ReportError(f"not a libcheck report: {name} is not JSON")


def bench_command(
    args: argparse.Namespace, settings: Settings, command: list[str]
) -> int:
    """Time libraries and reference."""
    from libcheck import bench, bench_constraints

    chosen = Selection(libraries=_words(args.library), models=_words(args.model))
    selection.check(chosen, settings)
    if args.configurations < 1:
        raise UsageError("--configurations must be 1 or more")
    if args.chapter == "3.11":
        if chosen != Selection():
            raise UsageError(
                "bench --chapter 3.11 times the reference: name no library and no model"
            )
        print(bench_constraints.run(), end="")
    else:
        print(bench.run(settings, chosen, args.configurations), end="")
    return EXIT_OK
