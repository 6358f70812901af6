"""Each constant of the largest margin, of its exact search and of the descent with a schedule is held by a claim."""

from mutation_testing import checks, mutants, operator_checks, operators, script

CODE = script(  # fewer steps than the chapter allows, and fewer points, for speed
    "wide_networks/f1_max_margin", {"points": 12, "widths": "[4, 32, 64]", "steps": 4000}
)

# Changes that change no prediction, by function and the change, with the reason.
EQUIVALENT = {
    "variation_margin: 1.0 → 1.5": "the unit of the first program",
    "variation_margin: 2 → 3": "of the lower bound, which the chapter does not use: held by tests/library",
    "variation_margin: 0 → 1": "how long it has waited for a better bound",
    "variation_margin: 1 → 2": "how long it waits for a better bound",
    "restricted_margin: 1.0 → 1.5": "the unit of the first program",
    "restricted_margin: 3 → 4": "one program more, in the same unit",
    "_program: 1.0 → 1.5": "a measure of another mass, divided by its mass",
}
SOLVER = {"variation_margin", "restricted_margin", "margin_bound", "_program", "predict"}
SEARCH = {"responses", "largest_responses", "_frames", "_points", "unit_rows"}
# Scheduled descent, its steps and times, is held by tests/library/flows/test_scheduled.py besides.
MUTANTS = [
    *mutants("limits/margin/variation_norm.py", SOLVER),
    *mutants("limits/margin/arrangement.py", SEARCH),
    *mutants("flows/scheduled.py", {"step"}),
]

test_the_chapter_itself_is_green, test_a_changed_constant_is_noticed = checks(
    "f1_max_margin", CODE, MUTANTS, EQUIVALENT
)

OPERATORS = [
    *operators("limits/margin/variation_norm.py", SOLVER),
    *operators("limits/margin/arrangement.py", SEARCH),
    *operators("flows/scheduled.py", {"step"}),
]
# Changes that change no prediction, by the line and the change, with the reason.
EXCUSED = {
    'margin, bound = in_unit([lower / 2, upper / 2], unit, "the margin") | lower / 2 → lower * 2': "the lower bound, "
    "which the chapter does not use: held by tests/library",
}

test_each_excuse_names_one_mutant, test_a_changed_operator_is_noticed = operator_checks(
    "f1_max_margin", CODE, OPERATORS, EXCUSED
)
