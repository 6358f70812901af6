"""Each constant of the leaky ReLU, its network, its reduction and its labels is held by a claim of its chapter."""

import two_layer_excuses
from mutation_testing import checks, mutants, operator_checks, operators, script

CODE = script(
    "initialization/leaky_neuron",
    {"n": 4, "d": 12, "slopes": "[0.3]", "scales": "[0.3]", "learning_rates": "[0.2, 0.1]"},
)

# Changes that change no prediction, by function and the change, with the reason.
EQUIVALENT = {
    "with_derivative: 1 → 2": "the identity's own branch, or a kink of half the width",
    "with_derivative: 2 → 3": "the height of a kink that is smoothed over little",
    "with_derivative: 0.5 → 0.75": "a kink of two thirds of the width",
    "unleaked: 1 → 2": "the guard of the argument's range",
    "leaky_neuron_limit: 1 → 2": "the sign that stands in for a(0) = 0, which is refused next",
}
# The Jacobian only steers the stiff solver: tests/library/models/two_layer/test_span_flow.py holds it.
MUTANTS = [
    *mutants("limits/neuron/closed_form.py", {"unleaked", "leaky_neuron_limit"}),
    *mutants("models/two_layer/network.py", {"predictor", "balance"}),
    *mutants("models/two_layer/span.py", {"gram", "inputs", "weights", "pre_activations"}),
    *mutants("models/two_layer/span_flow.py", {"outputs", "gradient"}),
    *mutants("losses.py", {"Squared.slope"}),
    *mutants("activations.py", {"LeakyReLU.with_derivative"}),
]

test_the_chapter_itself_is_green, test_a_changed_constant_is_noticed = checks("leaky_neuron", CODE, MUTANTS, EQUIVALENT)

OPERATORS = [
    *operators("limits/neuron/closed_form.py", {"unleaked", "leaky_neuron_limit"}),
    *operators("models/two_layer/network.py", {"predictor", "balance"}),
    *operators("models/two_layer/span.py", {"gram", "inputs", "weights", "pre_activations"}),
    *operators("models/two_layer/span_flow.py", {"outputs", "gradient"}),
    *operators("losses.py", {"Squared.slope"}),
    *operators("activations.py", {"LeakyReLU.with_derivative"}),
]
# Changes that change no prediction, by the line and the change, with the reason.
EXCUSED = {
    "delta = a0 * a0 - float(w0 @ w0) | a0 * a0 - float(w0 @ w0) → a0 * a0 + float(w0 @ w0)": "the guard; "
    "tests/library/limits/neuron/test_closed_form.py holds it",
    **two_layer_excuses.PREDICTOR,
    **two_layer_excuses.SPAN,
    **two_layer_excuses.IN_SPAN,
    **two_layer_excuses.FAST_PATH,
    "np.where(np.arange(few) "
    "== silent, 0.2 * abs(fits[silent]), 0.6 * y_few), | 0.6 * y_few → 0.6 * 1": "another start of the control",
}

test_each_excuse_names_one_mutant, test_a_changed_operator_is_noticed = operator_checks(
    "leaky_neuron", CODE, OPERATORS, EXCUSED
)
