"""Labelled images as rows of pixels, split into a training and a test set."""

import hashlib
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from implicit_bias.brief import brief
from implicit_bias.checks import Array, instance, kept, number, unmasked, whole

Labels = NDArray[np.int64]


@brief()
@dataclass(frozen=True)
class Images:
    """Images with labels in {0, …, C−1}.

    x: n × d, a training image a row.
    labels: n labels.
    x_test, labels_test: the test set.
    classes: their number C.
    largest: the largest value that a pixel can have.

    >>> x, x_test = np.array([[0.0, 8.0], [16.0, 8.0]]), np.array([[4.0, 4.0]])
    >>> images = Images(x, np.array([0, 1]), x_test, np.array([1]), classes=2, largest=16.0)
    >>> images.in_unit_interval().x
    array([[0. , 0.5],
           [1. , 0.5]])
    >>> images.targets
    array([[1., 0.],
           [0., 1.]])
    """

    x: Array
    labels: Labels
    x_test: Array
    labels_test: Labels
    classes: int
    largest: float

    def __post_init__(self) -> None:
        """Refuse arrays that do not fit together and labels outside the classes."""
        whole("classes", self.classes, least=2)
        if self.largest != np.inf:  # of standardised pixels
            number("largest", self.largest, above=0)
        d = kept(self, "x", 2).shape[1]
        kept(self, "x_test", 2, (None, d))
        for name, labels, images in (("labels", self.labels, self.x), ("labels_test", self.labels_test, self.x_test)):
            unmasked(name, labels)
            if not isinstance(labels, np.ndarray) or labels.dtype.kind not in "iu":
                raise ValueError(f"{name} is a {type(labels).__name__}; it must be an array of whole numbers")
            if labels.shape != (len(images),):
                raise ValueError(f"{name} has shape {labels.shape}; it must hold {len(images)} labels")
            if labels.min() < 0 or labels.max() >= self.classes:
                raise ValueError(f"{name} holds {labels.min()} to {labels.max()}; it must lie in [0, {self.classes})")

    @property
    def targets(self) -> Array:
        """The training labels as rows of the unit matrix, n × C."""
        return np.eye(self.classes)[self.labels]

    @property
    def checksum(self) -> str:
        """A checksum of all images and labels."""
        total = hashlib.sha256()
        for part in (self.x, self.labels, self.x_test, self.labels_test):
            total.update(repr(part.shape).encode() + np.ascontiguousarray(part).tobytes())
        return total.hexdigest()

    def standardised(self) -> "Images":
        """Each pixel with mean 0 and variance 1 over the training set; one that is constant there becomes 0.

        The test set is moved and scaled by the training set's numbers.
        """
        mean, deviation = self.x.mean(axis=0), self.x.std(axis=0)
        scale = np.where(deviation > 0, 1 / np.where(deviation > 0, deviation, 1), 0.0)
        return self._with_pixels((self.x - mean) * scale, (self.x_test - mean) * scale, np.inf)

    def in_unit_interval(self) -> "Images":
        """All pixels over the largest value that one can have: in [0, 1]."""
        return self._with_pixels(self.x / self.largest, self.x_test / self.largest, 1.0)

    def with_shuffled_labels(self, generator: np.random.Generator) -> "Images":
        """The same images with the training labels in random order: what is left when labels say nothing."""
        instance("generator", generator, np.random.Generator)
        shuffled = generator.permutation(self.labels)
        return Images(self.x, shuffled, self.x_test, self.labels_test, self.classes, self.largest)

    def _with_pixels(self, x: Array, x_test: Array, largest: float) -> "Images":
        return Images(x, self.labels, x_test, self.labels_test, self.classes, largest)
