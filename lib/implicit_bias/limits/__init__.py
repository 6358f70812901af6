"""What theory predicts, by methods that know nothing of training, each prediction with a certificate."""

from implicit_bias.limits.blasso import SparseMeasure, blasso
from implicit_bias.limits.certificate import Certificate, CertificateError
from implicit_bias.limits.conic import hypentropy_conic
from implicit_bias.limits.entropic import EntropicBound, mirror_constant, mirror_corrections
from implicit_bias.limits.entropy_path import EntropyPath, entropy_path, scale_derivative
from implicit_bias.limits.few_neurons import few_neurons_bound, relu_power_series
from implicit_bias.limits.hypentropy import HyperbolicEntropy, Interpolator
from implicit_bias.limits.least_l1 import LeastL1, least_l1
from implicit_bias.limits.least_norm import LeastNorm, least_norm
from implicit_bias.limits.margin_search import margin_search, two_neuron_program
from implicit_bias.limits.max_margin import L1MaxMargin, MaxMargin, l1_max_margin, max_margin
from implicit_bias.limits.mean_field import MeanFieldFlow, mean_field_flow, relu_series
from implicit_bias.limits.neuron import NeuronRegularizer
from implicit_bias.limits.neuron_limit import NeuronLimit, leaky_neuron_limit, linear_neuron_limit, unleaked
from implicit_bias.limits.neuron_metric import NeuronMetric
from implicit_bias.limits.positive_measure import PositiveFit, positive_fit
from implicit_bias.limits.rank_two import RankTwo, boundary_factor, orthogonality, rank_two
from implicit_bias.limits.rich_limit import RichLimit, rich_limit
from implicit_bias.limits.sharpness import LocalRates
from implicit_bias.limits.stable_rank import (
    ChangeBounds,
    SpikeCurve,
    change_bounds,
    gate_variance,
    kinked_stable_rank,
    one_step_error,
    spike_curve,
    spiked_fluctuation,
    spiked_stable_rank,
)
from implicit_bias.limits.unfed import UnfedGrowth, first_step_moment, trace_over_norm, unfed_growth

__all__ = [
    "Certificate",
    "CertificateError",
    "ChangeBounds",
    "EntropicBound",
    "EntropyPath",
    "HyperbolicEntropy",
    "Interpolator",
    "L1MaxMargin",
    "LeastL1",
    "LeastNorm",
    "LocalRates",
    "MaxMargin",
    "MeanFieldFlow",
    "NeuronLimit",
    "NeuronMetric",
    "NeuronRegularizer",
    "PositiveFit",
    "RankTwo",
    "RichLimit",
    "SparseMeasure",
    "SpikeCurve",
    "UnfedGrowth",
    "blasso",
    "boundary_factor",
    "change_bounds",
    "entropy_path",
    "few_neurons_bound",
    "first_step_moment",
    "gate_variance",
    "hypentropy_conic",
    "kinked_stable_rank",
    "l1_max_margin",
    "leaky_neuron_limit",
    "least_l1",
    "least_norm",
    "linear_neuron_limit",
    "margin_search",
    "max_margin",
    "mean_field_flow",
    "mirror_constant",
    "mirror_corrections",
    "one_step_error",
    "orthogonality",
    "positive_fit",
    "rank_two",
    "relu_power_series",
    "relu_series",
    "rich_limit",
    "scale_derivative",
    "spike_curve",
    "spiked_fluctuation",
    "spiked_stable_rank",
    "trace_over_norm",
    "two_neuron_program",
    "unfed_growth",
    "unleaked",
]
