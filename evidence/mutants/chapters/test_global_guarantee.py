"""Signed and additive particles, and what only the chapter on the global guarantee uses, are held by its claims."""

from mutants.checks import altered, checks
from mutants.places import mutants
from mutants.runs import script

CODE = script(
    "measures/global_guarantee",
    {"side": 7, "seed": 4, "draws": 96, "particles": "[7, 9]", "ratios": "[4.0, 0.015625]", "horizon": 2e4},
)
# One problem besides the authors', shorter runs, fewer ratios.
for long, short in (
    ("LATE = [0.5, 1.0, 2.0]", "LATE = [2.0]"),
    ("BETAS = 2000, [0.0025, 0.005, 0.01]", "BETAS = 2000, [0.005, 0.01]"),
    ("places, 4000, beta", "places, 2010, beta"),
    ("np.linspace(1, 4000, 200)", "np.linspace(1, 2000, 3)"),
    ("for at in ((0, 0), (1, 0), (0, 1), (1, 1))", "for at in ((0, 0),)"),
):
    assert long in CODE
    CODE = CODE.replace(long, short)

MUTANTS = [
    *mutants("models/measures/particles.py", {"masses"}),
    *mutants("models/measures/circle_flow.py", {"velocity"}),
    *mutants("flows/conic_descent.py", {"step"}),
    *mutants("limits/measures/local_rates.py", {"of_exponent"}),
]
# Changes of the chapter itself.
CHANGES = [
    ("np.arange(1, m + 1) / m", "np.arange(1, m) / m"),
    ("return np.pi * (np.max(ranks", "return 2 * np.pi * (np.max(ranks"),
    ("BAR, EARLY = 0.3, 1e-4, 2.0", "BAR, EARLY = 0.3, 10.0, 2.0"),
    ("solved(arrivals[cell], until) / draws", "solved(arrivals[cells[0]], until) / draws"),
    ("balances < 0)), int(np.sum(balances > 0))", "balances > 0)), int(np.sum(balances < 0))"),
    ("corner = grid / 4", "corner = grid"),
    (
        "return STEP / max(speed, 1.0), STEP * min(speed, 1.0)",
        "return STEP / max(speed, 1.0), STEP / 2 * min(speed, 1.0)",
    ),
]

test_the_chapter_itself_is_green, test_a_changed_constant_is_noticed = checks("global_guarantee", CODE, MUTANTS)
test_a_change_of_the_chapter_is_noticed = altered("global_guarantee", CODE, CHANGES)
