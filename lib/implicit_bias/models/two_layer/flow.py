"""What the flow of all weights and its reduction have in common."""

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import Protocol, runtime_checkable

import numpy as np

from implicit_bias.checks import Array
from implicit_bias.losses import Loss
from implicit_bias.models.two_layer.network import TwoLayer


@runtime_checkable
class Data(Protocol):
    """Labelled samples."""

    @property
    def x(self) -> Array:
        """The samples x_i, n × d."""

    @property
    def y(self) -> Array:
        """The n labels."""


class NetworkRisk(Protocol):
    """What a flow needs of a ``Risk``, which makes its flows and therefore imports them, not they it."""

    @property
    def net(self) -> TwoLayer:
        """The network f."""

    @property
    def data(self) -> Data:
        """The samples."""

    @property
    def loss(self) -> Loss:
        """R(f; y)."""

    def gradient(self, w: Array, a: Array) -> tuple[Array, Array]:
        """∂F/∂W (m × d) and ∂F/∂a (m)."""


@dataclass(frozen=True)
class NetworkFlow(ABC):
    """A descent of a risk from a start; a state is one vector of p numbers, and so are velocity and gradient.

    risk: what descends.
    """

    risk: NetworkRisk

    @property
    @abstractmethod
    def start(self) -> Array:
        """The state at t = 0."""

    @abstractmethod
    def weights(self, state: Array) -> tuple[Array, Array]:
        """W (… × m × d) and a (… × m) at states (… × p)."""

    @abstractmethod
    def outputs(self, state: Array) -> Array:
        """The n numbers f(x_i) at a state."""

    @abstractmethod
    def gradient(self, state: Array) -> Array:
        """Minus the velocity: what a step of gradient descent takes off the state, over the learning rate."""

    def velocity(self, state: Array) -> Array:
        """The state's derivative in t along gradient flow of the trained weights."""
        return -self.gradient(state)

    def value(self, state: Array) -> float:
        """The risk R."""
        return self.risk.loss.value(self.outputs(state), self.risk.data.y)

    def residual(self, state: Array) -> Array:
        """r = y − f(X), n entries."""
        return np.asarray(self.risk.data.y - self.outputs(state))

    def misfit(self, state: Array) -> float:
        """‖y − f(X)‖."""
        return float(np.linalg.norm(self.residual(state)))

    def margins(self, state: Array) -> Array:
        """The n margins y_i f(x_i)."""
        return np.asarray(self.risk.data.y * self.outputs(state))

    def predictor(self, state: Array) -> Array:
        """w̃ = s Wᵀa, … × d, at states (… × p)."""
        return self.risk.net.predictor(*self.weights(state))

    def balance(self, state: Array) -> Array:
        """The a_j² − ‖w_j‖², … × m, at states (… × p)."""
        return self.risk.net.balance(*self.weights(state))
