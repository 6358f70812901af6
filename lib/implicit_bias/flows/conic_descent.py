"""Conic particle gradient descent: multiplicative or linear updates of the weights, plain ones of the positions."""

from dataclasses import dataclass
from typing import Any, Literal, Protocol

import numpy as np

from implicit_bias.checks import Array, number
from implicit_bias.devices import in_memory, namespace, on_device

Retraction = Literal["mirror", "canonical", "additive"]
RETRACTIONS: tuple[Retraction, ...] = ("mirror", "canonical", "additive")


class Particles(Protocol):
    """A measure of m particles that knows its first variation where they are."""

    def derivative(self, theta: Array) -> Array:
        """J′_ν and ∇J′_ν at the particles of θ = (r, positions): 1 + d rows of m."""


@dataclass(frozen=True)
class ConicState:
    """Parameters after a step and those before it, on the device of the descent, and the number of steps."""

    t: float
    here: Any
    before: Any
    evaluations: int

    @property
    def theta(self) -> Array:
        """Parameters after the step, in memory."""
        return in_memory(self.here)

    def at(self, t: float) -> Array:
        """Parameters on the straight line of the last step."""
        return self.theta if t == self.t else self.theta - (self.t - t) * (self.theta - in_memory(self.before))


@dataclass(frozen=True)
class ConicDescent:  # attack: none, it takes functions
    """One step of size 1 in the time of the flow r′ = −2αrJ′, θ′ = −β∇J′; α and β are the step sizes.

    For mirror: r ← r e^{−2αJ′};  canonical: r ← r(1 − 2αJ′);  additive, for p = 1: r ← max(r − αJ′, 0)
    θ ← θ − β∇J′, at the same time

    measure: the particles.
    alpha, beta: α, β ≥ 0; time counts steps.
    retraction: mirror, canonical or additive.
    device: where the steps are computed, in PyTorch's words (cpu, cuda:0); None: in memory, by NumPy. What is recorded
        is NumPy's in any case.

    Raises ValueError for negative step sizes, an unknown retraction, and a device that is not there.
    Reference: Chizat 2022, mirror and canonical retractions.
    """

    measure: Particles
    alpha: float
    beta: float
    retraction: Retraction = "mirror"
    device: str | None = None

    def __post_init__(self) -> None:
        """Refuse negative step sizes, an unknown retraction, and a device that is not there."""
        number("alpha", self.alpha, least=0)
        number("beta", self.beta, least=0)
        if self.retraction not in RETRACTIONS:
            raise ValueError(f"retraction is {self.retraction!r}; it must be one of {', '.join(RETRACTIONS)}")
        on_device(np.zeros(1), self.device)

    def init(self, theta: Array) -> ConicState:
        """The state before the first step."""
        here = on_device(theta, self.device)
        return ConicState(0.0, here, here, 0)

    def step(self, state: ConicState) -> ConicState:
        """One step."""
        theta = state.here
        xp = namespace(theta)
        rows = self.measure.derivative(theta)
        m = rows.shape[1]
        moved = xp.empty_like(theta)
        if self.retraction == "mirror":
            # mutant in global_guarantee(2): the canonical retraction is not used here
            # mutant(0): a retraction that not every chapter uses
            xp.multiply(theta[:m], xp.exp(-2 * self.alpha * rows[0]), out=moved[:m])
        elif self.retraction == "canonical":
            # mutant in global_guarantee(1): the canonical retraction is not used here
            # mutant in global_guarantee(2): the canonical retraction is not used here
            # mutant in global_guarantee(0): a retraction that not every chapter uses
            xp.multiply(theta[:m], 1 - 2 * self.alpha * rows[0], out=moved[:m])
        else:
            # mutant: a retraction that not every chapter uses
            xp.clip(theta[:m] - self.alpha * rows[0], 0, None, out=moved[:m])
        xp.subtract(theta[m:], self.beta * rows[1:].ravel(), out=moved[m:])
        return ConicState(state.t + 1, moved, theta, state.evaluations + 1)  # mutant: the count of evaluations
