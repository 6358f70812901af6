"""The line of jumps: against the splines themselves, the penalized level, the free level, what it refuses."""

import numpy as np
import pytest

from implicit_bias.data import BiasLaw
from implicit_bias.limits.certificate import CertificateError
from implicit_bias.limits.mirror import jump_line, ramp_kernel, ramp_spline

X = np.array([-1.5, -0.9, -0.3, 0.4, 1.0, 1.6])
Y = np.array([0.2, -0.2, 0.15, -0.1, 0.2, -0.15])
LAWS = [BiasLaw(2.0), BiasLaw(2.0, "parabolic")]
SHIFTS = [-2.0, -1.0, 0.0, 1.0, 2.0]


def test_the_five_jumps_are_known():
    jumps = [-0.853598, -0.380461, 0.092676, 0.565814, 1.038951]
    np.testing.assert_allclose(jump_line(X, Y, LAWS[0]).at(SHIFTS), jumps, atol=1e-6)


@pytest.mark.parametrize("law", LAWS, ids=repr)
@pytest.mark.parametrize("freedom", [0.0, 0.01, 1.0, 1e4])
def test_the_line_is_that_of_the_functions_of_a_kernel_with_a_freer_constant(law, freedom):
    line = jump_line(X, Y, law, freedom)
    mass, first, _ = law.partial_moments(X)
    apart = (X * (2 * mass - 1) - 2 * first) / 2  # ½E|x − b|
    gram = ramp_kernel(X, X, law) + freedom
    expected = [apart @ np.linalg.solve(gram, Y + c) for c in SHIFTS]
    np.testing.assert_allclose(line.at(SHIFTS), expected, atol=1e-7)
    assert line.at(line.turn) == pytest.approx(0, abs=1e-12)


@pytest.mark.parametrize("law", LAWS, ids=repr)
def test_at_its_ends_it_is_the_problem_with_and_without_the_third_penalty(law):
    for freedom, penalized, allowed in ((0.0, (True, True), 1e-10), (1e7, (True, False), 1e-6)):
        expected = [ramp_spline(X, Y + c, law, penalized).jump for c in SHIFTS]
        np.testing.assert_allclose(jump_line(X, Y, law, freedom).at(SHIFTS), expected, atol=allowed)


@pytest.mark.parametrize("freedom", [0.0, 0.5, 1e7])
def test_the_squared_norm_is_enclosed(freedom):
    law = LAWS[0]
    known = Y @ np.linalg.solve(ramp_kernel(X, X, law) + freedom, Y)
    found = jump_line(X, Y, law, freedom).certificate.enclosure
    assert found.low <= known * (1 + 1e-6)
    assert known * (1 - 1e-6) <= found.high
    assert found.width < 1e-9
    with pytest.raises(CertificateError, match="its value is proved to lie between") as refused:
        jump_line(X, Y, law, freedom, tol=1e-20)
    assert refused.value.answer.at(0.0) == jump_line(X, Y, law, freedom).start


def test_labels_of_zero_turn_at_zero():
    line = jump_line(X, 0 * Y, LAWS[0])
    assert (line.start, line.turn) == (0, 0)


@pytest.mark.parametrize(
    ("call", "said"),
    [
        (lambda: jump_line(X, Y, LAWS[0], -1.0), "freedom is -1; it must"),
        (lambda: jump_line(X, Y[:2], LAWS[0]), "y has shape"),
        (lambda: jump_line([0.0, 0.0], [1.0, 2.0], LAWS[0]), "x holds a place twice"),
    ],
)
def test_bad_arguments_are_refused_in_one_line(call, said):
    with pytest.raises(ValueError, match=said) as refused:
        call()
    assert "\n" not in str(refused.value)
