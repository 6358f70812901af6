"""Each constant of the staircase, of its delays and of the flow is held by a claim of the chapter."""

from mutants.checks import altered, checks, operator_checks
from mutants.places import mutants, operators
from mutants.runs import script

CODE = script("beyond/saddle_to_saddle", {"n": 5, "d": 8})

FILES = ("limits/interpolation/staircase.py", "models/linear/vanishing_flow.py", "flows/passing.py")
MUTANTS = [mutant for file in FILES for mutant in mutants(file)]
test_the_chapter_itself_is_green, test_a_changed_constant_is_noticed = checks("saddle_to_saddle", CODE, MUTANTS)

OPERATORS = [operator for file in FILES for operator in operators(file)]
test_each_change_written_out_is_one_mutant, test_a_changed_operator_is_noticed = operator_checks(
    "saddle_to_saddle", CODE, OPERATORS
)
# Changes of the chapter itself.
CHANGES = [
    ("np.log1p(rate * force)", "rate * force"),
    ("(losses[1:] + losses[:-1]) / 2", "(losses[1:] + 2 * losses[:-1]) / 3"),
    ("one.times + delay / length", "one.times + 0.9 * delay / length"),
]
test_a_change_of_the_chapter_is_noticed = altered("saddle_to_saddle", CODE, CHANGES)
