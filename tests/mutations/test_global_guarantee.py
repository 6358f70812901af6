"""Signed and additive particles, and what only the chapter on the global guarantee uses, are held by its claims."""

from mutation_testing import checks, mutants, script

import implicit_bias.limits
import implicit_bias.plots  # noqa: F401

CODE = script("measures/global_guarantee", {"side": 7, "seed": 3, "draws": 1, "particles": "[4]", "ratios": "[1.0]"})
# One problem instead of two, the one that is drawn, where everything is faster; fewer ratios.
for long, short in (
    ("[three_spikes(), random_spikes(data_stream)]", "[random_spikes(data_stream)]"),
    ("SPEEDS = [2.0, 1.0, 0.5, 0.25]", "SPEEDS = [2.0]"),
    ("LATE = [0.5, 1.0, 2.0]", "LATE = [1.0, 2.0]"),
    ("np.full(3, late_rate", "np.full(2, late_rate"),
):
    assert long in CODE
    CODE = CODE.replace(long, short)

# Changes that change no prediction, by function and the change, with the reason.
EQUIVALENT = {
    "step: 1 → 2": "the count of evaluations",
    "step: 2 → 3": "of the canonical retraction, which is not used here: the chapter on sparse deconvolution holds it",
    "step: 0 → 1": "likewise",
    "masses: 2 → 3": "another speed of the same measures: the rates of the chapter on sparse deconvolution hold it",
}
MUTANTS = [
    *mutants("models/particle_measure.py", {"masses"}),
    *mutants("flows/conic.py", {"step"}),
    *mutants("limits/sharpness.py", {"of_exponent"}),
]

test_the_chapter_itself_is_green, test_a_changed_constant_is_noticed = checks(
    "global_guarantee", CODE, MUTANTS, EQUIVALENT
)
