"""Lazy training: models of large scale or width train like their linearization; what that misses, term by term."""

from implicit_bias.limits.lazy.bilinear import BilinearNorm, bilinear_norm
from implicit_bias.limits.lazy.bound import LazyBound, lazy_bound
from implicit_bias.limits.lazy.circle import CircleResponse
from implicit_bias.limits.lazy.criterion import LazyCriterion, WideCriterion, lazy_criterion, lazy_error, wide_criterion
from implicit_bias.limits.lazy.expansion import LazyExpansion, lazy_expansion
from implicit_bias.limits.lazy.gated_paths import GatedPaths, gated_paths
from implicit_bias.limits.lazy.least_motion import LeastWeights, least_weights
from implicit_bias.limits.lazy.linear_course import linear_course
from implicit_bias.limits.lazy.linear_descent import LinearDescent, linear_descent
from implicit_bias.limits.lazy.tangent_limit import (
    KernelRegression,
    TangentScatter,
    kernel_regression,
    relu_tangent_kernel,
    tangent_scatter,
)

__all__ = [
    "BilinearNorm",
    "CircleResponse",
    "GatedPaths",
    "KernelRegression",
    "LazyBound",
    "LazyCriterion",
    "LazyExpansion",
    "LeastWeights",
    "LinearDescent",
    "TangentScatter",
    "WideCriterion",
    "bilinear_norm",
    "gated_paths",
    "kernel_regression",
    "lazy_bound",
    "lazy_criterion",
    "lazy_error",
    "lazy_expansion",
    "least_weights",
    "linear_course",
    "linear_descent",
    "relu_tangent_kernel",
    "tangent_scatter",
    "wide_criterion",
]
