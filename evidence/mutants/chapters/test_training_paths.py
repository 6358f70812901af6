"""Each constant of the paths, of the response and of the least weights is held by a claim of their chapter."""

from mutants.checks import checks, operator_checks
from mutants.places import mutants, operators
from mutants.runs import script

CODE = script("lazy_training/training_paths", {"n": 10, "m": 8, "steps": 10000})
PATHS = {"gated_paths", "_filled"}
CIRCLE = {"kinks", "_middles", "value", "slope", "course", "_one_course", "maxima", "largest", "_unit", "_across"}
LEAST = {"least_weights", "length"}

MUTANTS = (
    mutants("limits/lazy/gated_paths.py", PATHS)
    + mutants("limits/lazy/circle.py", CIRCLE)
    + mutants("limits/lazy/least_motion.py", LEAST)
)

test_the_chapter_itself_is_green, test_a_changed_constant_is_noticed = checks("training_paths", CODE, MUTANTS)

OPERATORS = (
    operators("limits/lazy/gated_paths.py", PATHS)
    + operators("limits/lazy/circle.py", CIRCLE)
    + operators("limits/lazy/least_motion.py", LEAST)
)

test_each_change_written_out_is_one_mutant, test_a_changed_operator_is_noticed = operator_checks(
    "training_paths", CODE, OPERATORS
)
