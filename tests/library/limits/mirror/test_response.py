"""The response to a potential: against plain sums over biases and over time, its parts, what it refuses."""

import numpy as np
import pytest

from implicit_bias.data import BiasLaw
from implicit_bias.limits.mirror import potential_response, ramp_kernel, ramp_spline, response_path

X = np.array([-1.5, -0.6, 0.4, 1.3])
Y = np.array([0.5, -0.2, 0.3, -0.4])
GRID = np.linspace(-2, 2, 17)
LAWS = [BiasLaw(2.0), BiasLaw(2.0, "parabolic")]


def summed(law, charges, power, at):
    """E[α|α|^{q−1}(wx − b)₊] by the midpoint rule."""
    b = law.quantile((np.arange(100_000) + 0.5) / 100_000)
    total = 0.0
    for w in (1, -1):
        alpha = charges @ np.maximum(w * X[:, None] - b, 0)
        total = total + np.maximum(w * at[:, None] - b, 0) @ (alpha * np.abs(alpha) ** (power - 1)) / (2 * b.size)
    return total


@pytest.mark.parametrize("law", LAWS, ids=repr)
@pytest.mark.parametrize("power", [2, 3])
def test_the_response_is_what_interpolation_misses_of_the_pull(law, power):
    gram = ramp_kernel(X, X, law)
    charges = np.linalg.solve(gram, Y)
    pull = summed(law, charges, power, GRID)
    repaired = ramp_kernel(GRID, X, law) @ np.linalg.solve(gram, summed(law, charges, power, X))
    response = potential_response(X, Y, law, power, 1.5)
    expected = -1.5 * (pull - repaired)
    np.testing.assert_allclose(response.predict(GRID), expected, atol=1e-6 * np.max(np.abs(expected)))
    np.testing.assert_allclose(response.predict(X), 0, atol=1e-9 * np.max(np.abs(pull)))
    assert response.certificate.worst < 1e-9


@pytest.mark.parametrize("power", [2, 3, 4])
def test_parameters_that_move_most_and_the_change_of_the_kernel_are_those_of_all(power):
    law = LAWS[0]
    response = potential_response(X, Y, law, power, 1.5)
    b = law.quantile((np.arange(100_000) + 0.5) / 100_000)
    seen = np.concatenate([np.maximum(w * X[:, None] - b, 0) for w in (1, -1)], axis=1)
    alpha = response.charges @ seen
    assert response.movement == pytest.approx(np.max(np.abs(alpha)), rel=1e-4)
    change = -1.5 * power * (seen * np.abs(alpha) ** (power - 1)) @ seen.T / alpha.size
    np.testing.assert_allclose(response.kernel_change, change, rtol=1e-6)


def test_the_output_bias_can_move_most():
    response = potential_response([0.0], [1.0], BiasLaw(0.5), 2, 1.0)
    assert response.movement == pytest.approx(abs(response.charges[0]))


def test_small_euler_steps_go_the_same_way_and_late_is_the_end():
    law, count = LAWS[0], 4000
    gram, charges, shift = ramp_kernel(X, X, law), np.zeros(4), np.zeros(4)
    at = potential_response(X, Y, law, 2, 1.5)
    for _ in range(count):
        pull = 1.5 * summed_at_data(law, charges)
        charges, shift = charges + 2.0 / count * (Y - gram @ charges), shift + 2.0 / count * (pull - gram @ shift)
    found = response_path(X, Y, law, 2, 1.5, [2.0, 1e6])
    np.testing.assert_allclose(found[0].charges, charges, rtol=1e-3)
    np.testing.assert_allclose(found[0].shift, shift, rtol=2e-3)
    np.testing.assert_allclose(found[1].predict(GRID), at.predict(GRID), atol=1e-5 * np.max(np.abs(at.predict(GRID))))


def summed_at_data(law, charges):
    """E[α|α|(wX − b)₊] by a short midpoint rule."""
    b = law.quantile((np.arange(1000) + 0.5) / 1000)
    total = 0.0
    for w in (1, -1):
        seen = np.maximum(w * X[:, None] - b, 0)
        alpha = charges @ seen
        total = total + seen @ (alpha * np.abs(alpha)) / (2 * b.size)
    return total


def test_no_bend_no_response_and_the_charges_are_the_splines():
    response = potential_response(X, Y, LAWS[0], 2, 0.0)
    np.testing.assert_array_equal(response.predict(GRID), 0)
    np.testing.assert_allclose(response.charges, ramp_spline(X, Y, LAWS[0]).charges)


@pytest.mark.parametrize(
    ("call", "said"),
    [
        (lambda: potential_response(X, Y, LAWS[0], 1, 1.0), "power is 1; it must"),
        (lambda: potential_response(X, Y, LAWS[0], 2, np.inf), "bend is inf; it must"),
        (lambda: potential_response(X, Y[:2], LAWS[0], 2, 1.0), "y has shape"),
        (lambda: response_path(X, Y, LAWS[0], 2, 1.0, [0.0, 1.0]), r"times\[0\] is 0"),
        (lambda: response_path(X, Y, LAWS[0], 2, 1.0, [2.0, 1.0]), "times do not increase; they must"),
    ],
)
def test_bad_arguments_are_refused_in_one_line(call, said):
    with pytest.raises(ValueError, match=said) as refused:
        call()
    assert "\n" not in str(refused.value)
