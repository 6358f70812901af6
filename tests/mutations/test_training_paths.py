"""Each constant of the paths, of the response and of the least weights is held by a claim of their chapter."""

from mutation_testing import checks, mutants, operator_checks, operators, script

CODE = script("lazy_training/training_paths", {"n": 10, "m": 8, "steps": 10000})
PATHS = {"gated_paths", "_filled"}
CIRCLE = {"kinks", "_middles", "value", "slope", "maxima", "reached", "largest", "_unit", "_across"}
LEAST = {"least_weights", "length"}

# Changes that change no prediction, by function and the change, with the reason.
EQUIVALENT: dict[str, str] = {}
MUTANTS = (
    mutants("limits/lazy/gated_paths.py", PATHS)
    + mutants("limits/lazy/circle.py", CIRCLE)
    + mutants("limits/lazy/least_motion.py", LEAST)
)

test_the_chapter_itself_is_green, test_a_changed_constant_is_noticed = checks(
    "training_paths", CODE, MUTANTS, EQUIVALENT
)

# Changes that change no prediction, by the line and the change, with the reason.
EXCUSED = {
    "alone = listed[apart(listed, others) > 2 * grid[1]] | 2 * grid[1] → 3 * grid[1]": (
        "a maximum as near as that to a minimum is rare, and none of this problem"
    ),
    "return float(max(apart(found, listed).max(), apart(alone, found).max())) "
    "| apart(found, listed) → apart(listed, found)": "all that is listed is found here; minima fail by the second term",
}
OPERATORS = (
    operators("limits/lazy/gated_paths.py", PATHS)
    + operators("limits/lazy/circle.py", CIRCLE)
    + operators("limits/lazy/least_motion.py", LEAST)
)

test_each_excuse_names_one_mutant, test_a_changed_operator_is_noticed = operator_checks(
    "training_paths", CODE, OPERATORS, EXCUSED
)
