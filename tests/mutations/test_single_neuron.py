"""Each constant of Q, its solver, the closed form and the linear neuron is held by a claim of its chapter."""

import pytest
from mutation_testing import mutants, script, verdict

CODE = script("initialization/single_neuron", {"n": 4, "d": 10})

# Changes that change no prediction, by function and the change, with the reason.
EQUIVALENT = {}
MUTANTS = [
    *mutants("limits/neuron.py"),
    *mutants("limits/neuron_limit.py", {"linear_neuron_limit"}),
    *mutants("models/linear_network.py"),
    *mutants("models/row_space.py"),
]


def test_the_chapter_itself_is_green():
    assert verdict(CODE) == "all claims hold"


@pytest.mark.parametrize("mutant", MUTANTS, ids=lambda mutant: mutant.name)
def test_a_changed_constant_is_noticed(mutant):
    answer = verdict(CODE, mutant)
    if answer == "all claims hold" and mutant.change in EQUIVALENT:
        pytest.skip(EQUIVALENT[mutant.change])
    assert answer.startswith(("red: single_neuron.", "stopped: ")), f"{mutant.name}: {answer}"
