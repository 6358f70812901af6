"""What wide univariate networks learn by mirror flow: splines of least curvature, slope and level."""

from implicit_bias.limits.mirror.finite_elements import finite_element_spline
from implicit_bias.limits.mirror.ramp_scatter import ramp_scatter
from implicit_bias.limits.mirror.ramp_spline import RampSpline, ramp_kernel, ramp_spline

__all__ = ["RampSpline", "finite_element_spline", "ramp_kernel", "ramp_scatter", "ramp_spline"]
