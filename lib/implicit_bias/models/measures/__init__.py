"""Measures on the torus as sums of particles, which move or stay."""

from implicit_bias.models.measures.circle_flow import CircleFlow
from implicit_bias.models.measures.clouds import Clouds
from implicit_bias.models.measures.conic_flow import ConicFlow
from implicit_bias.models.measures.fixed_particles import FixedParticles
from implicit_bias.models.measures.particles import ParticleMeasure

__all__ = ["CircleFlow", "Clouds", "ConicFlow", "FixedParticles", "ParticleMeasure"]
