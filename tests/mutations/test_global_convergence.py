"""Each constant of the planar networks, of their certified fit and of what the flow conserves is held by a claim."""

from mutation_testing import checks, mutants, script

CODE = script("wide_networks/global_convergence", {"widths": "[5, 6, 30]", "evaluations": 1000})

# Changes that change no prediction, by function and the change, with the reason.
EQUIVALENT = {
    "conserved: -1 → +1": "of one network the axis of the coordinates is the last and the second",
    "positive_fit: 8 → 9": "the guard of the argument's range",
    "positive_fit: 1e-13 → 1.5000000000000002e-13": "which modes count as rounding",
    "positive_fit: -1 → +1": "likewise, from the two largest eigenvalues or the two smallest",
    "positive_fit: 1 → 2": "likewise, or the third largest",
    "positive_fit: 0.0 → 1.0": "the gap is evidence, not prediction: tests/library/test_two_layer.py holds it",
    "positive_fit: 2 → 3": "in the gap, likewise",
    "positive_fit: -float(potential.min()) → +float(potential.min())": "in the gap, likewise",
    "_circle: 2 → 3": "the grid goes round the circle one and a half times",
}
MUTANTS = [
    *mutants("models/planar_networks.py", {"particles", "descent"}),
    *mutants("models/two_layer.py", {"risk", "velocity", "dissipation", "conserved"}),
    *mutants("limits/positive_measure.py", {"positive_fit", "_circle"}),
]

test_the_chapter_itself_is_green, test_a_changed_constant_is_noticed = checks(
    "global_convergence", CODE, MUTANTS, EQUIVALENT
)
