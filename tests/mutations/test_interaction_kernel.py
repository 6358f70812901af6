"""Each constant of the kernels and of the network's risk and force is held by a claim of its chapter."""

from mutation_testing import checks, mutants, script

CODE = script(
    "wide_networks/interaction_kernel", {"d": 3, "width": 4, "teacher_width": 2, "points": 3, "repetitions": 50}
)

# Changes that change no prediction, by function and the change, with the reason.
EQUIVALENT = {
    "_directions: 0 → 1": "a zero row has no direction; tests/library holds its kernel to 0",
    "layers: 1 → 2": "of one network nothing lies before the last axis",
    "_directions: 1.0 → 1.5": "what a zero row is divided by",
}
MUTANTS = [
    *mutants("kernels.py"),
    *mutants("models/two_layer.py", {"parameters", "layers", "output", "residual_measure", "risk", "velocity"}),
]

test_the_chapter_itself_is_green, test_a_changed_constant_is_noticed = checks(
    "interaction_kernel", CODE, MUTANTS, EQUIVALENT
)
