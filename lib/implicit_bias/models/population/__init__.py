"""Wide two-layer networks on their exact population risk: one in any dimension, many at once, many in the plane."""

from implicit_bias.models.population.batch import NetworkBatch
from implicit_bias.models.population.network import TwoLayerNetwork
from implicit_bias.models.population.planar import PlanarNetworks

__all__ = ["NetworkBatch", "PlanarNetworks", "TwoLayerNetwork"]
