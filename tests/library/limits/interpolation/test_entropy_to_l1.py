"""The expansion of the minimizers at k = 0."""

import numpy as np
import pytest

from implicit_bias.limits.certificate import CertificateError
from implicit_bias.limits.interpolation import HyperbolicEntropy, entropy_to_l1


def test_expansion_at_the_rich_limit(vertex):
    rich = entropy_to_l1(vertex.x, vertex.y)
    outside = ~rich.support
    assert rich.support.sum() == 3
    np.testing.assert_allclose(rich.c[~outside], np.sign(rich.l1.w[~outside]), atol=1e-9)
    np.testing.assert_allclose(rich.offset[~outside] * rich.c[~outside], np.log(4 * np.abs(rich.l1.w[~outside])))
    for root in (1e-8, 1e-10, 1e-12):
        w = HyperbolicEntropy(np.full(6, root**2)).minimize(vertex.x, vertex.y).w
        leading = rich.minimizer(root)
        np.testing.assert_allclose(vertex.x @ leading, vertex.y, atol=1e-12)
        off = np.abs(w / leading - 1)[outside].max()
        assert off == pytest.approx(rich.next_order(root), rel=0.05)
        np.testing.assert_allclose(w[~outside], leading[~outside], atol=0.1 * np.abs(w - rich.l1.w).max())
    distances = [np.linalg.norm(rich.minimizer(root) - rich.l1.w) for root in (1e-12, 1e-14)]
    assert np.log(distances[0] / distances[1]) / np.log(100) == pytest.approx(rich.slack, abs=5e-3)


def test_expansion_refuses(vertex):
    with pytest.raises(CertificateError, match="non-zero coordinates; the expansion needs 3"):
        entropy_to_l1(vertex.x, vertex.x[:, 0])
    twice = np.hstack([vertex.x, vertex.x])
    with pytest.raises(CertificateError, match="is not unique"):
        entropy_to_l1(twice, vertex.y)
    with pytest.raises(ValueError, match=r"root_k is 0; it must lie in \(0, inf\)"):
        entropy_to_l1(vertex.x, vertex.y).minimizer(0)
