"""Wide two-layer networks on their exact population risk: one in any dimension, many at once, many in the plane.

The network is ``TwoLayer``; here is its risk where the mean over all inputs is known in closed form.
"""

from implicit_bias.models.population.batch import NetworkBatch
from implicit_bias.models.population.flow import PopulationFlow
from implicit_bias.models.population.planar import PlanarNetworks

__all__ = ["NetworkBatch", "PlanarNetworks", "PopulationFlow"]
