"""Each constant of the path over k, of the rich limit and of scale and shape is held by a claim of their chapter.

The constants of Q_k, of the least norms and of the network's exact flow are those of test_diagonal_networks.
"""

import matplotlib.pyplot
import scipy.optimize
import sympy
from mutation_testing import checks, mutants, script

PRELOADED = (matplotlib.pyplot, scipy.optimize, sympy)  # the forked runs inherit them
CODE = script(
    "initialization/scale_and_shape",
    {"n": 10, "d": 30, "nonzeros": 1, "cells": 5, "shapes": "[0.0, 0.9]", "data_sets": 2},
)

# Changes that change no prediction, by function and the change, with the reason.
EQUIVALENT = {
    "entropy_path: 1 → 2": "one more point between two scales, or the refusal of bad scales",
    "entropy_path: 0 → 1": "the count of steps, or the refusal of bad scales",
    "entropy_path: 2 → 3": "in the predictor, whose error Newton's method takes away; elsewhere it is noticed",
    "next_order: 1 → 2": "whether a triangular system is transposed: it sets a tolerance, tests/library holds it",
    "rich_limit: 1 → 2": "the guard of a unique vertex",
    "rich_limit: 0.0 → 1.0": "the guard of a unique vertex",
    "predictor: 1 → 2": "the length that reshape finds by itself",
    "unbiased: 1 → 2": "the guard of the argument's range",
}
MUTANTS = [
    *mutants("limits/entropy_path.py"),
    *mutants("limits/rich_limit.py"),
    *mutants("models/diagonal.py", {"unbiased", "predictor"}),
]

test_the_chapter_itself_is_green, test_a_changed_constant_is_noticed = checks(
    "scale_and_shape", CODE, MUTANTS, EQUIVALENT
)
