"""Which interpolator of a linear regression a flow selects: least norms, and the entropies between them."""

from implicit_bias.limits.interpolation.cone_program import cone_program
from implicit_bias.limits.interpolation.entropy_path import EntropyPath, entropy_path, scale_derivative
from implicit_bias.limits.interpolation.entropy_to_l1 import EntropyToL1, entropy_to_l1
from implicit_bias.limits.interpolation.hyperbolic_entropy import HyperbolicEntropy, Interpolator
from implicit_bias.limits.interpolation.least_l1 import LeastL1, least_l1
from implicit_bias.limits.interpolation.least_norm import LeastNorm, least_norm
from implicit_bias.limits.interpolation.staircase import Staircase, staircase

__all__ = [
    "EntropyPath",
    "EntropyToL1",
    "HyperbolicEntropy",
    "Interpolator",
    "LeastL1",
    "LeastNorm",
    "Staircase",
    "cone_program",
    "entropy_path",
    "entropy_to_l1",
    "least_l1",
    "least_norm",
    "scale_derivative",
    "staircase",
]
