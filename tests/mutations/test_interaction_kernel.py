"""Each constant of the kernels and of the network's risk and force is held by a claim of its chapter."""

from mutation_testing import checks, mutants, operator_checks, operators, script

CODE = script(
    "wide_networks/interaction_kernel", {"d": 3, "width": 4, "teacher_width": 2, "points": 3, "repetitions": 50}
)

# Changes that change no prediction, by function and the change, with the reason.
EQUIVALENT = {
    "_polar: 0 → 1": "a zero row has no direction; tests/library holds its kernel to 0",
    "layers: 1 → 2": "of one network nothing lies before the last axis",
    "second_moment: 1 → 2": "the guard of an argument",
    "_polar: 1.0 → 1.5": "what a zero row is divided by",
}
# The blocks of pairs, of which the few neurons of the chapter need one, are held by tests/library.
FORMULAS = {
    "second_moment",
    "relu_kernel",
    "relu_potential_gradient",
    "squared_relu_kernel",
    "_both",
    "_polar",
}
MUTANTS = [
    *mutants("kernels.py", FORMULAS),
    *mutants(
        "models/population/network.py", {"parameters", "layers", "output", "residual_measure", "risk", "velocity"}
    ),
]

test_the_chapter_itself_is_green, test_a_changed_constant_is_noticed = checks(
    "interaction_kernel", CODE, MUTANTS, EQUIVALENT
)

OPERATORS = [
    *operators("kernels.py", FORMULAS),
    *operators(
        "models/population/network.py", {"parameters", "layers", "output", "residual_measure", "risk", "velocity"}
    ),
]
# Changes that change no prediction, by the line and the change, with the reason.
PARTNERS = "the chapter pairs each direction with its own partner; tests/library/test_kernels.py holds the rest"
EXCUSED = {
    "squares = np.outer(one.lengths, other.lengths) ** 2 | np.outer(one.lengths, other.lengths) "
    "→ np.outer(other.lengths, one.lengths)": PARTNERS,
    "one, other = _both(w, v) | _both(w, v) → _both(v, w)": PARTNERS,
}

test_each_excuse_names_one_mutant, test_a_changed_operator_is_noticed = operator_checks(
    "interaction_kernel", CODE, OPERATORS, EXCUSED
)
