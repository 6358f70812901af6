import numpy as np
from benchopt import BaseDataset

from implicit_bias.data import digits


class Dataset(BaseDataset):
    name = "digits"
    parameters = {"n": [60]}

    def get_data(self):
        images = digits(np.random.default_rng(self.get_seed(use_repetition=True)))
        x = images.x[: self.n]
        return {"x": x - x.mean(axis=0), "y": images.labels[: self.n]}
