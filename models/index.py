"""All models, by name: those of the catalogue and those with closed chains."""

from __future__ import annotations

from typing import Dict, Tuple

from models import catalogue, closed_chains
from models.tree import Model

MODELS: Dict[str, Model] = {**catalogue.CATALOGUE, **closed_chains.CLOSED_CHAINS}


def named(name: str) -> Model:
    """The model of that name.

    Raises:
        KeyError: If there is none.
    """
    return MODELS[name]


def summary(model: Model) -> Tuple[str, str]:
    """Name and first sentence of a model, for listings."""
    makers = (*catalogue.MAKERS, *closed_chains.MAKERS)
    (maker,) = (m for m in makers if m.__name__ == model.name)
    return model.name, (maker.__doc__ or "").strip().splitlines()[0]
