"""Adaptivity to a hidden direction: a certified fit, kernel ridge regression, and a bound for fixed spaces."""

from implicit_bias.limits.adaptivity.fixed_space import direction_covariance, fixed_space_error, mean_ridge_error
from implicit_bias.limits.adaptivity.ridge import KernelRidge, kernel_ridge
from implicit_bias.limits.adaptivity.variation_fit import VariationFit, fit_bound, variation_fit

__all__ = [
    "KernelRidge",
    "VariationFit",
    "direction_covariance",
    "fit_bound",
    "fixed_space_error",
    "kernel_ridge",
    "mean_ridge_error",
    "variation_fit",
]
