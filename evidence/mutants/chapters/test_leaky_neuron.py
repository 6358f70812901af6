"""Each constant of the leaky ReLU, its network, its reduction and its labels is held by a claim of its chapter."""

from mutants.checks import checks, operator_checks
from mutants.places import mutants, operators
from mutants.runs import script

CODE = script(
    "initialization/leaky_neuron",
    {"n": 4, "d": 12, "slopes": "[0.3]", "scales": "[0.3]", "learning_rates": "[0.2, 0.1]"},
)

# The Jacobian only steers the stiff solver: tests/library/models/two_layer/test_span_flow.py holds it.
MUTANTS = [
    *mutants("limits/neuron/closed_form.py", {"unleaked", "leaky_neuron_limit"}),
    *mutants("models/two_layer/network.py", {"predictor"}),
    *mutants("models/two_layer/span.py", {"gram", "inputs", "weights", "pre_activations"}),
    *mutants("models/two_layer/span_flow.py", {"outputs", "gradient"}),
    *mutants("losses.py", {"Squared.slope"}),
    *mutants("activations.py", {"LeakyReLU.with_derivative"}),
]

test_the_chapter_itself_is_green, test_a_changed_constant_is_noticed = checks("leaky_neuron", CODE, MUTANTS)

OPERATORS = [
    *operators("limits/neuron/closed_form.py", {"unleaked", "leaky_neuron_limit"}),
    *operators("models/two_layer/network.py", {"predictor"}),
    *operators("models/two_layer/span.py", {"gram", "inputs", "weights", "pre_activations"}),
    *operators("models/two_layer/span_flow.py", {"outputs", "gradient"}),
    *operators("losses.py", {"Squared.slope"}),
    *operators("activations.py", {"LeakyReLU.with_derivative"}),
]

test_each_change_written_out_is_one_mutant, test_a_changed_operator_is_noticed = operator_checks(
    "leaky_neuron", CODE, OPERATORS
)
