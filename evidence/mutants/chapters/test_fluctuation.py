"""Each constant of the stable rank's fluctuation, the tolerance of six claims: held by matrices and by resolvents."""

import numpy as np
import pytest
from library.resolvents import by_resolvents
from mutants.places import mutants
from mutants.runs import verdict

M, D, DRAWS = 60, 200, 300
STRENGTHS = (0.0, 0.3, 1.3, 3.0, 8.0, 100.0, 1e3, 1e6)  # θ⁴/md

CODE = """
import numpy as np
from implicit_bias.limits.stable_rank import spiked_fluctuation, spiked_stable_rank

for strength, ranks in FOUND.items():
    spike = 0.7 * (strength * M * D) ** 0.25
    missed = np.sqrt(np.mean((ranks - spiked_stable_rank(spike, 0.7, M, D)) ** 2))
    ratio = missed / spiked_fluctuation(spike, 0.7, M, D)
    assert 0.85 < ratio < 1.15 or strength < 2 and 0.75 < ratio < 1.15, f"{strength:g}: {float(ratio):.3f}"
for theta, expected in OUTSIDE.items():
    assert abs(spiked_fluctuation(0.7 * theta, 0.7, M, D) / expected - 1) < 1e-4, theta
law = (1.2065**2 + 1.2680**2) ** 0.5  # Tracy and Widom's mean and deviation
unit = (1 / M**0.5 + 1 / D**0.5) ** (1 / 3) / (M**0.5 + D**0.5)
for theta in (0.0, 3.0, 10.0):
    edge = spiked_fluctuation(0.7 * theta, 0.7, M, D) / spiked_stable_rank(0.7 * theta, 0.7, M, D)
    assert abs(edge / (law * unit) - 1) < 1e-3, theta
spike, beside = 30.0, 2.0
more = spiked_stable_rank(0.7 * spike, 0.7, M, D, 0.7 * beside) - spiked_stable_rank(0.7 * spike, 0.7, M, D)
assert abs(more * (spike**2 + M) * (spike**2 + D) / (spike * beside) ** 2 - 1) < 1e-9
"""

MUTANTS = mutants("limits/stable_rank/spike.py", {"_over_noise", "spiked_stable_rank", "spiked_fluctuation"})


@pytest.fixture(scope="module")
def code():
    """The check with the stable ranks of the draws written into it."""
    stream = np.random.default_rng(8)
    found = {strength: [] for strength in STRENGTHS}
    for _ in range(DRAWS):
        matrix = stream.standard_normal((M, D))
        for strength, ranks in found.items():
            matrix[0, 0] = (strength * M * D) ** 0.25
            squares = np.linalg.eigvalsh(matrix @ matrix.T)
            ranks.append(float(squares.sum() / squares[-1]))
    table = ", ".join(f"{strength!r}: np.array({ranks!r})" for strength, ranks in found.items())
    outside = {theta: by_resolvents(theta, M, D) for theta in (13.0, 14.0, 16.0, 25.0, 100.0, 1000.0)}
    return CODE.replace("for strength", f"M, D, FOUND, OUTSIDE = {M}, {D}, {{{table}}}, {outside}\nfor strength", 1)


def test_the_fluctuation_is_that_of_simulated_matrices(code):
    assert verdict(code) == "all claims hold"


@pytest.mark.parametrize("mutant", MUTANTS, ids=lambda mutant: mutant.name)
def test_a_changed_constant_is_noticed(code, mutant):
    answer = verdict(code, mutant)
    if answer == "all claims hold" and mutant.excuse("fluctuation"):
        pytest.skip(mutant.excuse("fluctuation"))
    assert answer.startswith("stopped: "), f"{mutant.name}: {answer}"
