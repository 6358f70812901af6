"""The leaky ReLU, exact or with its kink smoothed; the identity is the case of slope 1."""

from dataclasses import dataclass

import numpy as np
from scipy.special import expit

from implicit_bias.checks import Array, number


@dataclass(frozen=True)
class LeakyReLU:
    """σ(z) = z for z > 0 and ρz for z ≤ 0, or the same with its kink smoothed.

    σ(z) = ρz + (1−ρ) ε ln(1 + e^{z/ε}),  0 ≤ σ_ε − σ ≤ (1−ρ) ε ln 2

    A hard kink defeats integrators: a sample can slide along it. A smooth one of width ε is stiff, but ordinary.

    slope: ρ in [0, 1]; 0 is the ReLU, 1 the identity.
    width: ε ≥ 0, in units of z; 0 is the kink itself, where the derivative is ρ.
    """

    slope: float
    width: float = 0.0

    def __post_init__(self) -> None:
        """Refuse a slope outside [0, 1] and a negative width."""
        number("slope", self.slope, least=0, most=1)
        number("width", self.width, least=0)

    def value(self, z: Array) -> Array:
        """σ(z), entry by entry."""
        if self.width == 0:
            return np.where(z > 0, z, self.slope * z)
        return np.asarray(self.slope * z + (1 - self.slope) * self.width * np.logaddexp(0.0, z / self.width))

    def derivative(self, z: Array) -> Array:
        """σ′(z), entry by entry: between ρ and 1."""
        if self.width == 0:
            return np.where(z > 0, 1.0, self.slope)
        return np.asarray(self.slope + (1 - self.slope) * expit(z / self.width))

    def second_derivative(self, z: Array) -> Array:
        """σ″(z), entry by entry: at most (1−ρ)/(4ε), and 0 for the kink."""
        if self.width == 0:
            return np.zeros_like(z)
        inside = expit(z / self.width)
        return np.asarray((1 - self.slope) * inside * expit(-z / self.width) / self.width)


IDENTITY = LeakyReLU(1.0)
