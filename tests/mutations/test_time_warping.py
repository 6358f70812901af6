"""Each constant of the metric, of its curl, of the warp and of the neuron's regularizer is held by a claim."""

import matplotlib.pyplot
import scipy.optimize
import sympy
from mutation_testing import checks, mutants, script

PRELOADED = (matplotlib.pyplot, scipy.optimize, sympy)  # the forked runs inherit them
CODE = script("initialization/time_warping", {"n": 2, "d": 4, "deltas": "[0.0, 0.5]"})

# Changes that change no prediction, by function and the change, with the reason.
EQUIVALENT = {
    "amplitudes: 0.0 → 1.0": "reached only at a predictor of 0 with δ = 0, where H is singular",
    "conserved: -1 → +1": "names the same axis of one state",
}
MUTANTS = [
    *mutants("limits/neuron_metric.py"),
    *mutants("flows/warp.py"),
    *mutants("limits/neuron.py", {"amplitudes", "z", "gradient", "hessian", "from_gradient", "_neuron", "_amplitude"}),
    *mutants("models/linear_network.py", {"layers", "gradient", "conserved"}),
]

test_the_chapter_itself_is_green, test_a_changed_constant_is_noticed = checks("time_warping", CODE, MUTANTS, EQUIVALENT)
