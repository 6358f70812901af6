"""Each constant of the kernels and of the network's risk and force is held by a claim of its chapter."""

from mutants.checks import checks, operator_checks
from mutants.places import mutants, operators
from mutants.runs import script

CODE = script(
    "wide_networks/interaction_kernel", {"d": 3, "width": 4, "teacher_width": 2, "points": 3, "repetitions": 50}
)

# The blocks of pairs, of which the few neurons of the chapter need one, are held by tests/library.
FORMULAS = {
    "second_moment",
    "relu_kernel",
    "relu_potential_gradient",
    "squared_relu_kernel",
    "_both",
    "_polar",
}
MUTANTS = [
    *mutants("kernels.py", FORMULAS),
    *mutants("models/population/flow.py", {"start", "weights", "output", "residual_measure", "value", "velocity"}),
]

test_the_chapter_itself_is_green, test_a_changed_constant_is_noticed = checks("interaction_kernel", CODE, MUTANTS)

OPERATORS = [
    *operators("kernels.py", FORMULAS),
    *operators("models/population/flow.py", {"start", "weights", "output", "residual_measure", "value", "velocity"}),
]

test_each_change_written_out_is_one_mutant, test_a_changed_operator_is_noticed = operator_checks(
    "interaction_kernel", CODE, OPERATORS
)
