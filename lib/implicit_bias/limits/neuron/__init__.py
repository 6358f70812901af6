"""What one linear or leaky neuron learns: its regularizer, the limit in closed form, the metric of its flow."""

from implicit_bias.limits.neuron.closed_form import NeuronLimit, leaky_neuron_limit, linear_neuron_limit, unleaked
from implicit_bias.limits.neuron.metric import NeuronMetric
from implicit_bias.limits.neuron.regularizer import NeuronRegularizer

__all__ = ["NeuronLimit", "NeuronMetric", "NeuronRegularizer", "leaky_neuron_limit", "linear_neuron_limit", "unleaked"]
