"""Each constant of the kernel's classifier, the flow of fixed features and the fast step."""

from mutants.checks import checks, operator_checks
from mutants.places import mutants, operators
from mutants.runs import script

CODE = script(
    "wide_networks/generalization",
    {
        "dimensions": "[4, 12, 14]",
        "samples": "[32, 140, 320]",
        "features": 1000,
        "steps": 1000,
        "repetitions": 2,
        "test_points": 4000,
    },
)

# The Jacobian, which costs time if it is wrong, is held by tests/library.
KERNEL = {"predict", "kernel_classifier"}
FLOW, STEP = {"margin_flow", "rates", "velocity"}, {"outputs", "gradient", "_of_few", "_weights", "_blocks"}
MUTANTS = [
    *mutants("limits/margin/kernel_classifier.py", KERNEL),
    *mutants("flows/margin_flow.py", FLOW),
    *mutants("models/two_layer/blocked.py", STEP),
]

test_the_chapter_itself_is_green, test_a_changed_constant_is_noticed = checks("generalization", CODE, MUTANTS)

OPERATORS = [
    *operators("limits/margin/kernel_classifier.py", KERNEL),
    *operators("flows/margin_flow.py", FLOW),
    *operators("models/two_layer/blocked.py", STEP),
]

test_each_change_written_out_is_one_mutant, test_a_changed_operator_is_noticed = operator_checks(
    "generalization", CODE, OPERATORS
)
