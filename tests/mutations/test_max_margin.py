"""Each constant of the maximum-margin solvers and of the linear models' gradients is held by a claim of its chapter."""

from mutation_testing import checks, mutants, operator_checks, operators, script

CODE = script("linear/max_margin", {"n": 12, "d": 8, "support": 3, "log_t_end": 400.0, "descent_steps": 100})

# Changes that change no prediction, by function and the change, with the reason.
EQUIVALENT = {
    "l1_max_margin: 0 → 1": "both parts of w are shifted by the same bound, their difference is the same",
    "direction: -exponent(self.w) → +exponent(self.w)": "a unit; tests/library/test_scales.py holds it far from 1",
    "_directions: -z.min(axis=1) → +z.min(axis=1)": "a unit; tests/library/test_scales.py holds it far from 1",
    "_directions: 0 → 1": "the guard of a point at 0; tests/library/limits/margin/test_linear.py holds it",
    "contraction: 0.0 → 1.0": "evidence, not prediction: tests/library/limits/margin/test_linear.py holds it",
    "l1_max_margin: 1 → 2": "evidence, not prediction",
}
MUTANTS = [
    *mutants("limits/margin/linear.py"),
    *mutants(
        "models/linear/predictor.py",
        {"gradient", "rescaled_velocity", "scaled_velocity", "scaled_jacobian", "log_risk", "margins", "residual"},
    ),
]

test_the_chapter_itself_is_green, test_a_changed_constant_is_noticed = checks("max_margin", CODE, MUTANTS, EQUIVALENT)

OPERATORS = [
    *operators("limits/margin/linear.py"),
    *operators(
        "models/linear/predictor.py",
        {"gradient", "rescaled_velocity", "scaled_velocity", "scaled_jacobian", "log_risk", "margins", "residual"},
    ),
]
# Changes that change no prediction, by the line and the change, with the reason.
EXCUSED = {
    "for wanted in (0.2, 0.05): | (0.2, 0.05) → (0.2, 0.07500000000000001)": "another set of the same law",
}

test_each_excuse_names_one_mutant, test_a_changed_operator_is_noticed = operator_checks(
    "max_margin", CODE, OPERATORS, EXCUSED
)
