"""Each constant of the bound for few neurons and of the batch of networks is held by a claim of its chapter."""

from mutation_testing import checks, mutants, script

CODE = script(  # a smaller teacher than the chapter allows, for speed
    "wide_networks/population_risk", {"d": 20, "teacher_width": 4, "evaluations": 2000}
)

# Changes that change no prediction, by function and the change, with the reason.
EQUIVALENT = {
    "relu_power_series: 1 → 2": "one of them counts one degree more, within the tolerance for those left out",
    "descent: 1.0 → 1.5": "the guard against a cosine above 1 by rounding, which did not occur here",
}
MUTANTS = [
    *mutants("limits/few_neurons.py"),
    *mutants("models/network_batch.py", {"descent", "zero"}),
]

test_the_chapter_itself_is_green, test_a_changed_constant_is_noticed = checks(
    "population_risk", CODE, MUTANTS, EQUIVALENT
)
