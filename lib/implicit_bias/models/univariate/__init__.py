"""Networks of one input whose hidden units are ramps or absolute values with biases of their own."""

from implicit_bias.models.univariate.absolute import AbsoluteNetwork
from implicit_bias.models.univariate.ramps import RampNetwork

__all__ = ["AbsoluteNetwork", "RampNetwork"]
