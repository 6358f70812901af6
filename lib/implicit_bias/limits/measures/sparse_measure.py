"""A measure of finitely many spikes on the torus, as an answer to min J: its value, slope and curvature."""

from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from implicit_bias.brief import brief
from implicit_bias.checks import Array
from implicit_bias.data.torus import Deconvolution
from implicit_bias.limits.certificate import Certificate, exponent, in_unit
from implicit_bias.limits.measures.dirichlet_kernel import kernel
from implicit_bias.limits.measures.fine_waves import fine_weights, is_fine
from implicit_bias.limits.measures.torus_field import TorusField
from implicit_bias.limits.rounding import UNIT


@brief("value")
@dataclass(frozen=True)
class SparseMeasure:
    """A measure ν = Σ a_i δ_{θ_i} on the torus as an answer to min J(ν), J(ν) = R(∫φ dν) + λ|ν|(Θ).

    problem: whose Fourier coefficients are fitted.
    penalty: λ.
    positions: θ, s × d.
    masses: a, s numbers, none 0; all positive unless the problem is signed.
    certificate: dual is the depth of J′ below 0 over λ, gap the duality gap over J; None before it is computed.

    >>> from implicit_bias.data import Deconvolution
    >>> problem = Deconvolution(np.array([[np.pi]]), np.array([1.0]), cutoff=2)
    >>> measure = SparseMeasure(problem, 0.5, np.array([[np.pi]]), np.array([0.9]))
    >>> round(measure.value, 6), measure.total_mass
    (0.475, 0.9)
    """

    problem: Deconvolution
    penalty: float
    positions: Array
    masses: Array
    certificate: Certificate | None = None

    @property
    def value(self) -> float:
        """J(ν)."""
        residual, points = self.residual
        if is_fine(points, self.problem.cutoff):
            return self.lengths[0] / 2 + self.penalty * self.total_mass
        gram = kernel(points, points, self.problem.cutoff)[0]
        return float(residual @ gram @ residual / 2 + self.penalty * np.abs(self.masses).sum())

    @property
    def total_mass(self) -> float:
        """|ν|(Θ), the mass M* of the minimizer."""
        return float(np.abs(self.masses).sum())

    @property
    def residual(self) -> tuple[Array, Array]:
        """Masses and positions of ν − ν̂, the spikes of ν first."""
        return (
            np.concatenate([self.masses, -self.problem.masses]),
            np.vstack([self.positions, self.problem.positions]),
        )

    @cached_property
    def lengths(self) -> tuple[float, float]:
        """‖p‖² and −⟨p, f̂⟩ for p = ∇R: by the kernel of the spikes; for large K by waves, where less cancels."""
        residual, points = self.residual
        known = self.problem
        if is_fine(points, known.cutoff):
            rest = fine_weights(points, residual, known.cutoff)[0]
            waves = fine_weights(known.positions, known.masses, known.cutoff)[0]
            return float(np.sum(np.abs(rest) ** 2)), -float(np.sum((np.conj(rest) * waves).real))
        field = kernel(points, points, known.cutoff)[0] @ residual
        return float(residual @ field), -float(field[self.masses.size :] @ known.masses)

    @property
    def rounding(self) -> float:
        """By how much the rounding of the masses to floats moves J′/λ: 2^−53 Σ_i |a_i| (2K+1)^d/λ; 0 for few waves.

        J′(θ) = λ + Σ_i a_i K(θ − θ_i) − …, |K| ≤ (2K+1)^d, and the float next to a_i is off by up to 2^−53 |a_i|: no
        masses in floats make J′ vanish at their places by less than that can be told.
        """
        side = 2 * self.problem.cutoff + 1
        if not is_fine(self.positions, self.problem.cutoff):
            return 0.0
        return UNIT * self.total_mass * float(side**self.problem.dimension) / self.penalty

    @cached_property
    def field(self) -> TorusField:
        """⟨φ(θ), ∇R⟩ = Σ_j c_j K(θ − x_j) over the spikes of ν − ν̂."""
        residual, places = self.residual
        return TorusField.of(places, residual, self.problem.cutoff)

    def correlation(self, points: Array) -> tuple[Array, Array, Array]:
        """⟨φ(θ), ∇R⟩ with gradient and Hessian in θ.

        points: θ, n × d.

        Returns n, n × d and n × d × d numbers.
        """
        return self.field.at(points)

    def variation(self, points: Array, sign: float = 1.0) -> tuple[Array, Array, Array]:
        """J′_ν(θ) = s⟨φ(θ), ∇R⟩ + λ with gradient and Hessian, for mass of sign s."""
        value, gradient, hessian = self.correlation(points)
        return sign * value + self.penalty, sign * gradient, sign * hessian

    def slope(self) -> Array:
        """∇J in (a, θ): s numbers ∂J/∂a_i = ⟨φ(θ_i), ∇R⟩ + λ sign a_i, then s·d numbers ∂J/∂θ_i = a_i∇⟨φ(θ_i), ∇R⟩."""
        value, gradient, _ = self.correlation(self.positions)
        in_masses = value + self.penalty * np.sign(self.masses)
        return np.concatenate([in_masses, (self.masses[:, None] * gradient).ravel()])

    def hessian(self) -> Array:
        """∇²J in (a, θ), s(1+d) square, in the order of ``slope``."""
        a, x = self.masses, self.positions
        s, d = x.shape
        value, gradient, second = kernel(x, x, self.problem.cutoff)
        _, first, curvature = self.correlation(x)
        mixed = -np.einsum("j,ijk->ijk", a, gradient)
        inner = -np.einsum("i,j,ijkl->ikjl", a, a, second)
        for i in range(s):
            mixed[i, i] += first[i]
            inner[i, :, i] += a[i] * curvature[i]
        mixed = mixed.reshape(s, s * d)
        return np.block([[value, mixed], [mixed.T, inner.reshape(s * d, s * d)]])

    def moved(self, step: Array) -> "SparseMeasure":
        """The measure with (a, θ) changed by a step of s(1+d) numbers."""
        s = self.masses.size
        return replace(
            self,
            masses=self.masses + step[:s],
            positions=self.positions + step[s:].reshape(self.positions.shape),
            certificate=None,
        )


def in_units(measure: SparseMeasure) -> tuple[int, SparseMeasure]:  # attack: none, inside solvers
    """The measure with masses and penalty over 2^e, the heaviest spike that is known between 1 and 2, and e.

    measure: ν.
    """
    unit = int(exponent(measure.problem.masses)) - 1
    known = replace(measure.problem, masses=np.ldexp(measure.problem.masses, -unit))
    penalty = float(in_unit(measure.penalty, -unit, "the penalty"))
    return unit, SparseMeasure(known, penalty, measure.positions, in_unit(measure.masses, -unit, "the masses"))
