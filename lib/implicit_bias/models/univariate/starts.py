"""Initial hidden units of univariate networks, σ(w_k x − b_k) with w_k = ±1: placed evenly, or drawn."""

from typing import Protocol

import numpy as np
from numpy.typing import ArrayLike

from implicit_bias.checks import Array, instance, memory, whole


class Law(Protocol):
    """A law of the biases."""

    def quantile(self, u: ArrayLike) -> Array:
        """The b below which the share u in [0, 1] lies."""


def placed_units(law: Law, n: int) -> tuple[Array, Array]:
    """Biases at the quantiles of their law, each with both signs of w.

    b_k = b_{k+n/2} = quantile((k − ½)/(n/2)),  w_k = 1,  w_{k+n/2} = −1,  k = 1, …, n/2

    law: of the biases.
    n: number of units, at least 2; of an odd one the last is left out.

    Returns w and b, n entries each.
    Raises ValueError for fewer than two units.

    >>> from implicit_bias.data import BiasLaw
    >>> placed_units(BiasLaw(1.0), 4)
    (array([ 1.,  1., -1., -1.]), array([-0.5,  0.5, -0.5,  0.5]))
    """
    half = whole("n", n, least=2) // 2
    memory("n", n, 64 * n)
    # mutant: where the kinks lie, and which of both signs comes first
    return np.repeat([1.0, -1.0], half), np.tile(law.quantile((np.arange(half) + 0.5) / half), 2)


def drawn_units(law: Law, generator: np.random.Generator, n: int) -> tuple[Array, Array]:
    """Independent units: w is 1 or −1 with equal odds, b is of the law.

    law: of the biases.
    generator: the stream that they are drawn from, first all w, then all b.
    n: number of units, at least 1.

    Returns w and b, n entries each.
    Raises ValueError for no unit.

    >>> from implicit_bias.data import BiasLaw
    >>> w, b = drawn_units(BiasLaw(1.0), np.random.default_rng(0), 100)
    """
    instance("generator", generator, np.random.Generator)
    n = whole("n", n, least=1)
    memory("n", n, 64 * n)
    # mutant(-): another sign of the start, of which the same holds
    return generator.choice([1.0, -1.0], n), law.quantile(generator.uniform(0, 1, n))
