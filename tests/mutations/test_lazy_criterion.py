"""Each constant of the criterion, of its bounds and of its limit is held by a claim of its chapter."""

from mutation_testing import checks, mutants, operator_checks, operators, script

CODE = script("lazy_training/lazy_criterion", {"n": 4, "widths": [16, 64, 128, 256], "draws": 2})
CRITERION = {"lazy_criterion", "lazy_error", "wide_criterion"}

# Changes that change no prediction, by function and the change, with the reason.
EQUIVALENT: dict[str, str] = {}
MUTANTS = mutants("limits/lazy/criterion.py", CRITERION)

test_the_chapter_itself_is_green, test_a_changed_constant_is_noticed = checks(
    "lazy_criterion", CODE, MUTANTS, EQUIVALENT
)

# Changes that change no prediction, by the line and the change, with the reason.
EXCUSED: dict[str, str] = {}
OPERATORS = operators("limits/lazy/criterion.py", CRITERION)

test_each_excuse_names_one_mutant, test_a_changed_operator_is_noticed = operator_checks(
    "lazy_criterion", CODE, OPERATORS, EXCUSED
)
