"""A measure carried by particles with positions and 2-homogeneous weights, ν = (1/m) Σ s_i r_i² δ_{θ_i}."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import ArrayLike

from implicit_bias.brief import brief
from implicit_bias.checks import Array, array, instance, kept, number, whole
from implicit_bias.compiled import Conic
from implicit_bias.data.torus import Deconvolution, basis_derivative, fast_fourier_basis

BLOCK = 2**14  # particles at a time


@brief()
@dataclass(frozen=True)
class ParticleMeasure:
    """The objective J(ν) = ½‖∫φ dν − f̂‖² + λ|ν|(Θ) of m particles; parameters are (r, θ), a vector of m(1+d).

    The coefficients are those of the real basis b(θ_1) ⊗ b(θ_2), whose inner product is that of the complex one.

    problem: the spikes whose coefficients are fitted.
    penalty: λ ≥ 0.
    signs: s_i = ±1, m of them: the signed problem on two copies of the torus; None: all +1.
    power: p in ν = (1/m) Σ s_i r_i^p δ_{θ_i}, 2 or 1.

    Reference: Chizat 2022.

    >>> from implicit_bias.data import Deconvolution
    >>> measure = ParticleMeasure(Deconvolution(np.array([[np.pi]]), np.array([1.0]), cutoff=2), 0.5)
    >>> theta = measure.parameters([[np.pi]], radius=1.0)
    >>> measure.masses(theta), measure.value(theta)
    (array([1.]), 0.5)
    """

    problem: Deconvolution
    penalty: float
    signs: Array | None = None
    power: int = 2

    def __post_init__(self) -> None:
        """Refuse a negative penalty, a power that is neither 1 nor 2, signs that are none."""
        instance("problem", self.problem, Deconvolution)
        number("penalty", self.penalty, least=0)
        whole("power", self.power, least=1, most=2)
        if self.signs is not None and np.any(np.abs(kept(self, "signs", 1)) != 1):
            raise ValueError("signs holds other numbers than -1 and 1; each particle carries one of these")

    def parameters(self, positions: ArrayLike, radius: float = 0.5) -> Array:
        """Parameters of particles at the given positions, m × d, all with the same r."""
        places = array("positions", positions, 2, (None, self.problem.dimension))
        number("radius", radius, above=0)
        return np.concatenate([np.full(len(places), radius), places.T.ravel()])

    def positions(self, theta: Array) -> Array:
        """θ_i, m × d."""
        return theta.reshape(1 + self.problem.dimension, -1)[1:].T

    def masses(self, theta: Array) -> Array:
        """What each particle carries, a_i = s_i r_i^p/m: m numbers."""
        r = theta[: len(theta) // (1 + self.problem.dimension)]
        # mutant in global_guarantee: another speed of the same measures
        carried = (r * r if self.power == 2 else r) / len(r)
        return np.asarray(carried if self.signs is None else self.signs * carried)

    @cached_property
    def target(self) -> Array:
        """Coefficients f̂ of the spikes in the real basis, 2K+1 square; one column if d = 1."""
        return self._moments(*self.bases(self.problem.positions.T), self.problem.masses)

    @cached_property
    def compiled(self) -> Conic:
        """The same in C, where it is built."""
        return Conic(self.problem.cutoff, self.target, self.signs, self.power, self.penalty)

    @cached_property
    def _turn(self) -> Array:
        """The D of b′ = D b."""
        return basis_derivative(self.problem.cutoff)

    def bases(self, places: Array) -> tuple[Array, Array]:
        """The real basis in each coordinate, 2K+1 × m; in dimension 1 the second one is 1, as the first row is."""
        both = fast_fourier_basis(places.reshape(-1), self.problem.cutoff)
        if len(places) == 1:
            return both, both[:1]
        m = places.shape[1]
        return both[:, :m], both[:, m:]

    @staticmethod
    def _moments(first: Array, second: Array, masses: Array) -> Array:
        """∫φ dν as a matrix: Σ_i a_i b(θ_i1) b(θ_i2)ᵀ."""
        return (first * masses) @ second.T

    def residual(self, theta: Array) -> Array:
        """∫φ dν − f̂ = ∇R in the real basis."""
        places = theta.reshape(1 + self.problem.dimension, -1)[1:]
        return self._moments(*self.bases(places), self.masses(theta)) - self.target

    def value(self, theta: Array) -> float:
        """J(ν)."""
        residual = self.residual(theta)
        return float((residual**2).sum() / 2 + self.penalty * abs(self.masses(theta)).sum())

    def derivative(self, theta: Array) -> Array:
        """J′_ν and ∇J′_ν at the particles: 1 + d rows of m, with J′_ν(θ_i) = s_i⟨φ(θ_i), ∫φ dν − f̂⟩ + λ.

        The cost is linear in m: the frequencies separate, so that a few products of (2K+1) × m arrays do.

        theta: m(1+d) parameters.
        """
        rows = theta.reshape(1 + self.problem.dimension, -1)  # mutant(1): NumPy finds this size by itself
        fast = self.compiled.derivative(rows)
        if fast is not None:
            return fast
        if rows.shape[1] > BLOCK:
            return self._in_blocks(rows, self.masses(theta))
        first, second = self.bases(rows[1:])
        residual = self._moments(first, second, self.masses(theta)) - self.target
        return self._evaluate(first, second, residual, self.signs)

    def _in_blocks(self, rows: Array, masses: Array) -> Array:
        """``derivative`` of many particles: what is computed of a block of them stays in the processor's cache."""
        parts = [slice(begin, begin + BLOCK) for begin in range(0, len(masses), BLOCK)]
        bases = [self.bases(rows[1:, part]) for part in parts]
        moments = sum(self._moments(*pair, masses[part]) for pair, part in zip(bases, parts, strict=True))
        residual = moments - self.target
        found = np.empty_like(rows)
        for part, pair in zip(parts, bases, strict=True):
            found[:, part] = self._evaluate(*pair, residual, None if self.signs is None else self.signs[part])
        return found

    def variation(self, theta: Array, points: ArrayLike) -> Array:
        """J′_ν and ∇J′_ν of the parameters θ at other points, n × d, for positive mass: 1 + d rows of n."""
        places = array("points", points, 2, (None, self.problem.dimension)).T
        return self._evaluate(*self.bases(places), self.residual(theta), None)

    def _evaluate(self, first: Array, second: Array, residual: Array, signs: Array | None) -> Array:
        """⟨φ, residual⟩ + λ and its gradient from the bases at the points."""
        sides = self.sides(residual) @ second
        rows = np.einsum("ikm,km->im", sides.reshape(1 + self.problem.dimension, *first.shape), first)
        if signs is not None:
            rows *= signs
        rows[0] += self.penalty
        return np.asarray(rows)

    def sides(self, residual: Array, axis: int = 0) -> Array:
        """G, DᵀG and, if d = 2, GD below each other, of G = ∇R: b(x)ᵀ G b(y), then b′(x)ᵀ G b(y) and b(x)ᵀ G b′(y)."""
        turn = self._turn
        both = [residual, turn.T @ residual] + ([residual @ turn] if self.problem.dimension == 2 else [])
        return np.concatenate(both, axis=axis)

    def dissipation(self, theta: Array, alpha: float, beta: float) -> float:
        """∫(4α|J′_ν|² + β‖∇J′_ν‖²) d|ν|, which is −dJ/dt along the flow."""
        rows = self.derivative(theta)
        density = 4 * alpha * rows[0] ** 2 + beta * (rows[1:] ** 2).sum(axis=0)
        return float(abs(self.masses(theta)) @ density)
