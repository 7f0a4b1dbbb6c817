"""Laws: equations between what a library computes, which need no reference."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from models import Model


@dataclass(frozen=True)
class Law:
    """An equation that must hold for what a library computes.

    The function asks for quantities (``ask.mass_matrix(q)``), so that it reads as the
    textbook does, and returns both sides.  It runs twice: on the library's numbers, and on
    their magnitudes, which gives the tolerance.

    Attributes:
        name: Its name.
        inputs: Names of the sampled inputs it takes.
        source: Section of the chapter and place in the literature.
        sides: The function.
        needs: The quantities that it asks for.
        text: The textbook sentence.
        silent: Why the law says nothing about a model; empty if it does.
    """

    name: str
    inputs: tuple[str, ...]
    source: str
    sides: Callable[..., tuple[Any, Any]]
    needs: tuple[str, ...]
    text: str
    silent: Callable[[Model], str]


def law(
    source: str, needs: str, silent: Callable[[Model], str] = lambda model: ""
) -> Callable[[Callable[..., tuple[Any, Any]]], Law]:
    """Declare the decorated function as a law; see `Law`."""

    def declare(sides: Callable[..., tuple[Any, Any]]) -> Law:
        _, *inputs = inspect.signature(sides).parameters
        return Law(
            sides.__name__,
            tuple(inputs),
            source,
            sides,
            tuple(needs.split()),
            inspect.getdoc(sides) or "",
            silent,
        )

    return declare
