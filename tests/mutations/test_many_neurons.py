"""Each constant of the balanced limit, of its minimizer and of the linear network is held by a claim of its chapter."""

import cvxpy  # noqa: F401  (loaded once, before the forks)
import sympy  # noqa: F401
from mutation_testing import checks, mutants, script

CODE = script(
    "initialization/many_neurons", {"n": 3, "d": 8, "width": 3, "tilts": "[0.1, 0.05]", "scales": "[1e-3, 1e-5]"}
)

# Changes that change no prediction, by function and the change, with the reason.
EQUIVALENT = {
    "unit: 0 → 1": "the guard of an argument",
    "_amplitude: 0.0 → 1.0": "the guard for δ < 0; with δ = 0 and predictors of this size it is never met",
    "linear_neuron_limit: 1 → 2": "the guard of an argument",
    "linear_neuron_limit: -1 → +1": "the guard of an argument",
    "linear_neuron_limit: 0 → 1": "the guard of an argument, or the choice between two forms of the same root",
    "linear_neuron_limit: 2 → 3": "the form of the root for b < 0, which balanced layers do not meet",
}
MUTANTS = [
    *mutants(
        "models/linear_network.py", {"unit", "balanced", "parameters", "layers", "predictor", "gradient", "reduced"}
    ),
    *mutants("models/row_space.py", {"start", "_split", "residual", "velocity", "weights"}),
    *mutants("limits/neuron.py", {"z", "from_gradient", "conjugate", "_neuron", "_amplitude"}),
    *mutants("limits/neuron_limit.py", {"linear_neuron_limit"}),
    *mutants("limits/least_norm.py"),
]

test_the_chapter_itself_is_green, test_a_changed_constant_is_noticed = checks("many_neurons", CODE, MUTANTS, EQUIVALENT)
