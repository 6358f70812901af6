"""Each constant of the planar networks, of their certified fit and of what the flow conserves is held by a claim."""

from mutants.checks import checks, operator_checks
from mutants.places import mutants, operators
from mutants.runs import script

CODE = script("wide_networks/global_convergence", {"widths": "[5, 6, 40]", "evaluations": 1000})

# Of the fit what decides its value; its gap is evidence, held by tests/library/test_certificates.py.
LINES = ("charges =", "known =", "masses =", "zero =", "value =")
MUTANTS = [
    *mutants("models/population/planar.py", {"particles", "descent", "_known"}),
    *mutants("models/population/flow.py", {"dissipation"}),  # the rest in test_interaction_kernel.py
    *mutants("models/two_layer/network.py", {"balance"}),
    *(
        mutant
        for mutant in mutants("limits/wide/positive_measure.py", {"positive_fit", "_circle"})
        if mutant.function == "_circle" or mutant.text.startswith(LINES)
    ),
]

test_the_chapter_itself_is_green, test_a_changed_constant_is_noticed = checks("global_convergence", CODE, MUTANTS)

OPERATORS = [
    *operators("models/population/planar.py", {"particles", "descent", "_known"}),
    *operators("models/population/flow.py", {"dissipation"}),
    *operators("models/two_layer/network.py", {"balance"}),
    *operators("limits/wide/positive_measure.py", {"positive_fit", "_circle"}),
]

test_each_change_written_out_is_one_mutant, test_a_changed_operator_is_noticed = operator_checks(
    "global_convergence", CODE, OPERATORS
)
