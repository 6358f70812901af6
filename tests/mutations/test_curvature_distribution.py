"""Each constant of the density drawn by hand and of the curvature it leads to is held by a claim."""

from mutation_testing import checks, mutants, operator_checks, operators, script

CODE = script("mirror_flow/curvature_distribution", {"n": 2412, "heights": "[5.0, 2.0, 1.0]", "others": 4, "draws": 12})
HEIGHTS = {"density", "quantile", "knots", "breaks", "_normed"}
BREGMAN = {"coefficient", "curvature", "_dual", "_edges", "_rule"}

# Changes that change no prediction, by function and the change, with the reason.
EQUIVALENT = {
    "_edges: -law.reach → +law.reach": "the places where these densities have a kink hold −B",
}
MUTANTS = [*mutants("data/bias_heights.py", HEIGHTS), *mutants("limits/mirror/bregman.py", BREGMAN)]

test_the_chapter_itself_is_green, test_a_changed_constant_is_noticed = checks(
    "curvature_distribution", CODE, MUTANTS, EQUIVALENT
)

OPERATORS = [*operators("data/bias_heights.py", HEIGHTS), *operators("limits/mirror/bregman.py", BREGMAN)]
# Changes that change no prediction, by the line and the change, with the reason.
EXCUSED = {
    "target=1e-11, | 1e-11 → 1.5e-11": "where the flow counts as ended, far below what any claim allows",
}

test_each_excuse_names_one_mutant, test_a_changed_operator_is_noticed = operator_checks(
    "curvature_distribution", CODE, OPERATORS, EXCUSED
)
