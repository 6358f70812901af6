"""How far the margin of a linear classifier is from the largest one, in three norms."""

import numpy as np
from benchopt import BaseObjective
from benchopt.stopping_criterion import NoCriterion

from implicit_bias.limits.margin import class_differences, matrix_margin, matrix_norm


class Objective(BaseObjective):
    name = "largest margins"
    min_benchopt_version = "1.10"
    sampling_strategy = "callback"
    stopping_criterion = NoCriterion()  # a gap that rests for a while may fall again
    test_dataset_name = "Gaussian classes"

    def set_data(self, x, y):
        self.x, self.y = x / np.linalg.norm(x, axis=1).max(), y
        self.pairs = class_differences(self.x, y)
        norms = ("frobenius", "entries", "spectral")
        answers = {norm: matrix_margin(self.x, y, norm, tol=1e-6) for norm in norms}
        self.largest = {norm: answer.certificate.enclosure.high for norm, answer in answers.items()}

    def get_objective(self):
        return {"x": self.x, "y": self.y}

    def evaluate_result(self, w):
        """1 − margin/γ in each norm, with a proved upper bound for γ; value: the least of the three."""
        least = np.min(self.pairs @ np.ravel(w))
        gaps = {norm: 1 - least / ((matrix_norm(w, norm) or 1) * most) for norm, most in self.largest.items()}
        return {"value": min(gaps.values()), **gaps}

    def get_one_result(self):
        return {"w": np.zeros((self.y.max() + 1, self.x.shape[1]))}
