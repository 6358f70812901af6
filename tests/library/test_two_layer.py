"""Arc-cosine kernels and two-layer networks: known values, gradients against autograd, two closed forms of one risk."""

import numpy as np
import pytest
import torch

from implicit_bias.data import Teacher, planar_teacher
from implicit_bias.flows import backtracking_descent
from implicit_bias.kernels import angles, relu_kernel, relu_potential_gradient, second_moment, squared_relu_kernel
from implicit_bias.limits import positive_fit
from implicit_bias.models import PlanarNetworks, TwoLayerNetwork


@pytest.fixture
def network():
    rng = np.random.default_rng(0)
    teacher = Teacher(rng.standard_normal((2, 3)), rng.standard_normal(2))
    return TwoLayerNetwork(rng.standard_normal((4, 3)), rng.standard_normal(4), teacher, "sphere")


@pytest.fixture
def planar():
    rng = np.random.default_rng(1)
    mass = np.full((3, 6), 1 / 6)
    mass[1, 4:], mass[1, :4] = 0, 1 / 4
    networks = PlanarNetworks(mass, rng.choice([-1.0, 1.0], (3, 6)), planar_teacher(rng, 5))
    return networks, rng.standard_normal((3, 6, 2))


def test_known_values():
    w = np.array([[2.0, 0, 0]])
    v = np.array([[3.0, 0, 0], [0, 1, 0], [-1, 0, 0], [0, 0, 0]])
    np.testing.assert_allclose(relu_kernel(w, v), [[3, 1 / np.pi, 0, 0]], atol=1e-15)
    np.testing.assert_allclose(relu_kernel(w, v, "sphere"), [[1, 1 / (3 * np.pi), 0, 0]], atol=1e-15)
    np.testing.assert_allclose(squared_relu_kernel(w, v), [[54, 1, 0, 0]], atol=1e-14)
    assert second_moment("gaussian", 7) == 1
    tiny = np.array([[1.0, 1e-9, 0]])
    np.testing.assert_allclose(angles(np.array([[1.0, 0, 0]]), tiny), [[1e-9]], rtol=1e-12)


def test_kernel_is_the_mean_over_inputs():
    rng = np.random.default_rng(2)
    w, v = rng.standard_normal((2, 3, 4))
    x = rng.standard_normal((200_000, 4))
    products = np.maximum(x @ w.T, 0)[:, :, None] * np.maximum(x @ v.T, 0)[:, None, :]
    error = 5 * products.std(axis=0) / np.sqrt(len(x))
    assert np.all(np.abs(products.mean(axis=0) - relu_kernel(w, v)) < error)
    error = 5 * (products**2).std(axis=0) / np.sqrt(len(x))
    assert np.all(np.abs((products**2).mean(axis=0) - squared_relu_kernel(w, v)) < error)


def torch_risk(theta, net):
    m, d = net.a.shape
    places = torch.cat([theta[: m * d].reshape(m, d), torch.tensor(net.teacher.a)])
    charges = torch.cat([theta[m * d :] / m, -torch.tensor(net.teacher.b) / len(net.teacher.b)])
    lengths = places.norm(dim=1)
    cosine = (places @ places.T / torch.outer(lengths, lengths)).clamp(-1 + 1e-14, 1 - 1e-14)
    theta_ = torch.arccos(cosine)
    kernel = torch.outer(lengths, lengths) * (torch.sin(theta_) + (torch.pi - theta_) * cosine) / (2 * torch.pi * d)
    return charges @ kernel @ charges / 2


def test_velocity_is_minus_m_times_the_gradient(network):
    theta = torch.tensor(network.parameters, requires_grad=True)
    risk = torch_risk(theta, network)
    (gradient,) = torch.autograd.grad(risk, theta)
    assert network.risk(network.parameters) == pytest.approx(float(risk.detach()), rel=1e-7)
    np.testing.assert_allclose(network.velocity(network.parameters), -4 * gradient.numpy(), rtol=1e-6, atol=1e-8)


def test_potential_and_dissipation(network):
    theta, step = network.parameters, 1e-6
    places, charges = network.residual_measure(theta)
    a = np.random.default_rng(3).standard_normal((5, 3))
    gradient = relu_potential_gradient(a, places, charges, "sphere")
    np.testing.assert_allclose(np.sum(a * gradient, axis=1), network.potential(theta, a), rtol=1e-12)
    velocity = network.velocity(theta)
    fall = (network.risk(theta - step * velocity) - network.risk(theta + step * velocity)) / (2 * step)
    assert fall == pytest.approx(network.dissipation(theta), rel=1e-6)
    rate = network.conserved(theta + step * velocity) - network.conserved(theta - step * velocity)
    np.testing.assert_allclose(rate, 0, atol=1e-14)
    x = np.random.default_rng(4).standard_normal((6, 3))
    _, b = network.layers(theta)
    np.testing.assert_allclose(network.output(theta, x), np.maximum(x @ network.a.T, 0) @ b / 4)


def test_sectors_and_pairs_give_the_same(planar):
    networks, state = planar
    risk, velocity, dissipation = networks.descent(state)
    a, b = networks.particles(state)
    for run, (places, weights) in enumerate(zip(a, b, strict=True)):
        kept = networks.mass[run] > 0
        one = TwoLayerNetwork(places[kept], weights[kept], networks.teacher)
        theta = one.parameters
        assert risk[run] == pytest.approx(one.risk(theta), rel=1e-12)
        assert dissipation[run] == pytest.approx(one.dissipation(theta), rel=1e-12)
        on_a, on_b = one.layers(one.velocity(theta))
        np.testing.assert_allclose(on_b / one.b, velocity[run, kept, 0], atol=1e-12)
        turned = (one.a[:, 0] * on_a[:, 1] - one.a[:, 1] * on_a[:, 0]) / np.sum(one.a**2, axis=1)
        np.testing.assert_allclose(turned, velocity[run, kept, 1], atol=1e-12)


def test_descent_only_descends_and_records(planar):
    networks, state = planar
    done = backtracking_descent(networks.descent, state, evaluations=200, first_step=1.0, record=[1, 50, 500])
    np.testing.assert_array_equal(done.evaluations, [0, 1, 50, 200])
    assert np.all(np.diff(done.value, axis=0) <= 0)
    assert np.all(done.value[-1] < 0.1 * done.value[0])
    assert np.all(np.diff(done.t, axis=0) >= 0)
    np.testing.assert_allclose(networks.risk(done.w[-1]), done.value[-1])


def test_descent_follows_the_flow_for_small_steps(planar):
    networks, state = planar
    coarse, fine = (
        backtracking_descent(
            lambda w, h=h: (lambda f, v, e: (f, v * h, e * h))(*networks.descent(w)), state, evaluations=1, first_step=1
        )
        for h in (2e-4, 1e-4)
    )
    fall = [(state_.value[0] - state_.value[1]) / h for state_, h in ((coarse, 2e-4), (fine, 1e-4))]
    np.testing.assert_allclose(2 * fall[1] - fall[0], networks.descent(state)[2], rtol=1e-4)


def test_planar_teacher_is_well_separated():
    for seed in range(20):
        teacher = planar_teacher(np.random.default_rng(seed), 5)
        lines = np.sort(np.arctan2(teacher.a[:, 1], teacher.a[:, 0]) % np.pi)
        assert np.min(np.diff(np.append(lines, lines[0] + np.pi))) >= np.pi / 10 - 1e-12
        assert np.sum(teacher.b == 1) == 3
        assert np.sum(teacher.b == -1) == 2
        np.testing.assert_allclose(np.linalg.norm(teacher.a, axis=1), 1)


def test_refusals(network, planar):
    with pytest.raises(ValueError, match="inputs is 'cube'; it must be one of gaussian, sphere"):
        relu_kernel(np.ones((1, 2)), np.ones((1, 2)), "cube")
    with pytest.raises(ValueError, match=r"v has shape \(1, 3\); it must be any × 2"):
        angles(np.ones((1, 2)), np.ones((1, 3)))
    with pytest.raises(ValueError, match=r"weights has shape \(2,\); it must be 1"):
        relu_potential_gradient(np.ones((1, 2)), np.ones((1, 2)), np.ones(2))
    with pytest.raises(ValueError, match=r"a has shape \(4, 2\); it must be any × 3"):
        TwoLayerNetwork(np.ones((4, 2)), np.ones(4), network.teacher)
    with pytest.raises(ValueError, match=r"b has shape \(3,\); it must be 4"):
        TwoLayerNetwork(np.ones((4, 3)), np.ones(3), network.teacher)
    teacher = planar[0].teacher
    with pytest.raises(ValueError, match="mass holds 2 negative entries"):
        PlanarNetworks(-np.ones((1, 2)), np.ones((1, 2)), teacher)
    with pytest.raises(ValueError, match="sign holds entries that are not 1 or -1"):
        PlanarNetworks(np.ones((1, 2)), np.zeros((1, 2)), teacher)
    with pytest.raises(ValueError, match=r"neurons is 1; it must be a whole number of at least 2"):
        planar_teacher(np.random.default_rng(0), 1)
    with pytest.raises(ValueError, match=r"b has shape \(1,\); it must be 2"):
        Teacher(np.ones((2, 2)), np.ones(1))
    with pytest.raises(ValueError, match=r"evaluations is 0"):
        backtracking_descent(planar[0].descent, planar[1], evaluations=0, first_step=1)


def test_positive_fit_finds_a_positive_teacher():
    angle = 2 * np.pi * np.array([10, 200, 500]) / 720
    teacher = Teacher(np.stack([np.cos(angle), np.sin(angle)], axis=1), np.array([1.0, 2.0, 0.5]))
    fit = positive_fit(teacher)
    assert fit.zero > 0.1
    assert fit.value == pytest.approx(0, abs=1e-12)
    assert abs(fit.gap) < 1e-6


def test_positive_fit_brackets_the_minimum():
    for seed in range(3):
        teacher = planar_teacher(np.random.default_rng(seed), 5)
        coarse, fine = positive_fit(teacher, 60), positive_fit(teacher)
        assert coarse.value - coarse.gap <= fine.value - fine.gap + 1e-9
        assert fine.value <= coarse.value
        assert 0 < fine.gap < 1e-4 * fine.zero
        assert coarse.gap > 4 * fine.gap
        networks = PlanarNetworks(np.full((1, 720), 1.0), np.ones((1, 720)), teacher)
        around = 2 * np.pi * np.arange(720) / 720
        state = np.stack([np.log(np.maximum(fine.masses, 1e-30)) / 2, around], axis=1)[None]
        assert networks.risk(state)[0] == pytest.approx(fine.value, abs=1e-12)
        assert networks.risk(state - 100)[0] == pytest.approx(fine.zero, rel=1e-12)
    with pytest.raises(ValueError, match="directions is 4; it must be a whole number of at least 8"):
        positive_fit(planar_teacher(np.random.default_rng(0), 5), 4)
