"""Each constant of the maximum-margin solvers and of the linear models' gradients is held by a claim of its chapter."""

from mutation_testing import checks, mutants, script

CODE = script("linear/max_margin", {"n": 12, "d": 8, "support": 3, "log_t_end": 400.0, "descent_steps": 100})

# Changes that change no prediction, by function and the change, with the reason.
EQUIVALENT = {
    "max_margin: 1.0 → 1.5": "f is scaled: only the support of the answer is used",
    "l1_max_margin: 0 → 1": "both parts of w are shifted by the same bound, their difference is the same",
    "max_margin: 0.0 → 1.0": "evidence, not prediction: tests/library/test_limits.py holds it",
    "max_margin: -float(alpha.min() / alpha.max()) → +float(alpha.min() / alpha.max())": "evidence, not prediction",
    "l1_max_margin: -float(alpha.min()) → +float(alpha.min())": "evidence, not prediction",
    "l1_max_margin: 1 → 2": "evidence, not prediction",
}
MUTANTS = [
    *mutants("limits/max_margin.py"),
    *mutants("models/linear.py", {"gradient", "rescaled_velocity", "log_risk", "margins", "residual"}),
]

test_the_chapter_itself_is_green, test_a_changed_constant_is_noticed = checks("max_margin", CODE, MUTANTS, EQUIVALENT)
