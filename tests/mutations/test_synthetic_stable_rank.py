"""Each constant of the gates' variance, of the recursion and of its fluctuations is held by a claim."""

from mutation_testing import checks, mutants, script

CODE = script(
    "leaky_relu/synthetic_stable_rank",
    {"n": 40, "m": 128, "dimensions": "[100, 3000]", "divisors": "[1.0, 50.0]", "steps": 300, "draws": 2},
)

# Changes that change no prediction, by function and the change, with the reason.
EQUIVALENT = {
    "_slopes: 1 → 2": "the guard of an argument",
    "spike_curve: 1 → 2": "the guard of an argument",
    "gate_variance: 0 → 1": "the guard of an argument, or the axis of a norm",
    "gaussian_mixture: 2 → 3": "the guard of an argument, or the balance of the labels; tests/library holds it",
    "gaussian_mixture: 0 → 1": "the guard of an argument",
    "gaussian_mixture: -1.0 → +1.0": "the signed samples have the same law; tests/library holds the labels",
    "gaussian_mixture: 1 → 2": "the balance of the labels; tests/library holds it",
}
MUTANTS = [
    *mutants("limits/stable_rank/spike.py", {"_slopes", "gate_variance", "spike_curve"}),
    *mutants("models/two_layer/span.py", {"scaled"}),
    *mutants("data/mixture.py"),
]

test_the_chapter_itself_is_green, test_a_changed_constant_is_noticed = checks(
    "synthetic_stable_rank", CODE, MUTANTS, EQUIVALENT
)
