"""The stable rank of a spike in Gaussian noise at finite size, from a bidiagonal matrix of the same law."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from implicit_bias.brief import brief
from implicit_bias.checks import Array, array, in_range, instance, memory, number, whole

HALVINGS = 26  # of the interval that holds the largest eigenvalue


@brief()
@dataclass(frozen=True)
class SpikedLaw:
    """The stable rank of random matrices with a spike.

    mean: over draws, of the shape of the spikes.
    deviation: the standard deviation of one draw, likewise.

    >>> SpikedLaw(mean=np.array([36.0]), deviation=np.array([0.8])).mean
    array([36.])
    """

    mean: Array
    deviation: Array


@in_range
def spiked_law(  # law: none, it draws
    generator: np.random.Generator,
    spike: ArrayLike,
    deviation: float,
    m: int,
    d: int,
    *,
    beside: ArrayLike = 0.0,
    draws: int = 100,
) -> SpikedLaw:
    """The mean and the scatter of the stable rank of s u vᵀ + ωN at finite m and d.

    SR = (‖B‖_F² + r²/ω²)/‖B‖₂²,  B_11² = s²/ω² + χ²_{d−1},  B_ii = χ_{d−i+1},  B_{i+1,i} = χ_{m−i},  m ≤ d,

    with independent χ. Reflections from both sides, of which the first turns u and v into unit vectors, make the
    matrix over ω lower bidiagonal without changing the law of what is left; so B has its singular values in law. What
    the noise has along the spike, uᵀNv, is taken as known and part of s. At s = 0 the largest one obeys the
    Tracy–Widom law at the edge √m + √d.

    generator: the stream of the χ, one set of them for all spikes.
    spike: s ≥ 0, one or many.
    deviation: ω > 0.
    m, d: the shape of the matrix, at least 2 each.
    beside: r, the norm of what lies beside the spike and is small against it, of the shape of ``spike``, or one number.
    draws: of B, at least 2.

    Raises ValueError for an argument outside its range.

    Reference: Dumitriu and Edelman 2002 for B; Bloemendal and Virág 2013 for a spike.

    >>> law = spiked_law(np.random.default_rng(0), [0.0, 1.0], 0.01, 100, 200)
    >>> law.mean.round(1), law.deviation.round(1)
    (array([35.4,  2.9]), array([1., 0.]))
    """
    instance("generator", generator, np.random.Generator)
    m, d = sorted((whole("m", m, least=2), whole("d", d, least=2)))
    draws = whole("draws", draws, least=2)
    deviation = number("deviation", deviation, above=0)
    spike = array("spike", spike, None)
    shape, theta = spike.shape, spike.reshape(-1, 1) / deviation
    aside = np.broadcast_to(array("beside", beside, None), shape).reshape(-1, 1) / deviation
    memory("draws", draws, 8 * 6 * draws * max(m, theta.size))
    squares = generator.chisquare(d - np.arange(m) - (np.arange(m) == 0), (draws, m)).T  # of the diagonal
    below = generator.chisquare(m - 1 - np.arange(m - 1), (draws, m - 1)).T
    first = theta**2 + squares[0]
    rest = squares[1:] + below  # the diagonal of BBᵀ behind its first entry
    off = squares[1:-1] * below[1:]  # and what stands beside it, squared
    trace = first + rest.sum(axis=0) + aside**2
    rows = np.vstack([squares[:1], rest])
    beside_them = np.sqrt(np.vstack([squares[:1] * below[:1], off]))
    rows[:-1] += beside_them
    rows[1:] += beside_them
    low, high = first, (theta + np.sqrt(rows.max(axis=0))) ** 2  # the spike and the noise, by Gershgorin
    beyond = np.empty_like(first)
    for _ in range(HALVINGS):
        x = (low + high) / 2
        pivot = first - x
        largest = pivot.copy()  # of all pivots: x lies above all eigenvalues where it is negative
        pivot = rest[0] - x - first * below[0] / pivot
        for k in range(1, m - 1):
            np.maximum(largest, pivot, out=largest)
            np.subtract(rest[k], x, out=beyond)
            np.divide(off[k - 1], pivot, out=pivot)
            np.subtract(beyond, pivot, out=pivot)
        above = np.maximum(largest, pivot) < 0
        low, high = np.where(above, low, x), np.where(above, x, high)
    ranks = trace / high
    return SpikedLaw(ranks.mean(axis=1).reshape(shape), ranks.std(axis=1, ddof=1).reshape(shape))
