"""Convolutional networks in PyTorch, scaled and centred as lazy training wants them, and their linearization."""

from implicit_bias.models.convolutional.network import ConvNet, vgg11
from implicit_bias.models.convolutional.scaled import ScaledNet
from implicit_bias.models.convolutional.tangent import tangent_features, tangent_norm

__all__ = ["ConvNet", "ScaledNet", "tangent_features", "tangent_norm", "vgg11"]
