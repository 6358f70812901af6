"""Each constant of the linear descent and of a network's tangent kernel is held by a claim of their chapter."""

from mutation_testing import checks, mutants, operator_checks, operators, script

CODE = script(
    "lazy_training/scale_and_generalization",
    {"d": 12, "n": 90, "m": 30, "steps": 1500, "places": 300, "scales": [0.01, 0.1, 1, 3, 10], "widths": [16, 40, 128]},
)
DESCENT, KERNEL = {"linear_descent"}, {"tangent_kernel"}

# Changes that change no prediction, by function and the change, with the reason.
REFUSED = "which steps and rates are refused: tests/library/limits/lazy/test_linear_descent.py holds it"
EQUIVALENT = {"linear_descent: 0 → 1": REFUSED, "linear_descent: 2 → 3": REFUSED}
MUTANTS = mutants("limits/lazy/linear_descent.py", DESCENT) + mutants("models/two_layer/tangent_kernel.py", KERNEL)

test_the_chapter_itself_is_green, test_a_changed_constant_is_noticed = checks(
    "scale_and_generalization", CODE, MUTANTS, EQUIVALENT
)

# Changes that change no prediction, by the line and the change, with the reason.
EXCUSED = {
    'number("rate", rate, above=0, below=2 / float(spectrum.max())) '
    "| 2 / float(spectrum.max()) → 2 * float(spectrum.max())": REFUSED,
    "if i == first: | i == first → i != first": "the control at the other widths, where long starts are lazy as well",
}
OPERATORS = operators("limits/lazy/linear_descent.py", DESCENT) + operators(
    "models/two_layer/tangent_kernel.py", KERNEL
)

test_each_excuse_names_one_mutant, test_a_changed_operator_is_noticed = operator_checks(
    "scale_and_generalization", CODE, OPERATORS, EXCUSED
)
