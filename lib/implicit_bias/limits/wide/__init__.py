"""Two-layer networks of many neurons: the mean-field flow, the best measure, and what few neurons cannot fit."""

from implicit_bias.limits.wide.few_neurons import few_neurons_bound, relu_power_series
from implicit_bias.limits.wide.mean_field import MeanFieldFlow, mean_field_flow, relu_series
from implicit_bias.limits.wide.positive_measure import PositiveFit, positive_fit

__all__ = [
    "MeanFieldFlow",
    "PositiveFit",
    "few_neurons_bound",
    "mean_field_flow",
    "positive_fit",
    "relu_power_series",
    "relu_series",
]
