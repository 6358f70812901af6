from benchmark_utils.library import LibrarySolver

from implicit_bias.flows import Adam


class Solver(LibrarySolver):
    """With ε = 0; 0.999 is the usual β₂."""

    name = "Adam"
    parameters = {"beta2": [0.95, 0.999], "eta": [0.3]}

    def update(self):
        return Adam(beta2=self.beta2)
