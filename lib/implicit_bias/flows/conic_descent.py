"""Conic particle gradient descent: multiplicative or linear updates of the weights, plain ones of the positions."""

import math
from dataclasses import dataclass
from typing import Literal, Protocol

import numpy as np

from implicit_bias.checks import Array, number

Retraction = Literal["mirror", "canonical", "additive"]
RETRACTIONS: tuple[Retraction, ...] = ("mirror", "canonical", "additive")


class Particles(Protocol):
    """A measure of m particles that knows its first variation where they are."""

    def derivative(self, theta: Array) -> Array:
        """J′_ν and ∇J′_ν at the particles of θ = (r, positions): 1 + d rows of m."""


@dataclass(frozen=True)
class ConicState:
    """Parameters after a step and those before it, and the number of steps.

    t: number of steps.
    theta, before: the parameters now and a step ago.
    evaluations: number of gradients.
    """

    t: float
    theta: Array
    before: Array
    evaluations: int

    def at(self, t: float) -> Array:
        """Parameters on the straight line of the last step."""
        return self.theta if t == self.t else self.theta - (self.t - t) * (self.theta - self.before)


@dataclass(frozen=True)
class ConicDescent:  # attack: none, it takes functions
    """One step of size 1 in the time of the flow r′ = −2αrJ′, θ′ = −β∇J′; α and β are the step sizes.

    For mirror: r ← r e^{−2αJ′};  canonical: r ← r(1 − 2αJ′);  additive, for p = 1: r ← max(r − αJ′, 0)
    θ ← θ − β∇J′, at the same time

    measure: the particles.
    alpha, beta: α, β ≥ 0; time counts steps.
    retraction: mirror, canonical or additive.

    Raises ValueError for negative step sizes and an unknown retraction.
    Reference: Chizat 2022, mirror and canonical retractions.

    >>> from implicit_bias import ParticleMeasure, three_spikes
    >>> from implicit_bias.flows import drive
    >>> measure = ParticleMeasure(three_spikes(), 1.0)
    >>> start = measure.parameters([[1.0, 1.0], [3.0, 3.0], [5.0, 5.0]])
    >>> run = drive(ConicDescent(measure, alpha=0.01, beta=0.01), start, t_end=20)
    >>> bool(measure.value(run.final) < measure.value(start))
    True
    """

    measure: Particles
    alpha: float
    beta: float
    retraction: Retraction = "mirror"

    def __post_init__(self) -> None:
        """Refuse negative step sizes and an unknown retraction."""
        number("alpha", self.alpha, least=0)
        number("beta", self.beta, least=0)
        if self.retraction not in RETRACTIONS:
            raise ValueError(f"retraction is {self.retraction!r}; it must be one of {', '.join(RETRACTIONS)}")

    def init(self, theta: Array) -> ConicState:
        """The state before the first step."""
        return ConicState(0.0, theta, theta, 0)

    def ahead(self, state: ConicState, until: float, most: int) -> tuple[ConicState, int]:
        """At most so many steps that end before a time, as long as the measure has them in C."""
        compiled, count = getattr(self.measure, "compiled", None), min(most, math.ceil(until - state.t) - 1)
        if compiled is None:
            return state, 0
        rows = state.theta.reshape(compiled.rows, -1)
        moved, taken = compiled.steps(count, rows, self.alpha, self.beta, RETRACTIONS.index(self.retraction))
        theta = moved.ravel() if taken else state.theta
        return ConicState(state.t + taken, theta, state.theta, state.evaluations + taken), taken

    def step(self, state: ConicState) -> ConicState:
        """One step."""
        theta = state.theta
        rows = self.measure.derivative(theta)
        m = rows.shape[1]
        moved = np.empty_like(theta)
        if self.retraction == "mirror":
            # mutant in global_guarantee(2): the canonical retraction is not used here
            # mutant(0): a retraction that not every chapter uses
            np.multiply(theta[:m], np.exp(-2 * self.alpha * rows[0]), out=moved[:m])
        elif self.retraction == "canonical":
            # mutant in global_guarantee(1): the canonical retraction is not used here
            # mutant in global_guarantee(2): the canonical retraction is not used here
            # mutant in global_guarantee(0): a retraction that not every chapter uses
            np.multiply(theta[:m], 1 - 2 * self.alpha * rows[0], out=moved[:m])
        else:
            # mutant: a retraction that not every chapter uses
            np.clip(theta[:m] - self.alpha * rows[0], 0, None, out=moved[:m])
        np.subtract(theta[m:], self.beta * rows[1:].ravel(), out=moved[m:])
        return ConicState(state.t + 1, moved, theta, state.evaluations + 1)  # mutant: the count of evaluations
