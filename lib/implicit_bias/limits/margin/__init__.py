"""Maximum margins: of linear classifiers, and of two-layer networks with an activation pattern."""

from implicit_bias.limits.margin.kernel import kernel_margin, margin_deviation, margin_lag
from implicit_bias.limits.margin.linear import L1MaxMargin, MaxMargin, l1_max_margin, max_margin
from implicit_bias.limits.margin.pattern import pattern_limit
from implicit_bias.limits.margin.rank_two import RankTwo, boundary_factor, orthogonality, rank_two
from implicit_bias.limits.margin.search import margin_search, two_neuron_program

__all__ = [
    "L1MaxMargin",
    "MaxMargin",
    "RankTwo",
    "boundary_factor",
    "kernel_margin",
    "l1_max_margin",
    "margin_deviation",
    "margin_lag",
    "margin_search",
    "max_margin",
    "orthogonality",
    "pattern_limit",
    "rank_two",
    "two_neuron_program",
]
