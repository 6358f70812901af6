"""Each constant of the metric, of its curl, of the warp and of the neuron's regularizer is held by a claim."""

import matplotlib.pyplot
import scipy.optimize
import sympy
import two_layer_excuses
from mutation_testing import checks, mutants, operator_checks, operators, script

PRELOADED = (matplotlib.pyplot, scipy.optimize, sympy)  # the forked runs inherit them
CODE = script("initialization/time_warping", {"n": 2, "d": 4, "deltas": "[0.0, 0.5]"})

# Changes that change no prediction, by function and the change, with the reason.
EQUIVALENT = {
    "value: 2 → 3": "only ratios of losses are compared",
    "amplitudes: 0.0 → 1.0": "reached only at a predictor of 0 with δ = 0, where H is singular",
    "balance: -1 → +1": "names the same axis of one state",
}
MUTANTS = [
    *mutants("limits/neuron/metric.py"),
    *mutants("flows/change_of_time.py"),
    *mutants(
        "limits/neuron/regularizer.py",
        {"amplitudes", "z", "gradient", "hessian", "from_gradient", "_neuron", "_amplitude"},
    ),
    *mutants("models/two_layer/network.py", {"predictor", "balance"}),
    *mutants("models/two_layer/risk.py", {"gradient"}),
    *mutants("losses.py", {"Squared.value", "Squared.slope"}),
]

test_the_chapter_itself_is_green, test_a_changed_constant_is_noticed = checks("time_warping", CODE, MUTANTS, EQUIVALENT)

OPERATORS = [
    *operators("limits/neuron/metric.py"),
    *operators("flows/change_of_time.py"),
    *operators(
        "limits/neuron/regularizer.py",
        {"amplitudes", "z", "gradient", "hessian", "from_gradient", "_neuron", "_amplitude"},
    ),
    *operators("models/two_layer/network.py", {"predictor", "balance"}),
    *operators("models/two_layer/risk.py", {"gradient"}),
    *operators("losses.py", {"Squared.value", "Squared.slope"}),
]
# Changes that change no prediction, by the line and the change, with the reason.
EXCUSED = {
    "return float(np.sum((f - y) ** 2) / 2) "
    "| np.sum((f - y) ** 2) / 2 → np.sum((f - y) ** 2) * 2": "only ratios of losses are compared",
    **two_layer_excuses.PREDICTOR,
    **two_layer_excuses.GRADIENT,
}

test_each_excuse_names_one_mutant, test_a_changed_operator_is_noticed = operator_checks(
    "time_warping", CODE, OPERATORS, EXCUSED
)
