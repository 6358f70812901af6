"""Each constant of the spike, of its stable rank, of the bounds and of the reduction is held by a claim."""

from mutants.checks import checks
from mutants.places import mutants
from mutants.runs import script

CODE = script("leaky_relu/one_step_rank_collapse", {"n": 40, "d": 5000, "m": 256, "steps": 100})
assert "DRAWS = 32" in CODE
CODE = CODE.replace("DRAWS = 32", "DRAWS = 400")  # a small network's first-order constant needs more of them

MUTANTS = [
    *mutants(
        "limits/stable_rank/spike.py",
        {"_slopes", "spiked_stable_rank", "one_step_error", "kinked_stable_rank", "_over_noise"},
    ),
    *mutants("limits/stable_rank/two_kinds.py"),
    *mutants("limits/stable_rank/change_bounds.py"),
    *mutants("limits/stable_rank/first_change.py"),
    *mutants("models/two_layer/span.py"),
    *mutants("models/two_layer/span_flow.py", {"gradient", "stable_rank"}),
    *mutants("losses.py", {"MarginLoss.slope", "Logistic.log_slope"}),
    *mutants("activations.py", {"LeakyReLU.with_derivative"}),
]

test_the_chapter_itself_is_green, test_a_changed_constant_is_noticed = checks("one_step_rank_collapse", CODE, MUTANTS)
