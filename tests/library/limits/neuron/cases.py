"""Starts of one neuron."""

import numpy as np

from implicit_bias.limits.neuron import NeuronRegularizer


def start(delta, scale=1.0, d=9):
    """A positive a and a w with a² − ‖w‖² = δ and aw = w̃ of length scale."""
    direction = np.random.default_rng(2).standard_normal(d)
    direction *= scale / np.linalg.norm(direction)
    a, _ = NeuronRegularizer(delta, direction).amplitudes(scale)
    return a, direction / a
