"""Each constant of the certified fit, of kernel ridge regression and of the bound of fixed spaces is held by claims."""

from mutation_testing import checks, mutants, operator_checks, operators, script

CODE = script(  # fewer points and steps than by default, for speed
    "wide_networks/adaptivity",
    {
        "n": 96,
        "dimensions": "[2, 5, 10]",
        "sizes": "[48]",
        "penalties": "[2e-3, 4e-3]",
        "steps": 1000,
        "plane_points": 12,
    },
)
FIT = {"variation_fit", "fit_bound", "predict", "_value", "_dual"}
RIDGE = {"kernel_ridge", "predict"}
SPACE = {"direction_covariance", "fixed_space_error", "mean_ridge_error"}

# Changes that change no prediction, by function and the change, with the reason.
EQUIVALENT = {
    "variation_fit: 0 → 1": "at the end several candidates attain the largest response; the certificate is anew",
    "fit_bound: 0 → 1": "several candidates attain the largest response",
}
MUTANTS = [
    *mutants("limits/adaptivity/variation_fit.py", FIT),
    *mutants("limits/adaptivity/ridge.py", RIDGE),
    *mutants("limits/adaptivity/fixed_space.py", SPACE),
]

test_the_chapter_itself_is_green, test_a_changed_constant_is_noticed = checks("adaptivity", CODE, MUTANTS, EQUIVALENT)

OPERATORS = [
    *operators("limits/adaptivity/variation_fit.py", FIT),
    *operators("limits/adaptivity/ridge.py", RIDGE),
    *operators("limits/adaptivity/fixed_space.py", SPACE),
]
# Changes that change no prediction, by the line and the change, with the reason.
EXCUSED = {
    "value, bound = _value(residual, masses, penalty), _dual(residual, y, penalty, abs(responses[0])) | "
    "_value(residual, masses, penalty) → _value(masses, residual, penalty)": "the chapter reads the bound alone; what "
    "the search ends with is certified anew",
    "if value - bound < best[0] - best[1]: | best[0] - best[1] → best[0] + best[1]": "the last round proves most, or "
    "the certificate is refused",
    "measured=[5 * (network[high[-1]] - network[high[0]]), kernel[high[-1]].error - kernel[high[0]].error], | "
    "network[high[-1]] - network[high[0]] → network[high[-1]] + network[high[0]]": "an error far below the claim's gap",
}

test_each_excuse_names_one_mutant, test_a_changed_operator_is_noticed = operator_checks(
    "adaptivity", CODE, OPERATORS, EXCUSED
)
