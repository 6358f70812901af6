"""What the measures of one's own network compute is held by a claim of the chapter."""

import sklearn.datasets  # noqa: F401  (loaded once, before the forks)
import torch  # noqa: F401
from mutants.checks import altered, checks, operator_checks
from mutants.places import mutants, operators
from mutants.runs import script

CODE = script("beyond/measure_your_network", {"n": 50, "steps": 10, "longer": 1000})

# Of each file the functions that a claimed number comes from.
FORMULAS = {
    "watch": {"before", "after"},
    "balance": {"form", "even"},
    "twin": {"distance", "_first_order", "_squares", "_apart"},
    "stationarity": {"stationarity", "_rest", "_cone_distance", "_slopes"},
    "margin": {"margin", "_euler", "_proved", "_share", "_bracket"},
    "curvature": {"hessian", "_brackets", "_lanczos", "_root"},
    "excess": {"excess", "_excess"},
}
MUTANTS = [one for file, functions in FORMULAS.items() for one in mutants(f"measure/{file}.py", functions)]
test_the_chapter_itself_is_green, test_a_changed_constant_is_noticed = checks("measure_your_network", CODE, MUTANTS)

OPERATORS = [one for file, functions in FORMULAS.items() for one in operators(f"measure/{file}.py", functions)]
test_each_change_written_out_is_one_mutant, test_a_changed_operator_is_noticed = operator_checks(
    "measure_your_network", CODE, OPERATORS
)
# Changes of the chapter itself.
CHANGES = [
    ("+ of(w.bias), of(v.weight)", ", of(v.weight)"),
    ("0.5 / alpha**2", "0.5 / alpha"),
    ("(1 + np.sqrt(2 / (1 + cosine))) / 3", "(1 + np.sqrt(2 / (1 - cosine))) / 3"),
]
test_a_change_of_the_chapter_is_noticed = altered("measure_your_network", CODE, CHANGES)
