"""Clusters of points on a grid of the plane, each of one label."""

from typing import Literal, get_args

import numpy as np

from implicit_bias.checks import choice, instance, memory, whole
from implicit_bias.data.separable import Classification

Labels = Literal["diagonal", "random"]


def clusters(
    generator: np.random.Generator, n: int, k: int = 2, *, d: int = 3, labels: Labels = "diagonal"
) -> Classification:
    """Draw n points in k × k round clusters that do not overlap; the last coordinate of each is the constant 1.

    x = (c + R(cos T, sin T), U, 1),  c ∈ {Δ(1 + 3q) − ½ : q = 0 … k−1}²,  Δ = 1/(3k − 1)
    T uniform in [0, 2π), R uniform in [0, Δ], the d − 3 coordinates U uniform in [−½, ½]

    Two clusters are at least Δ apart. Each gets as many points as any other, or one more.

    generator: the stream of the data.
    n: number of points, at least k².
    k: clusters along each side, at least 2.
    d: dimension, at least 3: it counts the two coordinates of the clusters and the constant.
    labels: "diagonal", −1 and 1 as on a chessboard, or "random", ⌊k²/2⌋ clusters of label −1, the rest 1.

    Returns the points with their labels.
    Raises ValueError for an argument outside its range.
    Reference: Chizat & Bach 2020, numerical experiments; there the cluster of each point is drawn.

    >>> points = clusters(np.random.default_rng(0), 8)
    >>> points.x.shape, sorted(points.y.tolist())
    ((8, 3), [-1.0, -1.0, -1.0, -1.0, 1.0, 1.0, 1.0, 1.0])
    """
    instance("generator", generator, np.random.Generator)
    k = whole("k", k, least=2)
    n = whole("n", n, least=k * k)
    d = whole("d", d, least=3)
    choice("labels", labels, get_args(Labels))
    memory("n × d", n * d, 8 * 3 * n * d)
    gap = 1 / (3 * k - 1)
    index = generator.permutation(np.arange(n) % (k * k))
    row, column = np.divmod(index, k)
    angle, radius = generator.uniform(0, 2 * np.pi, n), generator.uniform(0, gap, n)
    x = np.ones((n, d))
    x[:, 0] = gap * (1 + 3 * row) - 0.5 + radius * np.cos(angle)
    x[:, 1] = gap * (1 + 3 * column) - 0.5 + radius * np.sin(angle)
    x[:, 2:-1] = generator.uniform(-0.5, 0.5, (n, d - 3))
    sign = np.where(generator.permutation(k * k) < k * k // 2, -1.0, 1.0)
    y = sign[index] if labels == "random" else np.where((row + column) % 2 == 0, -1.0, 1.0)
    return Classification(x=x, y=y)
