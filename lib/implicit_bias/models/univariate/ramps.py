"""A two-layer network of one input, f(x) = Σ_k a_k (w_k x − b_k)₊ + c, all of whose parameters train."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from implicit_bias.brief import brief
from implicit_bias.checks import Array, array, instance, kept
from implicit_bias.data import Samples


@brief()
@dataclass(frozen=True)
class RampNetwork:
    """The network at its start and its data; a state θ stacks w, b, a (n numbers each) and c.

    data: M samples of one input.
    w: w(0), n numbers.
    b: b(0), n numbers; a(0) and c(0) are 0.

    Raises ValueError for more than one input, and for arrays that do not fit together.

    >>> network = RampNetwork(Samples(np.array([[0.0], [2.0]]), np.array([1.0, -1.0])), np.ones(1), np.zeros(1))
    >>> network.velocity(network.start)
    array([ 0.,  0., -1.,  0.])
    """

    data: Samples
    w: Array
    b: Array

    def __post_init__(self) -> None:
        """Refuse data of more than one input and arrays that do not fit."""
        instance("data", self.data, Samples)
        array("data.x", self.data.x, 2, (None, 1))
        kept(self, "b", 1, kept(self, "w", 1).shape)

    @property
    def start(self) -> Array:
        """θ(0), 3n + 1 numbers."""
        return np.concatenate([self.w, self.b, np.zeros(self.w.size + 1)])

    def output(self, theta: Array, x: ArrayLike) -> Array:
        """The f(x) at N points, for a state θ."""
        w, b, a, c = parts(theta)
        seen = np.outer(array("x", x, 1), w)
        seen -= b
        return np.asarray(np.maximum(seen, 0, out=seen) @ a + c)

    def residual(self, theta: Array) -> Array:
        """r_i = y_i − f(x_i), M numbers."""
        return self.data.y - self.output(theta, self.data.x[:, 0])

    def misfit(self, theta: Array) -> float:
        """‖y − f(X)‖."""
        return float(np.linalg.norm(self.residual(theta)))

    def velocity(self, theta: Array) -> Array:
        """θ̇ of the gradient flow of ‖r‖²/2M, 3n + 1 numbers."""
        return np.asarray(self.residual(theta) @ self.tangent_features(theta) / self.data.y.size)

    def tangent_features(self, theta: Array) -> Array:
        """The derivatives of the f(x_i) in θ, M × (3n + 1)."""
        w, b, a, _ = parts(theta)
        x, n = self.data.x, w.size
        found = np.empty((len(x), theta.size))
        of_w, of_b, seen = found[:, :n], found[:, n : 2 * n], found[:, 2 * n : -1]
        np.multiply(x, w, out=seen)
        seen -= b
        np.multiply(seen > 0, -a, out=of_b)
        np.multiply(of_b, -x, out=of_w)
        np.maximum(seen, 0, out=seen)
        found[:, -1] = 1
        return found


def parts(theta: Array) -> tuple[Array, Array, Array, float]:  # attack: none, it reads a network's state
    """The w, b, a and c of a state θ.

    theta: 3m + 1 numbers, in this order.
    """
    n = (theta.size - 1) // 3
    return theta[:n], theta[n : 2 * n], theta[2 * n : -1], float(theta[-1])
