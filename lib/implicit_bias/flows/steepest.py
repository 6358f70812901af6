"""Steepest descent, Adam and Muon on the cross-entropy of a linear classifier, however small it has become."""

from dataclasses import dataclass, field
from typing import Literal, get_args

import numpy as np
from numpy.typing import NDArray

from implicit_bias.checks import Array, array, choice, kept, number

Method = Literal["frobenius", "entries", "spectral"]


@dataclass(frozen=True)
class SteepestState:
    """Where a classifier stands after t steps.

    t: number of steps.
    theta: W, row after row, k·d numbers.
    log_scale: ln of the unit of the two moments: gradients are e^{log_scale} times what is kept.
    first, second: the moments of the gradients, k × d each.
    evaluations: number of gradients.
    """

    t: float
    theta: Array
    log_scale: float
    first: Array
    second: Array
    evaluations: int

    def at(self, t: float) -> Array:
        """The same; time counts steps and there is nothing between two of them."""
        return self.theta


def polar(g: Array) -> Array:
    """The polar factor U Vᵀ of G = U S Vᵀ, over the singular values that are not rounding.

    g: k × d.

    >>> polar(np.array([[3.0, 0.0], [0.0, -2.0]])) + 0.0
    array([[ 1.,  0.],
           [ 0., -1.]])
    """
    u, s, v = np.linalg.svd(array("g", g, 2), full_matrices=False)
    return np.asarray((u * (s > 1e-12 * s[0])) @ v)


def newton_schulz(g: Array, steps: int = 5) -> Array:
    """What Muon uses in place of the polar factor: a polynomial of degree five, so many times.

    X ← aX + (bA + cA²)X,  A = XXᵀ,  X₀ = G/‖G‖_F,  (a, b, c) = (3.4445, −4.7750, 2.0315)

    g: k × d.
    steps: 5 in Muon.

    Reference: Jordan et al. 2024.

    >>> newton_schulz(np.eye(2)).round(2)
    array([[0.7, 0. ],
           [0. , 0.7]])
    """
    x = array("g", g, 2)
    x = x / np.linalg.norm(x)
    for _ in range(steps):
        square = x @ x.T
        x = 3.4445 * x + (-4.7750 * square + 2.0315 * square @ square) @ x
    return x
