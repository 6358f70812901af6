"""Lazy training: models of large scale or width train like their linearization; what that misses, term by term."""

from implicit_bias.limits.lazy.bound import LazyBound, lazy_bound
from implicit_bias.limits.lazy.expansion import LazyExpansion, lazy_expansion
from implicit_bias.limits.lazy.tangent_limit import (
    KernelRegression,
    TangentScatter,
    kernel_regression,
    relu_tangent_kernel,
    tangent_scatter,
)

__all__ = [
    "KernelRegression",
    "LazyBound",
    "LazyExpansion",
    "TangentScatter",
    "kernel_regression",
    "lazy_bound",
    "lazy_expansion",
    "relu_tangent_kernel",
    "tangent_scatter",
]
