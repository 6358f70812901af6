"""Each constant of Adam's path, flow and growth is held by a claim of the chapter."""

from mutants.checks import altered, checks, operator_checks
from mutants.places import mutants, operators
from mutants.runs import script

CODE = script("beyond/adam", {"n": 12})

MUTANTS = [*mutants("limits/margin/adam.py"), *mutants("flows/adam_flow.py")]
test_the_chapter_itself_is_green, test_a_changed_constant_is_noticed = checks("adam", CODE, MUTANTS)

OPERATORS = [*operators("limits/margin/adam.py"), *operators("flows/adam_flow.py")]
test_each_change_written_out_is_one_mutant, test_a_changed_operator_is_noticed = operator_checks(
    "adam", CODE, OPERATORS
)
# Changes of the chapter itself.
CHANGES = [
    ("1 / np.abs(adam_path(z).slopes[0]).max()", "1 / np.abs(adam_path(z).slopes[0]).min()"),
    ("square = beta2 * square + (1 - beta2) * g**2", "square = beta2 * square + (1 - beta2) * np.abs(g)"),
    ("2 * trained[1:] - trained[:-1]", "2 * trained[1:] - 0.9 * trained[:-1]"),
]
test_a_change_of_the_chapter_is_noticed = altered("adam", CODE, CHANGES)
