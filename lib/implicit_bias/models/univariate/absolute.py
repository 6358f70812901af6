"""A two-layer network of one input with absolute values, f(x) = Σ_k a_k |w_k x − b_k| + c; all parameters train."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from implicit_bias.checks import Array, array
from implicit_bias.models.univariate.ramps import RampNetwork, parts


@dataclass(frozen=True)
class AbsoluteNetwork(RampNetwork):
    """The network at its start and its data; a state θ stacks w, b, a (n numbers each) and c.

    (w, b) and (−w, −b) are the same hidden unit, with a kink at b/w. Data and refusals are those of ``RampNetwork``.

    >>> from implicit_bias.data import Samples
    >>> data = Samples(np.array([[0.0], [1.0]]), np.array([1.0, 2.0]))
    >>> net = AbsoluteNetwork(data, np.array([1.0, -1.0]), np.array([0.0, 0.5]))
    >>> net.output(net.start, [0.0, 1.0]), net.residual(net.start)
    (array([0., 0.]), array([1., 2.]))
    """

    def output(self, theta: Array, x: ArrayLike) -> Array:
        """The f(x) at N points, for a state θ."""
        w, b, a, c = parts(theta)
        seen = np.outer(array("x", x, 1), w)
        seen -= b
        return np.asarray(np.abs(seen, out=seen) @ a + c)

    def tangent_features(self, theta: Array) -> Array:
        """The derivatives of the f(x_i) in θ, M × (3n + 1)."""
        w, b, a, _ = parts(theta)
        x, n = self.data.x, w.size
        found = np.empty((len(x), theta.size))
        of_w, of_b, seen = found[:, :n], found[:, n : 2 * n], found[:, 2 * n : -1]
        np.multiply(x, w, out=seen)
        seen -= b
        np.sign(seen, out=of_b)
        of_b *= -a
        np.multiply(of_b, -x, out=of_w)
        np.abs(seen, out=seen)
        found[:, -1] = 1
        return found
