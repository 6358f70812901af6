"""Bounds on the margin's gap: by hand at the first steps, their order in t, one another, and what they refuse."""

import numpy as np
import pytest
from library.helpers import refusal

from implicit_bias.limits.certificate import CertificateError
from implicit_bias.limits.margin import MultiplicativeRate, ProjectedRate
from implicit_bias.rates import log_log_slope

ONE = np.array([[1.0, -1.0], [1.0, 0.5]])  # a* = (1, 0), γ₁ = G = 1


def test_both_weights_at_the_first_steps_by_hand():
    rate = MultiplicativeRate(ONE)
    assert rate.answer.margin == rate.size == 1.0
    assert rate.divergence == pytest.approx(np.log(2))
    # the comparison ((1 + λ)/2, (1 − λ)/2) has the margin λ; the best of 21 λ in [0, 1] counts
    part = np.linspace(0, 0.95, 20)
    divergence = np.append(((1 + part) * np.log(1 + part) + (1 - part) * np.log(1 - part)) / 2, np.log(2))
    first = np.max(np.append(part, 1) / 4 - divergence) - 1 / 32
    np.testing.assert_allclose(rate.least_log_beta(1), [0.0, first], atol=1e-15)
    smoothing = [1.0, 1 + np.exp(-first) / np.sqrt(2)]
    np.testing.assert_allclose(rate.smoothing(2), smoothing)
    sums, harmonic = np.array([1.0, 1 + 1 / np.sqrt(2)]), np.array([1.0, 1.5])
    expected = (4 * np.log(2) + 3 / 16 * harmonic + np.log(2) * np.array(smoothing)) / sums
    np.testing.assert_allclose(rate.bound(2), expected)
    t = np.array([1.0, 2.0])
    paper = (8 * np.log(2) + np.log(t) + 1 + 4 * np.log(2) * np.array(smoothing)) / np.sqrt(t)
    np.testing.assert_allclose(rate.paper(2), paper)
    most = (sums + np.log(2) * np.array(smoothing)) / 4 + harmonic / 64
    np.testing.assert_allclose(rate.most_log_beta(2), [0.0, *most])
    later = MultiplicativeRate(ONE, start=3.0)
    np.testing.assert_allclose(later.least_log_beta(5), np.log(3) + rate.least_log_beta(5))
    np.testing.assert_allclose(later.smoothing(5), rate.smoothing(5) / 3)


def test_output_only_at_the_first_steps_by_hand():
    rate = ProjectedRate(np.eye(2) * np.sqrt(2))  # rows of length 1 once divided by √m: γ₂ = 1/√2, G = √2, k = 1/√2
    assert rate.margin == pytest.approx(1 / np.sqrt(2))
    k = 1 / np.sqrt(2)
    sums = [1.0, 1 + 1 / np.sqrt(2), 1 + 1 / np.sqrt(2) + k * (1 + 1 / np.sqrt(2)) / np.sqrt(3)]
    least = [1.0, 1.0, k * sums[1], k * sums[2]]
    np.testing.assert_allclose(np.exp(rate.least_log_beta(3)), least)
    t, a = np.arange(1.0, 4.0), np.cumsum(1 / np.sqrt(np.arange(1.0, 4.0)))
    moved = np.sqrt(t) - 0.5 + a
    np.testing.assert_allclose(rate.bound(3), (moved + np.log(2) * np.cumsum(1 / np.array(least[:3]))) / t)
    np.testing.assert_allclose(rate.paper(3), np.sqrt(2 / t) * (2 * np.sqrt(2) + np.sqrt(3) * np.log(2) * np.sqrt(2)))
    slack = np.log(2) * np.cumsum(1 / np.array(least[:3]) / np.sqrt(t))
    np.testing.assert_allclose(rate.most_log_beta(3)[1:], k * a + slack + np.cumsum(1 / t))


@pytest.mark.parametrize("seed", range(4))
def test_the_sharper_bounds_are_below_the_papers_and_of_order_one_half(seed):
    z = np.random.default_rng(seed).uniform(0, 1, (6, 9))
    t = 20000
    for rate in (MultiplicativeRate(z), ProjectedRate(z)):
        assert np.all(rate.bound(t) <= rate.paper(t))
        assert np.all(np.diff(rate.least_log_beta(t)) >= -1 / 32)
        assert np.all(rate.least_log_beta(t) <= rate.most_log_beta(t) + 1e-12)
        late = np.arange(t // 10, t)
        assert log_log_slope(late + 1, rate.bound(t)[late]) == pytest.approx(-0.5, abs=0.08)
    assert rate.bound(t)[-1] <= 3 * rate.size / np.sqrt(2 * t) + np.log(6) * t**-0.5


def test_what_the_bounds_refuse():
    for rate in (MultiplicativeRate, ProjectedRate):
        refusal(lambda rate=rate: rate(np.zeros((2, 2))), "z, the largest modulus is 0")
        refusal(lambda rate=rate: rate(np.ones(2)), "z")
        for steps in (0, 1.5, -1):
            refusal(lambda rate=rate, steps=steps: rate(ONE).bound(steps), "steps")
            refusal(lambda rate=rate, steps=steps: rate(ONE).paper(steps), "steps")
        refusal(lambda rate=rate: rate(ONE).least_log_beta(2**52), "steps")
    refusal(lambda: MultiplicativeRate(ONE, start=0.0), "start")
    with pytest.raises(CertificateError, match="no direction separates"):
        ProjectedRate(np.array([[1.0], [-1.0]])).bound(3)
