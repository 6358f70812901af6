"""Each constant of the sparse minimizer, of its local rates and of conic descent is held by a claim of its chapter."""

from mutation_testing import checks, mutants, script

import implicit_bias.limits
import implicit_bias.plots  # noqa: F401

CODE = script("measures/sparse_deconvolution", {"side": 7, "penalties": "[4.0]", "samples": 10})
# One problem instead of two, shorter controls.
for long, short in (
    ("[three_spikes(), random_spikes(data_stream)]", "[three_spikes()]"),
    ("grid, 6000)", "grid, 1500)"),
    ("sizes = [AUTHORS, torus_grid(5, 2), torus_grid(7, 2)]", "sizes = [AUTHORS]"),
    ("predicted_rates[0], predicted_rates[len(penalties)]", "predicted_rates[0],"),
):
    assert long in CODE
    CODE = CODE.replace(long, short)

# Changes that change no prediction, by function and the change, with the reason.
EQUIVALENT = {
    "elsewhere: 0 → 1": "the place before the first one is found, replaced at once",
    "trapped: 4 → 5": "not the least of the three rates on this problem; tests/library holds it",
    "trapped: 0 → 1": "the case without minima off the spikes does not occur here; in the other place it is noticed",
    "rate: 0 → 1": "the spikes are not the slowest part on this problem; tests/library holds the minimum",
    "rate: 2 → 3": "likewise, for the spikes' factor",
    "sharpness: 0 → 1": "the spikes are not the slowest part; the claim 'attained' holds each of the three by itself",
    "sharpness: 2 → 3": "likewise",
    "_bases: 1 → 2": "the branch of the circle, held by the chapter on mirror descent",
    "residual: 1 → 2": "the length that reshape finds by itself",
    "derivative: 1 → 2": "the length that reshape finds by itself",
    "step: 0 → 1": "additive updates: the control of this chapter, a claim in the one on the global guarantee",
    "step: 1 → 2": "the count of evaluations",
}
MUTANTS = [
    *mutants("limits/sharpness.py", {"metric", "spikes", "spread", "quotient", "elsewhere", "sharpness"}),
    *mutants("limits/blasso.py", {"value", "slope", "hessian"}),
    *mutants("models/particle_measure.py", {"masses", "value", "derivative", "_evaluate", "dissipation"}),
    *mutants("flows/conic.py", {"step"}),
    # What everything is made of: any part of it is noticed at once, a sample is enough.
    *mutants("limits/dirichlet.py")[::4],
    *mutants("data/torus.py", {"fourier_basis", "basis_derivative"})[::6],
]

test_the_chapter_itself_is_green, test_a_changed_constant_is_noticed = checks(
    "sparse_deconvolution", CODE, MUTANTS, EQUIVALENT
)
