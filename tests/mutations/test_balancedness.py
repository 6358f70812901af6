"""Each constant of the networks, their activation and what they conserve is held by a claim of its chapter."""

import cvxpy  # noqa: F401  (loaded once, before the forks)
import sympy  # noqa: F401
from mutation_testing import checks, mutants, script

CODE = script(
    "initialization/balancedness",
    {"n": 4, "d": 3, "width": 3, "t_end": 2.0, "kink": "1e-5", "learning_rates": "[2e-3, 1e-3]"},
)

# Changes that change no prediction, by function and the change, with the reason.
EQUIVALENT = {
    "derivative: 0 → 1": "dividing by a width of 0 gives the same derivative, ρ or 1",
}
MUTANTS = [
    *mutants("models/linear_network.py", {"parameters", "layers", "gradient", "conserved"}),
    *mutants("models/leaky_network.py", {"activation", "parameters", "layers", "gradient", "conserved"}),
    *mutants("models/activations.py", {"value", "derivative"}),
]

test_the_chapter_itself_is_green, test_a_changed_constant_is_noticed = checks("balancedness", CODE, MUTANTS, EQUIVALENT)
