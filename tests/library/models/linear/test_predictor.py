"""Linear predictors: gradients by hand against autograd."""

import numpy as np
import pytest
import torch
from library.helpers import autograd

from implicit_bias.data import separable
from implicit_bias.losses import LOSSES, margin_loss
from implicit_bias.models.linear import LinearClassifier, LinearRegressor


@pytest.mark.parametrize("name", LOSSES)
def test_classifier(name):
    problem = separable(np.random.default_rng(0), 8, 3, support=2)
    w = np.random.default_rng(1).standard_normal(3)
    model = LinearClassifier(problem, margin_loss(name))
    z = torch.tensor(problem.signed)
    risk = {
        "exponential": lambda v: torch.exp(-z @ v).mean(),
        "logistic": lambda v: torch.log1p(torch.exp(-z @ v)).mean(),
    }
    expected = autograd(risk[name], w)
    np.testing.assert_allclose(model.gradient(w), expected, rtol=1e-12)
    assert model.log_risk(w) == pytest.approx(float(torch.log(risk[name](torch.tensor(w)))), rel=1e-12)
    np.testing.assert_allclose(model.rescaled_velocity(w), -expected / np.exp(model.log_risk(w)), rtol=1e-12)
    np.testing.assert_allclose(model.scaled_velocity(w, np.asarray(1.5)), -np.exp(1.5) * expected, rtol=1e-12)
    many, powers = np.stack([w, 2 * w]), np.array([0.5, -2.0])
    each = [-np.exp(power) * model.gradient(v) for v, power in zip(many, powers, strict=True)]
    np.testing.assert_allclose(model.scaled_velocity(many, powers), each, rtol=1e-12)
    bent = torch.autograd.functional.hessian(risk[name], torch.tensor(w)).numpy()
    np.testing.assert_allclose(model.scaled_jacobian(w, 1.5), -np.exp(1.5) * bent, rtol=1e-11)
    late = 1e4 * problem.margin
    tail = model.scaled_velocity(1e4 * problem.direction, np.asarray(late))
    assert np.all(np.isfinite(tail))
    assert np.any(tail)
    far = model.rescaled_velocity(1e4 * problem.direction)
    assert np.all(np.isfinite(far))
    assert far @ problem.direction >= problem.margin * (1 - 1e-12)


def test_regressor(regression):
    w = np.random.default_rng(3).standard_normal(12)
    x, y = torch.tensor(regression.x), torch.tensor(regression.y)
    expected = autograd(lambda v: ((y - x @ v) ** 2).mean() / 2, w)
    np.testing.assert_allclose(LinearRegressor(regression.x, regression.y).gradient(w), expected, rtol=1e-12)


def test_arrays_that_do_not_fit_are_refused(regression):
    with pytest.raises(ValueError, match=r"y has shape \(2,\); it must be 6"):
        LinearRegressor(regression.x, regression.y[:2])
    with pytest.raises(ValueError, match=r"w has shape \(3,\); it must be 12"):
        LinearRegressor(regression.x, regression.y, np.ones(3))
    problem = separable(np.random.default_rng(0), 8, 3, support=2)
    with pytest.raises(ValueError, match=r"w has shape \(2,\); it must be 3"):
        LinearClassifier(problem, margin_loss("logistic"), np.ones(2))
