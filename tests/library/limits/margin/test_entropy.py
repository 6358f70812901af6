"""The multipliers of maximal entropy: known answers, other multipliers, units, points that no solution needs."""

import numpy as np
import pytest

from implicit_bias.data import separable
from implicit_bias.limits.certificate import CertificateError
from implicit_bias.limits.margin import entropic_margin, max_margin


def drawn(seed=0, n=20, d=6, support=4):
    """A separable set and its hard-margin solution."""
    z = separable(np.random.default_rng(seed), n, d, support=support).signed
    return z, max_margin(z)


def entropy(alpha):
    p = alpha[alpha > 0] / alpha.sum()
    return -np.sum(p * np.log(p))


def test_three_points_in_the_plane_have_the_weights_of_a_loaded_die():
    answer = entropic_margin([[1.0, 2.0], [1.0, 0.0], [1.0, -1.0]])
    expected = np.array([0.5 ** (2 / 3), 1.0, 0.5 ** (-1 / 3)])
    np.testing.assert_allclose(answer.alpha, expected / expected.sum(), rtol=1e-13)
    np.testing.assert_allclose(answer.w, [1.0, 0.0], atol=1e-14)


@pytest.mark.parametrize("seed", range(5))
def test_independent_support_vectors_have_one_choice(seed):
    z, answer = drawn(seed)
    found = entropic_margin(z)
    np.testing.assert_allclose(found.alpha, answer.alpha, atol=1e-13)
    np.testing.assert_array_equal(found.support, answer.support)
    assert found.slack == answer.slack
    assert found.contraction == pytest.approx(answer.contraction, rel=1e-12)


def test_the_copies_of_a_point_share_its_multiplier():
    z, answer = drawn()
    first = answer.support[0]
    found = entropic_margin(np.vstack([z, z[first], z[first]]))
    np.testing.assert_allclose(found.alpha[[first, -2, -1]], answer.alpha[first] / 3, rtol=1e-12)
    assert found.slack == pytest.approx(answer.slack)
    assert found.contraction == pytest.approx(answer.contraction, rel=1e-9)


@pytest.mark.parametrize("seed", range(5))
def test_no_other_multipliers_have_more_entropy(seed):
    z, answer = drawn(seed)
    on = answer.vectors
    z = np.vstack([z, (on[0] + on[1]) / 2, (on[1] + 2 * on[2]) / 3, on.mean(axis=0)])
    found = entropic_margin(z)
    np.testing.assert_allclose(found.alpha @ z, answer.w, atol=1e-13)
    assert found.support.size == on.shape[0] + 3
    free = np.linalg.svd(found.vectors.T)[2][on.shape[0] :]  # other multipliers of the same ŵ differ by these
    np.testing.assert_allclose(free @ np.log(found.alpha[found.support]), 0, atol=1e-11)
    moved = found.alpha.copy()
    moved[found.support] += 0.1 * found.alpha.max() * free[0]
    assert entropy(found.alpha) > max(entropy(np.abs(moved)), entropy(max_margin(z).alpha))


@pytest.mark.parametrize("unit", [2.0**-300, 1e-3, 2.0**300])
def test_the_unit_of_the_points_does_not_matter(unit):
    z, answer = drawn()
    z = np.vstack([z, answer.vectors[0]])
    np.testing.assert_allclose(entropic_margin(unit * z).alpha * unit * unit, entropic_margin(z).alpha, rtol=1e-12)


@pytest.mark.parametrize("d", [6, 3])
def test_a_point_on_the_edge_that_no_solution_needs_is_refused_with_the_answer(d):
    z, answer = drawn(d=d, support=2)
    aside = np.linalg.svd(answer.vectors)[2][-1]  # at a right angle to all support vectors
    with pytest.raises(CertificateError, match=f"point {len(z)} lies on the edge, and its multiplier is 0") as refused:
        entropic_margin(np.vstack([z, answer.margin * answer.direction + aside]))
    np.testing.assert_allclose(refused.value.answer.w, answer.w, rtol=1e-12)


def test_one_support_vector_carries_everything():
    answer = entropic_margin([[2.0, 0.0], [5.0, 1.0]])
    np.testing.assert_allclose(answer.alpha, [0.25, 0.0])
    assert answer.slack == pytest.approx(1.5)


def test_a_set_that_is_not_separable_is_refused():
    with pytest.raises(CertificateError, match="no direction separates the points"):
        entropic_margin([[1.0, 0.2], [-1.0, 0.3], [0.1, -1.0]])
