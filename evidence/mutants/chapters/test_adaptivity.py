"""Each constant of the certified fit, of kernel ridge regression and of the bound of fixed spaces is held by claims."""

from mutants.checks import checks, operator_checks
from mutants.places import mutants, operators
from mutants.runs import script

CODE = script(  # fewer points and steps than by default, for speed
    "wide_networks/adaptivity",
    {
        "n": 96,
        "dimensions": "[2, 5, 10]",
        "sizes": "[48]",
        "penalties": "[2e-3, 4e-3]",
        "m": 96,
        "steps": 1000,
        "plane_points": 12,
    },
)
FIT = {"variation_fit", "fit_bound", "predict", "_value", "_dual"}
RIDGE = {"kernel_ridge", "predict"}
SPACE = {"direction_covariance", "fixed_space_error", "mean_ridge_error"}

MUTANTS = [
    *mutants("limits/adaptivity/variation_fit.py", FIT),
    *mutants("limits/adaptivity/ridge.py", RIDGE),
    *mutants("limits/adaptivity/fixed_space.py", SPACE),
]

test_the_chapter_itself_is_green, test_a_changed_constant_is_noticed = checks("adaptivity", CODE, MUTANTS)

OPERATORS = [
    *operators("limits/adaptivity/variation_fit.py", FIT),
    *operators("limits/adaptivity/ridge.py", RIDGE),
    *operators("limits/adaptivity/fixed_space.py", SPACE),
]

test_each_change_written_out_is_one_mutant, test_a_changed_operator_is_noticed = operator_checks(
    "adaptivity", CODE, OPERATORS
)
