"""What wide univariate networks learn by mirror flow: splines of least curvature, slope and level."""

from implicit_bias.limits.mirror.bregman import BregmanFunction, bregman_function
from implicit_bias.limits.mirror.bregman_program import bregman_program
from implicit_bias.limits.mirror.finite_elements import finite_element_spline
from implicit_bias.limits.mirror.jump_line import JumpLine, jump_line
from implicit_bias.limits.mirror.least_potential import LeastPotential, least_potential
from implicit_bias.limits.mirror.ramp_scatter import ramp_scatter
from implicit_bias.limits.mirror.ramp_spline import RampSpline, ramp_kernel, ramp_spline
from implicit_bias.limits.mirror.response import PotentialResponse, potential_response, response_path

__all__ = [
    "BregmanFunction",
    "JumpLine",
    "LeastPotential",
    "PotentialResponse",
    "RampSpline",
    "bregman_function",
    "bregman_program",
    "finite_element_spline",
    "jump_line",
    "least_potential",
    "potential_response",
    "ramp_kernel",
    "ramp_scatter",
    "ramp_spline",
    "response_path",
]
