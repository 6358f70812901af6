"""The gradient flow of a diagonal linear network on labelled samples: in its 4d parameters, or in N numbers."""

from abc import ABC, abstractmethod
from dataclasses import dataclass

import numpy as np

from implicit_bias.brief import brief
from implicit_bias.checks import Array, choice, instance, kept
from implicit_bias.losses import REDUCTIONS, Reduction, share
from implicit_bias.models.linear.diagonal import DiagonalNetwork


@dataclass(frozen=True)
class _OnSamples(ABC):
    """What both flows know: the network at its start, the samples, and how often each of them counts."""

    net: DiagonalNetwork
    x: Array
    y: Array
    reduction: Reduction = "mean"

    def __post_init__(self) -> None:
        """Refuse another network, arrays that do not fit together and an unknown reduction."""
        instance("net", self.net, DiagonalNetwork)
        x = kept(self, "x", 2, (None, self.net.u_plus.size))
        kept(self, "y", 1, (len(x),))
        choice("reduction", self.reduction, REDUCTIONS)

    @abstractmethod
    def predictor(self, state: Array) -> Array:
        """The predictor w at a state."""

    def residual(self, state: Array) -> Array:
        """r = y − Xw, N entries."""
        return np.asarray(self.y - self.x @ self.predictor(state))

    def misfit(self, state: Array) -> float:
        """‖y − Xw‖."""
        return float(np.linalg.norm(self.residual(state)))

    def pull(self, state: Array) -> Array:
        """Minus the slope of the loss in the outputs: r/N of the mean, r of the sum."""
        return share(self.reduction, self.y.size) * self.residual(state)


@brief()
@dataclass(frozen=True)
class DiagonalFlow(_OnSamples):
    """Gradient flow of ‖y − Xw‖²/2N in θ = (u₊, v₊, u₋, v₋), w = u₊∘v₊ − u₋∘v₋.

    θ̇ = −gradient is  u̇₊ = v₊∘g, v̇₊ = u₊∘g, u̇₋ = −v₋∘g, v̇₋ = −u₋∘g,  g = Xᵀ(y − Xw)/N

    net: the network at its start.
    x: X, N × d.
    y: N labels.
    reduction: "mean", or "sum" for the loss ½‖y − Xw‖², with which g has no N.

    Raises ValueError for arrays that do not fit together and another reduction.

    >>> net = DiagonalNetwork.unbiased(2, scale=0.1, shape=0.0)
    >>> flow = DiagonalFlow(net, np.array([[1.0, 2.0]]), np.array([4.0]))
    >>> flow.misfit(flow.start)
    4.0
    """

    @property
    def start(self) -> Array:
        """The 4d parameters at t = 0."""
        return self.net.start

    def predictor(self, state: Array) -> Array:
        """The predictor w, … × d, at states θ (… × 4d)."""
        return self.net.predictor(state)

    def gradient(self, state: Array) -> Array:
        """The gradient of the loss in θ, 4d entries."""
        u_plus, v_plus, u_minus, v_minus = state.reshape(4, -1)  # mutant(1): NumPy finds this size by itself
        g = self.pull(state) @ self.x
        return np.concatenate([-v_plus * g, -u_plus * g, v_minus * g, u_minus * g])

    def velocity(self, state: Array) -> Array:
        """θ̇, 4d entries."""
        return -self.gradient(state)


@brief()
@dataclass(frozen=True)
class DualFlow(_OnSamples):
    """The same flow in what it gathers, μ = ∫ r/N dt: N numbers, without approximation, for any data and any time.

    μ̇ = (y − Xw(μ))/N,  ∂μ̇/∂μ = −X diag(√(4w² + k)) Xᵀ/N

    net: the network at its start.
    x: X, N × d.
    y: N labels.
    reduction: "mean", or "sum" for the loss ½‖y − Xw‖², with which μ = ∫ r dt.

    Raises ValueError for arrays that do not fit together and another reduction.

    >>> net = DiagonalNetwork.unbiased(2, scale=0.1, shape=0.0)
    >>> flow = DualFlow(net, np.array([[1.0, 2.0]]), np.array([4.0]))
    >>> flow.velocity(flow.start)
    array([4.])
    """

    @property
    def start(self) -> Array:
        """μ = 0, N entries."""
        return np.zeros(len(self.y))

    def predictor(self, state: Array) -> Array:
        """The predictor w, d entries, at a state μ (N entries)."""
        return self.net.predictor_from_dual(self.x, state)

    def velocity(self, state: Array) -> Array:
        """μ̇, N entries."""
        return self.pull(state)

    def jacobian(self, state: Array) -> Array:
        """∂μ̇/∂μ, N × N, negative semidefinite."""
        # mutant(4 → 5): only steers the stiff solver; held by tests
        rates = share(self.reduction, self.y.size) * np.sqrt(4 * self.predictor(state) ** 2 + self.net.k)
        return -(self.x * rates) @ self.x.T  # mutant(-): only steers the stiff solver; held by tests
