"""Each constant of the plane's margin, the kernel's classifier, the flow of fixed features and the fast step."""

from mutation_testing import checks, mutants, operator_checks, operators, script

CODE = script(
    "wide_networks/generalization",
    {
        "dimensions": "[4, 12, 14]",
        "samples": "[32, 128, 192]",
        "widths": "[4, 8, 48]",
        "features": 500,
        "steps": 2000,
        "repetitions": 1,
        "test_points": 1000,
    },
)

# Changes that change no prediction, by function and the change, with the reason.
EQUIVALENT: dict[str, str] = {}
PLANE, KERNEL = {"plane_margin", "_needed"}, {"predict", "kernel_classifier"}
FLOW, STEP = {"margin_flow", "rates", "velocity", "jacobian"}, {"outputs", "gradient", "_weights", "_blocks"}
MUTANTS = [
    *mutants("limits/margin/plane.py", PLANE),
    *mutants("limits/margin/kernel_classifier.py", KERNEL),
    *mutants("flows/margin_flow.py", FLOW),
    *mutants("models/two_layer/blocked.py", STEP),
]

test_the_chapter_itself_is_green, test_a_changed_constant_is_noticed = checks(
    "generalization", CODE, MUTANTS, EQUIVALENT
)

OPERATORS = [
    *operators("limits/margin/plane.py", PLANE),
    *operators("limits/margin/kernel_classifier.py", KERNEL),
    *operators("flows/margin_flow.py", FLOW),
    *operators("models/two_layer/blocked.py", STEP),
]
# Changes that change no prediction, by the line and the change, with the reason.
EXCUSED: dict[str, str] = {}

test_each_excuse_names_one_mutant, test_a_changed_operator_is_noticed = operator_checks(
    "generalization", CODE, OPERATORS, EXCUSED
)
