"""Each constant of the tangent kernel's limit and of the scatter around it is held by a claim of its chapter."""

from mutation_testing import checks, mutants, operator_checks, operators, script

CODE = script("lazy_training/tangent_kernel", {"widths": [64, 256, 1024], "many": 400, "draws": 32})
NAMES = {"relu_tangent_kernel", "tangent_scatter", "spread", "freedom", "_directions"}

# Changes that change no prediction, by function and the change, with the reason.
EQUIVALENT = {"angles: 1.0 → 1.5": "rounding beyond a cosine of one"}
MUTANTS = mutants("limits/lazy/tangent_limit.py", NAMES) + mutants("kernels.py", {"angles"})

test_the_chapter_itself_is_green, test_a_changed_constant_is_noticed = checks(
    "tangent_kernel", CODE, MUTANTS, EQUIVALENT
)

# Changes that change no prediction, by the line and the change, with the reason.
EXCUSED = {
    "slowed = 1 if own == 1 else 16  # features that are learned make the kernel larger "
    "| 1 if own == 1 else 16 → 1 if own == 1 else 17": "a smaller step of gradient descent ends at the same place",
    "theta = np.arccos(np.clip(cosine, -1.0, 1.0)) | np.clip(cosine, -1.0, 1.0) → np.clip(-1.0, cosine, 1.0)": (
        "the same: a clip from one side after the other"
    ),
}
OPERATORS = operators("limits/lazy/tangent_limit.py", NAMES) + operators("kernels.py", {"angles"})

test_each_excuse_names_one_mutant, test_a_changed_operator_is_noticed = operator_checks(
    "tangent_kernel", CODE, OPERATORS, EXCUSED
)
