"""Each constant of the gates' variance, of the recursion and of the stable rank of a spike is held by a claim."""

from mutation_testing import checks, mutants, script

CODE = script(
    "leaky_relu/synthetic_stable_rank",
    {"n": 20, "m": 64, "dimensions": "[100, 400]", "divisors": "[1.0, 50.0]", "steps": 300, "draws": 2},
)

# Changes that change no prediction, by function and the change, with the reason.
EQUIVALENT = {}
MUTANTS = [
    *mutants("limits/stable_rank.py", {"gate_variance", "spike_curve", "spiked_stable_rank"}),
    *mutants("models/first_layer.py", {"scaled", "activate", "margins", "gradient", "squared_norms"}),
    *mutants("data/mixture.py"),
]

test_the_chapter_itself_is_green, test_a_changed_constant_is_noticed = checks(
    "synthetic_stable_rank", CODE, MUTANTS, EQUIVALENT
)
