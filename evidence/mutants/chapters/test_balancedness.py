"""Each constant of the networks, their activation and what they conserve is held by a claim of its chapter."""

import cvxpy  # noqa: F401  (loaded once, before the forks)
import sympy  # noqa: F401
from mutants.checks import checks, operator_checks
from mutants.places import mutants, operators
from mutants.runs import script

CODE = script(
    "initialization/balancedness",
    {"n": 4, "d": 3, "width": 3, "t_end": 2.0, "kink": "0.05", "learning_rates": "[2e-3, 1e-3]"},
)

MUTANTS = [
    *mutants("models/two_layer/network.py", {"balance", "balance_matrix"}),
    *mutants("models/two_layer/risk.py", {"gradient"}),
    *mutants("losses.py", {"Squared.slope"}),
    *mutants("activations.py", {"LeakyReLU.with_derivative"}),
]

test_the_chapter_itself_is_green, test_a_changed_constant_is_noticed = checks("balancedness", CODE, MUTANTS)

OPERATORS = [
    *operators("models/two_layer/network.py", {"balance", "balance_matrix"}),
    *operators("models/two_layer/risk.py", {"gradient"}),
    *operators("losses.py", {"Squared.slope"}),
    *operators("activations.py", {"LeakyReLU.with_derivative"}),
]

test_each_change_written_out_is_one_mutant, test_a_changed_operator_is_noticed = operator_checks(
    "balancedness", CODE, OPERATORS
)
