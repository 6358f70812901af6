"""The metric in which a linear neuron's predictor moves, and how far it is from being a Hessian."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from implicit_bias.checks import Array, array, number

ANGLES = 96
RADII = 24


@dataclass(frozen=True)
class NeuronMetric:
    """H(w̃) of w̃̇ = H⁻¹g for the neuron w̃ = aw with a² − ‖w‖² = δ ≥ 0.

    H⁻¹ = a²I + wwᵀ,  H = a⁻²(I − w̃w̃ᵀ/(2a²S)),  a² = S + δ/2,  S = √(‖w̃‖² + δ²/4)

    delta: δ ≥ 0.

    Reference: Azulay et al. 2021, Section 6 and Appendix B.1.

    >>> metric = NeuronMetric(delta=0.0)
    >>> w = np.array([3.0, 4.0])
    >>> (metric.value(w) @ metric.inverse(w)).round(12) + 0.0
    array([[1., 0.],
           [0., 1.]])
    """

    delta: float

    def __post_init__(self) -> None:
        """Refuse a negative δ."""
        number("delta", self.delta, least=0)

    def warp(self, w: Array) -> float:
        """|a| = √(S + δ/2), the factor that makes H a Hessian; w̃ has d entries."""
        return float(np.sqrt(self._s(w) + self.delta / 2))

    def value(self, w: Array) -> Array:
        """H(w̃), d × d; w̃ ≠ 0 if δ = 0."""
        a = self.warp(w)
        # mutant(2 → 3): only ratios of losses are compared
        return np.asarray((np.eye(w.size) - np.outer(w, w) / (2 * a**2 * self._s(w))) / a**2)

    def inverse(self, w: Array) -> Array:
        """H⁻¹(w̃) = a²I + wwᵀ, d × d; w̃ ≠ 0 if δ = 0."""
        a = self.warp(w)
        return np.asarray(a**2 * np.eye(w.size) + np.outer(w, w) / a**2)

    def curl(self, w: Array) -> float:
        """c(w̃) = 1/(2Sa⁴) in ∂H_ij/∂w̃_k − ∂H_ik/∂w̃_j = −c (w̃_k [i=j] − w̃_j [i=k]): 0 for a Hessian."""
        return 1 / (2 * self._s(w) * self.warp(w) ** 4)

    def loop(self, centre: ArrayLike, radius: float) -> Array:
        """∮H dw̃ around a circle in the plane, counter-clockwise, as the integral of the curl over its disc (Stokes).

        ∮(H_i1 dw̃_1 + H_i2 dw̃_2) = ∬ (∂_1H_i2 − ∂_2H_i1),  which is ∬ c w̃_2 for i = 1 and −∬ c w̃_1 for i = 2

        by Gauss's rule along the radius and equal weights around. The disc must not hold 0 if δ = 0.

        centre: 2 entries.
        radius: positive.

        Returns 2 entries.
        """
        middle = array("centre", centre, 1, (2,))
        radius = number("radius", radius, above=0)
        nodes, weights = np.polynomial.legendre.leggauss(RADII)
        total = np.zeros(2)
        for r, weight in zip(radius * (nodes + 1) / 2, radius * weights / 2, strict=True):
            for angle in 2 * np.pi * np.arange(ANGLES) / ANGLES:
                w = middle + r * np.array([np.cos(angle), np.sin(angle)])
                total += 2 * np.pi / ANGLES * weight * r * self.curl(w) * np.array([w[1], -w[0]])
        return total

    def _s(self, w: Array) -> float:
        """S = √(‖w̃‖² + δ²/4)."""
        return float(np.hypot(np.linalg.norm(w), self.delta / 2))
