"""Each constant of the spike, of its stable rank, of the bounds and of the reduction is held by a claim."""

from mutation_testing import checks, mutants, script

CODE = script("leaky_relu/one_step_rank_collapse", {"n": 24, "d": 2000, "m": 128, "steps": 20})
assert "DRAWS = 32" in CODE
CODE = CODE.replace("DRAWS = 32", "DRAWS = 400")  # a small network's first-order constant needs more of them

# Changes that change no prediction, by function and the change, with the reason.
EQUIVALENT = {
    "_slopes: 1 → 2": "the guard of an argument",
    "spiked_stable_rank: 1 → 2": "the guard of an argument",
    "spiked_stable_rank: 1.0 → 1.5": "stands in where the other case is taken",
    "kinked_stable_rank: 1 → 2": "the guard of an argument, or of rounding beyond one",
    "change_bounds: 1 → 2": "the guard of an argument",
    "change_bounds: 0 → 1": "the guard of the premise, or one beside correlations of the order of d",
    "reduce: 1.0 → 1.5": "the default of an argument that another test gives",
    "__post_init__: 1 → 2": "the guard of an argument",
    "activate: 1.0 → 1.5": "the gate at the kink itself, which no sample meets",
}
MUTANTS = [
    *mutants(
        "limits/stable_rank.py",
        {"_slopes", "spiked_stable_rank", "one_step_error", "kinked_stable_rank", "change_bounds", "stable_rank"},
    ),
    *mutants("limits/stable_rank.py", {"with_start"}),
    *mutants("models/first_layer.py"),
]

test_the_chapter_itself_is_green, test_a_changed_constant_is_noticed = checks(
    "one_step_rank_collapse", CODE, MUTANTS, EQUIVALENT
)
