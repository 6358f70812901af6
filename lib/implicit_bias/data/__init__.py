"""Problems as frozen dataclasses, each drawn from the generator that is passed in."""

from implicit_bias.data.regression import Regression, sparse_regression
from implicit_bias.data.separable import Classification, separable
from implicit_bias.data.teacher import Teacher, planar_teacher

__all__ = ["Classification", "Regression", "Teacher", "planar_teacher", "separable", "sparse_regression"]
