"""Each constant of the dual, the convex program, the network and the scaling is held by a claim."""

from mutants.checks import checks, operator_checks
from mutants.places import mutants, operators
from mutants.runs import script

CODE = script("mirror_flow/scaled_potentials", {"n": 2412, "draws": 20, "others": 3})
DUAL = {"_dual", "_dual_value", "_edges", "_pieces", "_rule", "_shares", "_value"}
BREGMAN = {"bregman_function", "coefficient", "offset", "predict", "kernel", *DUAL}
PROGRAM, NETWORK = {"bregman_program"}, {"output", "tangent_features"}
SCALED = {"slope", "curvature", "inverse_slope"}

MUTANTS = [
    *mutants("limits/mirror/bregman.py", BREGMAN),
    *mutants("limits/mirror/bregman_program.py", PROGRAM),
    *mutants("models/univariate/absolute.py", NETWORK),
    *mutants("scaled_potentials.py", SCALED),
]

test_the_chapter_itself_is_green, test_a_changed_constant_is_noticed = checks("scaled_potentials", CODE, MUTANTS)

OPERATORS = [
    *operators("limits/mirror/bregman.py", BREGMAN),
    *operators("limits/mirror/bregman_program.py", PROGRAM),
    *operators("models/univariate/absolute.py", NETWORK),
    *operators("scaled_potentials.py", SCALED),
]

test_each_change_written_out_is_one_mutant, test_a_changed_operator_is_noticed = operator_checks(
    "scaled_potentials", CODE, OPERATORS
)
