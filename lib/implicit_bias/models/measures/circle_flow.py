"""The conic flow of a few particles on the circle: as few calls as it can be made of, and its Jacobian."""

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from implicit_bias.checks import Array
from implicit_bias.models.measures.conic_flow import ConicFlow

Waves = NDArray[np.complex128]


@dataclass(frozen=True)
class CircleFlow(ConicFlow):
    """``ConicFlow`` of a few particles on the circle, with its Jacobian.

    J′_ν(θ_i) = s_i(|ν| − |ν̂| + 2 Re Σ_{k=1}^K e^{ikθ_i} ∫e^{−ik·} d(ν − ν̂)) + λ,  |·| the total charge

    For so few particles the calls take the time, not the arithmetic: there are a third as many as there.

    measure: J and its particles' signs, d = 1, p = 2.
    start: (r, θ) at t = 0, 2m parameters.
    alpha, beta: α, β ≥ 0.

    Raises ValueError for another dimension or power, and for a start that does not fit.
    Reference: Chizat 2022.

    >>> from implicit_bias.data import Deconvolution, torus_grid
    >>> from implicit_bias.models.measures import ParticleMeasure
    >>> measure = ParticleMeasure(Deconvolution(np.array([[np.pi]]), np.array([1.0]), cutoff=2), 0.5)
    >>> flow = CircleFlow(measure, measure.parameters(torus_grid(3, 1)), 1.0, 1.0)
    >>> flow.velocity(flow.start).shape, flow.jacobian(flow.start).shape
    ((6,), (6, 6))
    """

    def __post_init__(self) -> None:
        """Refuse what is no flow on the circle."""
        super().__post_init__()
        if self.measure.problem.dimension != 1:
            raise ValueError(f"measure has dimension {self.measure.problem.dimension}; it must be 1")

    @cached_property
    def _known(self) -> tuple[Any, ...]:
        """The ik, the coefficients of the spikes and their total charge, and what the derivatives multiply."""
        problem = self.measure.problem
        waves = 1j * np.arange(1, problem.cutoff + 1)[:, None]
        known = np.exp(-waves * problem.positions[:, 0]) @ problem.masses
        return waves, known, problem.masses.sum(), 2 * np.hstack([np.ones_like(waves), waves, waves**2]).T

    def _variation(self, theta: Array, orders: int) -> tuple[Array, Array, Waves]:
        """J′_ν and its first derivatives at the particles, orders × m; the masses; and the e^{ikθ_i}, K × m."""
        waves, known, total, sides = self._known
        r, places = theta.reshape(2, -1)
        signs = self.measure.signs
        masses = r * r / r.size if signs is None else signs * (r * r / r.size)
        powers = np.exp(waves * places)
        rows = (sides[:orders] * ((powers @ masses).conj() - known) @ powers).real
        if signs is None:
            rows[0] += masses.sum() - total + self.measure.penalty
        else:
            rows[0] += masses.sum() - total
            rows *= signs
            rows[0] += self.measure.penalty
        return rows, masses, powers

    def velocity(self, state: Array) -> Array:
        """(r, θ)′, 2m numbers."""
        value, slope = self._variation(state, 2)[0]
        return np.concatenate([-2 * self.alpha * state[: value.size] * value, -self.beta * slope])

    def jacobian(self, state: Array) -> Array:
        """The derivative of the velocity, 2m square."""
        (value, slope, bend), masses, powers = self._variation(state, 3)
        r, m = state[: value.size], value.size
        each = np.arange(m)
        by_place, turned = powers.conj().T, self._known[0] * powers
        kernel = np.empty((2 * m, 2 * m))  # Re of 2 Σ_k of φ·φ, φ·φ′; φ′·φ, φ′·φ′
        kernel[:m, :m], kernel[:m, m:] = 1 + 2 * (by_place @ powers).real, 2 * (by_place @ turned).real
        kernel[m:, :m], kernel[m:, m:] = kernel[:m, m:].T, 2 * (turned.conj().T @ turned).real
        if self.measure.signs is not None:  # s_i for the point that is looked at, s_j for the mass
            kernel *= np.tile(self.measure.signs, 2)[:, None]
            kernel[:, :m] *= self.measure.signs
        kernel[:, :m] *= 2 * r / m
        kernel[:, m:] *= masses
        kernel[each, m + each] += slope
        kernel[m + each, m + each] += bend
        kernel[:m] *= -2 * self.alpha * r[:, None]
        kernel[m:] *= -self.beta
        kernel[each, each] -= 2 * self.alpha * value
        return kernel
