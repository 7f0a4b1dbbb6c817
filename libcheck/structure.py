"""Structure of mechanisms as the libraries have it (2.1): joint sizes, mobility, ranks.

Sizes, ranks and freedoms are whole numbers: there is no bound, they are equal or not.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from functools import lru_cache

import numpy as np

from libcheck import selection
from libcheck.booking import Book
from libcheck.interrogate import (
    OUT_OF_PATIENCE,
    PATIENCE,
    Interrogation,
    ShapeError,
    failure,
    whose,
)
from libcheck.oracle import Oracle
from libcheck.record import Record, Verdict
from libcheck.selection import NUMPY, STRUCTURE_CHAPTER, Selection
from libcheck.worker import LibraryError, LibraryUnsupported, Stopped, WorkerDied
from models import Model
from models.linkage import Linkage
from models.linkages import linkages
from reference.ch02_01_joints import SIZES
from reference.ch02_01_mobility import instantaneous_mobility
from reference.ch02_01_rank import eliminated, exact_rank
from reference.ch02_01_structure import in_doubles, structure_matrix
from reference.closing import OpenLoopError, constraint_rank
from reference.constraints import constraint_jacobian
from reference.linkage_of import linkage_of
from reference.quantity import Array
from reference.rank import RANK_RTOL, Rank, rank_of
from reference.robot import UnservedModelError

ROWS = ("constraint_rows", "constraint_jacobian")
"""What an adapter may offer, the better one first: the rows that the library's own solver
works with, or those that the Jacobians of its frames make."""

NO_ANSWER = (LibraryUnsupported, LibraryError, WorkerDied, ShapeError)

Sizes = tuple[int, int]


def of_library(asked: Interrogation, chosen: Selection, book: Book) -> list[Record]:
    """What a library says of structure, as far as a run is about it."""
    records: list[Record] = []
    if selection.wants_structure(chosen, "joint_sizes"):
        records += _joint_sizes(asked)
    for model in selection.structure_models(chosen):
        records.append(_mobility(asked, asked.oracle_of(model)))
    return _with_commands(records, book)


def of_numpy(chosen: Selection, book: Book) -> list[Record]:
    """NumPy's ranks of the structure matrices of all linkages; it needs no worker."""
    if not selection.wants_numpy(chosen):
        return []
    return _with_commands(map(matrix_rank, linkages().values()), book)


def _with_commands(records: Iterable[Record], book: Book) -> list[Record]:
    return [replace(record, command=_command(record, book)) for record in records]


def _command(record: Record, book: Book) -> str:
    """Joint models and linkages are no models of a selection: their checks run as a whole."""
    model = record.model if record.name == "mobility" else ""
    failed = record.sample if record.fails else -1
    return book.command(record.chapter, record.library, record.name, model, failed)


def _blank(name: str, model: str, asked: Interrogation) -> Record:
    version, agree = str(asked.worker.about.get("version", "")), Verdict.AGREE.value
    return Record(
        STRUCTURE_CHAPTER, "structure", name, model, asked.library, version, agree
    )


def _unanswered(
    record: Record, error: Exception, numbers: tuple[int, ...] = ()
) -> Record:
    """The record of a call that gave no numbers, on samples of these numbers."""
    if isinstance(error, LibraryUnsupported):
        verdict = Verdict.UNSUPPORTED.value
        return replace(record, verdict=verdict, message=error.reason)
    found, message, sample = failure(error)
    record = replace(record, sample=-1 if sample is None else numbers[sample])
    return replace(record, verdict=found.value, message=message, fault=whose(error))


# -------------------------------------------------------------------------- joint sizes


def _joint_sizes(asked: Interrogation) -> list[Record]:
    """One record for each joint model that the table or the library knows."""
    if asked.stopped.is_set():
        raise Stopped
    try:
        theirs = asked.worker.joint_sizes()
    except NO_ANSWER as error:
        return [_unanswered(_blank("joint_sizes", "", asked), error)]
    table = SIZES.get(asked.library, {})
    return [
        _size(_blank("joint_sizes", joint, asked), table.get(joint), theirs.get(joint))
        for joint in dict.fromkeys((*table, *theirs))
    ]


def _size(record: Record, ours: Sizes | None, theirs: Sizes | None) -> Record:
    unsupported = Verdict.UNSUPPORTED.value
    if theirs is None:
        message = "this release has no such joint model"
        return replace(record, verdict=unsupported, message=message)
    if ours is None:
        message = f"no such joint model in the table; its (nq, nv) is {theirs}"
        return replace(record, verdict=unsupported, message=message)
    record = replace(record, expected=str(ours), got=str(theirs))
    if ours == theirs:
        return record
    return replace(
        record, verdict=Verdict.DIFFER.value, fault="undecided",
        error=float(max(abs(a - b) for a, b in zip(ours, theirs, strict=True))),
        message=f"(nq, nv) is {theirs}, in the table of chapter 2.1 {ours}",
    )  # fmt: skip


# ----------------------------------------------------------------------------- mobility


def _mobility(asked: Interrogation, oracle: Oracle) -> Record:
    """nv - rank of the library's own constraints at every sample, against the reference."""
    record = _blank("mobility", oracle.model.name, asked)
    refusal = asked.load(oracle.model)
    if asked.hung["mobility"] >= PATIENCE:
        refusal = Verdict.TIMEOUT, OUT_OF_PATIENCE
    if refusal is not None:
        verdict, message = refusal
        fault = "library" if verdict.fails else ""
        return replace(record, verdict=verdict.value, message=message, fault=fault)
    try:
        J, name = _rows(asked, oracle)
    except NO_ANSWER as error:
        asked.hung["mobility"] += failure(error)[0] is Verdict.TIMEOUT
        return _unanswered(record, error, oracle.numbers)
    if not np.isfinite(J).all():
        record = replace(record, message=f"{name} is not finite", fault="library")
        return replace(record, verdict=Verdict.NONFINITE.value)
    ours = [rank_of(rows) for rows in oracle.value(constraint_jacobian)]
    theirs = [rank_of(rows) for rows in J]
    idle = int(np.sum(np.abs(J).max(axis=(0, 2)) <= RANK_RTOL * np.abs(J).max()))
    return _compared(record, ours, theirs, idle, oracle)


def _rows(asked: Interrogation, oracle: Oracle) -> tuple[Array, str]:
    """The library's rows at all samples (N, any, nv), and which of `ROWS` they are."""
    if ROWS[1] not in asked.offers:
        raise LibraryUnsupported("the library has no call for it")
    model, batch = oracle.model, {"q": oracle.batch["q"]}
    try:
        name = ROWS[0]
        J = asked.worker.compute(name, model.name, batch).value
    except LibraryUnsupported:
        name = ROWS[1]
        J = asked.worker.compute(name, model.name, batch).value
    if J.ndim != 3 or J.shape[2] != model.nv:
        raise ShapeError(f"shape {J.shape[1:]}, expected rows of {model.nv}")
    return J, name


def _compared(
    record: Record, ours: list[Rank], theirs: list[Rank], idle: int, oracle: Oracle
) -> Record:
    nv = oracle.model.nv
    off = [abs(a.rank - b.rank) for a, b in zip(ours, theirs, strict=True)]
    worst = int(np.argmax(off)) if any(off) else _tightest(theirs)
    rank = theirs[worst]
    record = replace(
        record,
        error=float(off[worst]),
        sample=oracle.numbers[worst],
        samples=len(oracle.numbers),
        expected=str(nv - ours[worst].rank),
        got=str(nv - rank.rank),
        message=f"{nv} velocities, {rank}: {_gruebler(rank, idle, nv)}",
    )
    if not any(off):
        return _by_graph(record, oracle.model)
    message = f"{record.message}; the reference has {ours[worst]}"
    return replace(
        record, verdict=Verdict.DIFFER.value, fault="undecided", message=message
    )


def _by_graph(record: Record, model: Model) -> Record:
    """The record, unless the structure matrix of the model's graph says otherwise."""
    graph, rows = _graph_mobility(model), model.nv - constraint_rank(model).rank
    if graph in (rows, None):
        return record
    return replace(
        record, verdict=Verdict.UNDECIDED.value, fault="reference",
        message="the reference contradicts itself: at home its constraints leave a mobility "
        f"of {rows}, the structure matrix of the graph one of {graph}",
    )  # fmt: skip


@lru_cache
def _graph_mobility(model: Model) -> int | None:
    """Mobility at home by the structure matrix, None of a model that is no such graph."""
    try:
        return instantaneous_mobility(linkage_of(model))
    except (OpenLoopError, UnservedModelError):
        return None


def _gruebler(rank: Rank, idle: int, nv: int) -> str:
    """Why Gruebler's count, which takes all rows for independent, is right or wrong."""
    redundant, counted = rank.rows - rank.rank, nv - rank.rows
    if not redundant:
        return f"no row is redundant, and Gruebler's count of {counted} is right"
    still = f" ({idle} of them zero at every sample)" if idle else ""
    return f"{redundant} redundant{still}, which Gruebler's count of {counted} misses"


def _tightest(ranks: list[Rank]) -> int:
    """Where the decision is the closest: the smallest value that counts, of the largest."""
    return int(np.argmin([rank.smallest / (rank.largest or 1.0) for rank in ranks]))


# --------------------------------------------------------------------------- NumPy's rank


def matrix_rank(linkage: Linkage) -> Record:
    """`numpy.linalg.matrix_rank` of a structure matrix, its default tolerance.

    What is right is the exact rank, where the linkage's numbers are the geometry itself.
    Otherwise rounding may have raised that, and elimination decides.
    """
    A = structure_matrix(linkage)
    doubles = in_doubles(A)
    theirs, pivots = int(np.linalg.matrix_rank(doubles)), eliminated(doubles)
    exact, rounded = exact_rank(A), exact_rank(doubles.tolist())
    right = exact if linkage.exact else pivots.rank
    message = (
        f"{len(A)} x {len(A[0])}: NumPy {theirs}; elimination {pivots.rank} (pivots down to "
        f"{pivots.smallest_accepted:.2g}, left {pivots.largest_rejected:.1g}); "
    )
    if not linkage.exact:
        message += f"exact {rounded} of its doubles"
        message += ", which are off the geometry" if rounded != right else ""
    elif rounded != right:
        message += f"exact {exact}, though {rounded} of the same numbers in doubles"
    else:
        message += f"exact {exact}"
    differs = theirs != right
    return Record(
        STRUCTURE_CHAPTER, "structure", "matrix_rank", linkage.name, NUMPY,
        np.__version__, (Verdict.DIFFER if differs else Verdict.AGREE).value,
        "library" if differs else "", error=float(abs(theirs - right)), message=message,
        expected=str(right), got=str(theirs),
    )  # fmt: skip
