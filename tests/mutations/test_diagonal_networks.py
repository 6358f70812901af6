"""Each constant of Q_k, of its solvers and of the diagonal network is held by a claim of its chapter."""

from mutation_testing import checks, mutants, script

CODE = script("initialization/diagonal_networks", {"n": 6, "d": 20, "nonzeros": 2, "learning_rates": "[0.1, 0.05]"})

# Changes that change no prediction, by function and the change, with the reason.
EQUIVALENT = {
    "_solve: 2 → 3": "evidence, not prediction: tests/library/test_limits.py holds it",
    "minimize: 1 → 2": "the guard of an argument that is not given here",
    "_certificate: 1 → 2": "evidence, not prediction: tests/library/test_limits.py holds it",
    "least_l1: 0 → 1": "both parts of w are shifted by the same bound, or evidence",
    "least_l1: 1 → 2": "evidence, not prediction",
    "least_l1: 0.0 → 1.0": "evidence, not prediction",
    "unbiased: 1 → 2": "the guard of the argument's range",
    "gradient: 1 → 2": "the length that reshape finds by itself",
    "conserved: 1 → 2": "the length that reshape finds by itself",
    "predictor_from_dual: 0 → 1": "the same formula without protection against cancellation",
    "dual_jacobian: 4 → 5": "steers the stiff solver, does not change its solution; tests/library holds it",
    "dual_jacobian: -(x * np.sqrt(4 * w ** 2 + self.k)) → +(x * np.sqrt(4 * w ** 2 + self.k))": "likewise",
}
# The branch for coordinates that can take one sign only is not reached here; tests/library/test_models.py holds it.
ONE_SIGN = "return np.asarray(a * np.exp(2 * nu) - b * np.exp(-2 * nu))"
FUNCTIONS = {
    "unbiased",
    "gradient",
    "conserved",
    "k",
    "_exponents",
    "predictor_from_dual",
    "dual_velocity",
    "dual_jacobian",
}
MUTANTS = [
    *mutants("limits/hypentropy.py"),
    *mutants("limits/conic.py"),
    *mutants("limits/least_l1.py"),
    *mutants("limits/least_norm.py"),
    *(mutant for mutant in mutants("models/diagonal.py", FUNCTIONS) if ONE_SIGN not in mutant.text),
]

test_the_chapter_itself_is_green, test_a_changed_constant_is_noticed = checks(
    "diagonal_networks", CODE, MUTANTS, EQUIVALENT
)
