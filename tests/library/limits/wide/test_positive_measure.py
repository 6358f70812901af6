"""The positive measure: it finds a positive teacher and brackets the minimum."""

import mpmath
import numpy as np
import pytest

from implicit_bias.data import Teacher, planar_teacher
from implicit_bias.limits.wide import positive_fit
from implicit_bias.limits.wide.positive_measure import certify_positive_fit, lowest_potential
from implicit_bias.models.population import PlanarNetworks


def test_positive_fit_finds_a_positive_teacher():
    angle = 2 * np.pi * np.array([10, 200, 500]) / 720
    teacher = Teacher(np.stack([np.cos(angle), np.sin(angle)], axis=1), np.array([1.0, 2.0, 0.5]))
    fit = positive_fit(teacher)
    assert fit.zero > 0.1
    assert fit.value == pytest.approx(0, abs=1e-12)
    assert abs(fit.gap) < 1e-6


def test_positive_fit_brackets_the_minimum():
    for seed in range(3):
        teacher = planar_teacher(np.random.default_rng(seed), 5)
        coarse, fine = positive_fit(teacher, 60), positive_fit(teacher)
        assert coarse.value - coarse.gap <= fine.value - fine.gap + 1e-9
        assert fine.value <= coarse.value
        assert 0 < fine.gap < 1e-4 * fine.zero
        assert coarse.gap > 4 * fine.gap
        networks = PlanarNetworks(np.full((1, 720), 1.0), np.ones((1, 720)), teacher)
        around = 2 * np.pi * np.arange(720) / 720
        state = np.stack([np.log(np.maximum(fine.masses, 1e-30)) / 2, around], axis=1)[None]
        assert networks.risk(state)[0] == pytest.approx(fine.value, abs=1e-12)
        assert networks.risk(state - 100)[0] == pytest.approx(fine.zero, rel=1e-12)
    with pytest.raises(ValueError, match="directions is 4; it must be a whole number of at least 8"):
        positive_fit(planar_teacher(np.random.default_rng(0), 5), 4)


def kernel_by_digits(u, p):
    (a, b), (c, d) = ([mpmath.mpf(float(one)) for one in pair] for pair in (u, p))
    across, along = abs(a * d - b * c), a * c + b * d
    return (across + (mpmath.pi - mpmath.atan2(across, along)) * along) / (2 * mpmath.pi)


@pytest.mark.parametrize("unit", [1.0, 1e-120, 1e120])
@pytest.mark.parametrize("seed", range(6))
def test_the_value_and_what_is_missed_hold_in_many_digits(seed, unit):
    """Also for directions that nearly coincide or are opposite, of any length, and masses that are not the best."""
    stream = np.random.default_rng(seed)
    w = stream.standard_normal((4, 2))
    w[1], w[2] = w[0] * (1 + 1e-9), -3 * w[0]
    teacher = Teacher(unit * w, stream.standard_normal(4))
    angle = np.append(np.arctan2(w[0, 1], w[0, 0]), stream.uniform(0, 6, 2))
    places, masses = np.stack([np.cos(angle), np.sin(angle)], axis=1), unit * stream.uniform(0, 1, 3)
    gap, certificate = certify_positive_fit(teacher, places, masses)
    with mpmath.workdps(40):
        sources = np.concatenate([places, teacher.w])
        charges = [*(mpmath.mpf(float(one)) for one in masses), *(-mpmath.mpf(float(one)) / 4 for one in teacher.a)]
        potential = [sum(c * kernel_by_digits(u, p) for c, p in zip(charges, sources, strict=True)) for u in sources]
        value = sum(c * v for c, v in zip(charges, potential, strict=True)) / 2
        inside = sum(c * v for c, v in zip(charges[:3], potential[:3], strict=True))
        held = sum(
            c * mpmath.hypot(*(mpmath.mpf(float(one)) for one in p)) for c, p in zip(charges[:3], places, strict=True)
        )
        below = mpmath.mpf(max(0.0, -lowest_potential(sources, np.concatenate([masses, -teacher.a / 4]))))
        missed = inside + below * held + (mpmath.pi * below / 2) ** 2
        found = certificate.enclosure
        scale = sum(abs(c) * mpmath.hypot(*map(float, p)) for c, p in zip(charges, sources, strict=True)) ** 2
        assert value <= found.high <= value + 1e-13 * scale
        assert value - missed - 1e-13 * scale <= found.low <= max(0, value - missed)
        assert missed <= gap <= missed + 1e-13 * scale
    assert certify_positive_fit(teacher, places, -masses)[1].enclosure.width == np.inf


def test_the_lowest_potential_is_proved_where_it_is_attained_in_a_point():
    """One neuron of charge −1 at the angle of any cell: the least value is −½/2, at the neuron."""
    for angle in np.random.default_rng(0).uniform(0, 6, 300):
        place = np.array([[np.cos(angle), np.sin(angle)]])
        with mpmath.workdps(40):
            least = -kernel_by_digits(place[0], place[0]) / mpmath.hypot(*map(float, place[0]))
            assert least - 1e-11 <= lowest_potential(place, -np.ones(1)) <= least
