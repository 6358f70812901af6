"""Each constant of the density drawn by hand and of the curvature it leads to is held by a claim."""

from mutants.checks import checks, operator_checks
from mutants.places import mutants, operators
from mutants.runs import script

CODE = script("mirror_flow/curvature_distribution", {"n": 2412, "heights": "[5.0, 2.0, 1.0]", "others": 4, "draws": 12})
HEIGHTS = {"density", "quantile", "knots", "breaks", "_normed"}
BREGMAN = {"coefficient", "curvature", "_dual", "_edges", "_pieces", "_rule", "_shares"}

MUTANTS = [*mutants("data/bias_heights.py", HEIGHTS), *mutants("limits/mirror/bregman.py", BREGMAN)]

test_the_chapter_itself_is_green, test_a_changed_constant_is_noticed = checks("curvature_distribution", CODE, MUTANTS)

OPERATORS = [*operators("data/bias_heights.py", HEIGHTS), *operators("limits/mirror/bregman.py", BREGMAN)]

test_each_change_written_out_is_one_mutant, test_a_changed_operator_is_noticed = operator_checks(
    "curvature_distribution", CODE, OPERATORS
)
