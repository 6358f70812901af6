"""One two-layer network, f(x) = s Σ_j a_j σ(w_j·x): activation × what is trained × scaling × loss, W always m × d.

Of ``net = TwoLayer(LeakyReLU(0.5), trained="first")`` the risk is ``risk = Risk(net, data, Logistic())``, and
``risk.in_span(w, a)`` the flow of both layers from W = w and a, reduced to the span of the samples.
"""

from implicit_bias.models.two_layer.blocked import BlockedGradient
from implicit_bias.models.two_layer.frozen_flow import FrozenFlow
from implicit_bias.models.two_layer.network import TwoLayer
from implicit_bias.models.two_layer.pattern import ActivationPattern
from implicit_bias.models.two_layer.risk import Risk
from implicit_bias.models.two_layer.seconds import neuron_derivatives
from implicit_bias.models.two_layer.softmax import SoftmaxNetwork, accuracy, stable_rank
from implicit_bias.models.two_layer.span import Span
from implicit_bias.models.two_layer.span_flow import SpanFlow
from implicit_bias.models.two_layer.starts import balanced_start, in_pairs, neuron_start, scale_and_shape
from implicit_bias.models.two_layer.tangent_kernel import tangent_kernel
from implicit_bias.models.two_layer.tangents import Tangents, tangents
from implicit_bias.models.two_layer.together import Together
from implicit_bias.models.two_layer.weight_flow import WeightFlow

__all__ = [
    "ActivationPattern",
    "BlockedGradient",
    "FrozenFlow",
    "Risk",
    "SoftmaxNetwork",
    "Span",
    "SpanFlow",
    "Tangents",
    "Together",
    "TwoLayer",
    "WeightFlow",
    "accuracy",
    "balanced_start",
    "in_pairs",
    "neuron_derivatives",
    "neuron_start",
    "scale_and_shape",
    "stable_rank",
    "tangent_kernel",
    "tangents",
]
