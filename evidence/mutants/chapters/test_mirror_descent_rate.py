"""Each constant of the reduced mirror flow and of the entropic bound is held by a claim of its chapter."""

from mutants.checks import altered, checks
from mutants.places import mutants
from mutants.runs import script

CODE = script("measures/mirror_descent_rate", {"problems": 2, "t_end": 1e4, "spikes": 2})
# Longer steps: half of the time.
assert "STEP = 1e-3" in CODE
CODE = CODE.replace("STEP = 1e-3", "STEP = 4e-3")

MUTANTS = [
    *mutants("models/measures/fixed_particles.py", {"_features", "masses", "velocity", "value"}),
    *mutants(
        "limits/measures/entropic_bound.py", {"_masses", "_dual", "_certified", "mirror_constant", "mirror_corrections"}
    ),
]
test_the_chapter_itself_is_green, test_a_changed_constant_is_noticed = checks("mirror_descent_rate", CODE, MUTANTS)
# Changes of the chapter itself.
CHANGES = [
    ("earlier = gaps[:, before] * times[before]", "earlier = gaps[:, before]"),
    ("* 4 * ALPHA * t * h]", "* 2 * ALPHA * t * h]"),
    ("rest[1] - rest[0]", "rest[1] + rest[0]"),
    ("both, gaps[:, -1] * times[-1],", "both, gaps[:, -1] * times[-2],"),
]
test_a_change_of_the_chapter_is_noticed = altered("mirror_descent_rate", CODE, CHANGES)
