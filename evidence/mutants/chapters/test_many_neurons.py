"""Each constant of the balanced limit, of its minimizer and of the linear network is held by a claim of its chapter."""

import cvxpy  # noqa: F401  (loaded once, before the forks)
import sympy  # noqa: F401
from mutants.checks import checks, operator_checks
from mutants.places import mutants, operators
from mutants.runs import script

CODE = script(
    "initialization/many_neurons", {"n": 3, "d": 8, "width": 3, "tilts": "[0.1, 0.05]", "scales": "[1e-3, 1e-5]"}
)

MUTANTS = [
    *mutants("models/two_layer/network.py", {"predictor", "balance_matrix"}),
    *mutants("models/two_layer/risk.py", {"gradient"}),
    *mutants("losses.py", {"Squared.slope"}),
    *mutants("models/two_layer/starts.py", {"balanced_start"}),
    *mutants("limits/neuron/regularizer.py", {"z", "from_gradient", "conjugate", "_neuron", "_amplitude"}),
    *mutants("limits/neuron/closed_form.py", {"linear_neuron_limit"}),
    *mutants("limits/interpolation/least_norm.py"),
]

test_the_chapter_itself_is_green, test_a_changed_constant_is_noticed = checks("many_neurons", CODE, MUTANTS)

OPERATORS = [
    *operators("models/two_layer/network.py", {"predictor", "balance_matrix"}),
    *operators("models/two_layer/risk.py", {"gradient"}),
    *operators("losses.py", {"Squared.slope"}),
    *operators("models/two_layer/starts.py", {"balanced_start"}),
    *operators("limits/neuron/regularizer.py", {"z", "from_gradient", "conjugate", "_neuron", "_amplitude"}),
    *operators("limits/neuron/closed_form.py", {"linear_neuron_limit"}),
    *operators("limits/interpolation/least_norm.py"),
]
# Changes of the chapter's own code that are tried whatever the sample.
MUST = [
    "return resting * np.sqrt(np.linalg.norm(shortest) + resting**2 + unbalanced) | resting ** 2 → resting ** 1",
]

test_each_change_written_out_is_one_mutant, test_a_changed_operator_is_noticed = operator_checks(
    "many_neurons", CODE, OPERATORS, MUST
)
