"""The response of directions: its maxima against a grid, where a neuron turns to against its flow, refusals."""

import numpy as np
import pytest

from implicit_bias.limits.lazy import CircleResponse

STREAM = np.random.default_rng(5)
GRID = 2 * np.pi * np.arange(100_000) / 100_000
CASES = [CircleResponse(STREAM.standard_normal((12, 2)), STREAM.standard_normal(12)) for _ in range(10)]


@pytest.mark.parametrize("response", CASES)
@pytest.mark.parametrize("sign", [1, -1])
def test_maxima_are_those_of_a_grid(response, sign):
    values = sign * response.value(GRID)
    rises = np.sign(np.roll(values, -1) - values)
    found = GRID[(rises < 0) & (np.roll(rises, 1) > 0)]
    np.testing.assert_allclose(np.cos(response.maxima(sign)), np.cos(found), atol=2e-4)
    np.testing.assert_allclose(np.sin(response.maxima(sign)), np.sin(found), atol=2e-4)


def test_a_plateau_is_a_maximum_with_two_ends():
    """One charged point of three: G > 0 on half of the circle, and −G = 0 on the other half."""
    angles = np.array([0.3, 2.4, 4.5])
    response = CircleResponse(np.stack([np.cos(angles), np.sin(angles)], axis=1), [2.0, 0.0, 0.0])
    np.testing.assert_allclose(response.maxima(1), [0.3])
    np.testing.assert_allclose(response.maxima(-1)[[0, -1]], [0.3 + np.pi / 2, 0.3 + 3 * np.pi / 2])
    np.testing.assert_allclose(response.value(response.maxima(-1)), 0, atol=1e-15)
    np.testing.assert_allclose(response.reached([0.4, 0.2], -1), [0.3 + np.pi / 2, 0.3 + 3 * np.pi / 2])


@pytest.mark.parametrize("response", CASES)
def test_the_largest_value_is_that_of_a_grid(response):
    assert response.largest() >= np.abs(response.value(GRID)).max() * (1 - 1e-12)
    assert response.largest() == pytest.approx(np.abs(response.value(GRID)).max(), rel=1e-4)


@pytest.mark.parametrize("response", CASES)
def test_the_slope_is_the_derivative(response):
    angle = (response.kinks + np.roll(response.kinks, 1))[1:] / 2
    step = 1e-6
    difference = (response.value(angle + step) - response.value(angle - step)) / (2 * step)
    np.testing.assert_allclose(response.slope(angle), difference, atol=1e-6)


@pytest.mark.parametrize("response", CASES[:4])
@pytest.mark.parametrize("sign", [1, -1])
def test_a_neuron_turns_to_the_maximum_uphill(response, sign):
    start = STREAM.uniform(-7, 7, 8)
    angle = start.copy()
    for _ in range(20_000):
        angle += 3e-3 * sign * response.slope(angle)
    gone = np.exp(1j * angle) - np.exp(1j * response.reached(start, sign))
    assert np.abs(gone).max() < 0.02  # at a kink it trembles by a step


def test_half_planes_without_points_are_refused():
    with pytest.raises(ValueError, match="x must have points in every half plane"):
        CircleResponse(np.array([[1.0, 0.0], [1.0, 0.5]]), np.ones(2))
    with pytest.raises(ValueError, match=r"charges has shape \(2,\); it must be 12"):
        CircleResponse(CASES[0].x, np.ones(2))
    with pytest.raises(ValueError, match="sign is '2'; it must be one of 1, -1"):
        CASES[0].maxima(2)


@pytest.mark.parametrize("response", CASES)
def test_a_course_ends_where_it_is_said_to_and_passes_through_its_middle(response):
    angle, sign = STREAM.uniform(0, 2 * np.pi, 8), np.repeat([1, -1], 4)
    late, _ = response.course(angle, sign, 1e4)
    ends = np.where(sign > 0, response.reached(angle, 1), response.reached(angle, -1))
    np.testing.assert_allclose(np.cos(late - ends), 1, atol=1e-12)
    half, first = response.course(angle, sign, 0.4)
    whole, both = response.course(angle, sign, 1.1)
    then, second = response.course(half, sign, 0.7)
    np.testing.assert_allclose(np.cos(then - whole), 1, atol=1e-12)
    np.testing.assert_allclose(first + second, both, atol=1e-9)


def test_a_course_obeys_its_equations():
    response, sign = CASES[0], np.repeat([1, -1], 5)
    angle = STREAM.uniform(0, 2 * np.pi, 10)
    (before, low), (now, _), (after, high) = (response.course(angle, sign, t) for t in (0.1 - 1e-5, 0.1, 0.1 + 1e-5))
    np.testing.assert_allclose((high - low) / 2e-5, sign * response.value(now), atol=1e-3)
    turned = (after - before + np.pi) % (2 * np.pi) - np.pi
    assert np.median(np.abs(turned / 2e-5 - sign * response.slope(now))) < 1e-3  # some sit at kinks
    np.testing.assert_allclose(response.course(angle, sign, 0.0)[0], angle, atol=1e-12)


def test_a_course_without_pull_stays():
    angles = np.array([0.3, 2.4, 4.5])
    response = CircleResponse(np.stack([np.cos(angles), np.sin(angles)], axis=1), [2.0, 0.0, 0.0])
    theta, rho = response.course([0.3 + np.pi, 0.5], [1, 1], 3.0)
    assert (theta[0], rho[0]) == (pytest.approx(0.3 + np.pi), 0)
    assert np.tan((theta[1] - 0.3) / 2) == pytest.approx(np.tan(0.1) * np.exp(-6))
    with pytest.raises(ValueError, match="time is -1"):
        response.course([0.5], [1], -1.0)
