"""Time the representations of a closed chain, and what keeps its constraints (3.11.6)."""

from __future__ import annotations

from libcheck.reporters.table import aligned
from reference.ch03_11_cost import cost_table, energy_under_projection

REPEAT = 15


def run() -> str:
    """The tables as text; ratios hold within the run, times for this machine only."""
    costs = [["mechanism", "way", "coordinates", "rows", "us per step", "ratio"]]
    costs += [
        [
            row.mechanism,
            row.way,
            str(row.coordinates),
            str(row.rows),
            f"{row.microseconds:.0f}",
            f"{row.ratio:.2f}",
        ]
        for row in cost_table(REPEAT)
    ]
    energies = [["t [s]", "h = 0.01 s", "h = 0.005 s", "order"]]
    energies += [
        [
            f"{row.seconds:.0f}",
            *(f"{error:+.2e}" for error in row.errors),
            f"{row.order:.2f}",
        ]
        for row in energy_under_projection()
    ]
    return (
        "one step of RK4 in float64 Python, all ways in turns; ratio to the cheapest way of\n"
        "the mechanism; independent coordinates solve positions by Newton's method\n"
        f"{aligned(costs)}\n\n"
        "(E - E(0)) / E(0) of the free four-bar in maximal coordinates, projected each step\n"
        f"{aligned(energies)}\n"
    )
