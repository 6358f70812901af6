"""Each constant of the equation for densities and of what it predicts is held by a claim of its chapter."""

from mutants.checks import checks, operator_checks
from mutants.places import mutants, operators
from mutants.runs import script

CODE = script("wide_networks/mean_field_limit", {"widths": "[16, 32, 128]", "t_end": 5.0})

# What decides the answer: no guards of arguments, no tolerances of the solver.
LINES = ("kernel", "labels", "slope =", "sign =", "start =", "density =", "zero =", "balance =")
MUTANTS = [
    *mutants("limits/wide/mean_field.py", {"predictor", "relu_series", "change", "charge"}),
    *(
        mutant
        for mutant in mutants("limits/wide/mean_field.py", {"mean_field_flow"})
        if any(line in mutant.text for line in LINES)
    ),
]

test_the_chapter_itself_is_green, test_a_changed_constant_is_noticed = checks("mean_field_limit", CODE, MUTANTS)

OPERATORS = [
    *operators("limits/wide/mean_field.py", {"predictor", "relu_series", "change", "charge"}),
    *operators("limits/wide/mean_field.py", {"mean_field_flow"}),
]
# Changes of the chapter's own code that are tried whatever the sample.
MUST = [
    "4 * np.pi**2 / 45 * np.sum(np.mean((jump**2 + beta * jump * other) * stretch, axis=2), axis=1) "
    "| beta * jump * other → beta * jump / other",
]

test_each_change_written_out_is_one_mutant, test_a_changed_operator_is_noticed = operator_checks(
    "mean_field_limit", CODE, OPERATORS, MUST
)
