"""Models: parameters, forward, gradient by hand, conserved quantities, and the exact reduction where there is one."""

from implicit_bias.models.diagonal import DiagonalNetwork
from implicit_bias.models.fixed_particles import FixedParticles
from implicit_bias.models.linear import LinearClassifier, LinearRegressor
from implicit_bias.models.particle_measure import ParticleMeasure

__all__ = ["DiagonalNetwork", "FixedParticles", "LinearClassifier", "LinearRegressor", "ParticleMeasure"]
