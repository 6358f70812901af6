"""Each constant of the line of jumps, of the spline and its kernel, and of the levelled network is held by a claim."""

from mutants.checks import checks, operator_checks
from mutants.places import mutants, operators
from mutants.runs import script

CODE = script("mirror_flow/shifted_labels", {"n": 2430, "draws": 12, "others": 3})
LINE = {"jump_line", "at", "turn"}
SPLINE = {"ramp_kernel", "jump"}
NETWORK = {"output", "tangent_features", "jump"}

MUTANTS = [
    *mutants("limits/mirror/jump_line.py", LINE),
    *mutants("limits/mirror/ramp_spline.py", SPLINE),
    *mutants("models/univariate/levelled.py", NETWORK),
]

test_the_chapter_itself_is_green, test_a_changed_constant_is_noticed = checks("shifted_labels", CODE, MUTANTS)

OPERATORS = [
    *operators("limits/mirror/jump_line.py", LINE),
    *operators("models/univariate/levelled.py", NETWORK),
]

test_each_change_written_out_is_one_mutant, test_a_changed_operator_is_noticed = operator_checks(
    "shifted_labels", CODE, OPERATORS
)
