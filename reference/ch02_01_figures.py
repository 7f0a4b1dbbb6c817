"""2.1.5 The chapter's tables: the twelve mechanisms, the Delta, and what was followed."""

from __future__ import annotations

from reference.ch02_01_claims import (
    NAMES,
    counted,
    kernel,
    mechanism,
    platform,
    ranks_of,
)
from reference.ch02_01_mobility import freedom_under, platform_freedom
from reference.ch02_01_singleloop import (
    DEVIATIONS,
    NEAR_FOLD,
    bennett_turn,
    bennett_violations,
    folded_branches,
    sarrus_path,
    sarrus_stretched,
    sarrus_values,
)
from reference.table import Table


def mobility() -> Table:
    """The twelve mechanisms: counted, and by the kernel of their structure matrix."""
    rows = []
    for name in NAMES:
        linkage, r, (m, M) = mechanism(name), ranks_of(name), counted(name)
        freedoms = sum(p.f for p in linkage.pairs)
        rows.append(
            (
                name, m, len(linkage.links), len(linkage.pairs), freedoms, M,
                kernel(name), platform_freedom(linkage, platform(name)),
                r.rows, r.columns, r.rank, r.exact,
                r.elimination.smallest_accepted, r.elimination.largest_rejected,
                r.svd.smallest, r.svd.next,
            )
        )  # fmt: skip
    header = (
        "mechanism", "m", "N", "J", "sum f", "Gruebler", "kernel", "platform", "rows",
        "columns", "rank", "exact rank", "pivot accepted", "pivot rejected",
        "singular value accepted", "rejected",
    )  # fmt: skip
    return Table(header, tuple(rows))


def delta() -> Table:
    """The Delta's kernel with a part of the platform's twist held at zero."""
    linkage, e = mechanism("delta"), platform("delta")
    rows = (
        ("none", kernel("delta")),
        ("omega = 0", freedom_under(linkage, e, "omega")),
        ("v = 0", freedom_under(linkage, e, "v")),
    )
    return Table(("condition on the platform", "kernel"), rows)


def followed() -> Table:
    """Bennett's linkage on a turn each way, Sarrus's on its path and stretched."""
    turn, path, stretched = bennett_turn(), sarrus_path(), sarrus_stretched()
    s, end = sarrus_values(path.theta), sarrus_values(stretched.theta)
    rows: tuple[tuple[float | str, ...], ...] = (
        (
            "Bennett, a turn each way", len(turn.theta), 3, float(turn.s[:, 2].min()),
            float(turn.s[:, 3].max()), float(turn.residual.max()),
        ),
        (
            "Sarrus, 0 to 1.5 rad", len(path.theta), 5, float(s[:, 4].min()),
            float(s[:, 5].max()), float(path.residual.max()),
        ),
        (
            "Sarrus, arctan 0.75", 1, 4, float(end[3]), float(end[4]),
            float(stretched.residual),
        ),
    )  # fmt: skip
    header = ("path", "poses", "rank", "accepted", "rejected", "residual")
    return Table(header, rows)


def branches() -> Table:
    """Closures of the folded parallelogram beside its fold."""
    rows: list[tuple[float | str, ...]] = [
        (f"theta_1 = {t}", k, *(float(x) for x in theta[1:]))
        for t, found in zip(NEAR_FOLD, folded_branches(), strict=True)
        for k, theta in enumerate(found, 1)
    ]
    header = ("folded at", "branch", "theta_2 [rad]", "theta_3 [rad]", "theta_4 [rad]")
    return Table(header, tuple(rows))


def violation() -> Table:
    """Bennett's condition violated: the least residual of 60 starts."""
    found = zip(DEVIATIONS, bennett_violations(), strict=True)
    rows = tuple((f"{d} deg", r) for d, r in found)
    return Table(("deviation of beta", "least residual"), rows)


def figures() -> dict[str, Table]:
    """The tables by name, in the order of the text."""
    return {
        "mobility": mobility(),
        "delta": delta(),
        "followed": followed(),
        "branches": branches(),
        "violation": violation(),
    }
