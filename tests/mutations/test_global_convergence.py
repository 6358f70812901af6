"""Each constant of the planar networks, of their certified fit and of what the flow conserves is held by a claim."""

import pytest
from mutation_testing import mutants, script, verdict

CODE = script("wide_networks/global_convergence", {"widths": "[5, 6, 30]", "evaluations": 1000})

# Changes that change no prediction, by function and the change, with the reason.
EQUIVALENT = {}
MUTANTS = [
    *mutants("models/planar_networks.py", {"particles", "descent"}),
    *mutants("models/two_layer.py", {"risk", "velocity", "dissipation", "conserved"}),
    *mutants("limits/positive_measure.py", {"positive_fit", "_circle"}),
]


def test_the_chapter_itself_is_green():
    assert verdict(CODE) == "all claims hold"


@pytest.mark.parametrize("mutant", MUTANTS, ids=lambda mutant: mutant.name)
def test_a_changed_constant_is_noticed(mutant):
    answer = verdict(CODE, mutant)
    if answer == "all claims hold" and mutant.change in EQUIVALENT:
        pytest.skip(EQUIVALENT[mutant.change])
    assert answer.startswith(("red: global_convergence.", "stopped: ")), f"{mutant.name}: {answer}"
