"""The variational problem: kernel by draws and in another form, penalties by differences, the jump, bad input."""

import numpy as np
import pytest
from library.helpers import refusal
from scipy.interpolate import make_interp_spline

from implicit_bias.data import BiasLaw
from implicit_bias.limits.certificate import CertificateError
from implicit_bias.limits.mirror import ramp_kernel, ramp_spline

X = np.array([-1.5, -0.9, -0.3, 0.4, 1.0, 1.6])
Y = np.array([0.2, -0.2, 0.15, -0.1, 0.2, -0.15])
LAWS = [BiasLaw(2.0), BiasLaw(2.0, "parabolic")]


@pytest.mark.parametrize("law", LAWS, ids=repr)
def test_the_kernel_is_the_mean_over_ramps(law):
    b = law.quantile((np.arange(200_000) + 0.5) / 200_000)
    sides = [np.maximum(w * X[:, None] - b, 0) for w in (1, -1)]
    mean = sum(side @ side.T for side in sides) / (2 * b.size)
    np.testing.assert_allclose(ramp_kernel(X, X, law), mean, rtol=2e-6)


def test_the_kernel_has_a_second_form():
    reach, low, high = 2.0, np.minimum(X[:, None], X), np.maximum(X[:, None], X)
    gap = high - low
    below = (low + reach) ** 3 / 3 + gap * (low + reach) ** 2 / 2
    above = (reach - high) ** 3 / 3 + gap * (reach - high) ** 2 / 2
    np.testing.assert_allclose(ramp_kernel(X, X, LAWS[0]), (below + above) / (4 * reach), rtol=1e-13)


def test_outside_the_reach_it_is_straight():
    spline = ramp_spline(X, Y, LAWS[0])
    np.testing.assert_allclose(np.diff(spline.predict([2.0, 3.0, 4.0, 5.0]), 2), 0, atol=1e-10)
    np.testing.assert_array_equal(spline.curvature([2.5, -3.0]), 0)


@pytest.mark.parametrize("law", LAWS, ids=repr)
@pytest.mark.parametrize("penalized", [(True, True), (False, True), (True, False), (False, False)])
def test_curvature_jump_and_value_are_those_of_the_function(law, penalized):
    spline = ramp_spline(X, Y, law, penalized)
    np.testing.assert_allclose(spline.predict(X), Y, atol=1e-10)
    h, at = 1e-3, np.array([-1.7, -1.0, 0.0, 0.55, 1.8])
    second = (spline.predict(at + h) - 2 * spline.predict(at) + spline.predict(at - h)) / h**2
    np.testing.assert_allclose(spline.curvature(at), second, rtol=1e-3, atol=1e-4)
    slopes = np.diff(spline.predict([-4.0, -3.0, 3.0, 4.0]))[[0, 2]]
    assert spline.jump == pytest.approx(slopes[1] - slopes[0], abs=1e-9)
    fine = np.linspace(-2, 2, 400_001)[1:-1]
    bent = spline.curvature(fine)
    value = np.trapezoid(bent**2 / law.density(fine), fine)
    value += penalized[0] * slopes.sum() ** 2
    level = np.trapezoid(bent * np.abs(fine), fine) - 2 * spline.predict([0.0])[0]
    value += penalized[1] * level**2 / law.variance
    assert spline.value == pytest.approx(value, rel=1e-4)


@pytest.mark.parametrize("penalized", [(True, True), (False, True), (True, False), (False, False)])
def test_no_other_interpolant_has_less(penalized):
    spline, stream = ramp_spline(X, Y, LAWS[0], penalized), np.random.default_rng(0)
    for _ in range(20):  # functions that vanish at the data, added
        z = np.append(X, stream.uniform(-2, 2, 2))
        other = ramp_spline(
            z, np.append(Y, spline.predict(z[-2:]) + 0.1 * stream.standard_normal(2)), LAWS[0], penalized
        )
        assert other.value > spline.value


def test_uniform_curvature_alone_gives_the_natural_cubic_spline():
    at = np.linspace(X[0], X[-1], 101)
    natural = make_interp_spline(X, Y, bc_type="natural")
    np.testing.assert_allclose(ramp_spline(X, Y, LAWS[0], (False, False)).predict(at), natural(at), atol=1e-9)


def test_the_jump_is_linear_in_the_shift_and_known():
    jumps = [ramp_spline(X, Y + shift, LAWS[0]).jump for shift in (-2, -1, 0, 1, 2)]
    np.testing.assert_allclose(jumps, [-0.853598, -0.380461, 0.092676, 0.565814, 1.038951], atol=1e-6)


@pytest.mark.parametrize(
    ("call", "said"),
    [
        (lambda: ramp_spline([0.0, 0.0], [1.0, 2.0], LAWS[0]), "x holds a place twice"),
        (lambda: ramp_spline([0.0, 2.5], [1.0, 2.0], LAWS[0]), "x holds 2.5; every place must lie within"),
        (lambda: ramp_spline([0.0, 1.0], [1.0], LAWS[0]), "y has shape"),
    ],
)
def test_bad_problems_are_refused_in_one_line(call, said):
    with pytest.raises(ValueError, match=said) as refused:
        call()
    assert "\n" not in str(refused.value)


@pytest.mark.parametrize("x", [[0.0, 2e-8, 1e-8], [0.0, 1e-201]])
def test_equations_that_are_singular_to_rounding_are_one_line(x):
    with pytest.raises(CertificateError) as refused:
        ramp_spline(x, np.arange(float(len(x))), BiasLaw(1.0 if len(x) == 3 else 1e-200))
    said = f"the spline was not found: the equations of {len(x)} places are singular to rounding"
    assert str(refused.value) == said


@pytest.mark.parametrize("penalized", [(True, True), (False, True), (True, False), (False, False)])
def test_the_value_lies_in_its_enclosure(penalized):
    spline = ramp_spline(X, Y, LAWS[0], penalized)
    enclosure = spline.certificate.enclosure
    assert enclosure.width <= 1e-15
    assert spline.value == pytest.approx(enclosure.low, rel=1e-10)


@pytest.mark.parametrize("x", [0.0, 0.5])
def test_one_place_cannot_hold_both_slope_and_level(x):
    refusal(lambda: ramp_spline([x], [1.0], BiasLaw(1.0), (False, False)), f"x holds the place {x:g} alone")


@pytest.mark.parametrize("unit", [1e-170, 1e170])
def test_a_value_that_no_float_holds_is_refused_with_the_function(unit):
    x, y = np.array([-0.5, 0.0, 0.5]), np.array([1.0, 0.0, 1.0])
    with pytest.raises(CertificateError, match="a relative width of") as refused:
        ramp_spline(x, unit * y, BiasLaw(1.0))
    np.testing.assert_allclose(refused.value.answer.predict(x), unit * y, atol=1e-9 * unit)
