"""Maximum margins: of linear classifiers, fixed features, activation patterns, and of infinitely wide networks."""

from implicit_bias.limits.margin.adam import AdamPath, adam_growth, adam_path
from implicit_bias.limits.margin.agreement import agreement
from implicit_bias.limits.margin.arrangement import largest_responses
from implicit_bias.limits.margin.attention import (
    AttentionDecay,
    AttentionMargin,
    attention_decay,
    attention_margin,
    token_differences,
    token_pulls,
)
from implicit_bias.limits.margin.entropy import entropic_margin
from implicit_bias.limits.margin.few_points import variation_margin_of_many
from implicit_bias.limits.margin.kernel import kernel_margin, margin_lag
from implicit_bias.limits.margin.kernel_classifier import KernelClassifier, kernel_classifier
from implicit_bias.limits.margin.l1_margin import L1MaxMargin, l1_max_margin
from implicit_bias.limits.margin.linear import MaxMargin, max_margin
from implicit_bias.limits.margin.matrix import (
    MatrixMargin,
    class_differences,
    dual_norm,
    matrix_margin,
    matrix_norm,
)
from implicit_bias.limits.margin.pattern import pattern_limit
from implicit_bias.limits.margin.price import kernel_prices, variation_prices
from implicit_bias.limits.margin.random_features import classifier_deviation, classifier_draws, margin_deviation
from implicit_bias.limits.margin.rank_two import RankTwo, boundary_factor, orthogonality, rank_two
from implicit_bias.limits.margin.rates import MultiplicativeRate, ProjectedRate
from implicit_bias.limits.margin.restricted import restricted_margin
from implicit_bias.limits.margin.search import margin_search, two_neuron_program
from implicit_bias.limits.margin.settled import SettledMatrix, settled_matrix
from implicit_bias.limits.margin.simplex import SimplexMargin, simplex_margin
from implicit_bias.limits.margin.variation_certificate import margin_bound
from implicit_bias.limits.margin.variation_norm import VariationMargin, variation_margin

__all__ = [
    "AdamPath",
    "AttentionDecay",
    "AttentionMargin",
    "KernelClassifier",
    "L1MaxMargin",
    "MatrixMargin",
    "MaxMargin",
    "MultiplicativeRate",
    "ProjectedRate",
    "RankTwo",
    "SettledMatrix",
    "SimplexMargin",
    "VariationMargin",
    "adam_growth",
    "adam_path",
    "agreement",
    "attention_decay",
    "attention_margin",
    "boundary_factor",
    "class_differences",
    "classifier_deviation",
    "classifier_draws",
    "dual_norm",
    "entropic_margin",
    "kernel_classifier",
    "kernel_margin",
    "kernel_prices",
    "l1_max_margin",
    "largest_responses",
    "margin_bound",
    "margin_deviation",
    "margin_lag",
    "margin_search",
    "matrix_margin",
    "matrix_norm",
    "max_margin",
    "orthogonality",
    "pattern_limit",
    "rank_two",
    "restricted_margin",
    "settled_matrix",
    "simplex_margin",
    "token_differences",
    "token_pulls",
    "two_neuron_program",
    "variation_margin",
    "variation_margin_of_many",
    "variation_prices",
]
