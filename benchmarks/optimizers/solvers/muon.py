from benchmark_utils.library import LibrarySolver

from implicit_bias.flows import Muon, newton_schulz, polar_factor


class Solver(LibrarySolver):
    name = "Muon"
    parameters = {"factor": ["polar", "polynomial"], "eta": [1.0]}

    def update(self):
        return Muon(factor={"polar": polar_factor, "polynomial": newton_schulz}[self.factor])
