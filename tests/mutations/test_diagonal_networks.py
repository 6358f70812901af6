"""Each constant of Q_k, of its solvers and of the diagonal network is held by a claim of its chapter."""

from mutation_testing import checks, mutants, operator_checks, operators, script

CODE = script("initialization/diagonal_networks", {"n": 6, "d": 20, "nonzeros": 2, "learning_rates": "[0.1, 0.05]"})

# Changes that change no prediction, by function and the change, with the reason.
EQUIVALENT = {
    "scaled_equations: 0 → 1": "the unit of w, which may be any power of two",
    "minimize: 1 → 2": "the guard of an argument that is not given here",
    "least_l1: 0 → 1": "evidence, not prediction",
    "least_l1: 1 → 2": "evidence, not prediction",
    "unbiased: 1 → 2": "the guard of the argument's range",
    "gradient: 1 → 2": "the length that reshape finds by itself",
    "conserved: 1 → 2": "the length that reshape finds by itself",
    "_hyperbolic: 0 → 1": "the same formula without protection against cancellation",
    "dual_jacobian: 4 → 5": "steers the stiff solver, does not change its solution; tests/library holds it",
    "dual_jacobian: -(x * np.sqrt(4 * w ** 2 + self.k)) → +(x * np.sqrt(4 * w ** 2 + self.k))": "likewise",
}
# The branch for coordinates of one sign only is not reached; tests/library/models/linear/test_diagonal.py holds it.
ONE_SIGN = "return np.asarray(a * np.exp(2 * nu) - b * np.exp(-2 * nu))"
FUNCTIONS = {
    "unbiased",
    "gradient",
    "conserved",
    "k",
    "_exponents",
    "_hyperbolic",
    "predictor_from_dual",
    "dual_velocity",
    "dual_jacobian",
}
# The ways to the vertex, or around it, are held by tests/library/limits/interpolation/test_least_l1.py.
LEAST_L1 = {"least_l1", "certify_least_l1", "_at_vertex"}
MUTANTS = [
    *mutants("limits/interpolation/hyperbolic_entropy.py"),
    *mutants("limits/interpolation/cone_program.py"),
    *mutants("limits/interpolation/least_l1.py", LEAST_L1),
    *mutants("limits/interpolation/least_norm.py"),
    *mutants("limits/interpolation/equations.py"),
    *(mutant for mutant in mutants("models/linear/diagonal.py", FUNCTIONS) if ONE_SIGN not in mutant.text),
]

test_the_chapter_itself_is_green, test_a_changed_constant_is_noticed = checks(
    "diagonal_networks", CODE, MUTANTS, EQUIVALENT
)

OPERATORS = [
    *operators("limits/interpolation/hyperbolic_entropy.py"),
    *operators("limits/interpolation/cone_program.py"),
    *operators("limits/interpolation/least_l1.py", LEAST_L1),
    *operators("limits/interpolation/least_norm.py"),
    *operators("models/linear/diagonal.py", FUNCTIONS),
]
# Changes of the chapter's own code that are tried whatever the sample.
MUST = [
    "w_velocity_per_size = np.array([w_velocity[k] / size_then[k] for k in moving]) "
    "| w_velocity[k] / size_then[k] → w_velocity[k] * size_then[k]",
]
# Changes that change no prediction, by the line and the change, with the reason.
EXCUSED = {
    "moving = np.flatnonzero(size_then > 1e-6 * size_then.max())  # later the velocity is rounding of "
    "the residual | 1e-06 * size_then.max() → 1.5e-06 * size_then.max()": "which of the recorded times are compared",
    "moments = np.geomspace(1e-3 "
    "* short.t[-1], short.t[-1], 60)[:-1] | 0.001 * short.t[-1] → 0.001 / short.t[-1]": "which times are recorded",
}

test_each_excuse_names_one_mutant, test_a_changed_operator_is_noticed = operator_checks(
    "diagonal_networks", CODE, OPERATORS, EXCUSED, MUST
)
