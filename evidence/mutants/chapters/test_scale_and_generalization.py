"""Each constant of the linear descent and of a network's tangent kernel is held by a claim of their chapter."""

from mutants.checks import checks, operator_checks
from mutants.places import mutants, operators
from mutants.runs import script

CODE = script(
    "lazy_training/scale_and_generalization",
    {"d": 12, "n": 90, "m": 36, "steps": 1500, "places": 300, "scales": [0.01, 0.1, 1, 3, 10], "widths": [16, 40, 128]},
)
DESCENT, KERNEL = {"linear_descent"}, {"tangent_kernel"}

MUTANTS = mutants("limits/lazy/linear_descent.py", DESCENT) + mutants("models/two_layer/tangent_kernel.py", KERNEL)

test_the_chapter_itself_is_green, test_a_changed_constant_is_noticed = checks("scale_and_generalization", CODE, MUTANTS)

OPERATORS = operators("limits/lazy/linear_descent.py", DESCENT) + operators(
    "models/two_layer/tangent_kernel.py", KERNEL
)

test_each_change_written_out_is_one_mutant, test_a_changed_operator_is_noticed = operator_checks(
    "scale_and_generalization", CODE, OPERATORS
)
