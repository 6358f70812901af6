"""Each constant of the path over k, of the rich limit and of scale and shape is held by a claim of their chapter.

The constants of Q_k, of the least norms and of the network's exact flow are those of test_diagonal_networks.
"""

import matplotlib.pyplot
import scipy.optimize
import sympy
from mutation_testing import checks, mutants, operator_checks, operators, script

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
    "entropy_to_l1: 1 → 2": "the guard of a unique vertex",
    "predictor: 1 → 2": "the length that reshape finds by itself",
    "unbiased: 1 → 2": "the guard of the argument's range",
}
MUTANTS = [
    *mutants("limits/interpolation/entropy_path.py"),
    *mutants("limits/interpolation/entropy_to_l1.py"),
    *mutants("models/linear/diagonal.py", {"unbiased", "predictor"}),
]

test_the_chapter_itself_is_green, test_a_changed_constant_is_noticed = checks(
    "scale_and_shape", CODE, MUTANTS, EQUIVALENT
)

OPERATORS = [
    *operators("limits/interpolation/entropy_path.py"),
    *operators("limits/interpolation/entropy_to_l1.py"),
    *operators("models/linear/diagonal.py", {"unbiased", "predictor"}),
]
# Changes that change no prediction, by the line and the change, with the reason.
EXCUSED = {
    "slope, _ = scale_derivative(HyperbolicEntropy((here * b) ** 2), x, answer.w) "
    "| here * b → here / b": "in the predictor, whose error Newton's method takes away; and b is 1 here",
    "answer = HyperbolicEntropy((there * b) ** 2).minimize(x, y, start=predicted) "
    "| there * b → there / b": "b is 1 without weights; "
    "tests/library/limits/interpolation/test_entropy_path.py holds those",
    "return cls(u, v, u, v) | cls(u, v, u, v) → cls(v, u, u, v)": "u₊ and v₊ exchanged: the same flow of w, the same k",
    "biased = parameter_flow(lazy_network(lazy_roots[-1], 1e-3), target=1e-7)[-1] "
    "| lazy_network(lazy_roots[-1], 0.001) → lazy_network(0.001, lazy_roots[-1])": "a control, biased either way",
}

test_each_excuse_names_one_mutant, test_a_changed_operator_is_noticed = operator_checks(
    "scale_and_shape", CODE, OPERATORS, EXCUSED
)
