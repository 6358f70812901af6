"""Activation patterns of a trained first layer on the smooth margin, and when one is final."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from implicit_bias.checks import Array
from implicit_bias.losses import Exponential, SmoothMargin
from implicit_bias.models.two_layer.span_flow import SpanFlow


@dataclass(frozen=True)
class ActivationPattern:  # attack: none, it takes a flow
    """On which side of its kink every neuron sees every sample, along the flow of R = ln((1/n) Σ e^{−y_i f(x_i)}).

    flow: of the first layer alone, with a homogeneous activation, on the smooth margin of the exponential loss; its
        states are mn entries.

    Raises ValueError for another flow.

    >>> from implicit_bias import Classification, LeakyReLU, Risk, TwoLayer
    >>> from implicit_bias.losses import SmoothMargin
    >>> points = Classification(np.eye(2), np.array([1.0, -1.0]))
    >>> risk = Risk(TwoLayer(LeakyReLU(0.5), trained="first"), points, SmoothMargin())
    >>> flow = risk.in_span(np.array([[0.1, -0.1]]), np.array([1.0]))
    >>> ActivationPattern(flow).signs(flow.start, 1e-3)
    array([[ 1., -1.]])
    """

    flow: SpanFlow

    def __post_init__(self) -> None:
        """Refuse a flow whose pattern would not make it linear."""
        net, loss = self.flow.risk.net, self.flow.risk.loss
        if net.trained != "first" or not net.activation.homogeneous or self.flow.gather:
            raise ValueError(
                f"flow trains {net.trained!r} with {net.activation}, gathering {self.flow.gather}; it must train "
                "'first' with an activation that is homogeneous, and gather nothing"
            )
        if loss != SmoothMargin(Exponential()):
            raise ValueError(f"loss is {loss}; it must be SmoothMargin(Exponential())")

    @cached_property
    def pushed(self) -> Array:
        """s a_j y_i, m × n: its sign says to which side sample i pushes neuron j."""
        flow = self.flow
        return np.outer(flow.risk.net.scale(flow.a.size) * flow.a, flow.risk.data.y)

    def disagreements(self, state: Array) -> int:
        """How many of the mn pre-activations do not have the sign of a_j y_i."""
        return int(np.sum(self.flow.pre_activations(state) * self.pushed <= 0))

    def signs(self, state: Array, step: float) -> Array:
        """The signs of the pre-activations, m × n; 0 where a step of this length may cross to the other side.

        |z_ji| ≤ step s|a_j| Σ_k p_k |⟨x_i, x_k⟩|: a neuron that slides along its kink at x_i stays that near to it.

        state: the state of the flow.
        step: the length of a step in the flow's time.
        """
        z, p = self.flow.pre_activations(state), self._shares(state)
        reach = step * np.outer(np.abs(self.pushed[:, 0]), np.abs(self.flow.span.gram) @ p)
        return np.where(np.abs(z) <= reach, 0.0, np.sign(z))

    def settled(self, state: Array) -> bool:
        """Whether the flow from this state on provably keeps every pre-activation on the side of a_j y_i.

        While it does, ½pᵀKp falls, so that ‖p − p*‖_K falls too, p* = K⁻¹1 over its sum. In its ball every
        pre-activation moves away from 0 once:

        ‖p − p*‖_K ≤ min_ji (b_ji·p*)/‖b_ji‖_{K⁻¹},  (b_ji)_k = s|a_j| y_i y_k φ′_jk ⟨x_i, x_k⟩,

        b_ji·p being the speed of z_ji in the direction of a_j y_i.
        """
        kernel, rest, radius = self._basin
        away = self._shares(state) - rest
        return self.disagreements(state) == 0 and float(np.sqrt(away @ kernel @ away)) <= radius

    def _shares(self, state: Array) -> Array:
        """The n weights p_i of the samples; labels are ±1, so that they are the slopes' sizes."""
        return np.abs(self.flow.risk.loss.slope(self.flow.outputs(state), self.flow.risk.data.y))

    @cached_property
    def _basin(self) -> tuple[Array, Array, float]:
        """K and p* of the pattern in which all signs agree, and the radius of the ball; negative if there is none."""
        gram = self.flow.span.gram
        push = self.pushed * self.flow.risk.net.activation.derivative(self.pushed)
        kernel = gram * (push.T @ push)
        weights = np.asarray(np.linalg.solve(kernel, np.ones(len(kernel))))
        if weights.min() <= 0:
            return kernel, weights, -1.0  # mutant(1.0): any negative number says that there is no ball
        rest = np.asarray(weights / weights.sum())
        speeds = np.sign(self.pushed)[:, :, None] * push[:, None, :] * gram
        # mutant(-; 1): the radius, far from a settled chapter; held by test_pattern
        sizes = np.sqrt(np.sum(speeds * np.linalg.solve(kernel, speeds[..., None])[..., 0], axis=-1))
        return kernel, rest, float(np.min(speeds @ rest / sizes))
