"""Images and their labels, which must fit their classes."""

import numpy as np
import pytest

from implicit_bias.data import digits


def test_labels_outside_the_classes_are_refused():
    from dataclasses import replace

    images = digits(np.random.default_rng(0))
    with pytest.raises(ValueError, match="labels holds 0 to 9"):
        replace(images, classes=9)
    with pytest.raises(ValueError, match="labels has shape"):
        replace(images, labels=images.labels[1:])


def test_the_test_set_is_moved_and_scaled_as_the_training_set():
    images = digits(np.random.default_rng(0))
    standardised = images.standardised()
    varies = images.x.std(axis=0) > 0
    np.testing.assert_allclose(standardised.x[:, varies].mean(axis=0), 0, atol=1e-12)
    np.testing.assert_allclose(standardised.x[:, varies].std(axis=0), 1, rtol=1e-12)
    assert not standardised.x_test[:, ~varies].any()
    slope, offset = (np.polyfit(images.x[:, 20], standardised.x[:, 20], 1)[i] for i in (0, 1))
    np.testing.assert_allclose(standardised.x_test[:, 20], slope * images.x_test[:, 20] + offset, atol=1e-10)
