"""Each constant of Q, its solver, the closed form and the linear neuron is held by a claim of its chapter."""

from mutation_testing import checks, mutants, script

CODE = script("initialization/single_neuron", {"n": 4, "d": 10})

# Changes that change no prediction, by function and the change, with the reason.
EQUIVALENT = {
    "amplitudes: 0.0 → 1.0": "reached only at w̃ = 0 with δ = 0; tests/library/test_neuron_limit.py holds it",
    "_per_amplitude: 0.0 → 1.0": "likewise",
    "minimize: 1.0 → 1.5": "the step before the first, only compared with 0",
    "minimize: 0 → 1": "where the count of iterations starts",
    "minimize: 1 → 2": "how the iterations are counted",
    "_step: 1.0 → 1.5": "a longer last step, corrected by the next ones: it steers, the certificate decides",
    "_step: 0.0 → 1.0": "where no step helps the certificate decides",
    "linear_neuron_limit: 1 → 2": "the guard of the argument's range",
    "linear_neuron_limit: 0 → 1": "the guard of a(0) = 0, or another form of the same root",
    "scale_and_shape: 1 → 2": "the guard of the argument's range",
    "balanced: 1 → 2": "not used here: the number of axes in an argument's check",
    "jacobian: -slopes[:, :, None] → +slopes[:, :, None]": "it steers; tests/library/test_networks.py holds it",
    "jacobian: -hidden.T → +hidden.T": "likewise",
}
MUTANTS = [
    *mutants("limits/neuron.py"),
    *mutants("limits/neuron_limit.py", {"linear_neuron_limit"}),
    *mutants("models/linear_network.py"),
    *mutants("models/row_space.py"),
]

test_the_chapter_itself_is_green, test_a_changed_constant_is_noticed = checks(
    "single_neuron", CODE, MUTANTS, EQUIVALENT
)
