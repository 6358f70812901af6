"""The conic flow of particles on the torus: the gradient flow of J in the conic metric."""

from dataclasses import dataclass

import numpy as np

from implicit_bias.checks import Array, kept, number
from implicit_bias.models.measures.particles import ParticleMeasure


@dataclass(frozen=True)
class ConicFlow:
    """r′ = −2αrJ′_ν(θ), θ′ = −β∇J′_ν(θ): weights and positions of particles from a start.

    measure: J and its particles' signs, p = 2.
    start: (r, θ) at t = 0, m(1 + d) parameters.
    alpha, beta: α, β ≥ 0.

    Raises ValueError for another power, and for a start that does not fit.
    Reference: Chizat 2022 (the metric is also called Wasserstein–Fisher–Rao).

    >>> from implicit_bias.data import three_spikes, torus_grid
    >>> measure = ParticleMeasure(three_spikes(), 1.0)
    >>> flow = ConicFlow(measure, measure.parameters(torus_grid(3, 2)), 1.0, 1.0)
    >>> flow.velocity(flow.start).shape
    (27,)
    """

    measure: ParticleMeasure
    start: Array
    alpha: float
    beta: float

    def __post_init__(self) -> None:
        """Refuse what is no flow of these particles."""
        number("alpha", self.alpha, least=0)
        number("beta", self.beta, least=0)
        signs, each = self.measure.signs, 1 + self.measure.problem.dimension
        if self.measure.power != 2:
            raise ValueError(f"measure has power {self.measure.power}; it must be 2")
        if kept(self, "start", 1, None if signs is None else (each * len(signs),)).size % each:
            raise ValueError(f"start has shape {self.start.shape}; it must hold r and θ, {each} numbers a particle")

    def velocity(self, state: Array) -> Array:
        """The derivative of (r, θ), m(1 + d) numbers."""
        rows = self.measure.derivative(state)
        # mutant(2): another ratio of speeds
        parts = [-2 * self.alpha * state[: rows.shape[1]] * rows[0], -self.beta * rows[1:].ravel()]
        return np.concatenate(parts)

    def value(self, state: Array) -> float:
        """J(ν)."""
        return self.measure.value(state)

    def dissipation(self, state: Array) -> float:
        """−dJ/dt along the flow."""
        return self.measure.dissipation(state, self.alpha, self.beta)
