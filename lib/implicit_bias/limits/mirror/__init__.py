"""What wide univariate networks learn by mirror flow: functions of least curvature, each measured by its potential."""

from implicit_bias.limits.mirror.bregman import BregmanFunction, bregman_function
from implicit_bias.limits.mirror.bregman_program import bregman_program
from implicit_bias.limits.mirror.finite_elements import finite_element_spline
from implicit_bias.limits.mirror.ramp_spline import RampSpline, ramp_kernel, ramp_spline

__all__ = [
    "BregmanFunction",
    "RampSpline",
    "bregman_function",
    "bregman_program",
    "finite_element_spline",
    "ramp_kernel",
    "ramp_spline",
]
