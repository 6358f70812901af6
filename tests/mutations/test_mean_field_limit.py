"""Each constant of the equation for densities and of what it predicts is held by a claim of its chapter."""

from mutation_testing import checks, mutants, operator_checks, operators, script

CODE = script("wide_networks/mean_field_limit", {"widths": "[16, 32, 128]", "t_end": 5.0})

# Changes that change no prediction, by function and the change, with the reason.
EQUIVALENT = {
    "predictor: -1 → +1": "the last of two axes is the second",
    "relu_series: 2 → 3": "one of them keeps a zero out of a denominator, at a frequency whose value is replaced",
    "mean_field_flow: 2 → 3": "one of them says how many of the highest frequencies, which carry nothing, are left out",
    "mean_field_flow: 1 → 2": "one of them is the length that reshape finds by itself",
}
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

test_the_chapter_itself_is_green, test_a_changed_constant_is_noticed = checks(
    "mean_field_limit", CODE, MUTANTS, EQUIVALENT
)

OPERATORS = [
    *operators("limits/wide/mean_field.py", {"predictor", "relu_series", "change", "charge"}),
    *operators("limits/wide/mean_field.py", {"mean_field_flow"}),
]
# Changes of the chapter's own code that are tried whatever the sample.
MUST = [
    "4 * np.pi**2 / 45 * np.sum(np.mean((jump**2 + in_step * beta * jump * other) * stretch, axis=2), axis=1) "
    "| in_step * beta * jump * other → in_step * beta * jump / other",
]
# Changes that change no prediction, by the line and the change, with the reason.
EXCUSED: dict[str, str] = {}

test_each_excuse_names_one_mutant, test_a_changed_operator_is_noticed = operator_checks(
    "mean_field_limit", CODE, OPERATORS, EXCUSED, MUST
)
