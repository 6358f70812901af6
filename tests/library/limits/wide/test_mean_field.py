"""The flow of densities: series of the ReLU, balance of energy, stationary and symmetric cases, and particles."""

import numpy as np
import pytest

from implicit_bias.data import Teacher, planar_teacher
from implicit_bias.flows import gradient_flow
from implicit_bias.kernels import relu_kernel
from implicit_bias.limits.wide import mean_field_flow, relu_series
from implicit_bias.models.population import PlanarNetworks


def test_series_of_the_relu_and_of_its_kernel():
    n = np.arange(-400.0, 401.0)
    theta = np.linspace(0, np.pi, 7)
    waves = np.exp(1j * np.outer(n, theta))
    np.testing.assert_allclose(relu_series(n) @ waves, np.maximum(np.cos(theta), 0), atol=1e-3)
    places = np.stack([np.cos(theta), np.sin(theta)], axis=1)
    np.testing.assert_allclose((2 * relu_series(n) ** 2) @ waves, relu_kernel(places[:1], places)[0], atol=1e-8)


def test_without_labels_nothing_moves():
    flow = mean_field_flow(Teacher(np.array([[1.0, 0.0]]), np.zeros(1)), [0.0, 3.0], 64)
    np.testing.assert_array_equal(flow.density, 1)
    np.testing.assert_allclose(flow.risk, 0, atol=1e-30)


def test_the_two_signs_change_places_with_the_labels():
    teacher = planar_teacher(np.random.default_rng(0), 3)
    one, other = (mean_field_flow(Teacher(teacher.w, sign * teacher.a), [1.0, 4.0], 128) for sign in (1, -1))
    np.testing.assert_allclose(one.density, other.density[:, ::-1], atol=1e-12)
    np.testing.assert_allclose(one.predictor([0.3]), -other.predictor([0.3]), atol=1e-12)
    assert one.balance < 1e-8
    assert one.risk[1] < one.risk[0]


def test_it_is_the_limit_of_particles():
    teacher = planar_teacher(np.random.default_rng(1), 4)
    gaps = []
    for count in (32, 128):
        angle, sign = np.tile(2 * np.pi * np.arange(count) / count, 2), np.repeat([1.0, -1.0], count)
        networks = PlanarNetworks(np.full((1, 2 * count), 0.5 / count), sign[None], teacher)
        start = np.stack([0 * angle, angle], axis=1)
        run = gradient_flow(
            lambda state, networks=networks, start=start: networks.descent(state.reshape(1, *start.shape))[1].ravel(),
            start.ravel(),
            t_end=4.0,
            method="DOP853",
        )
        risk = networks.risk(run.final.reshape(1, *start.shape))[0]
        gaps.append(abs(risk - mean_field_flow(teacher, [4.0], 256).risk[0]))
    assert gaps[1] < gaps[0] / 8
    assert gaps[1] < 1e-6


def test_a_finer_grid_converges():
    teacher = planar_teacher(np.random.default_rng(2), 3)
    flows = [mean_field_flow(teacher, [4.0], grid) for grid in (32, 128, 512)]
    coarse, fine, finest = (flow.predictor([0.3, 1.9, 4.0]) for flow in flows)
    assert flows[0].balance < 1e-9  # the balance is blind to the grid
    assert np.max(np.abs(coarse - finest)) > 1e-6
    assert np.max(np.abs(fine - finest)) < np.max(np.abs(coarse - finest)) / 16


def test_refusals():
    teacher = planar_teacher(np.random.default_rng(0), 3)
    with pytest.raises(ValueError, match="times does not increase; it must hold increasing times"):
        mean_field_flow(teacher, [1.0, 1.0])
    with pytest.raises(ValueError, match=r"times\[0\] is -1; it must lie in \[0, inf\)"):
        mean_field_flow(teacher, [-1.0, 1.0])
    with pytest.raises(ValueError, match="grid is 17; it must be even"):
        mean_field_flow(teacher, [1.0], 17)
    with pytest.raises(ValueError, match=r"teacher.w has shape \(1, 3\); it must be any × 2"):
        mean_field_flow(Teacher(np.ones((1, 3)), np.ones(1)), [1.0])
