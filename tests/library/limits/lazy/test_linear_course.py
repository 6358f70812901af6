"""The course of a linear model: against an integrator, its two ends, refusals."""

import numpy as np
import pytest

from implicit_bias.flows import gradient_flow
from implicit_bias.limits.lazy import linear_course

STREAM = np.random.default_rng(0)
F, G, Y = STREAM.standard_normal((6, 4)), STREAM.standard_normal((3, 4)), STREAM.standard_normal(6)


def test_against_an_integrator():
    run = gradient_flow(lambda v: -F.T @ (F @ v - Y), np.zeros(4), t_end=2.0, record=[0.5], rtol=1e-11, atol=1e-13)
    assert linear_course(F, Y, G, [0.5, 2.0]) == pytest.approx(run.theta[1:] @ G.T, abs=1e-8)


def test_more_features_than_samples_follow_the_same_course():
    wide, others = np.random.default_rng(2).standard_normal((2, 4, 9))
    run = gradient_flow(lambda v: -wide.T @ (wide @ v - Y[:4]), np.zeros(9), t_end=0.3, rtol=1e-11, atol=1e-13)
    assert linear_course(wide, Y[:4], others, [0.3])[0] == pytest.approx(others @ run.final, abs=1e-8)


def test_several_labellings_are_those_alone():
    both = linear_course(F, np.column_stack([Y, -2 * Y**2]), G, [0.5, 2.0])
    assert both[..., 0] == pytest.approx(linear_course(F, Y, G, [0.5, 2.0]), abs=1e-14)
    assert both[..., 1] == pytest.approx(linear_course(F, -2 * Y**2, G, [0.5, 2.0]), abs=1e-14)


def test_it_begins_at_0_and_ends_at_least_squares():
    course = linear_course(F, Y, F, [0.0, 1e6])
    assert np.all(course[0] == 0)
    assert course[1] == pytest.approx(F @ np.linalg.lstsq(F, Y)[0], rel=1e-9)


def test_more_features_than_samples_end_at_the_labels():
    features = np.random.default_rng(1).standard_normal((5, 30))
    assert linear_course(features, Y[:5], features, [1e6])[0] == pytest.approx(Y[:5], rel=1e-9)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((F, Y[:5], G, [1.0]), "y has shape"),
        ((F, Y, G[:, :3], [1.0]), "others has shape"),
        ((F, Y, G, [-1.0]), "times is -1"),
    ],
)
def test_refusals(arguments, message):
    with pytest.raises(ValueError, match=message):
        linear_course(*arguments)
