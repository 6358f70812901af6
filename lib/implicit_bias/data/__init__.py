"""Problems as frozen dataclasses, each drawn from the generator that is passed in."""

from implicit_bias.data.regression import Regression, sparse_regression
from implicit_bias.data.separable import Classification, separable
from implicit_bias.data.teacher import Teacher, planar_teacher, random_teacher
from implicit_bias.data.torus import Deconvolution, random_spikes, three_spikes, torus_grid

__all__ = [
    "Classification",
    "Deconvolution",
    "Regression",
    "Teacher",
    "planar_teacher",
    "random_spikes",
    "random_teacher",
    "separable",
    "sparse_regression",
    "three_spikes",
    "torus_grid",
]
