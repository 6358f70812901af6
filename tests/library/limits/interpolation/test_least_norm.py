"""The least norm is the pseudoinverse's; interpolators that do not exist are refused."""

import numpy as np
import pytest

from implicit_bias.limits.certificate import CertificateError
from implicit_bias.limits.interpolation import least_l1, least_norm


def test_least_norm_is_the_pseudoinverse(regression):
    np.testing.assert_allclose(
        least_norm(regression.x, regression.y).w, np.linalg.pinv(regression.x) @ regression.y, atol=1e-12
    )


@pytest.mark.parametrize("solve", [least_norm, least_l1])
def test_interpolators_that_do_not_exist_are_refused(solve):
    with pytest.raises(CertificateError, match="is not certified|was not found"):
        solve([[1.0, 1.0], [1.0, 1.0]], [1.0, 2.0])
