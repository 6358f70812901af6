"""Each constant of the leaky ReLU, its network, its reduction and its labels is held by a claim of its chapter."""

import pytest
from mutation_testing import mutants, script, verdict

CODE = script(
    "initialization/leaky_neuron",
    {"n": 4, "d": 12, "slopes": "[0.3]", "scales": "[0.3]", "learning_rates": "[0.2, 0.1]"},
)

# Changes that change no prediction, by function and the change, with the reason.
EQUIVALENT = {}
MUTANTS = [
    *mutants("limits/neuron_limit.py", {"unleaked", "leaky_neuron_limit"}),
    *mutants("models/activations.py", {"value", "derivative", "second_derivative"}),
    *mutants("models/leaky_network.py"),
    *mutants("models/row_space.py"),
]


def test_the_chapter_itself_is_green():
    assert verdict(CODE) == "all claims hold"


@pytest.mark.parametrize("mutant", MUTANTS, ids=lambda mutant: mutant.name)
def test_a_changed_constant_is_noticed(mutant):
    answer = verdict(CODE, mutant)
    if answer == "all claims hold" and mutant.change in EQUIVALENT:
        pytest.skip(EQUIVALENT[mutant.change])
    assert answer.startswith(("red: leaky_neuron.", "stopped: ")), f"{mutant.name}: {answer}"
