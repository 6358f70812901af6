"""The gradient flow of a diagonal linear network on labelled samples: in its 4d parameters, or in N numbers."""

from dataclasses import dataclass

import numpy as np

from implicit_bias.checks import Array, kept
from implicit_bias.models.linear.diagonal import DiagonalNetwork


@dataclass(frozen=True)
class DiagonalFlow:
    """Gradient flow of ½‖y − Xw‖² in θ = (u₊, v₊, u₋, v₋), w = u₊∘v₊ − u₋∘v₋.

    net: the network at its start.
    x: X, N × d.
    y: N labels.

    Raises ValueError for arrays that do not fit together.
    """

    net: DiagonalNetwork
    x: Array
    y: Array

    def __post_init__(self) -> None:
        """Refuse arrays that do not fit together."""
        x = kept(self, "x", 2, (None, self.net.u_plus.size))
        kept(self, "y", 1, (len(x),))

    @property
    def start(self) -> Array:
        """The 4d parameters at t = 0."""
        return self.net.parameters

    def predictor(self, state: Array) -> Array:
        """The predictor w, … × d, at states θ (… × 4d)."""
        return self.net.predictor(state)

    def gradient(self, state: Array) -> Array:
        """The gradient of the loss in θ, 4d entries."""
        return self.net.gradient(state, self.x, self.y)

    def velocity(self, state: Array) -> Array:
        """θ̇, 4d entries."""
        return -self.gradient(state)

    def misfit(self, state: Array) -> float:
        """‖y − Xw‖."""
        return float(np.linalg.norm(self.y - self.x @ self.predictor(state)))


@dataclass(frozen=True)
class DualFlow:
    """The same flow in what it gathers, μ = ∫ (y − Xw) dt: N numbers, without approximation, for any data and any time.

    net: the network at its start.
    x: X, N × d.
    y: N labels.

    Raises ValueError for arrays that do not fit together.
    """

    net: DiagonalNetwork
    x: Array
    y: Array

    def __post_init__(self) -> None:
        """Refuse arrays that do not fit together."""
        x = kept(self, "x", 2, (None, self.net.u_plus.size))
        kept(self, "y", 1, (len(x),))

    @property
    def start(self) -> Array:
        """μ = 0, N entries."""
        return np.zeros(len(self.y))

    def predictor(self, state: Array) -> Array:
        """The predictor w, d entries, at a state μ (N entries)."""
        return self.net.predictor_from_dual(self.x, state)

    def velocity(self, state: Array) -> Array:
        """μ̇ = y − Xw(μ), N entries."""
        return self.net.dual_velocity(state, self.x, self.y)

    def jacobian(self, state: Array) -> Array:
        """∂μ̇/∂μ, N × N."""
        return self.net.dual_jacobian(state, self.x)

    def misfit(self, state: Array) -> float:
        """‖y − Xw‖."""
        return float(np.linalg.norm(self.velocity(state)))
