"""Each constant of the maximum-margin solvers and of the linear models' gradients is held by a claim of its chapter."""

from mutants.checks import checks, operator_checks
from mutants.places import mutants, operators
from mutants.runs import script

CODE = script("linear/max_margin", {"n": 12, "d": 8, "support": 3, "log_t_end": 400.0, "descent_steps": 100})

MUTANTS = [
    *mutants("limits/margin/linear.py"),
    *mutants("limits/margin/entropy.py"),
    *mutants("limits/margin/l1_margin.py"),
    *mutants("limits/margin/least_distance.py"),
    *mutants(
        "models/linear/predictor.py",
        {"gradient", "rescaled_velocity", "scaled_velocity", "scaled_jacobian", "log_risk", "margins", "residual"},
    ),
]

test_the_chapter_itself_is_green, test_a_changed_constant_is_noticed = checks("max_margin", CODE, MUTANTS)

OPERATORS = [
    *operators("limits/margin/linear.py"),
    *operators("limits/margin/entropy.py"),
    *operators("limits/margin/l1_margin.py"),
    *operators("limits/margin/least_distance.py"),
    *operators(
        "models/linear/predictor.py",
        {"gradient", "rescaled_velocity", "scaled_velocity", "scaled_jacobian", "log_risk", "margins", "residual"},
    ),
]

test_each_change_written_out_is_one_mutant, test_a_changed_operator_is_noticed = operator_checks(
    "max_margin", CODE, OPERATORS
)
