"""Lazy training: what a model does whose outputs are scaled up, in powers of one over the scale."""

from implicit_bias.limits.lazy.bound import LazyBound, lazy_bound
from implicit_bias.limits.lazy.expansion import LazyExpansion, lazy_expansion

__all__ = ["LazyBound", "LazyExpansion", "lazy_bound", "lazy_expansion"]
