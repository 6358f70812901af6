"""Maximum margins: of linear classifiers, of fixed features with rates, of networks with an activation pattern."""

from implicit_bias.limits.margin.linear import L1MaxMargin, MaxMargin, l1_max_margin, max_margin
from implicit_bias.limits.margin.pattern import pattern_limit
from implicit_bias.limits.margin.rank_two import RankTwo, boundary_factor, orthogonality, rank_two
from implicit_bias.limits.margin.rates import MultiplicativeRate, ProjectedRate
from implicit_bias.limits.margin.search import margin_search, two_neuron_program
from implicit_bias.limits.margin.simplex import SimplexMargin, simplex_margin

__all__ = [
    "L1MaxMargin",
    "MaxMargin",
    "MultiplicativeRate",
    "ProjectedRate",
    "RankTwo",
    "SimplexMargin",
    "boundary_factor",
    "l1_max_margin",
    "margin_search",
    "max_margin",
    "orthogonality",
    "pattern_limit",
    "rank_two",
    "simplex_margin",
    "two_neuron_program",
]
