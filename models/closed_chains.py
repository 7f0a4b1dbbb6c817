"""The models with closed loops or tendons, by name; each has a home that closes its loops."""

from __future__ import annotations

from typing import Dict

from models import planar_chains, spatial_chains
from models.tree import Model

MAKERS = (
    planar_chains.fourbar,
    planar_chains.fourbar_welded,
    planar_chains.fourbar_maximal,
    planar_chains.fivebar,
    planar_chains.fivebar_maximal,
    planar_chains.double_fourbar,
    planar_chains.andrews,
    spatial_chains.bricard,
    spatial_chains.stewart,
    spatial_chains.stewart_legs,
    spatial_chains.twin_arms,
    spatial_chains.twin_arms_pinned,
    spatial_chains.spatial_chain,
)

CLOSED_CHAINS: Dict[str, Model] = {maker.__name__: maker() for maker in MAKERS}
