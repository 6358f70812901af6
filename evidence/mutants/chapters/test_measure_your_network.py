"""What the measures of one's own network compute is held by a claim of the chapter."""

import sklearn.datasets  # noqa: F401  (loaded once, before the forks)
import torch  # noqa: F401
from mutants.checks import altered, checks
from mutants.places import mutants
from mutants.runs import script

CODE = script("beyond/measure_your_network", {"n": 50, "steps": 10, "longer": 1000})

MUTANTS = [
    *mutants("measure/watch.py", {"after"}),
    *mutants("measure/curvature.py", {"_root", "_lanczos"}),
]
test_the_chapter_itself_is_green, test_a_changed_constant_is_noticed = checks("measure_your_network", CODE, MUTANTS)

# Changes of the chapter itself.
CHANGES = [
    ("+ of(w.bias), of(v.weight)", ", of(v.weight)"),
    ("0.5 / alpha**2", "0.5 / alpha"),
    ("(1 + np.sqrt(2 / (1 + cosine))) / 3", "(1 + np.sqrt(2 / (1 - cosine))) / 3"),
]
test_a_change_of_the_chapter_is_noticed = altered("measure_your_network", CODE, CHANGES)
