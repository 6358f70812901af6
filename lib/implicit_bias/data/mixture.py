"""Two Gaussian clusters in high dimension, whose samples are nearly orthogonal."""

import numpy as np

from implicit_bias.checks import instance, memory, number, whole
from implicit_bias.data.separable import Classification


def gaussian_mixture(generator: np.random.Generator, n: int, d: int, *, separation: float) -> Classification:
    """Draw n labelled points of a mixture of two Gaussians with unit covariance.

    x_i = y_i μ + ξ_i,  ξ_i ~ N(0, I_d),  ‖μ‖ = separation, the direction of μ uniform

    generator: the stream of the data.
    n: number of points, at least 2; ⌈n/2⌉ of them have the label 1, in random order.
    d: dimension, at least 2.
    separation: ‖μ‖ ≥ 0.

    Returns the points and labels. For n ≪ d and ‖μ‖² ≪ d they are nearly orthogonal: |x_i·x_k| ≪ ‖x_i‖² ≈ d.
    Raises ValueError for an argument outside its range.

    >>> points = gaussian_mixture(np.random.default_rng(0), 5, 100, separation=3.0)
    >>> points.x.shape, int(np.sum(points.y > 0))
    ((5, 100), 3)
    """
    instance("generator", generator, np.random.Generator)
    n = whole("n", n, least=2)  # mutant: the balance of the labels; held by tests
    d = whole("d", d, least=2)  # mutant: the balance of the labels; held by tests
    separation = number("separation", separation, least=0)  # mutant: the guard of an argument
    memory("n × d", n * d, 8 * 3 * n * d)
    direction = generator.standard_normal(d)
    mean = separation * direction / np.linalg.norm(direction)
    # mutant(1; 2): the balance of the labels; held by tests
    # mutant(-): the signed samples have the same law; held by tests
    y = generator.permutation(np.where(np.arange(n) < (n + 1) // 2, 1.0, -1.0))
    return Classification(x=generator.standard_normal((n, d)) + y[:, None] * mean, y=y)
