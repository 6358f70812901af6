"""Each constant of Q, its solver, the closed form and the linear neuron is held by a claim of its chapter."""

from mutants.checks import checks, operator_checks
from mutants.places import mutants, operators
from mutants.runs import script

CODE = script("initialization/single_neuron", {"n": 4, "d": 10})

MUTANTS = [
    *mutants("limits/neuron/regularizer.py"),
    *mutants("limits/solvers.py", {"armijo_step", "newton_direction"}),
    *mutants("limits/neuron/closed_form.py", {"linear_neuron_limit"}),
    *mutants("models/two_layer/network.py", {"predictor", "balance"}),
    *mutants("models/two_layer/risk.py", {"gradient"}),
    *mutants("losses.py", {"Squared.slope"}),
    *mutants("models/two_layer/starts.py", {"neuron_start", "scale_and_shape"}),
    *mutants("models/two_layer/span.py", {"gram", "inputs", "weights", "pre_activations"}),
    *mutants("models/two_layer/span_flow.py", {"outputs", "gradient"}),
]

test_the_chapter_itself_is_green, test_a_changed_constant_is_noticed = checks("single_neuron", CODE, MUTANTS)

OPERATORS = [
    *operators("limits/neuron/regularizer.py"),
    *operators("limits/solvers.py", {"newton_direction"}),
    *operators("limits/neuron/closed_form.py", {"linear_neuron_limit"}),
    *operators("models/two_layer/network.py", {"predictor", "balance"}),
    *operators("models/two_layer/risk.py", {"gradient"}),
    *operators("losses.py", {"Squared.slope"}),
    *operators("models/two_layer/starts.py", {"neuron_start", "scale_and_shape"}),
    *operators("models/two_layer/span.py", {"gram", "inputs", "weights", "pre_activations"}),
    *operators("models/two_layer/span_flow.py", {"outputs", "gradient"}),
]
# Changes of the chapter's own code that are tried whatever the sample.
MUST = [
    "s = np.sqrt(radius**2 + delta**2 / 4) | delta ** 2 → delta ** 3",
    "return float((radius**2 - delta / 2 * (delta / 2 + s)) * np.sqrt(s - delta / 2) / radius + papers_z @ w) "
    "| delta / 2 * (delta / 2 + s) → delta / 2 * 1",
    "return float((radius**2 - delta / 2 * (delta / 2 + s)) * np.sqrt(s - delta / 2) / radius + papers_z @ w) "
    "| delta / 2 * (delta / 2 + s) → 1 * (delta / 2 + s)",
]

test_each_change_written_out_is_one_mutant, test_a_changed_operator_is_noticed = operator_checks(
    "single_neuron", CODE, OPERATORS, MUST
)
