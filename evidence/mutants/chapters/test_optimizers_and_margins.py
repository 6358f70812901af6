"""Each constant of the margins of matrices and of the five optimizers is held by a claim of the chapter."""

from mutants.checks import altered, checks, operator_checks
from mutants.places import mutants, operators
from mutants.runs import script

CODE = script("beyond/optimizers_and_margins", {"n": 24, "steps": 5120})

FILES = ("limits/margin/matrix.py", "limits/margin/settled.py", "flows/steepest.py")
MUTANTS = [mutant for file in FILES for mutant in mutants(file)]
test_the_chapter_itself_is_green, test_a_changed_constant_is_noticed = checks("optimizers_and_margins", CODE, MUTANTS)

OPERATORS = [mutant for file in FILES for mutant in operators(file)]
test_each_change_written_out_is_one_mutant, test_a_changed_operator_is_noticed = operator_checks(
    "optimizers_and_margins", CODE, OPERATORS
)
# Changes of the chapter itself.
CHANGES = [
    ("return gammas[s, own] / program.value", "return 0.8 * gammas[s, own] / program.value"),
    ("np.log(weights.max()) - np.sum", "np.log(weights.max()) - 0.9 * np.sum"),
    (
        "return np.diff(least, axis=0) / np.diff(size, axis=0)",
        "return np.diff(least, axis=0) / np.diff(size, axis=0) ** 0.98",
    ),
    ("return gamma * w @ hat - m.min()", "return 0.999 * gamma * w @ hat - m.min()"),
]
test_a_change_of_the_chapter_is_noticed = altered("optimizers_and_margins", CODE, CHANGES)
