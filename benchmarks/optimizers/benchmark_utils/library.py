"""What the solvers from the library share: steps in float64 on a loss that may fall below the smallest float."""

from benchopt import BaseSolver

from implicit_bias.flows import CrossEntropyDescent


class LibrarySolver(BaseSolver):
    def set_objective(self, x, y):
        self.descent = CrossEntropyDescent(x[None], y[None], self.update(), scale=self.eta)  # η_t = η/√(t+1)

    def run(self, callback):
        self.state = self.descent.init(self.descent.start)
        while callback():
            self.state = self.descent.step(self.state)

    def get_result(self):
        return {"w": self.state.w[0]}
