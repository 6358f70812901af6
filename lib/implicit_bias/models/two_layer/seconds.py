"""First and second derivatives of a two-layer network's outputs, neuron by neuron."""

import numpy as np
from numpy.typing import ArrayLike

from implicit_bias.checks import Array, array, in_range, memory
from implicit_bias.models.two_layer.network import TwoLayer
from implicit_bias.models.two_layer.tangents import _derivatives


@in_range
def neuron_derivatives(net: TwoLayer, w: ArrayLike, a: ArrayLike, x: ArrayLike) -> tuple[Array, Array]:
    """∂f(x_i)/∂θ_j and ∂²f(x_i)/∂θ_j² of each neuron's weights θ_j = (w_j, a_j); those of two neurons do not mix.

    The output weight is the last coordinate; what is not trained has derivative 0. At a kink the second derivative is
    that of the two sides.

    net: f.
    w: W, m × d.
    a: m numbers.
    x: n × d.

    Returns m × n × (d+1) and m × n × (d+1) × (d+1).
    Raises ValueError for arrays that do not fit, or beyond the memory that is allowed.

    >>> from implicit_bias.activations import Tanh
    >>> first, second = neuron_derivatives(TwoLayer(Tanh()), np.zeros((3, 2)), np.ones(3), np.eye(2))
    >>> first.shape, second.shape
    ((3, 2, 3), (3, 2, 3, 3))
    """
    x = array("x", x, 2)
    w = array("w", w, 2, (None, x.shape[1]))
    a = array("a", a, 1, (len(w),))
    memory("x", f"{len(x)} × {x.shape[1]}", 8 * 3 * len(x) * len(w) * (x.shape[1] + 1) ** 2)
    gradients, seconds, _ = _derivatives(net, w, a, x, False)
    return np.asarray(gradients), np.asarray(seconds)
