"""The digits of scikit-learn, split and standardised."""

import numpy as np
import pytest

from implicit_bias.data import digits


def test_the_digits_are_split_and_standardised():
    images = digits(np.random.default_rng(0), test=450)
    assert images.x.shape == (1347, 64)
    assert images.x_test.shape == (450, 64)
    assert images.x.min() == 0
    assert images.x.max() == images.largest == 16
    together = np.concatenate([images.x, images.x_test])
    assert len(np.unique(together, axis=0)) == len(np.unique(np.random.default_rng(1).permutation(together), axis=0))
    assert np.bincount(np.concatenate([images.labels, images.labels_test])).tolist() == [
        178, 182, 177, 183, 181, 182, 181, 179, 174, 180,
    ]  # fmt: skip
    standard = images.standardised()
    moving = images.x.std(axis=0) > 0
    np.testing.assert_allclose(standard.x.mean(axis=0), 0, atol=1e-13)
    np.testing.assert_allclose(standard.x.std(axis=0)[moving], 1, rtol=1e-12)
    assert np.all(standard.x[:, ~moving] == 0)
    assert images.in_unit_interval().x.max() == 1
    assert images.checksum == digits(np.random.default_rng(0), test=450).checksum != standard.checksum
    with pytest.raises(ValueError, match="test is 1797"):
        digits(np.random.default_rng(0), test=1797)
