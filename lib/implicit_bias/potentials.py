"""Separable potentials of mirror descent: φ, its first two derivatives, and the inverse of the first in closed form."""

from dataclasses import dataclass
from typing import Protocol

import numpy as np

from implicit_bias.checks import Array, number


class Potential(Protocol):
    """A strictly convex even function φ of one number with φ′(0) = 0, applied entry by entry.

    >>> phi: Potential = Quadratic()
    >>> phi.slope(np.array([3.0])), phi.inverse_slope(np.array([3.0]))
    (array([6.]), array([1.5]))
    """

    def value(self, x: Array) -> Array:
        """φ(x)."""

    def slope(self, x: Array) -> Array:
        """φ′(x)."""

    def curvature(self, x: Array) -> Array:
        """φ″(x) > 0."""

    def inverse_slope(self, z: Array) -> Array:
        """The x with φ′(x) = z."""


@dataclass(frozen=True)
class Quadratic:
    """φ(x) = x², whose mirror flow is gradient flow at half the speed.

    >>> Quadratic().value(np.array([3.0])), Quadratic().slope(np.array([3.0]))
    (array([9.]), array([6.]))
    """

    def value(self, x: Array) -> Array:
        """x²."""
        return x**2

    def slope(self, x: Array) -> Array:
        """2x."""
        return 2 * x

    def curvature(self, x: Array) -> Array:
        """2."""
        return np.full_like(x, 2.0)

    def inverse_slope(self, z: Array) -> Array:
        """z/2."""
        return z / 2


@dataclass(frozen=True)
class Cubic:
    """φ(x) = |x|³ + ωx², twice but not three times differentiable at 0.

    omega: ω > 0.

    Raises ValueError for an ω that is not positive.

    >>> phi = Cubic()
    >>> phi.inverse_slope(phi.slope(np.array([-2.0]))).round(12)
    array([-2.])
    """

    omega: float = 1.0

    def __post_init__(self) -> None:
        """Refuse an ω that is not positive."""
        number("omega", self.omega, above=0)

    def value(self, x: Array) -> Array:
        """|x|³ + ωx²."""
        return np.asarray(np.abs(x) ** 3 + self.omega * x**2)

    def slope(self, x: Array) -> Array:
        """3x|x| + 2ωx."""
        return np.asarray(3 * x * np.abs(x) + 2 * self.omega * x)

    def curvature(self, x: Array) -> Array:
        """6|x| + 2ω."""
        return np.asarray(6 * np.abs(x) + 2 * self.omega)

    def inverse_slope(self, z: Array) -> Array:
        """z / (ω + √(ω² + 3|z|)), free of cancellation."""
        return np.asarray(z / (self.omega + np.sqrt(self.omega**2 + 3 * np.abs(z))))


@dataclass(frozen=True)
class Quartic:
    """φ(x) = x⁴ + ωx².

    omega: ω > 0.

    Raises ValueError for an ω that is not positive.

    >>> phi = Quartic()
    >>> phi.inverse_slope(phi.slope(np.array([-2.0]))).round(12)
    array([-2.])
    """

    omega: float = 1.0

    def __post_init__(self) -> None:
        """Refuse an ω that is not positive."""
        number("omega", self.omega, above=0)

    def value(self, x: Array) -> Array:
        """x⁴ + ωx²."""
        return np.asarray(x**4 + self.omega * x**2)

    def slope(self, x: Array) -> Array:
        """4x³ + 2ωx."""
        return np.asarray(4 * x**3 + 2 * self.omega * x)

    def curvature(self, x: Array) -> Array:
        """12x² + 2ω."""
        return np.asarray(12 * x**2 + 2 * self.omega)

    def inverse_slope(self, z: Array) -> Array:
        """s sinh(⅓ arsinh(z/s³)) with s = √(2ω/3), the real root of 4x³ + 2ωx = z."""
        size = np.sqrt(2 * self.omega / 3)  # x = size·sinh u turns the cubic into sinh 3u
        return np.asarray(size * np.sinh(np.arcsinh(z / size**3) / 3))


@dataclass(frozen=True)
class Cosh:
    """φ(x) = cosh x.

    >>> phi = Cosh()
    >>> phi.inverse_slope(phi.slope(np.array([-2.0]))).round(12)
    array([-2.])
    """

    def value(self, x: Array) -> Array:
        """Cosh x."""
        return np.asarray(np.cosh(x))

    def slope(self, x: Array) -> Array:
        """Sinh x."""
        return np.asarray(np.sinh(x))

    def curvature(self, x: Array) -> Array:
        """Cosh x."""
        return np.asarray(np.cosh(x))

    def inverse_slope(self, z: Array) -> Array:
        """Arsinh z."""
        return np.asarray(np.arcsinh(z))
