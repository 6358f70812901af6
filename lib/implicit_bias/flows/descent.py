"""Gradient descent with a constant learning rate: the plain baseline."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from implicit_bias.checks import Array, number


@dataclass(frozen=True)
class DescentState:
    """Parameters after a step and the gradient that led there; t = steps · learning rate.

    t: time.
    theta: the parameters.
    gradient: where the step began.
    evaluations: number of gradients.
    """

    t: float
    theta: Array
    gradient: Array
    evaluations: int

    def at(self, t: float) -> Array:
        """Parameters on the straight line of the last step: gradient descent is Euler's method."""
        return self.theta + (self.t - t) * self.gradient


@dataclass(frozen=True)
class GradientDescent:  # attack: none, it takes functions
    """θ ← θ − η ∇L(θ).

    gradient: θ ↦ ∇L(θ), p entries.
    learning_rate: η > 0; time is t = step · η, so that small η follows gradient flow.

    >>> from implicit_bias.flows import drive
    >>> run = drive(GradientDescent(lambda w: w, 0.5), [8.0], t_end=1.5, record=[0.5, 1.0])
    >>> run.theta.ravel()
    array([8., 4., 2., 1.])
    """

    gradient: Callable[[Array], Array]
    learning_rate: float

    def __post_init__(self) -> None:
        """Refuse a learning rate that is not positive."""
        number("learning_rate", self.learning_rate, above=0)

    def init(self, theta: Array) -> DescentState:
        """The state before the first step."""
        return DescentState(0.0, theta, np.zeros_like(theta), 0)

    def step(self, state: DescentState) -> DescentState:
        """One step."""
        count = state.evaluations + 1
        gradient = self.gradient(state.theta)
        theta = state.theta - self.learning_rate * gradient
        return DescentState(count * self.learning_rate, theta, gradient, count)
