"""Each constant of the criterion, of its bounds and of its limit is held by a claim of its chapter."""

from mutants.checks import checks, operator_checks
from mutants.places import mutants, operators
from mutants.runs import script

CODE = script("lazy_training/lazy_criterion", {"n": 4, "widths": [16, 64, 256, 1024], "draws": 2})
CRITERION = {"lazy_criterion", "lazy_error", "wide_criterion"}

MUTANTS = mutants("limits/lazy/criterion.py", CRITERION)

test_the_chapter_itself_is_green, test_a_changed_constant_is_noticed = checks("lazy_criterion", CODE, MUTANTS)

OPERATORS = operators("limits/lazy/criterion.py", CRITERION)

test_each_change_written_out_is_one_mutant, test_a_changed_operator_is_noticed = operator_checks(
    "lazy_criterion", CODE, OPERATORS
)
