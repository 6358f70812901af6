"""In the twins of the leaky networks: formulas that were changed turn a claim red, tolerances are not much too wide."""

import contextlib
import io
import warnings

import pytest
import sklearn.datasets  # noqa: F401  (loaded once, before the forks)
from mutants.runs import FORK, script, verdict

SMALL = {
    "rank_two_max_margin": {
        "n": 6,
        "d": 6,
        "positive": 5,
        "negative": 3,
        "scales": "[1e-2, 0.1]",
        "shares": "[0.5, 0.2]",
        "step": 8.0,
        "sets": 20,
    },
    "one_step_rank_collapse": {"n": 40, "d": 5000, "m": 256, "steps": 100},
    "synthetic_stable_rank": {
        "n": 40,
        "m": 128,
        "dimensions": "[100, 3000]",
        "divisors": "[1.0, 50.0]",
        "steps": 300,
        "draws": 2,
    },
    "stable_rank_on_images": {"width": 128, "epochs": 30, "runs": 1},
}
CHANGED = [
    ("rank_two_max_margin", "one.span.a @ one.end for one", "one.span.a @ one.at_freeze for one"),
    ("one_step_rank_collapse", "normals @ root.T", "normals @ root"),
    ("one_step_rank_collapse", "spiked_stable_rank(s, omega, m, d, r)", "spiked_stable_rank(s, omega, m, d)"),
    (
        "synthetic_stable_rank",
        "spiked_law(law_stream, spikes, 1.0, m, d, beside=beside)",
        "spiked_law(law_stream, 1.05 * spikes, 1.0, m, d)",
    ),
    ("stable_rank_on_images", "1 - energies[: classes - 1]", "1 - energies[:classes]"),
    ("stable_rank_on_images", "spectrum[: 1 - classes].sum()", "spectrum[:-classes].sum()"),
]
# Claims whose tolerance is meant to be the size of the error, and the least part of it that some seed must use.
USED = {
    "rank_two_max_margin": {"gaussian_limit": 0.1, "angle": 0.1},
    "one_step_rank_collapse": {"one_step": 0.1, "curve": 0.1, "kink": 0.1},
    "synthetic_stable_rank": {
        "start": 0.1,
        "time": 0.1,
        "dimension": 0.1,
        "initialization": 0.1,
        "gates": 0.1,
    },
    "stable_rank_on_images": {"start": 0.1, "collapse": 0.1, "growth": 0.1, "plateau": 0.02},
}
SEEDS = (0, 1, 2)


@pytest.mark.parametrize(("chapter", "before", "after"), CHANGED)
def test_a_changed_formula_turns_a_claim_red(chapter, before, after):
    code = script(f"leaky_relu/{chapter}", SMALL[chapter])
    assert code.count(before) == 1
    assert verdict(code.replace(before, after)).startswith(f"red: {chapter}.")


def record(code, send):
    """Run a script in a process of its own and send the parts of the tolerances that its claims use."""
    warnings.simplefilter("ignore")
    parts = {}
    with contextlib.redirect_stdout(io.StringIO()):
        from reproduce.claims import author, judge

        author.show = lambda claim, fill: parts.update({claim["id"].partition(".")[2]: judge.used(claim)})
        exec(compile(code, "chapter", "exec"), {"__name__": "__main__"})
    send.send(parts)


@pytest.mark.parametrize("chapter", USED)
def test_a_tolerance_is_at_most_ten_times_the_worst_error(chapter):
    worst = dict.fromkeys(USED[chapter], 0.0)
    for seed in SEEDS:
        receive, send = FORK.Pipe(duplex=False)
        code = script(f"leaky_relu/{chapter}", {**SMALL[chapter], "seed": seed})
        process = FORK.Process(target=record, args=(code, send))
        process.start()
        parts = receive.recv()
        process.join()
        worst = {name: max(most, parts[name]) for name, most in worst.items()}
    assert {name: most for name, most in worst.items() if not USED[chapter][name] <= most <= 1} == {}
