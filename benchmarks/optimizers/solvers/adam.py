from benchmark_utils.library import LibrarySolver

from implicit_bias.flows import Adam


class Solver(LibrarySolver):
    name = "Adam"
    parameters = {"epsilon": [0.0], "eta": [0.3]}

    def update(self):
        return Adam(epsilon=self.epsilon)
