"""Each constant of the equation for densities and of what it predicts is held by a claim of its chapter."""

from mutation_testing import checks, mutants, script

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
    *mutants("limits/mean_field.py", {"predictor", "relu_series", "change", "charge"}),
    *(
        mutant
        for mutant in mutants("limits/mean_field.py", {"mean_field_flow"})
        if any(line in mutant.text for line in LINES)
    ),
]

test_the_chapter_itself_is_green, test_a_changed_constant_is_noticed = checks(
    "mean_field_limit", CODE, MUTANTS, EQUIVALENT
)
