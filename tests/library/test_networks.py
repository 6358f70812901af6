"""Linear and leaky networks: gradients against autograd, conserved quantities, the reduction against the flow."""

import numpy as np
import pytest
import torch

from implicit_bias.data import sparse_regression
from implicit_bias.flows import gradient_flow
from implicit_bias.models import LeakyNetwork, LeakyReLU, LinearNetwork, scale_and_shape

N, D, M = 4, 7, 3


@pytest.fixture
def regression():
    return sparse_regression(np.random.default_rng(1), N, D, nonzeros=2)


def weights(m=M):
    stream = np.random.default_rng(2)
    return stream.standard_normal((D, m)), stream.standard_normal(m)


NETWORKS = {
    "linear": LinearNetwork(*weights()),
    "linear neuron": LinearNetwork(*weights(1)),
    "leaky": LeakyNetwork(*weights(), slope=0.3, width=0.2),
    "leaky neuron": LeakyNetwork(*weights(1), slope=0.3, width=0.2),
    "leaky with its kink": LeakyNetwork(*weights(), slope=0.3, width=0.0),
    "ReLU": LeakyNetwork(*weights(), slope=0.0),
}


def sigma(network, z):
    if isinstance(network, LinearNetwork):
        return z
    if network.width == 0:
        return torch.where(z > 0, z, network.slope * z)
    return network.slope * z + (1 - network.slope) * network.width * torch.nn.functional.softplus(
        z / network.width, threshold=1000
    )


@pytest.mark.parametrize("network", NETWORKS.values(), ids=NETWORKS)
def test_gradient(regression, network):
    x, y = torch.tensor(regression.x), torch.tensor(regression.y)
    d, m = network.w.shape

    def loss(theta):
        w, a = theta[: d * m].reshape(m, d), theta[d * m :]
        return ((y - a @ sigma(network, w @ x.T)) ** 2).sum() / 2

    theta = np.random.default_rng(3).standard_normal(d * m + m)
    tensor = torch.tensor(theta, requires_grad=True)
    (expected,) = torch.autograd.grad(loss(tensor), tensor)
    np.testing.assert_allclose(network.gradient(theta, regression.x, regression.y), expected.numpy(), rtol=1e-9)


@pytest.mark.parametrize("network", NETWORKS.values(), ids=NETWORKS)
def test_parameters_are_the_initialization(network):
    rows, a = network.layers(network.parameters)
    np.testing.assert_array_equal(rows.T, network.w)
    np.testing.assert_array_equal(a, network.a)
    np.testing.assert_allclose(network.predictor(network.parameters), network.w @ network.a)
    twice = np.stack([network.parameters, 2 * network.parameters])
    np.testing.assert_allclose(network.predictor(twice)[1], 4 * network.w @ network.a)
    np.testing.assert_allclose(network.conserved(twice)[1], 4 * network.conserved(network.parameters))


def test_output_of_a_leaky_network(regression):
    network = NETWORKS["leaky with its kink"]
    z = regression.x @ network.w
    expected = np.maximum(z, 0.3 * z) @ network.a
    np.testing.assert_allclose(network.output(network.parameters, regression.x), expected)
    reduced = network.reduced(regression.x, regression.y)
    np.testing.assert_allclose(reduced.residual(reduced.start), regression.y - expected)


@pytest.mark.parametrize("name", [name for name in NETWORKS if name not in ("leaky with its kink", "ReLU")])
def test_reduction_is_the_flow_of_all_parameters(regression, name):
    network, x, y = NETWORKS[name], regression.x, regression.y
    full = gradient_flow(
        lambda theta: -network.gradient(theta, x, y), network.parameters, t_end=0.5, method="DOP853", rtol=1e-12
    )
    reduced = network.reduced(x, y)
    run = gradient_flow(reduced.velocity, reduced.start, t_end=0.5, jacobian=reduced.jacobian, rtol=1e-12, atol=1e-14)
    assert full.converged
    assert run.converged
    np.testing.assert_allclose(reduced.parameters(run.final), full.final, rtol=1e-8, atol=1e-9)
    np.testing.assert_allclose(reduced.predictor(run.final), network.predictor(full.final), rtol=1e-8, atol=1e-9)
    if isinstance(network, LinearNetwork):
        np.testing.assert_allclose(network.conserved(full.final), network.conserved(network.parameters), atol=1e-9)


def test_sharp_leaky_network_keeps_the_difference_of_norms(regression):
    network, x, y = LeakyNetwork(*weights(), slope=0.3), regression.x, regression.y
    reduced = network.reduced(x, y)
    run = gradient_flow(reduced.velocity, reduced.start, t_end=5.0, jacobian=reduced.jacobian, rtol=1e-11, atol=1e-13)
    assert run.converged
    theta = reduced.parameters(run.final)
    np.testing.assert_allclose(network.conserved(theta), network.conserved(network.parameters), atol=1e-6)


@pytest.mark.parametrize("name", [name for name in NETWORKS if name not in ("leaky with its kink", "ReLU")])
def test_jacobian_of_the_reduction(regression, name):
    reduced = NETWORKS[name].reduced(regression.x, regression.y)
    stream = np.random.default_rng(5)
    state = reduced.start + 0.05 * stream.standard_normal(reduced.start.size)
    step = 1e-6
    numeric = np.stack(
        [(reduced.velocity(state + step * e) - reduced.velocity(state - step * e)) / (2 * step)
         for e in np.eye(state.size)],
        axis=1,
    )  # fmt: skip
    np.testing.assert_allclose(reduced.jacobian(state), numeric, rtol=1e-6, atol=1e-6)


@pytest.mark.parametrize(("scale", "shape"), [(0.3, 0.0), (2.0, 0.8), (1e-3, -0.6)])
def test_neuron_has_the_papers_scale_and_shape(scale, shape):
    network = LinearNetwork.neuron([3.0, 4.0], scale, shape, -1)
    (a,), length = network.a, np.linalg.norm(network.w)
    assert a < 0
    assert abs(a) * length == pytest.approx(scale)
    assert (abs(a) - length) / (abs(a) + length) == pytest.approx(shape)
    assert network.conserved(network.parameters)[0, 0] == pytest.approx(4 * scale * shape / (1 - shape**2))
    np.testing.assert_allclose(network.predictor(network.parameters), [-0.6 * scale, -0.8 * scale])
    leaky = LeakyNetwork.neuron([3.0, 4.0], scale, shape, -1, slope=0.1)
    np.testing.assert_array_equal(leaky.parameters, network.parameters)
    assert scale_and_shape(scale, shape) == (pytest.approx(abs(a)), pytest.approx(length))


def test_balanced_network_is_balanced():
    a = np.array([1.0, -2.0, 0.5])
    network = LinearNetwork.balanced([0.0, 0.0, 2.0], a)
    np.testing.assert_allclose(network.conserved(network.parameters), 0, atol=1e-15)
    np.testing.assert_allclose(network.predictor(network.parameters), [0, 0, a @ a])


def test_activation():
    z = np.array([-2.0, 0.0, 3.0])
    np.testing.assert_allclose(LeakyReLU(0.1).value(z), [-0.2, 0, 3])
    np.testing.assert_allclose(LeakyReLU(0.1).derivative(z), [0.1, 0.1, 1])
    np.testing.assert_allclose(LeakyReLU(0.1).second_derivative(z), 0)
    smooth, step = LeakyReLU(0.1, 0.5), 1e-6
    slope = (smooth.value(z + step) - smooth.value(z - step)) / (2 * step)
    np.testing.assert_allclose(smooth.derivative(z), slope, rtol=1e-8)
    bend = (smooth.derivative(z + step) - smooth.derivative(z - step)) / (2 * step)
    np.testing.assert_allclose(smooth.second_derivative(z), bend, rtol=1e-6, atol=1e-9)
    above = LeakyReLU(0.1, 1e-8).value(z) - LeakyReLU(0.1).value(z)
    np.testing.assert_allclose(above, [0, 0.9e-8 * np.log(2), 0], atol=1e-15)
    np.testing.assert_array_equal(LeakyReLU(1.0).value(z), z)


def test_networks_refuse():
    with pytest.raises(ValueError, match=r"a has shape \(3,\); it must be 2"):
        LinearNetwork(np.ones((4, 2)), np.ones(3))
    with pytest.raises(ValueError, match=r"a has shape \(3,\); it must be 2"):
        LeakyNetwork(np.ones((4, 2)), np.ones(3), 0.1)
    with pytest.raises(ValueError, match=r"slope is 1.5; it must lie in \[0, 1\]"):
        LeakyNetwork(np.ones((4, 2)), np.ones(2), 1.5)
    with pytest.raises(ValueError, match=r"width is -1; it must lie in \[0, inf\)"):
        LeakyReLU(0.1, -1)
    with pytest.raises(ValueError, match=r"shape is 1; it must lie in \(-1, 1\)"):
        LinearNetwork.neuron([1.0], 1.0, 1.0)
    with pytest.raises(ValueError, match=r"direction is 0; it must have a direction"):
        LinearNetwork.neuron([0.0], 1.0, 0.0)
    with pytest.raises(ValueError, match=r"sign is 2; it must be 1 or -1"):
        LinearNetwork.neuron([1.0], 1.0, 0.0, 2)
    with pytest.raises(ValueError, match=r"x has shape \(2, 5\); it must be any × 7"):
        NETWORKS["linear"].reduced(np.ones((2, 5)), np.ones(2))
