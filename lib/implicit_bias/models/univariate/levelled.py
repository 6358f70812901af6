"""A network of ramps whose output bias moves faster or slower than the other parameters."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from implicit_bias.checks import Array, number
from implicit_bias.models.univariate.ramps import RampNetwork


@dataclass(frozen=True)
class LevelledNetwork(RampNetwork):
    """f(x) = Σ_k a_k (w_k x − b_k)₊ + ℓc: in gradient flow its output bias ℓc moves ℓ² times as fast.

    data, w, b: as of ``RampNetwork``.
    level: ℓ ≥ 0; 1 for the usual network.

    Raises ValueError for a negative ℓ too.

    >>> from implicit_bias.data import Samples
    >>> data = Samples(np.array([[0.0], [1.0]]), np.array([1.0, 2.0]))
    >>> net = LevelledNetwork(data, np.array([1.0, -1.0]), np.array([0.0, 0.5]), level=2.0)
    >>> theta = net.start
    >>> theta[-1] = 3.0
    >>> net.output(theta, [0.0, 1.0])
    array([6., 6.])
    """

    level: float = 1.0

    def __post_init__(self) -> None:
        """Refuse data of more than one input and a negative ℓ."""
        super().__post_init__()
        number("level", self.level, least=0)

    def output(self, theta: Array, x: ArrayLike) -> Array:
        """The f(x) at N points, for a state θ."""
        return np.asarray(super().output(theta, x) + (self.level - 1) * theta[-1])

    def tangent_features(self, theta: Array) -> Array:
        """The derivatives of the f(x_i) in θ, M × (3n + 1)."""
        found = super().tangent_features(theta)
        found[:, -1] = self.level
        return found

    def jump(self, theta: Array) -> float:
        """f′(+∞) − f′(−∞) = Σ_k a_k |w_k|."""
        n = (theta.size - 1) // 3
        return float(np.abs(theta[:n]) @ theta[2 * n : -1])
