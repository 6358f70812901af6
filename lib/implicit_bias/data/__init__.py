"""Problems as frozen dataclasses, each drawn from the generator that is passed in."""

from implicit_bias.data.regression import Regression, sparse_regression
from implicit_bias.data.separable import Classification, separable

__all__ = ["Classification", "Regression", "separable", "sparse_regression"]
