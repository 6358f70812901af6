"""Each constant of the laws of biases, the kernel, the penalties on a grid and the flow is held by a claim."""

from mutants.checks import checks, operator_checks
from mutants.places import mutants, operators
from mutants.runs import script

CODE = script("mirror_flow/variational_problem", {"n": 1620, "widths": "[900, 1800, 2700]", "draws": 8, "others": 3})
SPLINE = {"ramp_kernel", "ramp_spline", "predict", "curvature", "value"}
LAW = {"density", "partial_moments", "quantile", "variance"}

MUTANTS = [
    *mutants("limits/mirror/ramp_spline.py", SPLINE),
    *mutants("limits/mirror/finite_elements.py", {"finite_element_spline", "_interpolation"}),
    *mutants("data/biases.py", LAW),
    *mutants("flows/mirror.py", {"step"}),
]

test_the_chapter_itself_is_green, test_a_changed_constant_is_noticed = checks("variational_problem", CODE, MUTANTS)

OPERATORS = [
    *operators("limits/mirror/ramp_spline.py", SPLINE),
    *operators("data/biases.py", LAW),
    *operators("flows/mirror.py", {"step"}),
]

test_each_change_written_out_is_one_mutant, test_a_changed_operator_is_noticed = operator_checks(
    "variational_problem", CODE, OPERATORS
)
