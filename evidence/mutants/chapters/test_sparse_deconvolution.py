"""Each constant of the sparse minimizer, of its local rates and of conic descent is held by a claim of its chapter."""

from mutants.checks import altered, checks
from mutants.places import mutants
from mutants.runs import script

CODE = script("measures/sparse_deconvolution", {"side": 7, "penalties": "[4.0]", "samples": 10})
# One problem instead of two, shorter controls.
for long, short in (
    (
        "while any(LocalRates(blasso(drawn, penalty), 1.0, 1.0).sharpness < LEAST for penalty in penalties):\n"
        "    drawn = random_spikes(data_stream)\n",
        "",
    ),
    ("[three_spikes(), drawn]", "[three_spikes()]"),
    ("grid, 6000)", "grid, 1500)"),
    ("sizes = [AUTHORS, torus_grid(5, 2), torus_grid(7, 2)]", "sizes = [AUTHORS]"),
    ("predicted_rates[0], predicted_rates[len(penalties)]", "predicted_rates[0],"),
):
    assert long in CODE
    CODE = CODE.replace(long, short)

MUTANTS = [
    *mutants("limits/measures/local_rates.py", {"metric", "spikes", "spread", "quotient", "elsewhere", "sharpness"}),
    *mutants("limits/measures/sparse_measure.py", {"value", "slope", "hessian"}),
    *mutants("models/measures/particles.py", {"masses", "value", "derivative", "_evaluate", "dissipation"}),
    *mutants("flows/conic_descent.py", {"step"}),
    # What everything is made of: any part of it is noticed at once, a sample is enough.
    *mutants("limits/measures/dirichlet_kernel.py")[::4],
    *mutants("data/torus.py", {"fast_fourier_basis", "_multiples", "basis_derivative"})[::6],
]

test_the_chapter_itself_is_green, test_a_changed_constant_is_noticed = checks("sparse_deconvolution", CODE, MUTANTS)
# Changes of the chapter itself: what it measures with.
CHANGES = [
    ("deviations(limit, places, masses), masses.sum())", "deviations(limit, places, masses), 2 * masses.sum())"),
    ("deviations(limit, places, masses), masses.sum())", "deviations(limit, places, 2 * masses), masses.sum())"),
    ("-np.log(1 - step_size * np.asarray(mu)) / step_size", "-np.log(1 - step_size * np.asarray(mu))"),
    ("return -log_slope(step_size * t[window]", "return -log_slope(t[window]"),
    ("np.std(along, axis=1)", "np.mean(along, axis=1)"),
]
test_a_change_of_the_chapter_is_noticed = altered("sparse_deconvolution", CODE, CHANGES)
