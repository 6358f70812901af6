"""Each constant of the planar networks, of their certified fit and of what the flow conserves is held by a claim."""

from mutation_testing import checks, mutants, operator_checks, operators, script

CODE = script("wide_networks/global_convergence", {"widths": "[5, 6, 40]", "evaluations": 500})

# Changes that change no prediction, by function and the change, with the reason.
EQUIVALENT = {
    "conserved: -1 → +1": "of one network the axis of the coordinates is the last and the second",
    "_circle: 2 → 3": "the grid goes round the circle one and a half times",
}
# Of the fit what decides its value; its gap is evidence, held by tests/library/test_certificates.py.
LINES = ("charges =", "known =", "masses =", "zero =", "value =")
MUTANTS = [
    *mutants("models/population/planar.py", {"particles", "descent", "_known"}),
    *mutants("models/population/network.py", {"dissipation", "conserved"}),  # the rest in test_interaction_kernel.py
    *(
        mutant
        for mutant in mutants("limits/wide/positive_measure.py", {"positive_fit", "_circle"})
        if mutant.function == "_circle" or mutant.text.startswith(LINES)
    ),
]

test_the_chapter_itself_is_green, test_a_changed_constant_is_noticed = checks(
    "global_convergence", CODE, MUTANTS, EQUIVALENT
)

OPERATORS = [
    *operators("models/population/planar.py", {"particles", "descent", "_known"}),
    *operators("models/population/network.py", {"dissipation", "conserved"}),
    *operators("limits/wide/positive_measure.py", {"positive_fit", "_circle"}),
]
# Changes that change no prediction, by the line and the change, with the reason.
EXCUSED: dict[str, str] = {}

test_each_excuse_names_one_mutant, test_a_changed_operator_is_noticed = operator_checks(
    "global_convergence", CODE, OPERATORS, EXCUSED
)
