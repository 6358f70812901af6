"""The risk of a two-layer network on samples, its gradient by hand, and the two flows that descend it."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from implicit_bias.brief import brief
from implicit_bias.checks import Array, array, instance
from implicit_bias.losses import Loss
from implicit_bias.models.two_layer.flow import Data
from implicit_bias.models.two_layer.network import TwoLayer
from implicit_bias.models.two_layer.span import Span
from implicit_bias.models.two_layer.span_flow import SpanFlow
from implicit_bias.models.two_layer.weight_flow import WeightFlow


@brief()
@dataclass(frozen=True)
class Risk:  # attack: none, it takes what is made
    """F(W, a) = R(f(x_1), …, f(x_n); y) of a two-layer network on samples.

    net: the network f.
    data: x (n × d) and y (n).
    loss: R. Whatever changes only what the loss sees of the outputs (their scale, their start) wraps it.

    Raises ValueError for what is none of these.

    >>> from implicit_bias import Classification, LeakyReLU, Squared
    >>> risk = Risk(TwoLayer(LeakyReLU(0.5)), Classification(np.eye(2), np.array([1.0, -1.0])), Squared())
    >>> w, a = np.eye(2), np.array([3.0, -1.0])
    >>> risk.value(w, a), risk.gradient(w, a)[1]
    (1.0, array([1., 0.]))
    """

    net: TwoLayer
    data: Data
    loss: Loss

    def __post_init__(self) -> None:
        """Refuse what is no network, no data or no loss."""
        instance("net", self.net, TwoLayer)
        instance("data", self.data, Data)
        instance("loss", self.loss, Loss)

    def value(self, w: Array, a: Array) -> float:
        """F at W (m × d) and a (m)."""
        return self.loss.value(self.net.output(w, a, self.data.x), self.data.y)

    def gradient(self, w: Array, a: Array) -> tuple[Array, Array]:
        """∂F/∂W (m × d) and ∂F/∂a (m), whichever is trained.

        ∂F/∂w_j = s a_j Σ_i R_i σ′(w_j·x_i) x_i,  ∂F/∂a_j = s Σ_i R_i σ(w_j·x_i),  R_i = ∂R/∂f_i

        w: m × d.
        a: m.
        """
        x, scale = self.data.x, self.net.scale(a.size)
        outer = scale * a  # mutant(scale): the chapter's scaling is 1; held by test_risk
        hidden, gate = self.net.activation.with_derivative(w @ x.T)
        slope = self.loss.slope(outer @ hidden, self.data.y)
        gate *= outer[:, None]
        gate *= slope
        # mutant(scale): the chapter's scaling is 1; held by test_risk
        return np.asarray(gate @ x), scale * (hidden @ slope)

    def of_weights(self, w: ArrayLike, a: ArrayLike) -> WeightFlow:
        """The flow of all trained weights from W(0) = w (m × d) and a(0) = a (m); ValueError if they do not fit."""
        return WeightFlow(self, *self._start(w, a))

    def in_span(self, w: ArrayLike | Span, a: ArrayLike, *, gather: bool = False) -> SpanFlow:
        """The same flow reduced to the span of the samples: exact for any network, data, loss and start.

        w: W(0), m × d; or a Span of it, whose products several flows then share.
        a: a(0), m.
        gather: whether the state also gathers −∫ ∂R/∂f_i dt.

        Raises ValueError for arrays that do not fit together.
        """
        if not isinstance(w, Span):
            w, a = self._start(w, a)
            return SpanFlow(self, Span(w, self.data.x), a, gather)
        array("w.x", w.x, 2, (self.data.y.size, None))
        return SpanFlow(self, w, array("a", a, 1, (len(w.w),)), gather)

    def _start(self, w: ArrayLike, a: ArrayLike) -> tuple[Array, Array]:
        w = array("w", w, 2, (None, self.data.x.shape[1]))
        return w, array("a", a, 1, (len(w),))
