"""The mobility of a mechanism in words, for a terminal."""

from __future__ import annotations

from collections.abc import Iterable

from libcheck.mobility import differences, kinds_of
from libcheck.reporters import table
from reference.ch02_01_analysis import Analysis
from reference.rank import Rank


def render(analysis: Analysis) -> str:
    """All of it, most important first."""
    linkage = analysis.linkage
    parts = [
        [f"{linkage.title or linkage.name}: {verdict(analysis)}"],
        _counts(analysis),
        _named("idle freedoms", (i.words for i in analysis.idle)),
        _named(
            "redundant constraints",
            (f"{r.joint}: {r.words}" for r in analysis.redundant),
        ),
        _rank_decision(analysis),
        _tracks(analysis),
        _named(
            "singular poses met",
            (
                f"track {s.track + 1} at {s.at:.3g}: {s.nullity} move ({s.where})"
                for s in analysis.singular
            ),
        ),
        _named("remarks", analysis.remarks),
        _named("libraries", differences(linkage, analysis)),
    ]
    return "\n".join(line for part in parts for line in part) + "\n"


def verdict(analysis: Analysis) -> str:
    """Rigid, shaky, or finite with its dimension, and whether the pose is singular."""
    if analysis.verdict == "rigid":
        return "rigid"
    if analysis.verdict == "shaky":
        return (
            f"shaky: {analysis.instantaneous} at first order, no finite motion (a singular "
            "pose)"
        )
    words = f"finite motion of dimension {analysis.finite}, {analysis.pose} pose"
    if analysis.pose == "singular":
        words += f" ({analysis.instantaneous} at first order here)"
    return words


def _counts(a: Analysis) -> list[str]:
    linkage = a.linkage
    rows = [
        ["links N, ground counted", str(a.links)],
        ["joints J", f"{a.joints} ({kinds_of(linkage)}; sum f = {a.freedoms})"],
        ["independent loops L", str(a.loops)],
        ["Gruebler, m = 6", f"{a.grubler}{_miss(a.grubler, a)}"],
    ]
    if a.planar_grubler is not None:
        rows.append(
            [
                "Gruebler, m = 3 (planar)",
                f"{a.planar_grubler}{_miss(a.planar_grubler, a)}",
            ]
        )
    rows += [
        ["instantaneous mobility", f"{a.instantaneous} (in this pose)"],
        ["finite mobility", str(a.finite)],
    ]
    if linkage.mobility is not None:
        rows.append(["published mobility", str(linkage.mobility)])
    beside = (
        f", {a.generic_platform_freedom} beside this pose"
        if a.generic_platform_freedom != a.platform_freedom
        else ""
    )
    rows += [
        [
            "platform freedom",
            f"{a.platform_freedom}{beside} ({linkage.links[a.platform]})",
        ],
        ["second order", a.second_order],
    ]
    return [f"  {name:26}{value}" for name, value in rows]


def _miss(count: int, a: Analysis) -> str:
    return "" if count == a.finite else f", misses {a.finite - count:+d}"


def _named(title: str, entries: Iterable[str]) -> list[str]:
    found = list(entries)
    if not found:
        return [f"  {title + ':':26}none"] if title != "remarks" else []
    lines = [f"  {title} ({len(found)}):"]
    for words in found:
        lines += table.wrapped(words, "    - ", " " * 6)
    return lines


def _rank_decision(a: Analysis) -> list[str]:
    r = a.ranks
    gap = r.elimination
    which = "numbers exact" if a.linkage.exact else "of the numbers as they stand"
    lines = [
        f"  rank of the structure matrix {r.rows} x {r.columns}: {r.rank}",
        f"    full pivoting  {gap.rank}: smallest accepted {gap.smallest_accepted:.2e}, "
        f"largest rejected {gap.largest_rejected:.1e}",
        f"    SVD            {r.svd.rank}: {_gap(r.svd)}",
        f"    exact          {r.exact} ({which})",
        f"    certified      at least {r.certified}",
    ]
    return lines + table.wrapped(r.words, " " * 4)


def _gap(rank: Rank) -> str:
    ratio = f", ratio {rank.smallest / rank.next:.1e}" if rank.next else ""
    return f"smallest accepted {rank.smallest:.2e}, largest rejected {rank.next:.1e}{ratio}"


def _tracks(a: Analysis) -> list[str]:
    lines = [f"  motions followed ({len(a.tracks)}), in rad and sizes of the linkage:"]
    for k, t in enumerate(a.tracks, 1):
        lines.append(
            f"    {k} {t.start}: {t.length:.2f} in {t.steps} steps, {t.stop}; mobility "
            f"{t.nullity}, gap {t.residual:.0e}"
        )
        lines.append(f"      least clear rank {t.rank.rank}: {_gap(t.rank)}")
    return lines if a.tracks else []


def overview(analyses: Iterable[Analysis]) -> str:
    """One line for each: counted, at this pose, in motion, published."""
    head = [
        "linkage",
        "N",
        "J",
        "L",
        "Gruebler",
        "planar",
        "here",
        "finite",
        "published",
    ]
    rows = [
        [
            a.linkage.name,
            *map(str, (a.links, a.joints, a.loops)),
            f"{a.grubler}{'' if a.grubler == a.finite else ' *'}",
            "" if a.planar_grubler is None else str(a.planar_grubler),
            str(a.instantaneous),
            str(a.finite),
            "" if a.linkage.mobility is None else str(a.linkage.mobility),
            verdict(a),
        ]
        for a in analyses
    ]
    return (
        f"{table.aligned([[*head, 'verdict'], *rows])}\n* Gruebler's count misses it\n"
    )
