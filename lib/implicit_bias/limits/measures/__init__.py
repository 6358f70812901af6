"""Sparse measures on the torus: the optimum of the BLASSO with its proof, local rates, and the bound by entropy."""

from implicit_bias.limits.measures.blasso import blasso
from implicit_bias.limits.measures.entropic_bound import EntropicBound, mirror_constant, mirror_corrections
from implicit_bias.limits.measures.local_rates import LocalRates
from implicit_bias.limits.measures.nearby import (
    deviations,
    gathered,
    little_elsewhere,
    minimum_nearby,
    random_nearby,
    worst_nearby,
)
from implicit_bias.limits.measures.sharpness_certificate import enclose_sharpness
from implicit_bias.limits.measures.sparse_measure import SparseMeasure

__all__ = [
    "EntropicBound",
    "LocalRates",
    "SparseMeasure",
    "blasso",
    "deviations",
    "enclose_sharpness",
    "gathered",
    "little_elsewhere",
    "minimum_nearby",
    "mirror_constant",
    "mirror_corrections",
    "random_nearby",
    "worst_nearby",
]
