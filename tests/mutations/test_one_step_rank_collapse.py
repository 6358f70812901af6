"""Each constant of the spike, of its stable rank, of the bound and of the reduction is held by a claim of its chapter."""

from mutation_testing import checks, mutants, script

CODE = script("leaky_relu/one_step_rank_collapse", {"n": 24, "d": 2000, "m": 128, "steps": 20})

# Changes that change no prediction, by function and the change, with the reason.
EQUIVALENT = {}
FUNCTIONS = {
    "spiked_stable_rank",
    "spike_curve",
    "one_step_error",
    "kinked_stable_rank",
    "change_bounds",
    "stable_rank",
    "with_start",
    "_slopes",
}
MUTANTS = [
    *mutants("limits/stable_rank.py", FUNCTIONS),
    *mutants("models/first_layer.py"),
]

test_the_chapter_itself_is_green, test_a_changed_constant_is_noticed = checks(
    "one_step_rank_collapse", CODE, MUTANTS, EQUIVALENT
)
