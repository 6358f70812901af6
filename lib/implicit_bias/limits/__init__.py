"""What theory predicts, by methods that know nothing of training, each prediction with a certificate."""

from implicit_bias.limits.blasso import SparseMeasure, blasso
from implicit_bias.limits.certificate import Certificate, CertificateError
from implicit_bias.limits.conic import hypentropy_conic
from implicit_bias.limits.entropic import EntropicBound, mirror_constant
from implicit_bias.limits.entropy_path import EntropyPath, entropy_path, scale_derivative
from implicit_bias.limits.few_neurons import few_neurons_bound, relu_power_series
from implicit_bias.limits.hypentropy import HyperbolicEntropy, Interpolator
from implicit_bias.limits.least_l1 import LeastL1, least_l1
from implicit_bias.limits.least_norm import LeastNorm, least_norm
from implicit_bias.limits.max_margin import L1MaxMargin, MaxMargin, l1_max_margin, max_margin
from implicit_bias.limits.mean_field import MeanFieldFlow, mean_field_flow, relu_series
from implicit_bias.limits.neuron import NeuronRegularizer
from implicit_bias.limits.neuron_limit import NeuronLimit, leaky_neuron_limit, linear_neuron_limit, unleaked
from implicit_bias.limits.neuron_metric import NeuronMetric
from implicit_bias.limits.positive_measure import PositiveFit, positive_fit
from implicit_bias.limits.rich_limit import RichLimit, rich_limit
from implicit_bias.limits.sharpness import LocalRates

__all__ = [
    "Certificate",
    "CertificateError",
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
    "RichLimit",
    "SparseMeasure",
    "blasso",
    "entropy_path",
    "few_neurons_bound",
    "hypentropy_conic",
    "l1_max_margin",
    "leaky_neuron_limit",
    "least_l1",
    "least_norm",
    "linear_neuron_limit",
    "max_margin",
    "mean_field_flow",
    "mirror_constant",
    "positive_fit",
    "relu_power_series",
    "relu_series",
    "rich_limit",
    "scale_derivative",
    "unleaked",
]
