"""Both bounds of a bilinear norm: known answers, random directions, exactness in three variables, refusals."""

import math

import numpy as np
import pytest

from implicit_bias.limits.certificate import CertificateError
from implicit_bias.limits.lazy import bilinear, bilinear_norm


def forms(seed, shape):
    """Random symmetric matrices, … × q × q."""
    found = np.random.default_rng(seed).standard_normal(shape)
    return found + np.swapaxes(found, -1, -2)


def test_one_output_is_an_eigenvalue():
    b = forms(0, (5, 1, 4, 4))
    found = bilinear_norm(b)
    spectra = np.abs(np.linalg.eigvalsh(b[:, 0])).max(axis=1)
    assert found.below == pytest.approx(spectra.max(), rel=1e-12)
    assert found.above == pytest.approx(spectra.max(), rel=1e-9)
    assert found.block == spectra.argmax()


def test_products_of_two_weights_have_the_norm_of_their_matrix():
    x = np.random.default_rng(1).standard_normal((6, 2))  # B(v, v) = 2 a (w·x_i): of norm ‖X‖ at |a| = ‖w‖
    b = np.zeros((1, 6, 3, 3))
    b[0, :, :2, 2] = b[0, :, 2, :2] = x
    found = bilinear_norm(b)
    assert found.below == pytest.approx(np.linalg.norm(x, 2), rel=1e-12)
    assert found.above == pytest.approx(np.linalg.norm(x, 2), rel=1e-9)


@pytest.mark.parametrize("q", [1, 2, 3])
@pytest.mark.parametrize("seed", range(4))
def test_bounds_agree_up_to_three_variables(q, seed):
    found = bilinear_norm(forms(seed, (7, 5, q, q)))
    assert found.below <= found.above <= found.below * (1 + 2e-9)


@pytest.mark.parametrize("q", [4, 5])
@pytest.mark.parametrize("seed", range(4))
def test_bounds_of_random_forms_agree_in_four_and_five_variables(q, seed):
    """They need not: Hilbert's theorem ends at three."""
    found = bilinear_norm(forms(seed, (7, 5, q, q)))
    assert found.below <= found.above <= found.below * (1 + 2e-9)


@pytest.mark.parametrize("q", [2, 3, 4])
def test_what_is_added_to_the_form_vanishes_at_every_square(q):
    """zᵀQz = 0 at z = vvᵀ for every Q; there are as many as relations between products of two entries of z."""
    nothing = bilinear._vanishing(q)
    rows, columns = np.triu_indices(q)
    v = np.random.default_rng(q).standard_normal((50, q))
    z = v[:, rows] * v[:, columns] * np.where(rows == columns, 1.0, np.sqrt(2.0))
    np.testing.assert_allclose(np.einsum("kab,ta,tb->tk", nothing, z, z), 0, atol=1e-11)
    size = len(rows)
    assert len(nothing) == size * (size + 1) // 2 - math.comb(q + 3, 4)


def test_a_bound_from_above_that_is_below_is_refused(monkeypatch):
    """Matrices that do not vanish there make no bound: with all of trace 0 the mean eigenvalue is reached."""

    def traceless(q):
        size = q * (q + 1) // 2
        units = np.eye(size)
        mixed = [np.outer(units[i], units[j]) + np.outer(units[j], units[i]) for i in range(size) for j in range(i)]
        return np.array([*mixed, *(np.diag(units[0] - units[i]) for i in range(1, size))])

    monkeypatch.setattr(bilinear, "_vanishing", traceless)
    with pytest.raises(CertificateError, match="lies below what is attained"):
        bilinear_norm(forms(1, (7, 5, 3, 3)))


@pytest.mark.parametrize("q", [2, 3, 5])
def test_no_direction_exceeds_and_one_attains(q):
    b = forms(3, (6, 4, q, q))
    found = bilinear_norm(b)
    v = np.random.default_rng(4).standard_normal((20_000, q))
    v /= np.linalg.norm(v, axis=1, keepdims=True)
    tried = np.linalg.norm(np.einsum("jnab,ka,kb->jkn", b, v, v, optimize=True), axis=2).max()
    assert 0.8 * found.below < tried <= found.below * (1 + 1e-12)
    at = np.einsum("nab,a,b->n", b[found.block], found.direction, found.direction)
    assert np.linalg.norm(at) == pytest.approx(found.below, rel=1e-12)
    assert np.linalg.norm(found.direction) == pytest.approx(1, rel=1e-12)


def test_directions_across_blocks_do_not_exceed():
    b = forms(6, (3, 4, 2, 2))
    v = np.random.default_rng(7).standard_normal((20_000, 3, 2))
    v /= np.linalg.norm(v, axis=(1, 2), keepdims=True)
    tried = np.linalg.norm(np.einsum("jnab,kja,kjb->kn", b, v, v, optimize=True), axis=1).max()
    assert tried <= bilinear_norm(b).above


def test_it_scales_and_vanishes():
    b = forms(8, (3, 4, 3, 3))
    assert bilinear_norm(1e-200 * b).below == pytest.approx(1e-200 * bilinear_norm(b).below, rel=1e-9)
    nothing = bilinear_norm(np.zeros((2, 3, 3, 3)))
    assert (nothing.below, nothing.above) == (0.0, 0.0)


@pytest.mark.parametrize(
    ("blocks", "message"),
    [
        (np.zeros((2, 3, 3)), "blocks has 3 axes"),
        (np.zeros((2, 3, 3, 2)), "blocks has shape"),
        (np.zeros((2, 3, 9, 9)), "8 at most"),
        (np.arange(9.0).reshape(1, 1, 3, 3), "not symmetric"),
    ],
)
def test_refusals(blocks, message):
    with pytest.raises(ValueError, match=message):
        bilinear_norm(blocks)
