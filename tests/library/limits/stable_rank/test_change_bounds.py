"""The proved bounds on what gradient descent adds to a first layer, against changes whose norms are known."""

import numpy as np
import pytest
from library.first_layer import N, descend, reduced

from implicit_bias.data import Classification
from implicit_bias.limits.stable_rank import GateBounds, change_bounds, gate_bounds


def test_bounds_on_the_change(data):
    z = data.signed
    gathered = np.linspace(1, 2, N)
    bounds = change_bounds(data, 1.0, gathered)
    change = gathered @ z
    q = z.sum(axis=0)
    assert bounds.spectral == pytest.approx(change @ q / np.linalg.norm(q), rel=1e-12)
    assert bounds.frobenius >= np.linalg.norm(change)
    orthogonal = Classification(x=np.eye(4, 9), y=np.array([1.0, -1.0, 1.0, -1.0]))
    sharp = change_bounds(orthogonal, 0.5, np.full(4, 0.1))
    assert sharp.frobenius == pytest.approx(0.2, rel=1e-12)
    assert sharp.stable_rank == pytest.approx(4, rel=1e-12)
    assert sharp.with_start(0.1, 0.05) == pytest.approx((0.3 / 0.05) ** 2, rel=1e-12)
    assert sharp.with_start(0.1, 0.1) == np.inf


def test_known_gates_sharpen_the_bounds(data):
    """Equal gates leave only what the negative correlations are estimated by: nothing, so that the norm is exact."""
    gathered = np.linspace(1, 2, N)
    equal = GateBounds(np.full(N, 0.7), np.full(N, 0.7))
    change = 0.7 * gathered @ data.signed
    q = data.signed.sum(axis=0)
    bounds = change_bounds(data, 0.5, gathered, equal)
    assert bounds.frobenius == pytest.approx(np.linalg.norm(change), rel=1e-12)
    assert bounds.spectral == pytest.approx(change @ q / np.linalg.norm(q), rel=1e-12)
    anywhere = change_bounds(data, 0.5, gathered, GateBounds(np.full(N, 0.5), np.ones(N)))
    assert anywhere.spectral == pytest.approx(change_bounds(data, 0.5, gathered).spectral, rel=1e-12)
    assert bounds.frobenius < anywhere.frobenius < change_bounds(data, 0.5, gathered).frobenius


def test_gates_of_a_sample_and_two_neurons():
    one = Classification(x=np.array([[3.0, 4.0]]), y=np.ones(1))
    gates = gate_bounds(one, 0.2, np.array([0.1]), np.array([0.5, -2.0]), np.array([[0.3], [-0.7]]))
    turn = 0.4 * np.tanh((0.7 + 2 * 0.1 * 25) / 2)
    assert gates.lower == pytest.approx([0.6 - turn], rel=1e-12)
    assert gates.upper == pytest.approx([0.6 + turn], rel=1e-12)


@pytest.mark.parametrize("factor", [1e-3, 1.0, 10.0])
def test_gates_stay_within_their_bounds_and_the_change_within_its_own(data, first_layer, factor):
    w, a = first_layer
    net = reduced((factor * w, a), data)
    for steps in (1, 5, 40):
        state = descend(net, steps)
        gathered = data.y * net.gathered(state)
        gates = gate_bounds(data, 0.3, gathered, a, net.span.inputs)
        for earlier in range(steps):
            z = net.pre_activations(descend(net, earlier)) if earlier else net.span.inputs
            seen = 0.65 + 0.35 * np.tanh(z / 2)
            assert np.all(gates.lower <= seen)
            assert np.all(seen <= gates.upper)
        bounds = change_bounds(data, 0.3, gathered, gates)
        frobenius, spectral = np.sqrt(net.squared_norms_of_change(state))
        assert frobenius <= bounds.frobenius
        assert spectral >= bounds.spectral
        assert bounds.stable_rank < change_bounds(data, 0.3, gathered).stable_rank


def test_bounds_refuse(data):
    with pytest.raises(ValueError, match="gathered, the smallest entry is -1"):
        gate_bounds(data, 0.5, -np.ones(N), np.ones(2), np.zeros((2, N)))
    with pytest.raises(ValueError, match="slope is 0; it must lie in"):
        change_bounds(data, 0.0, np.ones(N))
    opposed = Classification(x=np.array([[1.0, 0.0], [-3.0, 0.0]]), y=np.ones(2))
    with pytest.raises(ValueError, match="data holds 1 samples with"):
        change_bounds(opposed, 0.5, np.ones(2))
