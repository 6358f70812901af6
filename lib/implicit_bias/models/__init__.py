"""Models: parameters, forward, gradient by hand, conserved quantities, and the exact reduction where there is one."""

from implicit_bias.models.activations import IDENTITY, LeakyReLU
from implicit_bias.models.diagonal import DiagonalNetwork
from implicit_bias.models.first_layer import FirstLayerNetwork
from implicit_bias.models.fixed_particles import FixedParticles
from implicit_bias.models.leaky_classifier import FrozenFlow, LeakyClassifier, SpanFlow
from implicit_bias.models.leaky_network import LeakyNetwork
from implicit_bias.models.linear import LinearClassifier, LinearRegressor
from implicit_bias.models.linear_network import LinearNetwork, scale_and_shape
from implicit_bias.models.network_batch import NetworkBatch
from implicit_bias.models.particle_measure import ParticleMeasure
from implicit_bias.models.planar_networks import PlanarNetworks
from implicit_bias.models.row_space import RowSpaceFlow
from implicit_bias.models.softmax_network import SoftmaxNetwork, accuracy, stable_rank
from implicit_bias.models.two_layer import TwoLayerNetwork

__all__ = [
    "IDENTITY",
    "DiagonalNetwork",
    "FirstLayerNetwork",
    "FixedParticles",
    "FrozenFlow",
    "LeakyClassifier",
    "LeakyNetwork",
    "LeakyReLU",
    "LinearClassifier",
    "LinearNetwork",
    "LinearRegressor",
    "NetworkBatch",
    "ParticleMeasure",
    "PlanarNetworks",
    "RowSpaceFlow",
    "SoftmaxNetwork",
    "SpanFlow",
    "TwoLayerNetwork",
    "accuracy",
    "scale_and_shape",
    "stable_rank",
]
