"""The least weights of a fit: labels whose answer is known, its proof, networks that fit, refusals."""

import numpy as np
import pytest

from implicit_bias.limits.lazy import CircleResponse, least_weights

STREAM = np.random.default_rng(6)
ANGLE = 2 * np.pi * (np.arange(9) + 0.3) / 9
X = np.column_stack([np.cos(ANGLE), np.sin(ANGLE)])


def test_one_neuron_is_the_cheapest_fit_of_its_labels():
    u = np.array([0.6, 0.8])
    assert least_weights(X, 3 * np.maximum(X @ u, 0)).value == pytest.approx(3, rel=1e-3)


def test_the_bound_is_proved_and_holds_for_networks_that_fit():
    w, a = STREAM.standard_normal((20, 2)), STREAM.standard_normal(20)
    least = least_weights(X, np.maximum(X @ w.T, 0) @ a)
    assert CircleResponse(X, least.charges).largest() == pytest.approx(1)
    assert least.value <= np.sum(np.abs(a) * np.linalg.norm(w, axis=1))
    assert least.length**2 == pytest.approx(2 * least.value)
    assert least.length**2 <= np.sum(w**2) + np.sum(a**2)
    assert least.certificate.worst < 1e-3


def test_other_units_change_the_bound_by_their_ratio():
    y = np.maximum(X @ STREAM.standard_normal((20, 2)).T, 0) @ STREAM.standard_normal(20)
    least, other = least_weights(X, y), least_weights(2.0**70 * X, 2.0**-40 * y)
    assert other.value == pytest.approx(2.0**-110 * least.value, rel=1e-12)
    np.testing.assert_allclose(other.charges, 2.0**-70 * least.charges, rtol=1e-12)
    assert other.certificate.worst == pytest.approx(least.certificate.worst, abs=1e-12)


def test_the_labels_that_cannot_be_fitted_are_refused():
    with pytest.raises(ValueError, match="y is 0; at least one label must differ from it"):
        least_weights(X, np.zeros(9))
    with pytest.raises(ValueError, match="y cannot be fitted by a network at x"):
        least_weights(np.vstack([X, X[:1]]), np.arange(10.0))
    with pytest.raises(ValueError, match=r"y has shape \(2,\); it must be 9"):
        least_weights(X, [1.0, 2.0])
