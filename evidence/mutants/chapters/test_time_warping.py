"""Each constant of the metric, of its curl, of the warp and of the neuron's regularizer is held by a claim."""

import matplotlib.pyplot
import scipy.optimize
from mutants.checks import checks, operator_checks
from mutants.places import mutants, operators
from mutants.runs import script

PRELOADED = (matplotlib.pyplot, scipy.optimize)  # the forked runs inherit them
CODE = script("initialization/time_warping", {"n": 2, "d": 4, "deltas": "[0.0, 0.5]", "layers": "[2, 3]"})

MUTANTS = [
    *mutants("limits/neuron/metric.py"),
    *mutants("flows/change_of_time.py"),
    *mutants("limits/neuron/regularizer.py", {"amplitudes", "z", "hessian", "from_gradient", "_neuron", "_amplitude"}),
]

test_the_chapter_itself_is_green, test_a_changed_constant_is_noticed = checks("time_warping", CODE, MUTANTS)

OPERATORS = [
    *operators("limits/neuron/metric.py"),
    *operators("flows/change_of_time.py"),
    *operators(
        "limits/neuron/regularizer.py", {"amplitudes", "z", "hessian", "from_gradient", "_neuron", "_amplitude"}
    ),
]

test_each_change_written_out_is_one_mutant, test_a_changed_operator_is_noticed = operator_checks(
    "time_warping", CODE, OPERATORS
)
