"""The batch of networks against sums over pairs."""

import numpy as np
import pytest

from implicit_bias.data import Teacher, random_teacher
from implicit_bias.models.population import NetworkBatch, PopulationFlow


def test_batch_and_pairs_give_the_same():
    rng = np.random.default_rng(0)
    directions = random_teacher(rng, 3, 5)
    teacher = Teacher(directions.w * [[0.5], [1.0], [2.0]], directions.a)  # particles of length 1 would hide a length
    batch, state = NetworkBatch(4, teacher), rng.standard_normal((2, 4, 6))
    state[0, 1, :-1] = 2 * state[0, 0, :-1]  # parallel
    state[0, 2, :-1] = state[0, 0, :-1] + 1e-9 * state[0, 2, :-1]
    state[1, 1, :-1] = -teacher.w[2]  # opposite
    risk, velocity, dissipation = batch.descent(state)
    for run in range(2):
        one = PopulationFlow(state[run, :, :-1], state[run, :, -1], teacher)
        w, a = one.weights(one.velocity(one.start))
        assert risk[run] == pytest.approx(one.value(one.start), rel=1e-12)
        assert dissipation[run] == pytest.approx(one.dissipation(one.start), rel=1e-12)
        np.testing.assert_allclose(velocity[run], np.concatenate([w, a[:, None]], axis=1), atol=1e-13)
    itself = np.concatenate([teacher.w, teacher.a[:, None]], axis=1)[None]
    assert NetworkBatch(3, teacher).descent(itself)[0][0] == pytest.approx(0, abs=1e-15)


def test_refusals():
    teacher = random_teacher(np.random.default_rng(0), 3, 5)
    with pytest.raises(ValueError, match="width is 0; it must be a whole number of at least 1"):
        NetworkBatch(0, teacher)
