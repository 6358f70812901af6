"""Linear predictors, with weights of their own or of a diagonal network."""

from implicit_bias.models.linear.diagonal import DiagonalNetwork
from implicit_bias.models.linear.diagonal_flow import DiagonalFlow, DualFlow
from implicit_bias.models.linear.predictor import LinearClassifier, LinearRegressor
from implicit_bias.models.linear.vanishing_flow import VanishingFlow

__all__ = [
    "DiagonalFlow",
    "DiagonalNetwork",
    "DualFlow",
    "LinearClassifier",
    "LinearRegressor",
    "VanishingFlow",
]
