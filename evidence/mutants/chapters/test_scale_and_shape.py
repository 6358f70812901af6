"""Each constant of the path over k, of the rich limit and of scale and shape is held by a claim of their chapter.

The constants of Q_k, of the least norms and of the network's exact flow are those of test_diagonal_networks.
"""

import matplotlib.pyplot
import scipy.optimize
import sympy
from mutants.checks import checks, operator_checks
from mutants.places import mutants, operators
from mutants.runs import script

PRELOADED = (matplotlib.pyplot, scipy.optimize, sympy)  # the forked runs inherit them
CODE = script(
    "initialization/scale_and_shape",
    {"n": 10, "d": 30, "nonzeros": 1, "cells": 5, "shapes": "[0.0, 0.9]"},
)

MUTANTS = [
    *mutants("limits/interpolation/entropy_path.py"),
    *mutants("limits/interpolation/entropy_to_l1.py"),
    *mutants("models/linear/diagonal.py", {"unbiased", "predictor"}),
]

test_the_chapter_itself_is_green, test_a_changed_constant_is_noticed = checks("scale_and_shape", CODE, MUTANTS)

OPERATORS = [
    *operators("limits/interpolation/entropy_path.py"),
    *operators("limits/interpolation/entropy_to_l1.py"),
    *operators("models/linear/diagonal.py", {"unbiased", "predictor"}),
]

test_each_change_written_out_is_one_mutant, test_a_changed_operator_is_noticed = operator_checks(
    "scale_and_shape", CODE, OPERATORS
)
