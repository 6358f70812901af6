"""A certificate that is too loose, or not a number, is refused."""

import pytest

from implicit_bias.limits.certificate import Certificate, CertificateError


def test_a_certificate_that_is_too_loose_or_not_a_number_is_refused():
    Certificate(1e-12, 0.0, -1e-12).demand(1e-11, "it")
    for bad in (Certificate(1e-9, 0, 0), Certificate(0, 0, -1e-9), Certificate(float("nan"), 0, 0)):
        with pytest.raises(CertificateError, match="it is not certified"):
            bad.demand(1e-11, "it")
