"""Numbers and names in the text of a document."""

from __future__ import annotations

from math import isfinite
from typing import List, Sequence, Type


def digits(values: Sequence[float]) -> str:
    """Numbers separated by blanks, each with all its digits."""
    return " ".join(repr(float(x)) for x in values)


def finite(word: str) -> float:
    """The number of a word.

    Raises:
        ValueError: If it is none, or not finite.
    """
    number = float(word)
    if not isfinite(number):
        raise ValueError(f"not finite: {word!r}")
    return number


def refuse_repeated(names: List[str], error: Type[ValueError]) -> None:
    """Raise the error if a name occurs twice."""
    repeated = sorted({name for name in names if names.count(name) > 1})
    if repeated:
        raise error(f"more than one element is named {repeated[0]!r}")
