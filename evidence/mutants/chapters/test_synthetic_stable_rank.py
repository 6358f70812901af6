"""Each constant of the gates' variance, of the recursion and of its fluctuations is held by a claim."""

from mutants.checks import checks
from mutants.places import mutants
from mutants.runs import script

CODE = script(
    "leaky_relu/synthetic_stable_rank",
    {"n": 40, "m": 128, "dimensions": "[100, 3000]", "divisors": "[1.0, 50.0]", "steps": 300, "draws": 2},
)

MUTANTS = [
    *mutants("limits/stable_rank/spike.py", {"_slopes", "gate_variance", "spike_curve"}),
    *mutants("models/two_layer/span.py", {"scaled"}),
    *mutants("data/mixture.py"),
]

test_the_chapter_itself_is_green, test_a_changed_constant_is_noticed = checks("synthetic_stable_rank", CODE, MUTANTS)
