"""What of the catalogue a run is about."""

from __future__ import annotations

from dataclasses import dataclass

from libcheck.config import Settings, UsageError, nearest
from libcheck.interrogate import Task
from models import Model
from reference import CHAPTERS, Chapter

REFERENCE = "reference"
"""The library name of the claims: it is our own reference that judges them."""

NUMPY = "numpy"
"""The library name of NumPy's own ranks, which need no worker."""

STRUCTURE_CHAPTER = "2.1"
STRUCTURE = {
    "joint_sizes": "(nq, nv) of every joint model (2.1.3.1): asked of the library, against "
    "the table of the chapter.",
    "mobility": "nv - rank of the library's own constraint Jacobian at closed poses "
    "(2.1.3.4).",
    "matrix_rank": "numpy.linalg.matrix_rank of every structure matrix (2.1.5), against the "
    "exact rank.",
}
"""What is asked of libraries about structure, beside quantities and laws."""


@dataclass(frozen=True)
class Selection:
    """Names to restrict a run to; empty means all.

    Attributes:
        chapters: Chapter numbers.
        libraries: Libraries asked for by name.
        names: Quantities, laws and claims.
        models: Models.
        sample: The only sample, None for all.
        files: Models of the user's, which are then the only ones.
    """

    chapters: tuple[str, ...] = ()
    libraries: tuple[str, ...] = ()
    names: tuple[str, ...] = ()
    models: tuple[str, ...] = ()
    sample: int | None = None
    files: tuple[Model, ...] = ()

    @property
    def is_partial(self) -> bool:
        """Whether it leaves out something of the libraries that it runs."""
        return bool(self.names or self.models or self.files or self.sample is not None)


def check(
    selection: Selection, settings: Settings, claims: list[str] | None = None
) -> None:
    """Refuse names that do not exist.

    Args:
        selection: What was asked for.
        settings: The settings, which name the libraries.
        claims: Ids of the claims; None for a command that judges none.

    Raises:
        UsageError: Naming what is wrong and the nearest valid names.
    """
    statements = [name for c in CHAPTERS.values() for name in (*c.quantities, *c.laws)]
    known = {
        "chapter": (selection.chapters, list(CHAPTERS)),
        "library": (
            selection.libraries,
            [*settings.libraries, *([] if claims is None else [REFERENCE, NUMPY])],
        ),
        "quantity": (selection.names, [*statements, *STRUCTURE, *(claims or [])]),
        "model": (selection.models, list(known_models(selection))),
    }
    for what, (asked, valid) in known.items():
        for name in asked:
            if name not in valid:
                raise UsageError(f"no {what} {name!r}; {nearest(name, valid)}")
    if selection.sample is not None and selection.sample < 0:
        raise UsageError(f"sample must be 0 or more, not {selection.sample}")


def chapters(selection: Selection) -> list[Chapter]:
    """The chapters to run."""
    return [c for n, c in CHAPTERS.items() if n in (selection.chapters or CHAPTERS)]


def known_models(selection: Selection) -> dict[str, Model]:
    """The models that may be named, each once."""
    if selection.files:
        return {model.name: model for model in selection.files}
    return {n: m for c in CHAPTERS.values() for n, m in c.models.items()}


def models(selection: Selection, chapter: Chapter) -> list[Model]:
    """The models of a chapter to run."""
    offered = (
        [m for m in selection.files if not chapter.silent(m)]
        if selection.files
        else chapter.models.values()
    )
    return [m for m in offered if not selection.models or m.name in selection.models]


def libraries(selection: Selection, settings: Settings) -> list[str]:
    """The libraries to run."""
    asked = selection.libraries or settings.libraries
    return [name for name in asked if name not in (REFERENCE, NUMPY)]


def tasks(selection: Selection) -> list[Task]:
    """The tasks of every library."""
    found = []
    for chapter in chapters(selection):
        names = selection.names or (*chapter.quantities, *chapter.laws)
        for model in models(selection, chapter):
            quantities = tuple(
                q
                for n, q in chapter.quantities.items()
                if n in names and not q.silent(model)
            )
            laws = tuple(
                s
                for n, s in chapter.laws.items()
                if n in names
                and not any(chapter.quantities[k].silent(model) for k in s.needs)
            )
            if quantities or laws:
                found.append(Task(chapter, model, quantities, laws))
    return found


def wants_structure(selection: Selection, name: str) -> bool:
    """Whether one of `STRUCTURE` is part of the run; only mobility is that of models."""
    chosen = STRUCTURE_CHAPTER in [c.number for c in chapters(selection)]
    of_models = selection.models or selection.files or selection.sample is not None
    return (
        chosen
        and (not selection.names or name in selection.names)
        and (name == "mobility" or not of_models)
    )


def structure_models(selection: Selection) -> list[Model]:
    """The models whose mobility every library is asked for: those with loops."""
    if not wants_structure(selection, "mobility"):
        return []
    offered = models(selection, CHAPTERS[STRUCTURE_CHAPTER])
    return [model for model in offered if model.loops]


def asks_libraries(selection: Selection) -> bool:
    """Whether there is anything to ask a library."""
    return bool(
        tasks(selection)
        or structure_models(selection)
        or wants_structure(selection, "joint_sizes")
    )


def wants_numpy(selection: Selection) -> bool:
    """Whether NumPy's own ranks are part of the run."""
    named = NUMPY in selection.libraries or not selection.libraries
    return named and wants_structure(selection, "matrix_rank")


def wants_claims(selection: Selection) -> bool:
    """Whether claims are part of the run: not where libraries or quantities are named."""
    named = REFERENCE in selection.libraries or not selection.libraries
    return named and selection.sample is None and not selection.files


def wants_claim(selection: Selection, claim_id: str, model: str) -> bool:
    """Whether this claim is part of the run."""
    return (not selection.names or claim_id in selection.names) and (
        not selection.models or model in selection.models
    )


def is_empty(selection: Selection, settings: Settings) -> bool:
    """Whether nothing at all is left to check."""
    if libraries(selection, settings) and asks_libraries(selection):
        return False
    return not wants_numpy(selection) and not (
        wants_claims(selection)
        and any(
            wants_claim(selection, claim.id, claim.model)
            for chapter in chapters(selection)
            for claim in chapter.claims()
        )
    )
