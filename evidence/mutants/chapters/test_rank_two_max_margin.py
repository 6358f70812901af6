"""Each constant of the rank-two limit, its condition and bound, and the trained first layer is held by a claim."""

from mutants.checks import checks
from mutants.places import mutants
from mutants.runs import script

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

# The guards of arguments, the two general solvers and the data are held by tests/library/limits/margin and data.
MUTANTS = [
    *mutants("limits/margin/rank_two.py", {"orthogonality", "boundary_factor", "rank_two"}),
    *mutants("models/two_layer/network.py", {"output"}),
    *mutants("models/two_layer/risk.py", {"gradient"}),
    *mutants("models/two_layer/span_flow.py", {"coefficients", "outputs", "gradient"}),
    *mutants("models/two_layer/frozen_flow.py"),
    *mutants("models/two_layer/pattern.py", {"pushed", "signs", "settled", "_shares", "_basin"}),
    *mutants(
        "losses.py",
        {"SmoothMargin.slope", "SmoothMargin.shares", "Exponential.log_value", "Exponential.log_slope", "_log_sum"},
    ),
    *mutants("limits/margin/pattern.py"),
]

test_the_chapter_itself_is_green, test_a_changed_constant_is_noticed = checks("rank_two_max_margin", CODE, MUTANTS)
