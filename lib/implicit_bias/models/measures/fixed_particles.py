"""The conic flow with β = 0, which moves no particle: an exact reduction to one variable per known coefficient."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from implicit_bias.checks import Array, kept, number
from implicit_bias.data.torus import Deconvolution, fourier_basis


@dataclass(frozen=True)
class FixedParticles:
    """Masses a_i at fixed places under a_i′ = −4αa_iJ′_ν(θ_i), in n = (2K+1)^d variables.

    a_i(t) = a_i(0) exp(−4α(λt + ⟨φ(θ_i), P(t)⟩)),  P′ = ∫φ dν − f̂,  P(0) = 0

    Exact for any number of places; on a fine grid it is the flow of a density.

    problem: the spikes whose coefficients are fitted.
    penalty: λ ≥ 0.
    places: θ, m × d.
    at_start: a(0), m positive numbers.
    alpha: α > 0.

    >>> from implicit_bias import follow
    >>> from implicit_bias.data import Deconvolution, torus_grid
    >>> problem = Deconvolution(np.array([[np.pi]]), np.array([1.0]), cutoff=2)
    >>> flow = FixedParticles(problem, 0.5, torus_grid(4, 1), np.full(4, 0.25))
    >>> flow.masses(flow.start), bool(flow.value(follow(flow, t_end=1.0).final) < flow.value(flow.start))
    (array([0.25, 0.25, 0.25, 0.25]), True)
    """

    problem: Deconvolution
    penalty: float
    places: Array
    at_start: Array
    alpha: float = 1.0

    def __post_init__(self) -> None:
        """Refuse arrays that do not fit together."""
        number("penalty", self.penalty, least=0)
        number("alpha", self.alpha, above=0)
        places = kept(self, "places", 2, (None, self.problem.dimension))
        if np.any(kept(self, "at_start", 1, (len(places),)) < 0):
            raise ValueError(f"at_start holds {self.at_start.min():g}; every mass must be at least 0")

    def _features(self, places: Array) -> Array:
        """The real basis at the places, n × m."""
        rows = fourier_basis(places[:, 0], self.problem.cutoff)
        if self.problem.dimension == 1:
            return rows
        second = fourier_basis(places[:, 1], self.problem.cutoff)
        # mutant(1): NumPy finds this size by itself
        return np.asarray((rows[:, None] * second[None]).reshape(-1, len(places)))

    @cached_property
    def features(self) -> Array:
        """φ at the particles in the real basis, n × m."""
        return self._features(self.places)

    @cached_property
    def target(self) -> Array:
        """f̂ in the real basis, n numbers."""
        return np.asarray(self._features(self.problem.positions) @ self.problem.masses)

    @property
    def start(self) -> Array:
        """The state at t = 0, n + 1 zeros."""
        return np.zeros(self.target.size + 1)

    def masses(self, state: Array) -> Array:
        """a(t) of a state (P, t): m numbers."""
        return np.asarray(
            self.at_start * np.exp(-4 * self.alpha * (self.penalty * state[-1] + state[:-1] @ self.features))
        )

    def velocity(self, state: Array) -> Array:
        """(P, t)′ = (∫φ dν − f̂, 1): n + 1 numbers."""
        return np.append(self.features @ self.masses(state) - self.target, 1.0)

    def jacobian(self, state: Array) -> Array:
        """The derivative of the velocity, n + 1 square."""
        weighted = self.features * self.masses(state)
        slope = np.zeros((state.size, state.size))
        slope[:-1, :-1] = -4 * self.alpha * weighted @ self.features.T
        slope[:-1, -1] = -4 * self.alpha * self.penalty * weighted.sum(axis=1)
        return slope

    def value(self, state: Array) -> float:
        """J(ν)."""
        a = self.masses(state)
        residual = self.features @ a - self.target
        return float(residual @ residual / 2 + self.penalty * a.sum())
