"""How the predictions of random networks scatter, as a normal vector with a known covariance."""

from dataclasses import dataclass

import numpy as np

from implicit_bias.brief import brief
from implicit_bias.checks import Array


@brief("spread")
@dataclass(frozen=True)
class Scatter:
    """A normal vector of N entries and mean 0: what networks of m neurons miss of the limit m → ∞, times √m.

    covariance: of the entries, N × N.
    """

    covariance: Array

    @property
    def spread(self) -> float:
        """The root of the mean variance over the entries."""
        return float(np.sqrt(np.trace(self.covariance) / len(self.covariance)))

    @property
    def freedom(self) -> float:
        """How many independent numbers would scatter as much as the mean square of the entries: (tr C)²/tr C²."""
        return float(np.trace(self.covariance) ** 2 / np.sum(self.covariance**2))
