"""Networks in the plane, many at once: sectors against sums over pairs."""

import numpy as np
import pytest

from implicit_bias.data import Teacher
from implicit_bias.models.population import PlanarNetworks, PopulationFlow


def test_sectors_and_pairs_give_the_same(planar):
    networks, state = planar
    risk, velocity, dissipation = networks.descent(state)
    a, b = networks.particles(state)
    for run, (places, weights) in enumerate(zip(a, b, strict=True)):
        kept = networks.mass[run] > 0
        one = PopulationFlow(places[kept], weights[kept], networks.teacher)
        theta = one.start
        assert risk[run] == pytest.approx(one.value(theta), rel=1e-12)
        assert dissipation[run] == pytest.approx(one.dissipation(theta), rel=1e-12)
        on_a, on_b = one.weights(one.velocity(theta))
        np.testing.assert_allclose(on_b / one.a, velocity[run, kept, 0], atol=1e-12)
        turned = (one.w[:, 0] * on_a[:, 1] - one.w[:, 1] * on_a[:, 0]) / np.sum(one.w**2, axis=1)
        np.testing.assert_allclose(turned, velocity[run, kept, 1], atol=1e-12)


def test_refusals(planar):
    teacher = planar[0].teacher
    with pytest.raises(ValueError, match="mass holds 2 negative entries"):
        PlanarNetworks(-np.ones((1, 2)), np.ones((1, 2)), teacher)
    with pytest.raises(ValueError, match="sign holds entries that are not 1 or -1"):
        PlanarNetworks(np.ones((1, 2)), np.zeros((1, 2)), teacher)


def test_the_risk_of_what_cancels_is_not_negative():
    """Each particle twice with opposite signs, many opposite each other: sectors as narrow as the rounding."""
    rng = np.random.default_rng(1)
    angle = np.tile(2 * np.pi * np.arange(64) / 64 + rng.choice([0.0, np.pi, 20 * np.pi], (50, 64)), 2)
    sign = rng.choice([-1.0, 1.0], (50, 64))
    nothing = Teacher(np.array([[1.0, 0.0]]), np.zeros(1))
    networks = PlanarNetworks(np.full_like(angle, 1e3), np.concatenate([sign, -sign], axis=1), nothing)
    risk = networks.risk(np.stack([0 * angle, angle], axis=-1))
    assert np.all(risk >= 0)
    assert np.all(risk < 1e-20)
