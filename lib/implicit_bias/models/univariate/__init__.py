"""Networks of one input whose hidden units are ramps with biases of their own."""

from implicit_bias.models.univariate.absolute import AbsoluteNetwork
from implicit_bias.models.univariate.levelled import LevelledNetwork
from implicit_bias.models.univariate.ramps import RampNetwork
from implicit_bias.models.univariate.starts import drawn_units, placed_units

__all__ = ["AbsoluteNetwork", "LevelledNetwork", "RampNetwork", "drawn_units", "placed_units"]
