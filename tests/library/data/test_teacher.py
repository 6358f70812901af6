"""Teachers: lines well apart, labels of both signs, refusals."""

import numpy as np
import pytest

from implicit_bias.data import Teacher, planar_teacher, random_teacher


def test_planar_teacher_is_well_separated():
    for seed in range(20):
        teacher = planar_teacher(np.random.default_rng(seed), 5)
        lines = np.sort(np.arctan2(teacher.w[:, 1], teacher.w[:, 0]) % np.pi)
        assert np.min(np.diff(np.append(lines, lines[0] + np.pi))) >= np.pi / 10 - 1e-12
        assert np.sum(teacher.a == 1) == 3
        assert np.sum(teacher.a == -1) == 2
        np.testing.assert_allclose(np.linalg.norm(teacher.w, axis=1), 1)


def test_refusals():
    with pytest.raises(ValueError, match=r"neurons is 1; it must be a whole number of at least 2"):
        planar_teacher(np.random.default_rng(0), 1)
    with pytest.raises(ValueError, match="d is 1; it must be a whole number of at least 2"):
        random_teacher(np.random.default_rng(0), 3, 1)
    with pytest.raises(ValueError, match="neurons is 0; it must be a whole number of at least 1"):
        random_teacher(np.random.default_rng(0), 0, 3)
    with pytest.raises(ValueError, match=r"a has shape \(1,\); it must be 2"):
        Teacher(np.ones((2, 2)), np.ones(1))
