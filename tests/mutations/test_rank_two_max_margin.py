"""Each constant of the rank-two limit, of its condition and bound, and of the leaky classifier is held by a claim."""

from mutation_testing import checks, mutants, script

CODE = script(
    "leaky_relu/rank_two_max_margin",
    {
        "n": 6,
        "d": 6,
        "positive": 5,
        "negative": 3,
        "scales": "[1e-2, 0.1]",
        "shares": "[0.5, 0.2]",
        "step": 8.0,
        "sets": 20,
    },
)

# Changes that change no prediction, by function and the change, with the reason.
EQUIVALENT = {
    "orthogonality: 1 → 2": "the number of neurons in the guard of the slope, which asks for at least one of each",
    "stable_rank: -1 → +1": "the last of two singular values is number one",
    "coefficients: 1 → 2": "NumPy fills in a length of -2 as it does one of -1",
}
# The guards of arguments, the two general solvers and the data are held by tests/library/test_leaky_classifier.py.
MUTANTS = [
    *mutants("limits/rank_two.py", {"orthogonality", "boundary_factor", "stable_rank", "rank_two"}),
    *mutants("models/leaky_classifier.py", {"output_weights", "margins", "forces", "coefficients"}),
]

test_the_chapter_itself_is_green, test_a_changed_constant_is_noticed = checks(
    "rank_two_max_margin", CODE, MUTANTS, EQUIVALENT
)
