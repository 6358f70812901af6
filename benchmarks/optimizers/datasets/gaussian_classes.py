import numpy as np
from benchopt import BaseDataset


class Dataset(BaseDataset):
    name = "Gaussian classes"
    parameters = {"n, d, k": [(40, 16, 4)]}

    def get_data(self):
        g = np.random.default_rng(self.get_seed(use_repetition=True))
        y = np.arange(self.n) % self.k
        means = np.sqrt(2) * g.standard_normal((self.k, self.d))
        return {"x": means[y] + 0.6 * g.standard_normal((self.n, self.d)), "y": y}
