"""Each constant of the dual, the convex program, the network and the scaling is held by a claim."""

from mutation_testing import checks, mutants, operator_checks, operators, script

CODE = script("mirror_flow/scaled_potentials", {"n": 2400, "draws": 20})
BREGMAN = {"bregman_function", "coefficient", "offset", "predict", "kernel", "_dual", "_edges", "_rule"}
PROGRAM, NETWORK = {"bregman_program"}, {"output", "jacobian"}
SCALED = {"slope", "curvature", "inverse_slope"}

# Changes that change no prediction, by function and the change, with the reason.
EQUIVALENT = {
    "bregman_program: 1.0 → 1.5": "the unit where all labels are 0",
}
MUTANTS = [
    *mutants("limits/mirror/bregman.py", BREGMAN),
    *mutants("limits/mirror/bregman_program.py", PROGRAM),
    *mutants("models/univariate/absolute.py", NETWORK),
    *mutants("scaled_potentials.py", SCALED),
]

test_the_chapter_itself_is_green, test_a_changed_constant_is_noticed = checks(
    "scaled_potentials", CODE, MUTANTS, EQUIVALENT
)

OPERATORS = [
    *operators("limits/mirror/bregman.py", BREGMAN),
    *operators("limits/mirror/bregman_program.py", PROGRAM),
    *operators("models/univariate/absolute.py", NETWORK),
    *operators("scaled_potentials.py", SCALED),
]
# Changes that change no prediction, by the line and the change, with the reason.
EXCUSED = {
    "target=1e-11, | 1e-11 → 1.5e-11": "where the flow counts as ended, far below what any claim allows",
}

test_each_excuse_names_one_mutant, test_a_changed_operator_is_noticed = operator_checks(
    "scaled_potentials", CODE, OPERATORS, EXCUSED
)
