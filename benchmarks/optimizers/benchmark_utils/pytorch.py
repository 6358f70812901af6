"""What the solvers by torch.optim share: full batches in float64 from W = 0, with steps lr·(t+1)^power."""

import torch
from benchopt import BaseSolver


class TorchSolver(BaseSolver):
    power = -0.5

    def set_objective(self, x, y):
        self.x, self.y = torch.from_numpy(x), torch.from_numpy(y)

    def run(self, callback):
        self.w = torch.zeros(int(self.y.max()) + 1, self.x.shape[1], dtype=self.x.dtype, requires_grad=True)
        optimizer = self.optimizer([self.w])
        rate = torch.optim.lr_scheduler.LambdaLR(optimizer, lambda t: (t + 1) ** self.power)
        while callback():
            optimizer.zero_grad()
            torch.nn.functional.cross_entropy(self.x @ self.w.T, self.y).backward()
            optimizer.step()
            rate.step()

    def get_result(self):
        return {"w": self.w.detach().numpy()}
