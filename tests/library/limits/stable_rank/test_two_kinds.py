"""Two kinds of neuron: against the descent of the network from nothing, and from a small start."""

import numpy as np
import pytest
from library.first_layer import RATE, D, M, descend, reduced

from implicit_bias.data import Classification
from implicit_bias.limits.stable_rank import spike_curve, two_kinds


@pytest.mark.parametrize("rate", [RATE, 30 * RATE])
@pytest.mark.parametrize("positive", [M, M // 2, M // 4])
@pytest.mark.parametrize("labels", [[1, -1, 1, -1, 1, -1], [1, 1, 1, 1, 1, -1]])
def test_from_nothing_it_is_the_descent(data, rate, positive, labels):
    data = Classification(x=data.x, y=np.array(labels, dtype=float))
    a = np.where(np.arange(M) < positive, 1.0, -1.0) / np.sqrt(M)
    net = reduced((np.zeros((M, D)), a), data)
    found = two_kinds(data, 0.3, a, rate, 12)
    for steps in (1, 12):
        singular = np.linalg.svd(net.coefficients(descend(net, steps, rate)) @ data.x, compute_uv=False)
        assert found.spike[steps] == pytest.approx(singular[0], rel=1e-10)
        assert found.beside[steps] == pytest.approx(singular[1], rel=1e-6, abs=1e-7 * singular[0])
    assert found.spike[0] == found.beside[0] == 0


def test_a_start_along_the_spike_counts(data):
    a = np.where(np.arange(M) % 3 > 0, 1.0, -1.0) / np.sqrt(M)
    w = 1e-4 * np.random.default_rng(4).standard_normal((M, D))
    net = reduced((w, a), data)
    change = net.coefficients(descend(net, 9)) @ data.x
    u, _, v = np.linalg.svd(change)
    measured = abs(u[:, 0] @ (w + change) @ v[0])
    found, without = (two_kinds(data, 0.3, a, RATE, 9, inputs=start).spike[-1] for start in (w @ data.x.T, 0.0))
    assert abs(found - measured) < 0.1 * abs(without - measured)


def test_without_a_bend_it_is_the_curve_of_one_spike(data):
    a = np.where(np.arange(M) < M // 4, 1.0, -1.0) / np.sqrt(M)
    found = two_kinds(data, 1.0, a, RATE, 7)
    np.testing.assert_allclose(found.spike, spike_curve(data, 1.0, RATE, 7).spike, rtol=1e-12)
    np.testing.assert_allclose(found.beside, 0, atol=1e-7 * found.spike[-1])


def test_wrong_arguments_are_named(data):
    a = np.ones(M) / np.sqrt(M)
    with pytest.raises(ValueError, match="steps is 0"):
        two_kinds(data, 0.5, a, RATE, 0)
    with pytest.raises(ValueError, match="inputs has shape"):
        two_kinds(data, 0.5, a, RATE, 3, inputs=np.zeros((M, 2)))
