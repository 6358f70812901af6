"""Initial weights of two-layer networks: a neuron of given scale and shape, balanced layers, neurons in pairs."""

import numpy as np
from numpy.typing import ArrayLike

from implicit_bias.checks import Array, array, number, whole


def scale_and_shape(scale: float, shape: float) -> tuple[float, float]:
    """|a| and ‖w‖ of a neuron with scale α = |a|‖w‖ and shape s = (|a| − ‖w‖)/(|a| + ‖w‖).

    |a| = √(α(1+s)/(1−s)),  ‖w‖ = √(α(1−s)/(1+s)),  δ = a² − ‖w‖² = 4αs/(1−s²)

    scale: α > 0.
    shape: s in (−1, 1).

    Raises ValueError outside these ranges.
    Reference: Azulay et al. 2021, Section 7.2.

    >>> scale_and_shape(scale=0.25, shape=0.0), scale_and_shape(scale=1.0, shape=0.6)
    ((0.5, 0.5), (2.0, 0.5))
    """
    scale = number("scale", scale, above=0)
    shape = number("shape", shape, above=-1, below=1)  # mutant(1): the guard of an argument
    ratio = (1 + shape) / (1 - shape)  # mutant(1): the guard of an argument
    return float(np.sqrt(scale * ratio)), float(np.sqrt(scale / ratio))


def neuron_start(direction: ArrayLike, scale: float, shape: float, sign: int = 1) -> tuple[Array, Array]:
    """One neuron with aw = sign·α ŵ, where ŵ is the given direction.

    |a| = √(α(1+s)/(1−s)),  ‖w‖ = √(α(1−s)/(1+s))

    direction: d entries, not 0; its length does not matter.
    scale: α = |a|‖w‖ > 0.
    shape: s = (|a| − ‖w‖)/(|a| + ‖w‖) in (−1, 1).
    sign: of a, 1 or −1.

    Returns W, 1 × d, and a, one entry.
    Raises ValueError for an argument outside its range.
    Reference: Azulay et al. 2021, Section 7.2.

    >>> w, a = neuron_start([3.0, 4.0], scale=0.1, shape=0.0)
    >>> (a @ w).round(12)
    array([0.06, 0.08])
    """
    if whole("sign", sign, least=-1, most=1) == 0:  # mutant(1; -; 0): the guard of an argument
        raise ValueError("sign is 0; it must be 1 or -1")
    a, length = scale_and_shape(scale, shape)
    # mutant(sign): another start; held by test_starts
    return length * _unit("direction", direction)[None, :], np.array([sign * a])


def balanced_start(direction: ArrayLike, a: ArrayLike) -> tuple[Array, Array]:
    """The strictly balanced layers W = aûᵀ with the given output weights: aaᵀ = WWᵀ, Wᵀa = ‖a‖² û.

    direction: of û, d entries, not 0; its length does not matter.
    a: m output weights.

    Returns W, m × d, and a.
    Raises ValueError for a direction 0.
    Reference: Azulay et al. 2021, Proposition 1.

    >>> w, a = balanced_start([3.0, 4.0], [1.0, -2.0])
    >>> w, np.allclose(w @ w.T, np.outer(a, a))
    (array([[ 0.6,  0.8],
           [-1.2, -1.6]]), True)
    """
    a = array("a", a, 1)  # mutant(1): the guard of an argument
    return np.outer(a, _unit("direction", direction)), a


def in_pairs(w: ArrayLike, a: ArrayLike) -> tuple[Array, Array]:
    """Every neuron with a partner of the opposite output weight, so that the network is 0 at the start.

    W ← (W, W),  a ← (a, −a)

    w: m × d.
    a: m entries.

    Returns W, 2m × d, and a, 2m entries: first the neurons, then their partners.
    Raises ValueError for arrays that do not fit together.

    >>> in_pairs([[1.0, 2.0]], [0.5])
    (array([[1., 2.],
           [1., 2.]]), array([ 0.5, -0.5]))
    """
    w = array("w", w, 2)
    a = array("a", a, 1, (len(w),))
    return np.concatenate([w, w]), np.concatenate([a, -a])


def _unit(name: str, direction: ArrayLike) -> Array:
    """A vector over its length; ValueError where it is 0."""
    vector = array(name, direction, 1)
    largest = np.max(np.abs(vector))
    if largest == 0:
        raise ValueError(f"{name} is 0; it must have a direction")
    vector = vector / largest  # the squares of its entries may be too large or too small for a float
    return np.asarray(vector / np.linalg.norm(vector))
