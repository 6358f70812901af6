import torch
from benchmark_utils.pytorch import TorchSolver


class Solver(TorchSolver):
    """PyTorch's own; SGD with steps that stay, as one runs it, and Muon also with the decay that is its default."""

    name = "torch.optim"
    parameters = {
        "method, lr, power, decay": [
            ("SGD", 2.0, 0.0, 0.0),
            ("Adam", 0.3, -0.5, 0.0),
            ("Muon", 1.0, -0.5, 0.0),
            ("Muon", 1.0, -0.5, 0.1),
        ]
    }

    def optimizer(self, weights):
        return getattr(torch.optim, self.method)(weights, lr=self.lr, weight_decay=self.decay)
