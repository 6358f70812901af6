"""The positive measure: it finds a positive teacher and brackets the minimum."""

import numpy as np
import pytest

from implicit_bias.data import Teacher, planar_teacher
from implicit_bias.limits.wide import positive_fit
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
