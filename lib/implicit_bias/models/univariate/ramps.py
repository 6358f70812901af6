"""A two-layer network of one input, f(x) = Σ_k a_k (w_k x − b_k)₊ + c, all of whose parameters train."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from implicit_bias.checks import Array, array
from implicit_bias.data import Samples


@dataclass(frozen=True)
class RampNetwork:
    """The network and its data; a state θ stacks w, b, a (n numbers each) and c.

    data: M samples of one input.

    Raises ValueError for more than one input.

    >>> from implicit_bias.data import Samples
    >>> net = RampNetwork(Samples(np.array([[0.0], [1.0]]), np.array([1.0, 2.0])))
    >>> theta = net.start([1.0, -1.0], [0.0, 0.5])
    >>> net.output(theta, [0.0, 1.0]), net.residual(theta), theta.size
    (array([0., 0.]), array([-1., -2.]), 7)
    """

    data: Samples

    def __post_init__(self) -> None:
        """Refuse data of more than one input."""
        array("data.x", self.data.x, 2, (None, 1))

    def start(self, w: ArrayLike, b: ArrayLike) -> Array:
        """θ(0) with these w and b, a = 0 and c = 0."""
        w = array("w", w, 1)
        return np.concatenate([w, array("b", b, 1, w.shape), np.zeros(w.size + 1)])

    def output(self, theta: Array, x: ArrayLike) -> Array:
        """The f(x) at N points, for a state θ."""
        w, b, a, c = parts(theta)
        return np.asarray(np.maximum(np.outer(array("x", x, 1), w) - b, 0) @ a + c)

    def residual(self, theta: Array) -> Array:
        """f(x_i) − y_i, M numbers."""
        return self.output(theta, self.data.x[:, 0]) - self.data.y

    def jacobian(self, theta: Array) -> Array:
        """The derivatives of the f(x_i) in θ, M × (3n + 1)."""
        w, b, a, _ = parts(theta)
        x = self.data.x
        seen = x * w - b
        on = a * (seen > 0)
        return np.concatenate([on * x, -on, np.maximum(seen, 0), np.ones_like(x)], axis=1)


def parts(theta: Array) -> tuple[Array, Array, Array, float]:  # attack: none, it reads a network's state
    """The w, b, a and c of a state θ."""
    n = (theta.size - 1) // 3
    return theta[:n], theta[n : 2 * n], theta[2 * n : -1], float(theta[-1])
