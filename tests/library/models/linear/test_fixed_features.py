"""A linear model of fixed features: residual, derivative, and where its flows end."""

import numpy as np
import pytest

from implicit_bias.flows import FlowError, MirrorFlow, drive, follow_mirror
from implicit_bias.models.linear import FixedFeatures
from implicit_bias.potentials import Cubic, Quadratic

STREAM = np.random.default_rng(0)
MODEL = FixedFeatures(STREAM.standard_normal((3, 6)), STREAM.standard_normal(3))
START = np.zeros(6)


def test_the_residual_is_linear_with_its_jacobian():
    u, v = STREAM.standard_normal((2, 6))
    np.testing.assert_allclose(MODEL.residual(u) - MODEL.residual(v), MODEL.jacobian(u) @ (u - v), rtol=1e-12)


def test_gradient_flow_ends_at_the_least_norm():
    end = follow_mirror(MODEL, START, Quadratic(), 1.0).final
    np.testing.assert_allclose(end, np.linalg.lstsq(MODEL.features, MODEL.y)[0], rtol=1e-9)


def test_it_is_mirror_flow_to_its_misfit_and_to_a_time():
    run = follow_mirror(MODEL, START, Cubic(), 0.5, misfit=1e-6, growth=0.1)
    assert np.linalg.norm(MODEL.residual(run.final)) <= 1.001e-6
    there = follow_mirror(MODEL, START, Cubic(), 0.5, misfit=None, t_end=2.0, record=[1.0], first=0.1)
    same = drive(MirrorFlow(MODEL, Cubic(), 0.5, first=0.1), START, t_end=2.0, record=[1.0])
    assert (there.theta == same.theta).all()


def test_a_misfit_out_of_reach_is_said():
    with pytest.raises(FlowError, match="before the residual 1e-11"):
        follow_mirror(MODEL, START, Quadratic(), 1.0, t_end=0.1)


def test_labels_that_do_not_fit_are_refused():
    with pytest.raises(ValueError, match=r"y has shape \(2,\); it must be 3"):
        FixedFeatures(MODEL.features, MODEL.y[:2])
