"""Each constant of the attention SVMs, of the decay and of the flows is held by a claim of the chapter."""

from mutants.checks import altered, checks, operator_checks
from mutants.places import mutants, operators
from mutants.runs import script

CODE = script("beyond/attention_svm", {"n": 4})

PLACES = ["limits/margin/attention.py", "limits/margin/nuclear.py", "flows/attention_flow.py"]
MUTANTS = [one for place in PLACES for one in mutants(place)]
test_the_chapter_itself_is_green, test_a_changed_constant_is_noticed = checks("attention_svm", CODE, MUTANTS)

OPERATORS = [one for place in PLACES for one in operators(place)]
test_each_change_written_out_is_one_mutant, test_a_changed_operator_is_noticed = operator_checks(
    "attention_svm", CODE, OPERATORS
)
# Changes of the chapter itself.
CHANGES = [
    ("log_decay=log_decay, rtol=RTOL", "log_decay=0.95 * log_decay, rtol=RTOL"),
    ("(w[-1] - w[-2]) / (end / 2)", "(w[-1] - w[-2]) / (end / 3)"),
    ("better = (scores > scores[", "better = (scores < scores["),
]
test_a_change_of_the_chapter_is_noticed = altered("attention_svm", CODE, CHANGES)
