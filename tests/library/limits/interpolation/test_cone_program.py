"""The cone program's weights; test_hyperbolic_entropy.py compares its answer with Newton's."""

import mpmath
import numpy as np
import pytest
from library.limits.by_digits import least

from implicit_bias.limits.certificate import CertificateError
from implicit_bias.limits.interpolation import cone_program
from implicit_bias.limits.interpolation.cone_program import certify_cone


def test_the_cone_program_refuses_weights_that_are_not_positive(regression):
    with pytest.raises(ValueError, match="a and b hold 0; every entry must be positive"):
        cone_program(regression.x, regression.y, np.ones(12), np.zeros(12))


@pytest.mark.parametrize(("a", "b"), [(1.0, 1.0), (0.3, 0.3), (1.0, 1e-3), (1e-4, 20.0)])
def test_the_least_sum_of_sixty_digits_is_enclosed(a, b):
    stream = np.random.default_rng(0)
    x, y = stream.standard_normal((2, 5)), stream.standard_normal(2)
    a, b = a * stream.uniform(0.5, 2, 5), b * stream.uniform(0.5, 2, 5)
    w = cone_program(x, y, a, b)
    with mpmath.workdps(60):
        first, second = ([mpmath.mpf(float(entry)) for entry in weights] for weights in (a, b))

        def parts(nu):
            both = [(one * mpmath.exp(s), two * mpmath.exp(-s)) for one, two, s in zip(first, second, nu, strict=True)]
            return [list(part) for part in zip(*both, strict=True)]

        def value(w):
            total = mpmath.mpf(0)
            for z, one, two in zip(w, first, second, strict=True):
                p = (z + mpmath.sqrt(z**2 + 4 * one * two)) / 2  # p(p − z) = AB
                for part, weight in ((p, one), (one * two / p, two)):
                    total += part * mpmath.log(part / weight) - part + weight
            return total

        scale = np.arcsinh(w / (2 * np.sqrt(a * b))) - np.arcsinh((a - b) / (2 * np.sqrt(a * b)))
        start = np.linalg.lstsq(x.T, scale)[0]
        truth = least(x, y, start, lambda nu: [p - m for p, m in zip(*parts(nu), strict=True)], value)
        for miss, width in ((0.0, 1e-9), (1e-6, 1e-4)):
            p = (w + np.sqrt(w**2 + 4 * a * b)) / 2 * (1 + miss * stream.standard_normal(5))
            found = certify_cone(x, y, a, b, p, a * b / p).enclosure
            assert found.low <= truth <= found.high
            assert found.width <= width


def test_what_is_not_proved_is_refused_with_the_answer(regression):
    with pytest.raises(CertificateError, match="is not certified") as refused:
        cone_program(regression.x, regression.y, np.ones(12), np.ones(12), tol=1e-17)
    np.testing.assert_allclose(regression.x @ refused.value.answer, regression.y, atol=1e-6)
