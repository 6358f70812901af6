"""Ascent over fixed features: the gradient of the smooth margin by PyTorch, both ranges of β, and what is refused."""

import numpy as np
import pytest
import torch
from library.helpers import autograd, refusal

from implicit_bias.flows import MultiplicativeAscent, ProjectedAscent, drive

Z = np.random.default_rng(0).standard_normal((3, 5, 7))
SIZES = np.abs(Z).max(axis=(1, 2))


def smooth_margin(z, a):
    return -torch.logsumexp(-torch.tensor(z) @ a, 0) + np.log(len(z))


@pytest.mark.parametrize("start", [1.0, 2.5])
def test_both_weights_ascend_the_smooth_margin_in_r(start):
    stepper = MultiplicativeAscent(Z)
    run = drive(stepper, np.full(21, start), t_end=30, record=np.arange(1.0, 30))
    assert (run.steps, run.evaluations) == (30, 30)
    direction, log_beta, best = stepper.read(run.theta)
    for k, z in enumerate(Z):
        r, seen = np.full(7, start), -np.inf
        for t in range(31):
            a = r**2 / 7
            np.testing.assert_allclose(direction[t, k], a / a.sum(), rtol=1e-12)
            assert log_beta[t, k] == pytest.approx(np.log(a.sum()), abs=1e-12)
            seen = max(seen, (z @ a).min() / a.sum())
            assert best[t, k] == pytest.approx(seen, abs=1e-12)
            slope = autograd(lambda v, z=z: smooth_margin(z, v**2 / 7), r)
            r = r + 7 * slope / (16 * SIZES[k] * np.sqrt(t + 1))


def test_output_weights_ascend_the_smooth_margin_in_r():
    stepper = ProjectedAscent(Z)
    run = drive(stepper, np.zeros(21), t_end=12, record=np.arange(1.0, 12))
    direction, log_beta, best = stepper.read(run.theta)
    for k, z in enumerate(Z):
        r, beta, seen = np.zeros(7), 1.0, -np.inf
        for t in range(13):
            a = r / 7
            beta = max(beta, np.sqrt(7) * np.linalg.norm(a))
            np.testing.assert_allclose(direction[t, k], np.sqrt(7) * a / beta, rtol=1e-10, atol=1e-12)
            assert log_beta[t, k] == pytest.approx(np.log(beta), abs=1e-11)
            seen = max(seen, (z @ a).min() / beta)
            assert best[t, k] == pytest.approx(seen, abs=1e-11)
            slope = autograd(lambda v, z=z: smooth_margin(z, v / 7), r)
            r = r + 7 * slope * np.sqrt(2) * beta / (SIZES[k] * np.sqrt(t + 1))


def test_sets_side_by_side_are_sets_one_by_one():
    for kind, start in ((MultiplicativeAscent, np.ones), (ProjectedAscent, np.zeros)):
        together = kind(Z).read(drive(kind(Z), start(21), t_end=50).final)
        for k in range(3):
            alone = kind(Z[k : k + 1]).read(drive(kind(Z[k : k + 1]), start(7), t_end=50).final)
            for one, other in zip(together, alone, strict=True):
                np.testing.assert_allclose(one[k], other[0], rtol=1e-9)


def test_steps_have_scale_and_power():
    plain, other = (MultiplicativeAscent(Z[:1], scale, power) for scale, power in ((1 / 16, -0.5), (1 / 8, 0.0)))
    gradient = Z[0].T @ np.full(5, 0.2)  # all margins of a = 0 are the same; of the uniform start they are not
    start = np.full(7, 1e-9)
    first = [stepper.read(drive(stepper, start, t_end=1).final)[0][0] for stepper in (plain, other)]
    for scale, found in zip((1 / 16, 1 / 8), first, strict=True):
        expected = (1 + 2 * scale * gradient / SIZES[0]) ** 2
        np.testing.assert_allclose(found, expected / expected.sum(), rtol=1e-9)
    moved = ProjectedAscent(Z[:1], 0.01, 1.0)
    b = [moved.read(drive(moved, np.zeros(7), t_end=t).final)[0][0] for t in (1, 2)]
    assert np.linalg.norm(b[1] - b[0]) == pytest.approx(2 * np.linalg.norm(b[0]), rel=0.1)


def test_weights_of_zero_stay_zero_and_length_leaves_double_precision():
    z = np.random.default_rng(1).uniform(0.5, 1, (1, 4, 3))
    start = np.array([1.0, 0.0, 1.0])
    stepper = MultiplicativeAscent(z, scale=0.4, power=0.0)
    direction, log_beta, best = stepper.read(drive(stepper, start, t_end=4000).final)
    assert direction[0, 1] == 0.0
    assert log_beta[0] > 1000
    assert direction.sum() == pytest.approx(1.0)
    assert np.isfinite(best).all()
    stepper = ProjectedAscent(z, scale=1.0, power=0.0)
    b, log_beta, _ = stepper.read(drive(stepper, np.zeros(3), t_end=4000).final)
    assert log_beta[0] > 1000
    assert np.linalg.norm(b) == pytest.approx(1.0)


def test_a_start_outside_the_ball_is_projected():
    stepper = ProjectedAscent(Z[:1])
    r = 3 * np.sqrt(7) * np.eye(7)[0]
    b, log_beta, best = stepper.read(stepper.init(r).theta)
    np.testing.assert_allclose(b[0], np.eye(7)[0])
    assert log_beta[0] == pytest.approx(np.log(3))
    assert best[0] == pytest.approx(Z[0, :, 0].min() / np.sqrt(7))


def test_what_ascent_refuses():
    for kind in (MultiplicativeAscent, ProjectedAscent):
        refusal(lambda kind=kind: kind(Z[0]), "z")
        refusal(lambda kind=kind: kind(0 * Z), "the least of the sets' largest features")
        refusal(lambda kind=kind: kind(Z, scale=0.0), "scale")
        refusal(lambda kind=kind: kind(Z, power=float("inf")), "power")
        refusal(lambda kind=kind: kind(Z).init(np.ones(20)), "theta")
        refusal(lambda kind=kind: kind(Z).read(np.ones(20)), "theta")
    refusal(lambda: MultiplicativeAscent(Z).init(np.zeros(21)), "the least sum of squares of a start")
