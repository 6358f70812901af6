"""Each constant of the leaky ReLU, its network, its reduction and its labels is held by a claim of its chapter."""

from mutation_testing import checks, mutants, script

CODE = script(
    "initialization/leaky_neuron",
    {"n": 4, "d": 12, "slopes": "[0.3]", "scales": "[0.3]", "learning_rates": "[0.2, 0.1]"},
)

# Changes that change no prediction, by function and the change, with the reason.
EQUIVALENT = {
    "unleaked: 1 → 2": "the guard of the argument's range",
    "leaky_neuron_limit: 1 → 2": "the sign that stands in for a(0) = 0, which is refused next",
    "derivative: 0 → 1": "the kink's own branch for a kink of width 1, which the chapter has not",
    "second_derivative: 0 → 1": "likewise",
    "second_derivative: 1 → 2": "steers the stiff solver; tests/library/test_networks.py holds it",
}
# The Jacobian only steers the stiff solver: tests/library/test_networks.py holds it, constant by constant.
REDUCTION = {"start", "_split", "residual", "misfit", "velocity", "weights", "parameters", "predictor"}
MUTANTS = [
    *mutants("limits/neuron_limit.py", {"unleaked", "leaky_neuron_limit"}),
    *mutants("models/activations.py", {"value", "derivative", "second_derivative"}),
    *mutants("models/leaky_network.py"),
    *mutants("models/row_space.py", REDUCTION),
]

test_the_chapter_itself_is_green, test_a_changed_constant_is_noticed = checks("leaky_neuron", CODE, MUTANTS, EQUIVALENT)
