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

# Changes that change no prediction, by the line and the change, with the reason: most are of a search on a grid, with
# which the listed maxima are compared.
APART = "return np.min(np.abs((np.subtract.outer(these, those) + np.pi) % (2 * np.pi) - np.pi), axis=1)"
EXCUSED = {
    "alone = listed[apart(listed, others) > 2 * grid[1]] | 2 * grid[1] → 3 * grid[1]": (
        "a maximum as near as that to a minimum is rare, and none of this problem"
    ),
    "return float(max(apart(found, listed).max(), apart(alone, found).max())) "
    "| apart(found, listed) → apart(listed, found)": "all that is listed is found here; minima fail by the second term",
    "return float(max(apart(found, listed).max(), apart(alone, found).max())) "
    "| apart(alone, found) → apart(found, alone)": "all that is found is listed here; minima fail by the first term",
    "grid = 2 * np.pi * np.arange(20_000) / 20_000 | np.arange(20000) → np.arange(20001)": "another grid as fine",
    "grid = 2 * np.pi * np.arange(20_000) / 20_000 "
    "| 2 * np.pi * np.arange(20000) / 20000 → 2 * np.pi * np.arange(20000) / 20001": "another grid as fine",
    f"{APART} | np.subtract.outer(these, those) + np.pi → np.subtract.outer(these, those) - np.pi": (
        "the same, up to a whole turn, which is taken away"
    ),
    f"{APART} | np.subtract.outer(these, those) → np.subtract.outer(those, these)": (
        "the distances of those from these; both ways are compared, and the larger taken"
    ),
    f"{APART} | 2 * np.pi → 3 * np.pi": "no maximum of this problem has its partner on the other side of angle 0",
    "alone = listed[apart(listed, others) > 2 * grid[1]] | apart(listed, others) → apart(others, listed)": (
        "there are as many minima, and none is as near as that to a maximum of this problem"
    ),
    "alone = listed[apart(listed, others) > 2 * grid[1]] | 2 * grid[1] → 1 * grid[1]": (
        "a maximum as near as that to a minimum is rare, and none of this problem"
    ),
    "alone = listed[apart(listed, others) > 2 * grid[1]] | grid[1] → grid[2]": (
        "a maximum as near as that to a minimum is rare, and none of this problem"
    ),
    "each = [(circle, sign) for circle in (response, other) for sign in (1, -1)] | -1 → +1": (
        "the maxima of G twice; tests/library/limits/lazy/test_circle.py holds those of −G"
    ),
}
OPERATORS = (
    operators("limits/lazy/gated_paths.py", PATHS)
    + operators("limits/lazy/circle.py", CIRCLE)
    + operators("limits/lazy/least_motion.py", LEAST)
)

test_each_excuse_names_one_mutant, test_a_changed_operator_is_noticed = operator_checks(
    "training_paths", CODE, OPERATORS, EXCUSED
)
