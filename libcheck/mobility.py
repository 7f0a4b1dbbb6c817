"""The mobility of a mechanism that a user names or gives as a file."""

from __future__ import annotations

import tomllib
from collections.abc import Sequence
from dataclasses import replace
from difflib import get_close_matches
from pathlib import Path
from typing import Any

from libcheck.config import UsageError, nearest
from models import (
    MODELS,
    MechanismError,
    Model,
    linkage_named,
    linkages,
    read_mechanism,
)
from models.linkage import PAIR_KINDS, Linkage, LinkageError
from models.linkage_reader import read_linkage
from reference.ch02_01_analysis import Analysis, analyse
from reference.ch02_01_joints import JOINTS
from reference.ch02_01_scaling import moderate
from reference.closing import OpenLoopError
from reference.linkage_of import linkage_of
from reference.rank import Rank
from reference.robot import UnservedModelError

SCHEMA_VERSION = 1
SUFFIXES = (".xml", ".mjcf", ".urdf", ".toml")


def asked(words: Sequence[str]) -> list[Linkage]:
    """The linkages that the words name: files, or names of ours.

    Raises:
        UsageError: In one line that names the file or word, the place and the fix.
    """
    return [_found(word) for word in words]


def every() -> list[Linkage]:
    """All linkages of ours."""
    return list(linkages().values())


def _found(word: str) -> Linkage:
    path = Path(word)
    if path.suffix.lower() in SUFFIXES or _is_file(path):
        return _read(path)
    try:
        return linkage_named(word)
    except KeyError:
        pass
    if word in MODELS:
        return _of_a_tree(word, MODELS[word])
    near = get_close_matches(word, [*linkages(), *MODELS], 3)
    hint = f"did you mean {', '.join(near)}? " if near else ""
    raise UsageError(
        f"no linkage, model or file {word!r}; {hint}see `list linkages` and `list models`; "
        f"a file ends in {', '.join(SUFFIXES)}"
    )


def _is_file(path: Path) -> bool:
    try:
        return path.is_file()
    except (OSError, ValueError):  # no name that a file could have
        return False


def _read(path: Path) -> Linkage:
    table = _table(path) if path.suffix.lower() == ".toml" else None
    try:
        if table is not None and "urdf" not in table:
            return _moderate(path, read_linkage(path))
        model = read_mechanism(path)
    except (LinkageError, MechanismError) as error:
        raise UsageError(str(error)) from None
    if table and "tool" in table:  # though it be the frame taken without a word
        model = replace(model, tool=model.tool._replace(name="tool"))
    return _moderate(path, _of_a_tree(str(path), model))


def _moderate(path: Path, linkage: Linkage) -> Linkage:
    try:
        return moderate(linkage)
    except LinkageError as error:
        raise UsageError(f"{path}: {error}") from None


def _table(path: Path) -> dict[str, Any]:
    """A TOML; one that cannot be read is left to the reader of linkages to refuse."""
    try:
        return tomllib.loads(path.read_text(encoding="utf-8-sig"))
    except (OSError, ValueError, RecursionError):
        return {}


def _of_a_tree(where: str, model: Model) -> Linkage:
    try:
        return linkage_of(model)
    except (OpenLoopError, UnservedModelError) as error:
        words = str(error)
        raise UsageError(
            words if words.startswith(where) else f"{where}: {words}"
        ) from None


# ----------------------------------------------------------------------------- the answer


def analysed(linkage: Linkage, platform: str | None, seed: int, poses: int) -> Analysis:
    """The analysis of a linkage.

    Raises:
        UsageError: If it has no such platform.
    """
    if platform is None:
        return analyse(linkage, None, seed, poses)
    movable = list(linkage.links[1:])
    if platform not in movable:
        near = nearest(platform, movable)
        raise UsageError(f"{linkage.name}: no moving link {platform!r}; {near}")
    return analyse(linkage, linkage.links.index(platform), seed, poses)


# --------------------------------------------------------------- what libraries would do


def differences(linkage: Linkage, analysis: Analysis) -> list[str]:
    """What would differ between libraries that are given this mechanism."""
    said = []
    kinds = {pair.kind for pair in linkage.pairs}
    for joint in JOINTS.values():
        without = [
            n for n in ("MJCF", "URDF", "Pinocchio", "Drake") if not joint.names[n]
        ]
        if joint.kind in kinds and joint.kind != "fixed" and without:
            said.append(
                f"{joint.kind} joints: {', '.join(without)} has no joint of that name; two or "
                "three in series stand for one"
            )
    if "spherical" in kinds:
        said.append(
            "spherical joints, where they belong to the tree: nq is 4 in Pinocchio and MuJoCo "
            "(quaternion), 3 in Drake (BallRpyJoint); count nv, which is 3"
        )
    if analysis.loops and analysis.redundant:
        said.append(
            f"{len(analysis.redundant)} redundant: Pinocchio's constraintDynamics answers NaN "
            "with its default mu = 0 if its rows are among them, MuJoCo and Drake regularise; "
            "a count of rows (nv - rows) comes out too small by as many as there are"
        )
    if analysis.loops and analysis.planar_grubler is not None:
        said.append(
            "a planar loop closed at a point (3 rows) has 1 redundant row, closed in a frame "
            "(6 rows) it also holds the hinge that it replaces and loses a freedom"
        )
    return said


# --------------------------------------------------------------------------------- JSON


def as_data(analysis: Analysis) -> dict[str, Any]:
    """An analysis as JSON data."""
    linkage, ranks = analysis.linkage, analysis.ranks
    return {
        "schema_version": SCHEMA_VERSION,
        "name": linkage.name,
        "title": linkage.title,
        "source": linkage.source,
        "exact": linkage.exact,
        "published_mobility": linkage.mobility,
        "links": analysis.links,
        "joints": analysis.joints,
        "loops": analysis.loops,
        "joint_kinds": kinds_of(linkage),
        "sum_of_freedoms": analysis.freedoms,
        "grubler": analysis.grubler,
        "planar_grubler": analysis.planar_grubler,
        "instantaneous_mobility": analysis.instantaneous,
        "finite_mobility": analysis.finite,
        "verdict": analysis.verdict,
        "pose": analysis.pose,
        "second_order": analysis.second_order,
        "platform": linkage.links[analysis.platform],
        "platform_freedom": analysis.platform_freedom,
        "generic_platform_freedom": analysis.generic_platform_freedom,
        "idle_freedoms": [
            {"links": list(i.links), "joints": list(i.joints), "what": i.words}
            for i in analysis.idle
        ],
        "redundant_constraints": [
            {"joint": r.joint, "what": r.words} for r in analysis.redundant
        ],
        "structure_matrix": {
            "rows": ranks.rows,
            "columns": ranks.columns,
            "rank": ranks.rank,
            "exact_rank": ranks.exact,
            "certified_rank": ranks.certified,
            "elimination": ranks.elimination._asdict(),
            "singular_values": _margin(ranks.svd),
            "which": ranks.words,
        },
        "tracks": [
            {
                "start": t.start,
                "length": t.length,
                "steps": t.steps,
                "stop": t.stop,
                "mobility": t.nullity,
                "largest_gap": t.residual,
                "rank": _margin(t.rank),
            }
            for t in analysis.tracks
        ],
        "singular_poses": [vars(pose) for pose in analysis.singular],
        "remarks": list(analysis.remarks),
        "libraries": differences(linkage, analysis),
    }


def _margin(rank: Rank) -> dict[str, float | int]:
    return {
        "rank": rank.rank,
        "smallest_accepted": rank.smallest,
        "largest_rejected": rank.next,
        "largest": rank.largest,
    }


def kinds_of(linkage: Linkage) -> str:
    """The joints by kind in letters, e.g. "6 U, 6 P, 6 S"."""
    letters = [PAIR_KINDS[pair.kind].letter for pair in linkage.pairs]
    return ", ".join(f"{letters.count(x)} {x}" for x in dict.fromkeys(letters))
