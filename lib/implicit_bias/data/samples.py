"""Samples and labels alone, whatever made them."""

from dataclasses import dataclass

from implicit_bias.brief import brief
from implicit_bias.checks import Array, kept


@brief()
@dataclass(frozen=True)
class Samples:
    """Inputs and real labels.

    x: n × d, one sample x_i a row.
    y: n labels.

    >>> data = Samples(x=np.array([[0.0], [1.0]]), y=np.array([1.0, -1.0]))
    >>> data.x.shape
    (2, 1)
    """

    x: Array
    y: Array

    def __post_init__(self) -> None:
        """Refuse arrays that do not fit together."""
        kept(self, "y", 1, (kept(self, "x", 2).shape[0],))
