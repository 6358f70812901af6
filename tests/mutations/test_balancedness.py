"""Each constant of the networks, their activation and what they conserve is held by a claim of its chapter."""

import cvxpy  # noqa: F401  (loaded once, before the forks)
import sympy  # noqa: F401
import two_layer_excuses
from mutation_testing import checks, mutants, operator_checks, operators, script

CODE = script(
    "initialization/balancedness",
    {"n": 4, "d": 3, "width": 3, "t_end": 2.0, "kink": "1e-5", "learning_rates": "[2e-3, 1e-3]"},
)

# Changes that change no prediction, by function and the change, with the reason.
EQUIVALENT = {
    "with_derivative: 1 → 2": "the identity's own branch, taken or not",
    "with_derivative: 2 → 3": "the height of a kink that is smoothed over little",
}
MUTANTS = [
    *mutants("models/two_layer/network.py", {"balance", "balance_matrix"}),
    *mutants("models/two_layer/risk.py", {"gradient"}),
    *mutants("losses.py", {"Squared.slope"}),
    *mutants("activations.py", {"LeakyReLU.with_derivative"}),
]

test_the_chapter_itself_is_green, test_a_changed_constant_is_noticed = checks("balancedness", CODE, MUTANTS, EQUIVALENT)

OPERATORS = [
    *operators("models/two_layer/network.py", {"balance", "balance_matrix"}),
    *operators("models/two_layer/risk.py", {"gradient"}),
    *operators("losses.py", {"Squared.slope"}),
    *operators("activations.py", {"LeakyReLU.with_derivative"}),
]
# Changes that change no prediction, by the line and the change, with the reason.
EXCUSED = {
    **two_layer_excuses.GRADIENT,
    **two_layer_excuses.FAST_PATH,
    "measured=log_log_slope(rates, leaky_norms), "
    "| log_log_slope(rates, leaky_norms) → log_log_slope(leaky_norms, rates)": "an exponent of one is its own inverse",
}

test_each_excuse_names_one_mutant, test_a_changed_operator_is_noticed = operator_checks(
    "balancedness", CODE, OPERATORS, EXCUSED
)
