"""Losses made from losses: as a model sees them whose outputs are scaled and shifted, and with a ridge."""

from dataclasses import dataclass

import numpy as np

from implicit_bias.checks import Array, kept, number
from implicit_bias.losses import Loss


@dataclass(frozen=True)
class Scaled:
    """R(α (f − f₀); y)/α²: what a model f, multiplied by α and taken from f₀, makes of a loss.

    Its gradient flow moves α (f − f₀) at a speed that does not depend on α.

    loss: R.
    alpha: α > 0.
    origin: f₀, n numbers, or 0.

    Raises ValueError for an α that is not positive, or whose square overflows.

    >>> from implicit_bias.losses import Squared
    >>> f, y = np.array([1.0]), np.array([4.0])
    >>> Scaled(Squared(), alpha=2.0).value(f, y), Squared().value(2 * f, y) / 4
    (0.5, 0.5)
    """

    loss: Loss
    alpha: float
    origin: Array | float = 0.0

    def __post_init__(self) -> None:
        """Refuse a scale out of range and an origin that is no numbers."""
        number("alpha", self.alpha, above=1e-150, most=1e150)
        kept(self, "origin", None)

    def outputs(self, f: Array) -> Array:
        """α (f − f₀), … × n."""
        return np.asarray(self.alpha * (f - self.origin))

    def value(self, f: Array, y: Array) -> float:
        """R(α (f − f₀); y)/α²."""
        return self.loss.value(self.outputs(f), y) / self.alpha**2

    def slope(self, f: Array, y: Array) -> Array:
        """The slopes of R at α (f − f₀), over α."""
        return self.loss.slope(self.outputs(f), y) / self.alpha

    def hessian(self, f: Array, y: Array) -> Array:
        """The Hessian of R at α (f − f₀)."""
        return self.loss.hessian(self.outputs(f), y)

    def curvature(self, f: Array, y: Array) -> float:
        """The bound of R at α (f − f₀)."""
        return self.loss.curvature(self.outputs(f), y)


@dataclass(frozen=True)
class Ridged:
    """R(f; y) + (μ/2n) ‖f‖²: strongly convex in f wherever R is convex.

    loss: R.
    mu: μ > 0.

    Raises ValueError for a μ that is not positive.

    >>> from implicit_bias.losses import Squared
    >>> f, y = np.array([2.0]), np.array([2.0])
    >>> Ridged(Squared(), mu=0.5).value(f, y)
    1.0
    """

    loss: Loss
    mu: float

    def __post_init__(self) -> None:
        """Refuse a ridge out of range."""
        number("mu", self.mu, above=0)

    def value(self, f: Array, y: Array) -> float:
        """R + (μ/2n) ‖f‖²."""
        return self.loss.value(f, y) + self.mu / 2 * float(np.mean(f**2))

    def slope(self, f: Array, y: Array) -> Array:
        """The slopes of R, plus μf/n."""
        return self.loss.slope(f, y) + self.mu / f.size * f

    def hessian(self, f: Array, y: Array) -> Array:
        """The Hessian of R, plus μ/n on the diagonal."""
        return np.asarray(self.loss.hessian(f, y) + self.mu / f.size * np.eye(f.size))

    def curvature(self, f: Array, y: Array) -> float:
        """The bound of R, plus μ/n."""
        return self.loss.curvature(f, y) + self.mu / f.size
