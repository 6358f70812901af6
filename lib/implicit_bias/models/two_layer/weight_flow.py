"""Gradient flow of all trained weights of a two-layer network."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from implicit_bias.activations import RELU
from implicit_bias.checks import Array
from implicit_bias.compiled import BothLayers, both_layers
from implicit_bias.models.two_layer.flow import NetworkFlow


@dataclass(frozen=True)
class WeightFlow(NetworkFlow):
    """Ẇ = −∂F/∂W, ȧ = −∂F/∂a, or the one of the two that is trained.

    The state stacks what is trained: W row by row, then a.

    risk: the network, its loss and the samples.
    w: W(0), m × d.
    a: a(0), m entries.

    >>> from implicit_bias import Classification, LeakyReLU, Risk, Squared, TwoLayer
    >>> risk = Risk(TwoLayer(LeakyReLU(0.5)), Classification(np.eye(2), np.array([1.0, -1.0])), Squared())
    >>> flow = risk.of_weights(np.eye(2), np.array([1.0, -1.0]))
    >>> flow.start, flow.outputs(flow.start)
    (array([ 1.,  0.,  0.,  1.,  1., -1.]), array([ 1., -1.]))
    """

    w: Array
    a: Array

    @cached_property
    def _compiled(self) -> BothLayers | None:
        """The same in C, where it is built and fits."""
        net, data = self.risk.net, self.risk.data
        return both_layers(data.x, data.y, self.a.size) if (net.activation, net.trained) == (RELU, "both") else None

    @property
    def start(self) -> Array:
        """W(0) row by row, then a(0), as far as they are trained."""
        return self.stacked(self.w, self.a)

    def stacked(self, w: Array, a: Array) -> Array:
        """The states, … × p, of the weights W (… × m × d) and a (… × m)."""
        rows = w.reshape(*w.shape[:-2], -1)
        if not self.risk.net.output_moves:
            return rows
        return np.concatenate([rows, a], axis=-1) if self.risk.net.first_moves else a

    def weights(self, state: Array) -> tuple[Array, Array]:
        """W (… × m × d) and a (… × m) at states (… × p); what is not trained stays as at the start."""
        lead, first = state.shape[:-1], self.risk.net.first_moves
        size = self.w.size if first else 0
        w = state[..., :size].reshape(*lead, *self.w.shape) if first else np.broadcast_to(self.w, lead + self.w.shape)
        return w, state[..., size:] if self.risk.net.output_moves else np.broadcast_to(self.a, lead + self.a.shape)

    def outputs(self, state: Array) -> Array:
        """The n numbers f(x_i) at a state."""
        return self.risk.net.output(*self.weights(state), self.risk.data.x)

    def gradient(self, state: Array) -> Array:
        """The gradient of the risk in the state."""
        if self._compiled and self._compiled.takes(state):
            risk, scale = self.risk, self.risk.net.scale(self.a.size)
            return self._compiled.gradient(state, lambda f: risk.loss.slope(f, risk.data.y), scale)
        return self.stacked(*self.risk.gradient(*self.weights(state)))
