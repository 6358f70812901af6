"""Handwritten digits, 8 × 8 pixels: small real images that come with scikit-learn."""

import numpy as np

from implicit_bias.checks import instance, whole
from implicit_bias.data.images import Images
from implicit_bias.late import extra

COUNT = 1797


def digits(generator: np.random.Generator, test: int = 450) -> Images:
    """The 1,797 digits of scikit-learn in random order, split into a training and a test set.

    generator: the stream that orders them; the last ones are the test set.
    test: number of test images.

    Returns pixels in {0, …, 16}, 64 an image, and ten classes.
    Raises ValueError for a test set that leaves no training image.

    >>> images = digits(np.random.default_rng(0))
    >>> images.x.shape, images.x_test.shape, images.classes
    ((1347, 64), (450, 64), 10)
    """
    instance("generator", generator, np.random.Generator)
    with extra():
        from sklearn.datasets import load_digits  # a second to import, for the one chapter that needs it

    test = whole("test", test, least=1, most=COUNT - 1)
    pixels, labels = load_digits(return_X_y=True)
    order = generator.permutation(COUNT)
    x, t = np.asarray(pixels, dtype=np.float64)[order], np.asarray(labels, dtype=np.int64)[order]
    return Images(x[:-test], t[:-test], x[-test:], t[-test:], classes=10, largest=16.0)
