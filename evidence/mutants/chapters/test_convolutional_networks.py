"""Each constant of the scaled network, its linearization and the course in closed form is held by a claim."""

import sklearn.datasets  # noqa: F401  (loaded once, before the forks)
import torch  # noqa: F401
from mutants.checks import checks
from mutants.places import mutants
from mutants.runs import script

CODE = script("lazy_training/convolutional_networks", {"trained": 128, "runs": 5, "wider": 5})

MUTANTS = [
    *mutants("models/convolutional/scaled.py", {"outputs", "first", "batch_gradient", "_outputs"}),
    *mutants("limits/lazy/linear_course.py", {"linear_course"}),
]

test_the_chapter_itself_is_green, test_a_changed_constant_is_noticed = checks("convolutional_networks", CODE, MUTANTS)
