"""Each constant of the tangent kernel's limit and of the scatter around it is held by a claim of its chapter."""

from mutants.checks import checks, operator_checks
from mutants.places import mutants, operators
from mutants.runs import script

CODE = script("lazy_training/tangent_kernel", {"widths": [64, 128, 256, 1024], "many": 50, "draws": 32})
NAMES = {"relu_tangent_kernel", "tangent_scatter", "spread", "freedom", "_directions"}

MUTANTS = mutants("limits/lazy/tangent_limit.py", NAMES) + mutants("kernels.py", {"angles"})

test_the_chapter_itself_is_green, test_a_changed_constant_is_noticed = checks("tangent_kernel", CODE, MUTANTS)

OPERATORS = operators("limits/lazy/tangent_limit.py", NAMES) + operators("kernels.py", {"angles"})

test_each_change_written_out_is_one_mutant, test_a_changed_operator_is_noticed = operator_checks(
    "tangent_kernel", CODE, OPERATORS
)
