"""Sparse linear regression with fewer samples than features."""

from dataclasses import dataclass

import numpy as np

from implicit_bias.brief import brief
from implicit_bias.checks import Array, instance, kept, memory, number, whole


@brief()
@dataclass(frozen=True)
class Regression:
    """Inputs and real labels, y = X w* + noise.

    x: N × d, one sample x_n a row (the matrix X).
    y: N labels.
    w_star: the d coefficients that made the labels.

    >>> problem = Regression(x=np.array([[1.0, 2.0]]), y=np.array([4.0]), w_star=np.array([0.0, 2.0]))
    >>> problem.x @ problem.w_star
    array([4.])
    """

    x: Array
    y: Array
    w_star: Array

    def __post_init__(self) -> None:
        """Refuse arrays that do not fit together."""
        x = kept(self, "x", 2)
        kept(self, "y", 1, (x.shape[0],))
        kept(self, "w_star", 1, (x.shape[1],))


def sparse_regression(
    generator: np.random.Generator,
    n: int = 100,
    d: int = 1000,
    *,
    nonzeros: int = 5,
    noise_variance: float = 0.01,
) -> Regression:
    """Draw x_n ~ N(0, I_d), w* with r* equal non-zero entries 1/√r*, and y = X w* + noise.

    generator: the stream of the data.
    n: number of samples N, at most d.
    d: dimension.
    nonzeros: r*, at least 1 and at most d; the support is drawn uniformly.
    noise_variance: variance of the Gaussian label noise, at least 0.

    Returns the problem.
    Raises ValueError for an argument outside its range.
    Reference: Azulay et al. 2021, Section 9 (N = 100, d = 1000, r* = 5, variance 0.01).

    >>> problem = sparse_regression(np.random.default_rng(0), n=20, d=50, nonzeros=4)
    >>> problem.x.shape, np.unique(problem.w_star)
    ((20, 50), array([0. , 0.5]))
    """
    instance("generator", generator, np.random.Generator)
    d = whole("d", d, least=1)
    n = whole("n", n, least=1, most=d)
    nonzeros = whole("nonzeros", nonzeros, least=1, most=d)
    noise_variance = number("noise_variance", noise_variance, least=0)
    memory("n × d", n * d, 8 * n * d)
    x = generator.standard_normal((n, d))
    w_star = np.zeros(d)
    w_star[generator.choice(d, nonzeros, replace=False)] = 1 / np.sqrt(nonzeros)
    y = x @ w_star + np.sqrt(noise_variance) * generator.standard_normal(n)
    return Regression(x=x, y=y, w_star=w_star)
