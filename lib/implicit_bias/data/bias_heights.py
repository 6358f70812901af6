"""Laws of the biases whose density is drawn by hand: heights at equal steps of |b|, joined by straight lines."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from implicit_bias.checks import Array, array, number


@dataclass(frozen=True)
class BiasHeights:
    """A symmetric law of b on [−B, B] with a density that is piecewise linear in |b|.

    reach: B > 0.
    heights: K ≥ 2 numbers > 0, the density at |b| = 0, B/(K − 1), …, B, up to a common factor.

    Raises ValueError for a reach or a height that is not positive, and for fewer than two heights.

    >>> law = BiasHeights(2.0, (1.0, 3.0))
    >>> law.density([0.0, 1.0, 2.0])
    array([0.125, 0.25 , 0.375])
    >>> law.quantile([0.0, 0.5, 1.0])
    array([-2.,  0.,  2.])
    """

    reach: float
    heights: tuple[float, ...]

    def __post_init__(self) -> None:
        """Refuse what is no density."""
        number("reach", self.reach, above=0)
        heights = array("heights", self.heights, 1)
        if heights.size < 2:
            raise ValueError(f"heights holds {heights.size} number; it must hold at least 2")
        if np.min(heights) <= 0:
            raise ValueError(f"heights holds {np.min(heights):g}; every height must be positive")
        object.__setattr__(self, "heights", tuple(heights.tolist()))  # by which a law is compared

    @property
    def knots(self) -> Array:
        """The |b| at which the heights stand, from 0 to B."""
        return np.linspace(0, self.reach, len(self.heights))

    @property
    def breaks(self) -> Array:
        """Where the density may have a kink: the knots and their negatives."""
        return np.concatenate([-self.knots[:0:-1], self.knots])

    def density(self, b: ArrayLike) -> Array:
        """p(b), 0 outside [−B, B]."""
        distance = np.abs(array("b", b, None))
        inside = np.interp(distance, self.knots, self._normed)
        return np.asarray(np.where(distance <= self.reach, inside, 0.0))

    def quantile(self, u: ArrayLike) -> Array:
        """The b below which the share u in [0, 1] lies, by the root of a quadratic equation."""
        s = 2 * array("u", u, None) - 1
        if np.any(np.abs(s) > 1):
            raise ValueError(f"u holds {(s[np.abs(s) > 1][0] + 1) / 2:g}; every share must lie in [0, 1]")
        height, step = self._normed, self.knots[1]
        mass = np.append(0, np.cumsum((height[1:] + height[:-1]) / 2 * step))  # of [0, knot]
        wanted = np.abs(s) / 2
        piece = np.clip(np.searchsorted(mass, wanted, side="right") - 1, 0, height.size - 2)
        rest, tilt = wanted - mass[piece], np.diff(height)[piece] / step
        # height·d + tilt·d²/2 = rest, free of cancellation
        root = np.sqrt(np.maximum(height[piece] ** 2 + 2 * tilt * rest, 0))
        return np.asarray(np.sign(s) * np.minimum(self.knots[piece] + 2 * rest / (height[piece] + root), self.reach))

    @property
    def _normed(self) -> Array:
        """The heights over the integral that they make, on both sides of 0."""
        heights = np.asarray(self.heights, dtype=float) / max(self.heights)  # so that nothing overflows
        return np.asarray(heights / (np.sum(heights[1:] + heights[:-1]) * self.knots[1]))
