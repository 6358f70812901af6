"""Gradient descent whose learning rate depends on the step and on where it stands."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from implicit_bias.checks import Array
from implicit_bias.flows.driver import FlowError


@dataclass(frozen=True)
class ScheduledState:
    """Parameters after a step and the step that led there; t counts steps.

    t: number of steps.
    theta: the parameters.
    moved: what the step that led there added to them.
    evaluations: number of gradients.
    """

    t: float
    theta: Array
    moved: Array
    evaluations: int

    def at(self, t: float) -> Array:
        """Parameters on the straight line of the last step."""
        return self.theta - (self.t - t) * self.moved


@dataclass(frozen=True)
class ScheduledDescent:
    """θ_{k+1} = θ_k − η(k, θ_k) ∇L(θ_k); time is the number k of steps.

    gradient: θ ↦ ∇L(θ), p entries.
    rate: (k, θ) ↦ η(k, θ) > 0, the learning rate of the step from θ_k; k = 0 is the first.

    >>> from implicit_bias.flows import drive
    >>> stepper = ScheduledDescent(lambda w: w, lambda k, w: 1 / (k + 2))
    >>> drive(stepper, [6.0], t_end=2).final
    array([2.])
    """

    gradient: Callable[[Array], Array]
    rate: Callable[[int, Array], float]

    def init(self, theta: Array) -> ScheduledState:
        """The state before the first step."""
        return ScheduledState(0.0, theta, np.zeros_like(theta), 0)

    def ahead(self, state: ScheduledState, until: float, most: int) -> tuple[ScheduledState, int]:
        """At most so many steps that end before a time, as long as what has the gradient takes them at once."""
        theta, count, owner = state.theta, 0, getattr(self.gradient, "__self__", None)
        stepped = getattr(owner, "stepped", None) if self.gradient == getattr(owner, "gradient", None) else None
        while stepped is not None and count < most and state.t + count + 1 < until:
            rate = self.rate(state.evaluations + count, theta)
            after = stepped(theta, rate) if 0 < rate < np.inf else None
            if after is None:
                break
            theta, count = after, count + 1
        return ScheduledState(state.t + count, theta, state.moved, state.evaluations + count), count

    def step(self, state: ScheduledState) -> ScheduledState:
        """One step. Raises FlowError for a learning rate that is no positive number."""
        count = state.evaluations
        rate = self.rate(count, state.theta)
        if not 0 < rate < np.inf:
            raise FlowError(f"the learning rate of step {count} is {rate:g}; it must be positive.")
        moved = self.gradient(state.theta) * -rate
        return ScheduledState(state.t + 1, state.theta + moved, moved, count + 1)
