"""Networks of one input whose hidden units are ramps with biases of their own."""

from implicit_bias.models.univariate.absolute import AbsoluteNetwork
from implicit_bias.models.univariate.levelled import LevelledNetwork
from implicit_bias.models.univariate.ramps import RampNetwork

__all__ = ["AbsoluteNetwork", "LevelledNetwork", "RampNetwork"]
