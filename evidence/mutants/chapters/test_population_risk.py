"""Each constant of the bound for few neurons and of the batch of networks is held by a claim of its chapter."""

from mutants.checks import checks, operator_checks
from mutants.places import mutants, operators
from mutants.runs import script

CODE = script(  # a smaller teacher, for speed
    "wide_networks/population_risk", {"d": 80, "teacher_width": 16, "evaluations": 3200, "repetitions": 8}
)

MUTANTS = [
    *mutants("limits/wide/few_neurons.py"),
    *mutants("models/population/batch.py", {"descent", "zero", "_angles"}),
]

test_the_chapter_itself_is_green, test_a_changed_constant_is_noticed = checks("population_risk", CODE, MUTANTS)

OPERATORS = [
    *operators("limits/wide/few_neurons.py"),
    *operators("models/population/batch.py", {"descent", "zero", "_angles"}),
]

test_each_change_written_out_is_one_mutant, test_a_changed_operator_is_noticed = operator_checks(
    "population_risk", CODE, OPERATORS
)
