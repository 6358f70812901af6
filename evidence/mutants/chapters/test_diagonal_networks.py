"""Each constant of Q_k, of its solvers and of the diagonal network is held by a claim of its chapter."""

from mutants.checks import checks, operator_checks
from mutants.places import mutants, operators
from mutants.runs import script

CODE = script("initialization/diagonal_networks", {"n": 6, "d": 20, "nonzeros": 2, "learning_rates": "[0.1, 0.05]"})

# The branch for coordinates of one sign only is not reached; tests/library/models/linear/test_diagonal.py holds it.
ONE_SIGN = "return np.asarray(a * np.exp(2 * nu) - b * np.exp(-2 * nu))"
FUNCTIONS = {"unbiased", "brackets", "k", "_exponents", "_hyperbolic", "predictor_from_dual"}
# The ways to the vertex, or around it, are held by tests/library/limits/interpolation/test_least_l1.py.
LEAST_L1 = {"least_l1", "certify_least_l1", "_at_vertex"}
MUTANTS = [
    *mutants("limits/interpolation/hyperbolic_entropy.py"),
    *mutants("limits/interpolation/cone_program.py"),
    *mutants("limits/interpolation/least_l1.py", LEAST_L1),
    *mutants("limits/interpolation/least_norm.py"),
    *mutants("limits/equations.py"),
    *(mutant for mutant in mutants("models/linear/diagonal.py", FUNCTIONS) if ONE_SIGN not in mutant.text),
    *mutants("models/linear/diagonal_flow.py"),
]

test_the_chapter_itself_is_green, test_a_changed_constant_is_noticed = checks("diagonal_networks", CODE, MUTANTS)

OPERATORS = [
    *operators("limits/interpolation/hyperbolic_entropy.py"),
    *operators("limits/interpolation/cone_program.py"),
    *operators("limits/interpolation/least_l1.py", LEAST_L1),
    *operators("limits/interpolation/least_norm.py"),
    *operators("models/linear/diagonal.py", FUNCTIONS),
    *operators("models/linear/diagonal_flow.py"),
]
# Changes of the chapter's own code that are tried whatever the sample.
MUST = [
    "log_fall += np.log(np.abs(1 - push**2)) | 1 - push ** 2 → 1 + push ** 2",
    "shift += np.log(np.abs((1 + push) / (1 - push))) - 2 * push | 2 * push → 3 * push",
]

test_each_change_written_out_is_one_mutant, test_a_changed_operator_is_noticed = operator_checks(
    "diagonal_networks", CODE, OPERATORS, MUST
)
