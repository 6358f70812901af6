"""Laws of the biases of a univariate network: symmetric densities, their partial moments and quantiles."""

from dataclasses import dataclass
from typing import Any, Literal, get_args

import numpy as np
from numpy.typing import ArrayLike

from implicit_bias.checks import Array, array, choice, instance, memory, number, whole

Shape = Literal["uniform", "parabolic"]


@dataclass(frozen=True)
class BiasLaw:
    """A law of b on [−B, B]: p(b) = 1/2B, or p(b) = 3(B² − b²)/4B³.

    reach: B > 0.
    shape: "uniform" or "parabolic".

    Raises ValueError for a reach that is not positive and an unknown shape.

    >>> law = BiasLaw(2.0)
    >>> law.density([0.0, 1.0]), law.variance
    (array([0.25, 0.25]), 1.3333333333333333)
    >>> law.quantile([0.25, 0.5, 0.75])
    array([-1.,  0.,  1.])
    """

    reach: float
    shape: Shape = "uniform"

    def __post_init__(self) -> None:
        """Refuse what is no law."""
        number("reach", self.reach, above=0)
        choice("shape", self.shape, get_args(Shape))

    @property
    def variance(self) -> float:
        """E[b²], B²/3 or B²/5."""
        return self.reach**2 / (3 if self.shape == "uniform" else 5)

    def density(self, b: ArrayLike) -> Array:
        """p(b), 0 outside [−B, B]."""
        t = array("b", b, None) / self.reach
        inside = 0.5 * np.ones_like(t) if self.shape == "uniform" else 0.75 * (1 - t**2)
        return np.asarray(np.where(np.abs(t) <= 1, inside, 0.0) / self.reach)

    def partial_moments(self, b: ArrayLike) -> tuple[Array, Array, Array]:
        """The integrals of p(s), s p(s) and s² p(s) over s from −B to b, which may lie outside [−B, B].

        b: any number of points.

        Returns three arrays of their shape.
        """
        parts = self.moments_in_units(np.clip(array("b", b, None) / self.reach, -1, 1))
        return parts[0], self.reach * parts[1], self.reach**2 * parts[2]

    def moments_in_units(self, t: Any) -> tuple[Any, Any, Any]:
        """The partial moments up to b = tB, |t| ≤ 1, in units of 1, B and B²: of floats, or of fractions exactly.

        t: any numbers, or arrays of them.
        """
        if self.shape == "uniform":
            return (t + 1) / 2, (t**2 - 1) / 4, (t**3 + 1) / 6
        return (2 + 3 * t - t**3) / 4, -3 * (1 - t**2) ** 2 / 16, (2 + 5 * t**3 - 3 * t**5) / 20

    def quantile(self, u: ArrayLike) -> Array:
        """The b below which the share u in [0, 1] lies: B(2u − 1), or 2B sin(⅓ arcsin(2u − 1))."""
        s = 2 * array("u", u, None) - 1
        if np.any(np.abs(s) > 1):
            raise ValueError(f"u holds {(s[np.abs(s) > 1][0] + 1) / 2:g}; every share must lie in [0, 1]")
        return np.asarray(self.reach * (s if self.shape == "uniform" else 2 * np.sin(np.arcsin(s) / 3)))

    def draw(self, generator: np.random.Generator, n: int) -> Array:
        """Draw n independent biases."""
        instance("generator", generator, np.random.Generator)
        n = whole("n", n, least=1)
        memory("n", n, 24 * n)
        return self.quantile(generator.uniform(0, 1, n))
