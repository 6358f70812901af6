"""Each constant of the scaled network, its linearization and the course in closed form is held by a claim."""

import sklearn.datasets  # noqa: F401  (loaded once, before the forks)
import torch  # noqa: F401
from mutants.checks import checks, operator_checks
from mutants.places import mutants, operators
from mutants.runs import script

CODE = script("lazy_training/convolutional_networks", {"trained": 128, "runs": 5, "wider": 5})

SCALED, NETWORK, FEATURES = {"outputs", "first", "batch_gradient", "_outputs"}, {"layerwise"}, {"tangent_features"}
MUTANTS = [
    *mutants("models/convolutional/scaled.py", SCALED),
    *mutants("models/convolutional/network.py", NETWORK),
    *mutants("models/convolutional/tangent.py", FEATURES),
    *mutants("limits/lazy/linear_course.py", {"linear_course"}),
]
test_the_chapter_itself_is_green, test_a_changed_constant_is_noticed = checks("convolutional_networks", CODE, MUTANTS)

OPERATORS = [
    *operators("models/convolutional/scaled.py", SCALED),
    *operators("models/convolutional/network.py", NETWORK),
    *operators("models/convolutional/tangent.py", FEATURES),
    *operators("limits/lazy/linear_course.py", {"linear_course"}),
]
test_each_change_written_out_is_one_mutant, test_a_changed_operator_is_noticed = operator_checks(
    "convolutional_networks", CODE, OPERATORS
)
