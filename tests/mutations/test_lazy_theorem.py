"""Each constant of the expansion and of the tangent tensors is held by a claim of its chapter."""

from mutation_testing import checks, mutants, operator_checks, operators, script

CODE = script("lazy_training/lazy_theorem", {"n": 5, "d": 5, "m": 20, "horizon": 20.0})
EXPANSION = {"lazy_expansion", "change"}
TENSORS = {"tangents", "_derivatives"}

# Changes that change no prediction, by function and the change, with the reason.
EQUIVALENT: dict[str, str] = {}
MUTANTS = mutants("limits/lazy/expansion.py", EXPANSION) + mutants("models/two_layer/tangents.py", TENSORS)

test_the_chapter_itself_is_green, test_a_changed_constant_is_noticed = checks("lazy_theorem", CODE, MUTANTS, EQUIVALENT)

# Changes that change no prediction, by the line and the change, with the reason.
EXCUSED: dict[str, str] = {}
OPERATORS = operators("limits/lazy/expansion.py", EXPANSION) + operators("models/two_layer/tangents.py", TENSORS)

test_each_excuse_names_one_mutant, test_a_changed_operator_is_noticed = operator_checks(
    "lazy_theorem", CODE, OPERATORS, EXCUSED
)
