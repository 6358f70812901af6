"""Each constant of the reduced mirror flow and of the entropic bound is held by a claim of its chapter."""

from mutation_testing import checks, mutants, script

import implicit_bias.limits
import implicit_bias.plots  # noqa: F401

CODE = script("measures/mirror_descent_rate", {"problems": 2, "t_end": 1e4, "spikes": 2})
# A coarser plane and longer steps: half of the time.
for long, short in (
    ("SIDE = 192", "SIDE = 96"),
    ("np.array([15.0, 30.0])", "np.array([4.0, 8.0])"),
    ("STEP = 1e-3", "STEP = 4e-3"),
):
    assert long in CODE
    CODE = CODE.replace(long, short)

# Changes that change no prediction, by function and the change, with the reason.
EQUIVALENT = {
    "_features: 1 → 2": "the length that reshape finds by itself",
    "mirror_corrections: 8 → 9": "less than the next order at the times of the run; tests/library holds a closed form",
}
MUTANTS = [
    *mutants("models/fixed_particles.py", {"_features", "masses", "velocity", "value"}),
    *mutants("limits/entropic.py", {"_masses", "_dual", "_certified", "mirror_constant", "mirror_corrections"}),
]
test_the_chapter_itself_is_green, test_a_changed_constant_is_noticed = checks(
    "mirror_descent_rate", CODE, MUTANTS, EQUIVALENT
)
