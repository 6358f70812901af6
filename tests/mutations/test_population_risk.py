"""Each constant of the bound for few neurons and of the batch of networks is held by a claim of its chapter."""

from mutation_testing import checks, mutants, operator_checks, operators, script

CODE = script(  # a smaller teacher than the chapter allows, for speed
    "wide_networks/population_risk", {"d": 20, "teacher_width": 4, "evaluations": 2000}
)

# Changes that change no prediction, by function and the change, with the reason.
EQUIVALENT = {
    "relu_power_series: 1 → 2": "one of them counts one degree more, within the tolerance for those left out",
    "descent: 1.0 → 1.5": "the guard against a cosine above 1 by rounding, which did not occur here",
}
MUTANTS = [
    *mutants("limits/wide/few_neurons.py"),
    *mutants("models/population/batch.py", {"descent", "zero"}),
]

test_the_chapter_itself_is_green, test_a_changed_constant_is_noticed = checks(
    "population_risk", CODE, MUTANTS, EQUIVALENT
)

OPERATORS = [
    *operators("limits/wide/few_neurons.py"),
    *operators("models/population/batch.py", {"descent", "zero"}),
]
# Changes that change no prediction, by the line and the change, with the reason.
EXCUSED = {
    "charges = teacher.b[some] * lengths[some] / len(teacher.b) | teacher.b[some] * lengths[some] "
    "→ teacher.b[some] / lengths[some]": "the lengths are 1; tests/library/limits/wide holds others",
    "states = runs[compared][0].w[[0, -1], 0] | ([0, -1], 0) → ([0, -1], 1)": "another of the recorded states",
    "states = runs[compared][0].w[[0, -1], 0] | [0, -1] → [1, -1]": "another of the recorded states",
    "batches = {m: NetworkBatch(m, teacher) for m in (*widths, "
    "equal - 1)} | equal - 1 → equal - 2": "the width of the control's networks, which their states bring along",
}

test_each_excuse_names_one_mutant, test_a_changed_operator_is_noticed = operator_checks(
    "population_risk", CODE, OPERATORS, EXCUSED
)
