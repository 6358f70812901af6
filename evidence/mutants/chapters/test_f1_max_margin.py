"""Each constant of the largest margin, of its exact search and of the descent with a schedule is held by a claim."""

from mutants.checks import checks, operator_checks
from mutants.places import mutants, operators
from mutants.runs import script

CODE = script(  # fewer points, for speed
    "wide_networks/f1_max_margin", {"points": 12, "widths": "[4, 64, 128]", "steps": 5000}
)

SOLVER = {"variation_margin", "program", "predict"}
BOUNDS = {"margin_bound", "_bound"}
SEARCH = {"responses", "largest_responses", "response_bound", "_extremes", "unit_rows"}
# Scheduled descent, its steps and times, is held by tests/library/flows/test_scheduled.py besides.
MUTANTS = [
    *mutants("limits/margin/variation_norm.py", SOLVER),
    *mutants("limits/margin/variation_certificate.py", BOUNDS),
    *mutants("limits/margin/restricted.py"),
    *mutants("limits/margin/sweep.py"),
    *mutants("limits/margin/arrangement.py", SEARCH),
    *mutants("flows/scheduled.py", {"step"}),
]

test_the_chapter_itself_is_green, test_a_changed_constant_is_noticed = checks("f1_max_margin", CODE, MUTANTS)

OPERATORS = [
    *operators("limits/margin/variation_norm.py", SOLVER),
    *operators("limits/margin/variation_certificate.py", BOUNDS),
    *operators("limits/margin/restricted.py"),
    *operators("limits/margin/sweep.py"),
    *operators("limits/margin/arrangement.py", SEARCH),
    *operators("flows/scheduled.py", {"step"}),
]

test_each_change_written_out_is_one_mutant, test_a_changed_operator_is_noticed = operator_checks(
    "f1_max_margin", CODE, OPERATORS
)
