"""The rate of mirror descent: the bound by entropy and the next order."""

import mpmath
import numpy as np
import pytest
from library.helpers import circle, refusal

from implicit_bias.data import Deconvolution, three_spikes, torus_grid
from implicit_bias.limits.certificate import CertificateError
from implicit_bias.limits.measures import EntropicBound, blasso, mirror_corrections
from implicit_bias.models.measures import FixedParticles


def test_the_next_order_of_the_mirror_rate_of_one_spike():
    # One spike of mass a: A = −b(θ)/(8K(0)) + what makes its width and its slope fit; with K = 1 by hand.
    problem = Deconvolution(np.array([[1.0]]), np.array([1.5]), 1)
    limit = blasso(problem, 1.0)
    a, curvature = limit.masses[0], limit.variation(limit.positions)[2][0, 0, 0]
    # b, b″ span {1, cos}: K(0) = 3, ⟨b, b″⟩ = −2, ⟨b″, b″⟩ = 2. A = u b + w b″ with w = a/(8H), 3u − 2w = −1/8.
    w = a / (8 * curvature)
    u = (2 * w - 1 / 8) / 3
    np.testing.assert_allclose(mirror_corrections(limit), [-(-2 * u + 2 * w) / curvature], rtol=1e-9)


def test_the_next_order_in_two_dimensions():
    # One spike, K = 1: b₁b₂ and its second derivatives span what A needs; K(0) = 3 and b″ as on the circle above.
    problem = Deconvolution(np.array([[1.0, 2.0]]), np.array([1.5]), 1)
    limit = blasso(problem, 1.0)
    a, curvature = limit.masses[0], limit.variation(limit.positions)[2][0, 0, 0]
    # A = u φ + w Δφ, w = a/(8H); |φ|² = 9, ⟨φ, Δφ⟩ = −12, |Δφ|² = 20, ⟨φ, A⟩ = 9u − 12w = −1/4, k = −⟨Δφ, A⟩/(2H).
    w = a / (8 * curvature)
    u = (12 * w - 1 / 4) / 9
    np.testing.assert_allclose(mirror_corrections(limit), [-(-12 * u + 20 * w) / (2 * curvature)], rtol=1e-9)
    # By a flow on a grid of 384 x 384 cells, between τ = 60 and 240, the slope in ln τ is −.579.
    limit = blasso(three_spikes(), 4.0)
    assert mirror_corrections(limit) @ limit.masses / limit.total_mass == pytest.approx(-0.5754, abs=1e-4)


def test_entropic_bound_between_start_and_minimum():
    problem, limit = circle(), blasso(circle(), 1.0)
    places = torus_grid(512, 1)[:, 0]
    bound = EntropicBound(problem, 1.0, places, np.full(512, 1 / 512))
    values = bound.values([1e-6, 1e-2, 1.0, 100.0])
    start = FixedParticles(problem, 1.0, places[:, None], bound.start).value(np.zeros(8))
    assert values[0] == pytest.approx(start, rel=1e-3)
    assert np.all(np.diff(values) < 0)
    assert values[-1] > limit.value


@pytest.mark.parametrize("size", [1e-3, 1e4])
def test_masses_and_penalty_of_another_size_give_the_same_bound_at_other_times(size):
    """J(sν) with s f̂ and sλ is s² J(ν), KL of s-fold measures s KL: B(τ/s) = s² B(τ), certified like the other."""

    def bound(unit):
        problem = Deconvolution(np.array([[np.pi]]), np.array([unit]), cutoff=2)
        return EntropicBound(problem, 0.5 * unit, torus_grid(64, 1)[:, 0], np.full(64, unit / 64))

    times = np.array([1.0, 100.0])
    np.testing.assert_allclose(bound(size).values(times / size), size**2 * bound(1.0).values(times), rtol=1e-12)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: EntropicBound(circle(), 1.0, np.zeros(2), np.ones(3)), "start has shape (3,)"),
        (lambda: EntropicBound(circle(), 1.0, np.zeros(2), np.ones(2)).values([0.0]), "times is 0"),
    ],
)
def test_bad_input_is_refused_in_one_line(call, message):
    refusal(call, message)


@pytest.mark.parametrize("epsilon", [10.0, 0.1, 1e-3])
@pytest.mark.parametrize("seed", range(3))
def test_any_multipliers_and_masses_enclose_the_bound_as_many_digits_do(seed, epsilon):
    stream = np.random.default_rng(seed)
    bound = EntropicBound(circle(), 1.0, torus_grid(32, 1)[:, 0], stream.uniform(0.01, 1, 32))
    p, a = 1e-2 * stream.standard_normal(len(bound.target)), stream.uniform(0, 1, 32)
    a[3] = 0.0
    found = bound._enclosure(p, a, epsilon)
    with mpmath.workdps(40):
        features, target, start, masses, push = (
            mpmath.matrix(one.tolist()) for one in (bound.features, bound.target, bound.start, a, p)
        )
        missed, tilted = features * masses - target, features.T * push
        entropy = sum(
            (m * mpmath.log(m / s) if m else 0) - m + s for m, s in zip(list(masses), list(start), strict=True)
        )
        high = sum(one**2 for one in missed) / 2 + sum(masses) + mpmath.mpf(epsilon) * entropy
        density = sum(
            s * (mpmath.exp(-(1 + t) / mpmath.mpf(epsilon)) - 1) for s, t in zip(list(start), list(tilted), strict=True)
        )
        low = -sum(one**2 for one in push) / 2 - sum(x * t for x, t in zip(push, target, strict=True))
        low = low - mpmath.mpf(epsilon) * density
        assert found.low <= low <= found.low + 1e-12 * (abs(low) + 1)
        assert found.high - 1e-12 * high <= high <= found.high
    assert bound._enclosure(p, np.full(32, np.inf), epsilon).width == np.inf


def test_a_bound_that_is_not_proved_to_1e_9_is_refused(monkeypatch):
    bound = EntropicBound(circle(), 1.0, torus_grid(64, 1)[:, 0], np.full(64, 1 / 64))
    right = bound.values([1.0])[0]
    enclosed = EntropicBound._enclosure
    monkeypatch.setattr(EntropicBound, "_enclosure", lambda at, p, a, e: enclosed(at, p * (1 + 1e-3), a, e))
    with pytest.raises(CertificateError, match="the entropic bound is not certified") as refused:
        bound.values([1.0])
    assert refused.value.answer == pytest.approx(right, rel=1e-9)
