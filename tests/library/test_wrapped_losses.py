"""Scaled and ridged losses: their slopes and Hessians by differences, the flow that a scale leaves alone, refusals."""

import numpy as np
import pytest

from implicit_bias.losses import Exponential, Logistic, SmoothMargin, Squared
from implicit_bias.wrapped_losses import Ridged, Scaled

F, Y = np.array([0.3, -1.2, 0.7]), np.array([1.0, -1.0, -1.0])
ORIGIN = np.array([0.1, 0.2, -0.3])
LOSSES = [Squared("sum"), Logistic(), Exponential(), SmoothMargin()]
WRAPPED = [
    wrap(loss) for loss in LOSSES for wrap in (lambda loss: Scaled(loss, 3.0, ORIGIN), lambda loss: Ridged(loss, 0.4))
]


@pytest.mark.parametrize("loss", WRAPPED, ids=repr)
def test_slope_and_hessian_are_derivatives(loss):
    step = 1e-5 * np.eye(3)
    slope = [(loss.value(F + h, Y) - loss.value(F - h, Y)) / 2e-5 for h in step]
    hessian = [(loss.slope(F + h, Y) - loss.slope(F - h, Y)) / 2e-5 for h in step]
    np.testing.assert_allclose(loss.slope(F, Y), slope, atol=1e-8)
    np.testing.assert_allclose(loss.hessian(F, Y), hessian, atol=1e-8)
    assert np.linalg.norm(loss.hessian(F, Y), 2) <= loss.curvature(F, Y) * (1 + 1e-12)


def test_a_scale_leaves_the_speed_of_the_outputs_alone():
    one, large = Scaled(Logistic(), 1.0, ORIGIN), Scaled(Logistic(), 50.0, ORIGIN)
    f = ORIGIN + (F - ORIGIN) / 50
    np.testing.assert_allclose(large.outputs(f), one.outputs(F), rtol=1e-12)
    np.testing.assert_allclose(50 * large.slope(f, Y), one.slope(F, Y), rtol=1e-12)
    assert large.value(f, Y) == pytest.approx(one.value(F, Y) / 2500)


def test_a_ridge_makes_a_loss_strongly_convex():
    far = 50 * Y
    assert np.linalg.eigvalsh(Logistic().hessian(far, Y)).max() < 1e-20
    assert np.linalg.eigvalsh(Ridged(Logistic(), 0.3).hessian(far, Y)).min() == pytest.approx(0.1)


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (lambda: Scaled(Squared("sum"), 0.0), r"alpha is 0; it must lie in \(1e-150, 1e\+150\]"),
        (lambda: Scaled(Squared("sum"), -2.0), "alpha is -2"),
        (lambda: Scaled(Squared("sum"), np.inf), "alpha is inf"),
        (lambda: Scaled(Squared("sum"), 1.0, np.array([np.nan])), r"origin holds nan at \[0\]"),
        (lambda: Ridged(Squared("sum"), 0.0), r"mu is 0; it must lie in \(0, inf\)"),
    ],
)
def test_what_is_no_scale_or_ridge_is_refused(make, words):
    with pytest.raises(ValueError, match=words):
        make()
