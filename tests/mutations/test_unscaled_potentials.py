"""Each constant of the response, of the least potential, of the potentials and the flow is held by a claim."""

from mutation_testing import checks, mutants, operator_checks, operators, script

CODE = script("mirror_flow/unscaled_potentials", {"n": 7290, "widths": "[1620, 3240, 4860]", "draws": 8})
RESPONSE = {"predict", "movement", "kernel_change", "potential_response", "response_path", "_bent"}

# Changes that change no prediction, by function and the change, with the reason.
EQUIVALENT = {
    "movement: 0 → 1": "a hundredth of the movement, at this width less than the next term of |x|³: held by "
    "tests/library/limits/mirror/test_response.py",
}
MUTANTS = [
    *mutants("limits/mirror/response.py", RESPONSE),
    *mutants("limits/mirror/ramp_rule.py"),
    *mutants("limits/mirror/least_potential.py", {"least_potential"}),
    *mutants("potentials.py", {"slope", "curvature", "inverse_slope"}),
]

test_the_chapter_itself_is_green, test_a_changed_constant_is_noticed = checks(
    "unscaled_potentials", CODE, MUTANTS, EQUIVALENT
)

OPERATORS = [
    *operators("limits/mirror/response.py", RESPONSE),
    *operators("limits/mirror/ramp_rule.py"),
    *operators("limits/mirror/least_potential.py", {"least_potential"}),
]
CLIPPED = "np.concatenate([[-law.reach, law.reach], w * x, w * z])"
EDGES = f"edges = np.unique(np.clip({CLIPPED}, -law.reach, law.reach))"
# Changes that change no prediction, by the line and the change, with the reason.
EXCUSED = {
    f"{EDGES} | np.clip({CLIPPED}, -law.reach, law.reach) → np.clip(-law.reach, {CLIPPED}, law.reach)": (
        "the middle one of three numbers in either order"
    ),
    f"{EDGES} | w * z → 1 * z": "the places of the claims lie symmetrically; tests/library/limits/mirror has others",
    "turns = np.flatnonzero(alpha[:-1] * alpha[1:] < 0)  # between two edges α is straight | "
    "alpha[:-1] * alpha[1:] → alpha[:-1] / alpha[1:]": "the sign of a quotient is that of the product",
    "edges = np.sort(np.append(edges, edges[turns] + share * np.diff(edges)[turns])) | "
    "np.append(edges, edges[turns] + share * np.diff(edges)[turns]) → "
    "np.append(edges[turns] + share * np.diff(edges)[turns], edges)": "they are sorted",
}

test_each_excuse_names_one_mutant, test_a_changed_operator_is_noticed = operator_checks(
    "unscaled_potentials", CODE, OPERATORS, EXCUSED
)
