"""Each constant of the response, of the least potential, of the potentials and the flow is held by a claim."""

from mutants.checks import checks, operator_checks
from mutants.places import mutants, operators
from mutants.runs import script

CODE = script("mirror_flow/unscaled_potentials", {"n": 9720, "widths": "[1620, 3240, 4860]", "draws": 8, "others": 3})
RESPONSE = {"predict", "movement", "kernel_change", "potential_response", "response_path", "_bent"}

MUTANTS = [
    *mutants("limits/mirror/response.py", RESPONSE),
    *mutants("limits/mirror/ramp_rule.py"),
    *mutants("limits/mirror/least_potential.py", {"least_potential"}),
    *mutants("potentials.py", {"slope", "curvature", "inverse_slope"}),
]

test_the_chapter_itself_is_green, test_a_changed_constant_is_noticed = checks("unscaled_potentials", CODE, MUTANTS)

OPERATORS = [
    *operators("limits/mirror/response.py", RESPONSE),
    *operators("limits/mirror/ramp_rule.py"),
    *operators("limits/mirror/least_potential.py", {"least_potential"}),
]

test_each_change_written_out_is_one_mutant, test_a_changed_operator_is_noticed = operator_checks(
    "unscaled_potentials", CODE, OPERATORS
)
