"""Each constant of the spike, of its stable rank, of the bounds and of the reduction is held by a claim."""

from mutation_testing import checks, mutants, script

CODE = script("leaky_relu/one_step_rank_collapse", {"n": 24, "d": 2000, "m": 128, "steps": 60})
assert "DRAWS = 32" in CODE
CODE = CODE.replace("DRAWS = 32", "DRAWS = 400")  # a small network's first-order constant needs more of them

# Changes that change no prediction, by function and the change, with the reason.
EQUIVALENT = {
    "outer: 2 → 3": "the square of a factor that is 1 where the product is made",
    "_trace_and_top: 1 → 2": "the case of one neuron",
    "_trace_and_top: 0 → 1": "the case of one neuron",
    "with_derivative: 1 → 2": "the identity's own branch, taken or not",
    "with_derivative: 2 → 3": "what is added without the centring, which is asked for",
    "__post_init__: 1 → 2": "the guard of an argument",
    "_slopes: 1 → 2": "the guard of an argument",
    "_over_noise: 1 → 2": "the guard of an argument",
    "_over_noise: 1.0 → 1.5": "stands in where the other case is taken",
    "kinked_stable_rank: 1 → 2": "the guard of an argument, or of rounding beyond one",
    "change_bounds: 1 → 2": "the guard of an argument",
    "change_bounds: 0 → 1": "the guard of the premise, or one beside correlations of the order of d",
}
MUTANTS = [
    *mutants(
        "limits/stable_rank/spike.py",
        {"_slopes", "spiked_stable_rank", "one_step_error", "kinked_stable_rank", "_over_noise"},
    ),
    *mutants("limits/stable_rank/two_kinds.py"),
    *mutants("limits/stable_rank/change_bounds.py"),
    *mutants("models/two_layer/span.py"),
    *mutants("models/two_layer/span_flow.py", {"gradient", "stable_rank"}),
    *mutants("losses.py", {"MarginLoss.slope", "Logistic.log_slope"}),
    *mutants("activations.py", {"LeakyReLU.with_derivative"}),
]

test_the_chapter_itself_is_green, test_a_changed_constant_is_noticed = checks(
    "one_step_rank_collapse", CODE, MUTANTS, EQUIVALENT
)
