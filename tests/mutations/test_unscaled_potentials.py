"""Each constant of the response, of the least potential, of the potentials and the flow is held by a claim."""

from mutation_testing import checks, mutants, operator_checks, operators, script

CODE = script("mirror_flow/unscaled_potentials", {"n": 7290, "widths": "[1620, 3240, 4860]", "draws": 8})
RESPONSE = {"predict", "movement", "kernel_change", "potential_response", "response_path", "_bent", "_rule"}

# Changes that change no prediction, by function and the change, with the reason.
EQUIVALENT: dict[str, str] = {}
MUTANTS = [
    *mutants("limits/mirror/response.py", RESPONSE),
    *mutants("limits/mirror/least_potential.py", {"least_potential"}),
    *mutants("potentials.py", {"slope", "curvature", "inverse_slope"}),
]

test_the_chapter_itself_is_green, test_a_changed_constant_is_noticed = checks(
    "unscaled_potentials", CODE, MUTANTS, EQUIVALENT
)

OPERATORS = [
    *operators("limits/mirror/response.py", RESPONSE),
    *operators("limits/mirror/least_potential.py", {"least_potential"}),
]
# Changes that change no prediction, by the line and the change, with the reason.
EXCUSED: dict[str, str] = {}

test_each_excuse_names_one_mutant, test_a_changed_operator_is_noticed = operator_checks(
    "unscaled_potentials", CODE, OPERATORS, EXCUSED
)
