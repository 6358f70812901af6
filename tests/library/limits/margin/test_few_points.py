"""The largest margin of many points from a few: the same as from all, and as well certified."""

import numpy as np
import pytest
from library.helpers import refusal

from implicit_bias.data import Classification, clusters
from implicit_bias.limits.certificate import CertificateError
from implicit_bias.limits.margin import variation_margin, variation_margin_of_many
from implicit_bias.limits.margin.variation_certificate import certify_variation_margin


@pytest.mark.parametrize(("seed", "n", "k"), [(0, 24, 2), (1, 24, 2), (2, 18, 3)])
def test_it_is_the_margin_of_all_points(seed, n, k):
    points = clusters(np.random.default_rng(seed), n, k, labels="diagonal" if k == 2 else "random")
    few, all_ = variation_margin_of_many(points), variation_margin(points)
    assert few.bound == pytest.approx(all_.bound, rel=2e-9)
    assert few.weights.shape == (n,)
    assert np.min(points.y * few.predict(points.x)) == pytest.approx(few.margin, rel=1e-12)
    assert certify_variation_margin(points, few.directions, few.masses, few.weights).worst <= 1e-9


def test_points_far_from_the_boundary_change_nothing():
    points = clusters(np.random.default_rng(0), 16)
    far = points.x * [3.0, 3.0, 1.0]
    more = Classification(x=np.vstack([points.x, far]), y=np.append(points.y, points.y))
    assert variation_margin_of_many(more).bound == pytest.approx(variation_margin(more).bound, rel=2e-9)


@pytest.mark.parametrize(
    ("x", "y", "said"),
    [
        ([[1.0, 0.0, 1.0], [0.0, 1.0, 1.0]], [1.0, 1.0], "points.y holds 1 alone"),
        ([[1.0, 0.0, 1.0], [1.0, 0.0, 1.0]], [1.0, -1.0], "the same up to a factor"),
        ([[1.0, 0.0], [0.0, 1.0]], [1.0, -1.0], "points.x has shape"),
    ],
)
def test_what_the_program_refuses_is_refused(x, y, said):
    refusal(lambda: variation_margin_of_many(Classification(x=np.array(x), y=np.array(y))), said)


def test_a_refusal_carries_an_answer_for_all_points(monkeypatch):
    right = variation_margin

    def refused(points, *, tol):
        answer = right(points, tol=tol)
        raise CertificateError("of the few", answer, answer.certificate)

    monkeypatch.setattr("implicit_bias.limits.margin.few_points.variation_margin", refused)
    points = clusters(np.random.default_rng(0), 24)
    with pytest.raises(CertificateError, match="a relative width of") as found:
        variation_margin_of_many(points, tol=1e-16)
    assert found.value.answer.weights.shape == (24,)
    certificate = found.value.certificate
    assert certificate.enclosure.low == found.value.answer.margin
    assert certificate.enclosure.high == found.value.answer.bound
