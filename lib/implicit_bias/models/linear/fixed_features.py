"""The linear model of features that stand still, as what fits outputs to labels sees it."""

from dataclasses import dataclass

import numpy as np

from implicit_bias.checks import Array, kept


@dataclass(frozen=True)
class FixedFeatures:
    """f = Fu: a network whose hidden weights do not move, in its output weights u.

    features: F, M × p.
    y: M labels.

    Raises ValueError for arrays that do not fit together.
    """

    features: Array
    y: Array

    def __post_init__(self) -> None:
        """Refuse arrays that do not fit together."""
        kept(self, "y", 1, (len(kept(self, "features", 2)),))

    def residual(self, u: Array) -> Array:
        """Fu − y, M numbers."""
        return np.asarray(self.features @ u - self.y)

    def jacobian(self, u: Array) -> Array:
        """F, whatever u is."""
        return self.features
