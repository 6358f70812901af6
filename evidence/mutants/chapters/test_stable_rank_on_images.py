"""Each constant of the predicted stable ranks and of the softmax network is held by a claim of its chapter."""

import sklearn.datasets  # noqa: F401  (loaded once, before the forks)
from mutants.checks import checks
from mutants.places import mutants
from mutants.runs import script

CODE = script("leaky_relu/stable_rank_on_images", {"width": 128, "epochs": 30, "runs": 1})

MUTANTS = [
    *mutants(
        "models/two_layer/softmax.py",
        {"glorot_uniform", "stable_rank", "glorot", "hidden", "output", "batch_gradient", "softmax", "accuracy"},
    ),
    *mutants("limits/stable_rank/decoupled_growth.py", {"first_step_moment", "trace_over_norm", "decoupled_growth"}),
    *mutants("limits/stable_rank/random_start.py", {"random_stable_rank"}),
    *mutants("limits/stable_rank/fastest_growth.py", {"_pull", "fastest_growth"}),
]

test_the_chapter_itself_is_green, test_a_changed_constant_is_noticed = checks("stable_rank_on_images", CODE, MUTANTS)
