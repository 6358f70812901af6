"""The classifier that an infinitely wide network becomes when its output layer alone is trained."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from implicit_bias.brief import brief
from implicit_bias.checks import Array, array, instance
from implicit_bias.data import Classification
from implicit_bias.kernels import relu_kernel
from implicit_bias.limits.margin.kernel import kernel_margin
from implicit_bias.limits.margin.linear import MaxMargin


@brief()
@dataclass(frozen=True)
class KernelClassifier:
    """f(x) = γ Σ_i α_i y_i k(x_i, x), of norm 1 in the space of the ReLU kernel and of largest margin γ.

    points: the n points in R^d.
    machine: its margin, multipliers and certificate.

    >>> from implicit_bias.data import Classification
    >>> points = Classification(np.array([[-1.0, 1.0], [0.0, 1.0], [1.0, 1.0]]), np.array([1.0, -1.0, 1.0]))
    >>> answer = kernel_classifier(points)
    >>> (answer.predict(points.x) / answer.machine.margin).round(6)
    array([ 1., -1.,  1.])
    """

    points: Classification
    machine: MaxMargin

    def predict(self, x: ArrayLike) -> Array:
        """f at some points.

        k(x, x') = ‖x‖‖x'‖ (sin θ + (π − θ) cos θ)/2π with the cosine from a product: an error ε of the cosine is an
        error (π − θ)ε of the bracket, so that nothing is lost where θ is small.

        x: N × d.

        Returns N numbers.
        """
        x = array("x", x, 2, (None, self.points.x.shape[1]))
        lengths = np.outer(np.linalg.norm(x, axis=1), np.linalg.norm(self.points.x, axis=1))
        # mutant(0): of a point of length 0; held by tests
        # mutant(1.0): a point of length 0, or rounding
        # mutant(x… → -…): the same: a clip from one side after the other
        cosine = np.clip(x @ self.points.x.T / np.where(lengths > 0, lengths, 1.0), -1.0, 1.0)
        angle = np.arccos(cosine)
        kernel = lengths * (np.sin(angle) + (np.pi - angle) * cosine) / (2 * np.pi)
        # mutant(self.machine.margin… → self.machine.margin * self.machine.alpha /…): a label is its own inverse
        return np.asarray(kernel @ (self.machine.margin * self.machine.alpha * self.points.y))


def kernel_classifier(points: Classification) -> KernelClassifier:
    """The certified maximum-margin classifier of the kernel k(x, x') = E (θ·x)₊(θ·x')₊, θ ~ N(0, I), in any dimension.

    points: n points in R^d with their constant coordinate.

    Returns the classifier.
    Raises CertificateError as ``kernel_margin``.
    Reference: Chizat & Bach 2020, Section 5; Cho & Saul 2009 for the kernel.

    >>> from implicit_bias.data import Classification
    >>> points = Classification(np.array([[-1.0, 1.0], [0.0, 1.0], [1.0, 1.0]]), np.array([1.0, -1.0, 1.0]))
    >>> answer = kernel_classifier(points)
    >>> np.sign(answer.predict([[-2.0, 1.0], [0.1, 1.0]]))
    array([ 1., -1.])
    """
    instance("points", points, Classification)
    return KernelClassifier(points, kernel_margin(relu_kernel(points.x, points.x), points.y))
