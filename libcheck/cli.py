"""The command line: arguments in, exit status out."""

from __future__ import annotations

import argparse
import os
import sys
import traceback
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from libcheck import __version__, config
from libcheck.config import UsageError
from libcheck.exits import (
    EXIT_BUG,
    EXIT_CODES,
    EXIT_INTERRUPT,
    EXIT_PIPE,
    EXIT_USAGE,
)

EXAMPLES = """examples:
  python -m libcheck all
  python -m libcheck run --library pinocchio --quantity mass_matrix --model ur5
  python -m libcheck run --chapter 3.4 --samples 200 --seed 1 --out reports/long
  python -m libcheck run --file fourbar.toml --library mujoco --library drake
  python -m libcheck mobility fourbar.toml
  python -m libcheck list claims --chapter 3.4
  python -m libcheck doctor"""


class _Parser(argparse.ArgumentParser):
    """Errors are one line on stderr, with exit status 2."""

    def error(self, message: str) -> None:  # type: ignore[override]
        raise UsageError(f"{message} (see {self.prog} --help)")


def parser() -> argparse.ArgumentParser:
    """The arguments of all commands."""
    plain = argparse.RawDescriptionHelpFormatter
    top = _Parser(
        prog="python -m libcheck",
        description="Check what robotics libraries compute against a certified reference.",
        epilog=f"{EXAMPLES}\n\n{EXIT_CODES}",
        formatter_class=plain,
        allow_abbrev=False,
    )
    top.add_argument("--version", action="version", version=f"libcheck {__version__}")
    commands = top.add_subparsers(dest="command", required=True, metavar="COMMAND")

    def add(name: str, text: str) -> argparse.ArgumentParser:
        found: argparse.ArgumentParser = commands.add_parser(
            name, help=text, description=text, epilog=EXIT_CODES, formatter_class=plain,
            allow_abbrev=False,
        )  # fmt: skip
        found.add_argument("--config", type=Path, help="TOML file with [tool.libcheck]")
        return found

    everything = add("all", "check every chapter, model and library")
    _running(everything)
    some = add("run", "check a selection")
    _selecting(some)
    _running(some)
    listing = add("list", "list what there is; for claims, with our value and verdict")
    listing.add_argument("what", choices=sorted(LISTS), help="what to list")
    listing.add_argument("--chapter", action="append", default=[], metavar="N")
    doctor = add(
        "doctor", "say which libraries can be run, and what to do about the rest"
    )
    doctor.add_argument("--library", action="append", default=[], metavar="NAME")
    structure = add(
        "mobility", "say what of a mechanism can move: counted, in its pose, in motion"
    )
    _describing(structure)
    rendering = add("render", "write a report.json in the other formats")
    rendering.add_argument("file", type=Path, help="a report.json")
    rendering.add_argument("--format", choices=["text", "xml", "md", "json"])
    rendering.add_argument("--out", help="folder to write all formats to")
    bench = add("bench", "time every library, and the reference beside Pinocchio")
    bench.add_argument(
        "--chapter", choices=("3.4", "3.11"), default="3.4",
        help="3.4: the calls of libraries; 3.11: representations of closed chains, the "
        "reference's own",
    )  # fmt: skip
    bench.add_argument("--library", action="append", default=[], metavar="NAME")
    bench.add_argument("--model", action="append", default=[], metavar="NAME")
    bench.add_argument(
        "--configurations", type=int, default=10_000, help="batch of the reference"
    )
    return top


LISTS = (
    "chapters", "claims", "known", "laws", "libraries", "linkages", "models", "quantities",
)  # fmt: skip


def _describing(command: argparse.ArgumentParser) -> None:
    command.add_argument(
        "mechanism", nargs="*", metavar="FILE_OR_NAME",
        help="MJCF (.xml), URDF, TOML that adds loops to a URDF, TOML of a linkage "
        "(docs/mobility.md), or a name of ours: see list linkages",
    )  # fmt: skip
    command.add_argument(
        "--all", action="store_true", help="every linkage of ours, a line each"
    )
    command.add_argument(
        "--platform", metavar="LINK", help="the link whose freedom is asked for"
    )
    command.add_argument(
        "--poses", type=int, default=4, metavar="N", help="motions to follow (4)"
    )
    command.add_argument(
        "--seed", type=int, metavar="S", help="seed of their directions"
    )
    command.add_argument("--json", action="store_true", help="print JSON")


def _selecting(command: argparse.ArgumentParser) -> None:
    command.add_argument(
        "--chapter", action="append", default=[], metavar="N", help="e.g. 3.4"
    )
    command.add_argument(
        "--library", action="append", default=[], metavar="NAME",
        help="a library; its absence is then an error; 'reference' for the claims",
    )  # fmt: skip
    command.add_argument(
        "--quantity", action="append", default=[], metavar="NAME",
        help="a quantity, law or claim",
    )  # fmt: skip
    command.add_argument("--model", action="append", default=[], metavar="NAME")
    command.add_argument("--sample", type=int, metavar="I", help="only this sample")
    command.add_argument(
        "--file", action="append", default=[], type=Path, metavar="PATH",
        help="a mechanism of yours instead of the catalogue: MJCF (.xml), URDF, or TOML "
        "that adds loops to a URDF; may be repeated",
    )  # fmt: skip


def _running(command: argparse.ArgumentParser) -> None:
    command.add_argument("--samples", type=int, metavar="N", help="samples per model")
    command.add_argument("--seed", type=int, metavar="S", help="seed of the samples")
    command.add_argument("--out", metavar="FOLDER", help="where reports go (reports/)")
    command.add_argument("--jobs", type=int, metavar="N", help="libraries at a time")
    command.add_argument(
        "--timeout", type=float, metavar="S", help="seconds one library call may take"
    )
    amount = command.add_mutually_exclusive_group()
    amount.add_argument("--quiet", action="store_true", help="print only the verdict")
    amount.add_argument(
        "--verbose", action="store_true", help="print the whole report, every record"
    )


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command.

    Returns:
        The exit status.
    """
    words = list(sys.argv[1:] if arguments is None else arguments)
    try:
        args = parser().parse_args(words)
        status = _dispatch(args, words)
        sys.stdout.flush()
        return status
    except UsageError as error:
        print(f"libcheck: {error}", file=sys.stderr)
        return EXIT_USAGE
    except KeyboardInterrupt:
        print("libcheck: interrupted", file=sys.stderr)
        return EXIT_INTERRUPT
    except BrokenPipeError:  # the reader of our output has had enough
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return EXIT_PIPE
    except SystemExit as exit_:  # argparse, after --help or --version
        return int(exit_.code or 0)
    except Exception as error:  # noqa: BLE001 the last line of defence
        traceback.print_exc()
        kind = type(error).__name__
        print(
            f"libcheck: a bug of ours, please report it: {kind}: {error}",
            file=sys.stderr,
        )
        return EXIT_BUG


def _dispatch(args: argparse.Namespace, words: list[str]) -> int:
    from libcheck import commands  # late: --help needs no numerics

    settings = config.read(args.config)
    changes = {
        key: getattr(args, key)
        for key in ("samples", "seed", "out", "jobs", "timeout")
        if getattr(args, key, None) is not None
    }
    settings = config.checked(replace(settings, **changes), "command line")
    command = ["python", "-m", "libcheck", *words]
    run = getattr(commands, f"{args.command}_command")
    status: int = run(args, settings, command)
    return status
