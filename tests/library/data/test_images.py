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
