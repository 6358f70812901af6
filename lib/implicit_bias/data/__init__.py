"""Problems as frozen dataclasses, each drawn from the generator that is passed in."""

from implicit_bias.data.bias_heights import BiasHeights
from implicit_bias.data.biases import BiasLaw
from implicit_bias.data.cifar10 import cifar10
from implicit_bias.data.clusters import clusters
from implicit_bias.data.digits import digits
from implicit_bias.data.images import Images
from implicit_bias.data.mixture import gaussian_mixture
from implicit_bias.data.nearly_orthogonal import nearly_orthogonal
from implicit_bias.data.regression import Regression, sparse_regression
from implicit_bias.data.row_space import RowSpace
from implicit_bias.data.samples import Samples
from implicit_bias.data.separable import Classification, separable
from implicit_bias.data.teacher import Teacher, planar_teacher, random_teacher
from implicit_bias.data.torus import Deconvolution, random_spikes, three_spikes, torus_grid

__all__ = [
    "BiasHeights",
    "BiasLaw",
    "Classification",
    "Deconvolution",
    "Images",
    "Regression",
    "RowSpace",
    "Samples",
    "Teacher",
    "cifar10",
    "clusters",
    "digits",
    "gaussian_mixture",
    "nearly_orthogonal",
    "planar_teacher",
    "random_spikes",
    "random_teacher",
    "separable",
    "sparse_regression",
    "three_spikes",
    "torus_grid",
]
