"""Adam's path against the flow that it is the limit of, its ends, its clock, its growth against Adam itself."""

import numpy as np
import pytest
from library.helpers import refusal

from implicit_bias.flows import Adam, CrossEntropyDescent, adam_flow, drive
from implicit_bias.limits.certificate import CertificateError
from implicit_bias.limits.margin import adam_growth, adam_path, max_margin


def points(seed: int, n: int = 12, d: int = 8) -> np.ndarray:
    """Separable points whose path has several knots."""
    generator = np.random.default_rng(seed)
    return generator.standard_normal((n, d)) + np.linspace(0.5, 1.5, d)


@pytest.mark.parametrize("seed", [0, 1, 2, 3])
def test_it_goes_from_one_largest_margin_to_the_other_and_no_slope_is_shorter_than_the_one_before(seed):
    z = points(seed)
    path = adam_path(z)
    assert np.all(np.diff(path.knots) > 0)
    np.testing.assert_allclose((path(path.knots) @ z.T).min(axis=1), path.knots, rtol=1e-9)
    np.testing.assert_allclose(path.slopes[-1], max_margin(z).w, rtol=1e-9)
    lengths = np.linalg.norm(path.slopes[1:], axis=1)
    assert np.all(np.diff(lengths) > 0)
    assert all(one.enclosure.width <= 1e-9 for one in path.certificates)
    rng = np.random.default_rng(seed)
    nearby = path.slopes[0] + 1e-3 * rng.standard_normal((2000, z.shape[1]))
    size = np.abs(nearby).max(axis=1)
    assert ((nearby @ z.T).min(axis=1) / size).max() <= 1 / np.abs(path.slopes[0]).max()


@pytest.mark.parametrize("seed", [0, 1])
def test_the_flow_is_as_far_from_it_at_every_epsilon(seed):
    z = points(seed)
    path, kappa = adam_path(z), np.linspace(0.1, 3, 30)
    off = []
    for length in (100.0, 400.0):
        run = adam_flow(z, log_epsilon=-length, m_end=3 * length, record=kappa * length).demand()
        off.append(np.abs(run.theta[1:, :-1] - length * path(kappa)).max())
    assert off[0] == pytest.approx(off[1], rel=0.05)
    assert off[1] < 0.05 * 400 * np.abs(path(3.0)).max()


def test_its_clock_is_that_of_small_steps():
    """Two points, ε = e⁻⁸: plain steps, counted."""
    z, length, rate = np.array([[2.0, 1.0], [2.0, -1.5]]), 8.0, 1e-2
    w, steps, target = np.zeros(2), 0, 1.75
    while (loss := np.exp(-z @ w).mean()) > np.exp(-target * length):
        pull = np.exp(-z @ w) @ z / 2
        w += rate * pull / (np.abs(pull) + np.exp(-length))
        steps += 1
    assert loss > 0
    assert adam_path(z).log_steps(target, -length, rate) == pytest.approx(np.log(steps), abs=0.3)


def test_the_steps_on_one_point_by_hand():
    """u = (1/3, 1/3) until κ = 1; from there on (2/5, 1/5), of which the square is 1/5."""
    path, length, rate = adam_path([[2.0, 1.0]]), 2.0, 0.01
    for kappa, time in ((0.5, length / 6), (1.0, length / 3), (2.0, length / 3 + (np.exp(length) - 1) / 5)):
        assert path.log_steps(kappa, -length, rate) == pytest.approx(np.log(time / rate), rel=1e-12)


@pytest.mark.parametrize(("beta1", "beta2"), [(0.9, 0.99), (0.0, 0.99), (0.9, 0.95)])
@pytest.mark.parametrize("share", [0.3, 1.0, 4.0])
def test_adam_grows_like_that(beta1, beta2, share):
    """On one point of two classes the largest margin in the norm of the largest weight is |x|₁ on each of two rows."""
    x = np.array([[[1.0, 0.5]]])
    rate = share * -np.log(beta2) / 2 / 3.0  # W has two rows, each moves the margin by η |x|₁
    descent = CrossEntropyDescent(x, np.array([[1]]), Adam(beta1, beta2), scale=rate, power=0.0)
    run = drive(descent, np.repeat([-12.0, 12.0], 2), t_end=6000, record=[3000])
    margins = np.diff(descent.read(run.theta) @ x[0, 0], axis=-1).ravel()
    assert (margins[-1] - margins[-2]) / 3000 == pytest.approx(adam_growth(3 * rate, beta1, beta2), rel=1e-7)


def test_a_single_best_direction_is_recognized_where_a_multiplier_vanishes():
    np.testing.assert_allclose(adam_path([[1.0, 1.0], [2.0, 0.0]]).slopes, [[0.5, 0.5], [0.5, 0.5]], atol=1e-12)


def test_at_a_tiny_rate_it_grows_like_the_rate_times_the_margin():
    assert adam_growth(1e-25) == pytest.approx(1e-25, rel=1e-12)


def test_what_it_refuses():
    refusal(lambda: adam_path([1.0]), "z")
    refusal(lambda: adam_growth(0.0), "speed")
    refusal(lambda: adam_growth(1.0, 0.99, 0.9), "beta1")
    refusal(lambda: adam_path(points(0))(-1.0), "kappa")
    refusal(lambda: adam_path(points(0)).log_steps(0.0, -1.0, 1.0), "kappa")
    with pytest.raises(CertificateError, match="no direction separates"):
        adam_path([[1.0, 0.0], [-1.0, 0.0]])
    with pytest.raises(CertificateError, match="several directions"):
        adam_path([[1.0, 0.0]])
