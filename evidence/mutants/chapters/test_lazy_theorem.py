"""Each constant of the expansion and of the tangent tensors is held by a claim of its chapter."""

from mutants.checks import checks, operator_checks
from mutants.places import mutants, operators
from mutants.runs import script

CODE = script("lazy_training/lazy_theorem", {"n": 5, "d": 5, "m": 20, "horizon": 20.0})
EXPANSION = {"lazy_expansion", "change"}
TENSORS = {"tangents", "_derivatives"}

MUTANTS = mutants("limits/lazy/expansion.py", EXPANSION) + mutants("models/two_layer/tangents.py", TENSORS)

test_the_chapter_itself_is_green, test_a_changed_constant_is_noticed = checks("lazy_theorem", CODE, MUTANTS)

OPERATORS = operators("limits/lazy/expansion.py", EXPANSION) + operators("models/two_layer/tangents.py", TENSORS)

test_each_change_written_out_is_one_mutant, test_a_changed_operator_is_noticed = operator_checks(
    "lazy_theorem", CODE, OPERATORS
)
