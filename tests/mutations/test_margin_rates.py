"""Each constant of the bounds and of the two ascents is held by a claim of its chapter."""

from mutation_testing import altered, checks, mutants, operator_checks, operators, script

CODE = script("wide_networks/margin_rates", {"n": 4, "m": 8, "d": 3, "t_end": 6000})
# Fewer steps than the chapter allows, for speed: a weaker bound is left of them.
for long, short in (("EVERY = 8000", "EVERY = 600"), ("theory=0.2,", "theory=0.5,")):
    assert long in CODE
    CODE = CODE.replace(long, short)

# Changes that change no prediction, by function and the change, with the reason.
EQUIVALENT = {
    "most_log_beta: 0.0 → 1.0": "the bound before the first step; tests/library/limits/margin/test_rates.py holds it",
    **dict.fromkeys(
        (
            "simplex_margin: -unit → +unit",
            "simplex_margin: 1.0 → 1.5",
            "simplex_margin: 0.0 → 1.0",
        ),
        "another unit of the program: the equations of the vertex that it finds are solved anew",
    ),
    "simplex_margin: 0 → 1": "leaves the vertex as the program gives it, which is accurate here",
    "_equalizing: -np.ones((k, 1)) → +np.ones((k, 1))": "the sign of the game's value, which is read off the margins",
    "read: -1 → +1": "the same for a table of records; tests/library/flows/test_margin_ascent.py reads single ones",
    "_state: 0 → 1": "the count of evaluations, held by tests/library/flows/test_margin_ascent.py",
    "_state: 1 → 2": "the count of evaluations, held by tests/library/flows/test_margin_ascent.py",
    "paper: 1 → 2": "the least number of steps that is allowed; tests/library/limits/margin/test_rates.py holds it",
}
MUTANTS = [
    *mutants("limits/margin/rates.py"),
    *mutants("limits/margin/simplex.py"),
    *mutants("flows/margin_ascent.py"),
]
test_the_chapter_itself_is_green, test_a_changed_constant_is_noticed = checks("margin_rates", CODE, MUTANTS, EQUIVALENT)

OPERATORS = [
    *operators("limits/margin/rates.py"),
    *operators("limits/margin/simplex.py"),
    *operators("flows/margin_ascent.py"),
]
# Changes that change no prediction, by the line and the change, with the reason.
EXCUSED = {}
test_each_excuse_names_one_mutant, test_a_changed_operator_is_noticed = operator_checks(
    "margin_rates", CODE, OPERATORS, EXCUSED
)
# Changes of the chapter itself.
CHANGES = [
    ("theory=gamma1[:2],", "theory=gamma2[:2],"),
    ("b, log_beta2, best2 = ascend(ProjectedAscent(sets)", "b, log_beta2, best2 = ascend(ProjectedAscent(-sets)"),
    ("least(b, sets) / np.sqrt(m)", "-least(b, sets)"),
]
test_a_change_of_the_chapter_is_noticed = altered("margin_rates", CODE, CHANGES)
