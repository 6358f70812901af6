"""Each constant of the bounds and of the two ascents is held by a claim of its chapter."""

from mutants.checks import altered, checks, operator_checks
from mutants.places import mutants, operators
from mutants.runs import script

CODE = script("wide_networks/margin_rates", {"n": 4, "m": 8, "d": 3, "steps": 40000, "t_end": 50000})

MUTANTS = [
    *mutants("limits/margin/rates.py"),
    *mutants("limits/margin/simplex.py"),
    *mutants("flows/margin_ascent.py"),
]
test_the_chapter_itself_is_green, test_a_changed_constant_is_noticed = checks("margin_rates", CODE, MUTANTS)

OPERATORS = [
    *operators("limits/margin/rates.py"),
    *operators("limits/margin/simplex.py"),
    *operators("flows/margin_ascent.py"),
]
test_each_change_written_out_is_one_mutant, test_a_changed_operator_is_noticed = operator_checks(
    "margin_rates", CODE, OPERATORS
)
# Changes of the chapter itself.
CHANGES = [
    ("gamma1[:2], told[:2],", "gamma2[:2], told[:2],"),
    ("b, log_beta2, best2 = ascend(ProjectedAscent(sets)", "b, log_beta2, best2 = ascend(ProjectedAscent(-sets)"),
    ("(1 - tau) * mean + tau * g)", "(1 - tau) * mean - tau * g)"),
    ("return np.log(p.max()) - p", "return 0.95 * np.log(p.max()) - p"),
]
test_a_change_of_the_chapter_is_noticed = altered("margin_rates", CODE, CHANGES)
