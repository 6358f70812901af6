from benchmark_utils.library import LibrarySolver

from implicit_bias.flows import Normalized


class Solver(LibrarySolver):
    """Normalized gradient descent, sign descent and spectral descent."""

    name = "steepest descent"
    parameters = {"norm, eta": [("frobenius", 6.0), ("entries", 0.3), ("spectral", 1.0)]}

    def update(self):
        return Normalized(self.norm)
