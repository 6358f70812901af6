"""The stable rank of a random matrix of finite size: its mean and its scatter."""

from dataclasses import dataclass

import numpy as np

from implicit_bias.brief import brief
from implicit_bias.checks import number, whole

MEAN, VARIANCE = -1.2065335745820, 1.607781034581  # of the Tracy–Widom law of order 1


@brief()
@dataclass(frozen=True)
class RandomStableRank:
    """The stable rank of a random matrix.

    mean: over draws.
    deviation: the standard deviation of one draw.

    >>> RandomStableRank(mean=36.0, deviation=0.8).mean
    36.0
    """

    mean: float
    deviation: float


def random_stable_rank(  # law: none, it takes sizes alone
    m: int, d: int, kurtosis: float = 0.0
) -> RandomStableRank:
    """The stable rank of an m × d matrix of independent entries of mean 0 and one variance.

    SR = ‖W‖_F²/‖W‖₂² ≈ md/σ²,  σ² = (1 + κ₄/√(md))(√m′ + √d′)² + μ T,  m′ = m − ½,  d′ = d − ½,
    μ = (√m′ + √d′)(m′^{-1/2} + d′^{-1/2})^{1/3}

    with T of the Tracy–Widom law of order 1, of mean −1.2065 and variance 1.6078. The first order of a fourth cumulant
    κ₄ of the entries is a formal derivation; for normal entries it is 0.

    m, d: the shape of the matrix, at least 2 each.
    kurtosis: κ₄, the fourth cumulant of the entries over their squared variance, at least −2; −1.2 for uniform ones.

    Returns the mean and the deviation over draws, to second order in T.

    Reference: Johnstone 2001, Theorem 1.1, for the law; Ma 2012 for m − ½ and d − ½.

    >>> random_stable_rank(512, 64)
    RandomStableRank(mean=35.8312, deviation=0.840329)
    >>> random_stable_rank(512, 64, kurtosis=-1.2).mean > random_stable_rank(512, 64).mean
    True
    """
    m, d, kurtosis = whole("m", m, least=2), whole("d", d, least=2), number("kurtosis", kurtosis, least=-2)
    rows, columns = np.sqrt(m - 0.5), np.sqrt(d - 0.5)
    unit = (rows + columns) * (1 / rows + 1 / columns) ** (1 / 3)
    top = (1 + kurtosis / np.sqrt(m * d)) * (rows + columns) ** 2 + MEAN * unit
    spread = np.sqrt(VARIANCE) * unit / top
    return RandomStableRank(float(m * d / top * (1 + spread**2)), float(m * d / top * spread))
