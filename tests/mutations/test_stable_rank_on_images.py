"""Each constant of the predicted stable ranks and of the softmax network is held by a claim of its chapter."""

import sklearn.datasets  # noqa: F401  (loaded once, before the forks)
from mutation_testing import checks, mutants, script

CODE = script("leaky_relu/stable_rank_on_images", {"width": 128, "epochs": 60, "runs": 1})

# Changes that change no prediction, by function and the change, with the reason.
EQUIVALENT = {
    "glorot_uniform: 1 → 2": "the guard of an argument",
    "stable_rank: -1 → +1": "of the guard; in the quotient it is noticed",
    "stable_rank: 1 → 2": "of the guard; in the quotient it is noticed",
    "stable_rank: 2.0 → 3.0": "a unit; tests/library/models/two_layer/test_softmax.py holds it far from 1",
    "trace_over_norm: 1 → 2": "of the guard; in the quotient it is noticed",
    "trace_over_norm: -1 → +1": "of the guard; in the quotient it is noticed",
    "glorot_uniform: 6 → 7": "a common scale of both layers, as the divisor is; no prediction depends on it",
    "stable_rank: 0 → 1": "which of two Gram matrices of the same spectrum is taken",
    "glorot: 1 → 2": "the guard of an argument",
    "glorot: 2 → 3": "the guard of an argument",
    "first_step_moment: 0 → 1": "the guard for an image of length 0",
    "first_step_moment: 1.0 → 1.5": "the guard for an image of length 0, or against rounding",
    "decoupled_growth: 0 → 1": "the guard of an argument",
    "decoupled_growth: 1 → 2": "one step more than can be reached",
}
MUTANTS = [
    *mutants(
        "models/two_layer/softmax.py",
        {"glorot_uniform", "stable_rank", "glorot", "hidden", "output", "gradient", "softmax", "accuracy"},
    ),
    *mutants("limits/stable_rank/decoupled_growth.py", {"first_step_moment", "trace_over_norm", "decoupled_growth"}),
]

test_the_chapter_itself_is_green, test_a_changed_constant_is_noticed = checks(
    "stable_rank_on_images", CODE, MUTANTS, EQUIVALENT
)
