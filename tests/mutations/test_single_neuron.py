"""Each constant of Q, its solver, the closed form and the linear neuron is held by a claim of its chapter."""

import two_layer_excuses
from mutation_testing import checks, mutants, operator_checks, operators, script

CODE = script("initialization/single_neuron", {"n": 4, "d": 10})

# Changes that change no prediction, by function and the change, with the reason.
EQUIVALENT = {
    "neuron_start: 1 → 2": "the guard of an argument",
    "neuron_start: 0 → 1": "the guard of an argument",
    "neuron_start: -1 → +1": "the guard of an argument",
    "scale_and_shape: 1 → 2": "the guard of the argument's range",
    "amplitudes: 0.0 → 1.0": "only at w̃ = 0 with δ = 0; tests/library/limits/neuron/test_regularizer.py holds it",
    "_per_amplitude: 0.0 → 1.0": "likewise",
    "minimize: 1.0 → 1.5": "the step before the first, only compared with 0",
    "minimize: 0 → 1": "where the count of iterations starts",
    "minimize: 1 → 2": "how the iterations are counted",
    "_step: 1.0 → 1.5": "a longer last step, corrected by the next ones: it steers, the certificate decides",
    "armijo_step: 0.0 → 1.0": "without a step the certificate decides; tests/library/limits/test_solvers.py holds it",
    "linear_neuron_limit: 1 → 2": "the guard of the argument's range",
    "linear_neuron_limit: 0 → 1": "the guard of a(0) = 0, or another form of the same root",
}
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

test_the_chapter_itself_is_green, test_a_changed_constant_is_noticed = checks(
    "single_neuron", CODE, MUTANTS, EQUIVALENT
)

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
# Changes that change no prediction, by the line and the change, with the reason.
EXCUSED = {
    'return length * _unit("direction", direction)[None, :], np.array([sign * a]) '
    "| sign * a → 1 * a": "another start; tests/library/models/two_layer/test_starts.py holds it",
    "hostile = {s: neuron(against, 0.01 * unit, s) for s in (0.6, 0.0, -0.6)} "
    "| 0.01 * unit → 0.01 / unit": "another small start of the control",
    "square = (root + b) / 2 if b >= 0 else 2 * float(shortest @ shortest) / (root - b) "
    "| b >= 0 → b <= 0": "two forms of one root; the one that cancels loses digits only where b is far larger",
    **two_layer_excuses.PREDICTOR,
    **two_layer_excuses.GRADIENT,
    **two_layer_excuses.SPAN,
    **two_layer_excuses.IN_SPAN,
}

test_each_excuse_names_one_mutant, test_a_changed_operator_is_noticed = operator_checks(
    "single_neuron", CODE, OPERATORS, EXCUSED, MUST
)
