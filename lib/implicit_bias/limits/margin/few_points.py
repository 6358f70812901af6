"""The largest margin in the variation norm of many points, from the few that hold it."""

import numpy as np

from implicit_bias.checks import instance
from implicit_bias.data import Classification
from implicit_bias.kernels import relu_kernel
from implicit_bias.limits.certificate import CertificateError, exponent
from implicit_bias.limits.margin.kernel import kernel_margin
from implicit_bias.limits.margin.variation_norm import (
    TOLERANCE,
    VariationMargin,
    demanded,
    variation_margin,
)

MISSED = 5  # points that are added a round


def variation_margin_of_many(points: Classification, *, tol: float = TOLERANCE) -> VariationMargin:
    """γ₁ as ``variation_margin``, for many points: solved for a few, to which those that come off worst are added.

    The weights of the few are weights of all, so that their upper bound is one for all points; the classifier of the
    few is one of all as soon as no other point has a smaller margin. The first few are the support vectors of the
    conjugate kernel, or all points where it does not separate them. The programs take time with the square of the
    number of points at least, hence the gain.

    points: n points in the plane with a third coordinate that is constant, or any others in R³.
    tol: the relative width allowed for the enclosure of γ₁.

    Returns the classifier with a certificate for all points.
    Raises as ``variation_margin``.

    >>> from implicit_bias.data import clusters
    >>> points = clusters(np.random.default_rng(0), 16)
    >>> answer = variation_margin_of_many(points)
    >>> answer.weights.size, bool(answer.bound - answer.margin < 1e-8)
    (16, True)
    """
    instance("points", points, Classification)
    x, y = points.x, points.y
    near = np.ldexp(x, -int(exponent(x)))  # in a unit, a power of two, in which no square overflows
    try:
        few = kernel_margin(relu_kernel(near, near), y).support
    except CertificateError:
        few = np.arange(y.size)
    while True:
        try:
            best = variation_margin(Classification(x=x[few], y=y[few]), tol=tol)
        except CertificateError as error:
            if error.answer is None:
                raise
            best = error.answer  # of the few; what it proves of all is demanded below
        margins = y * best.predict(x)
        worst = np.argsort(margins)[:MISSED]
        # mutant anywhere(1 - tol / 2; … → best.margin * 1): which are added; the certificate is of all points
        missed = np.setdiff1d(worst[margins[worst] < best.margin * (1 - tol / 2)], few)
        if missed.size == 0:
            break
        few = np.union1d(few, missed)
    weights = np.zeros(y.size)
    weights[few] = best.weights
    return demanded(points, best.directions, best.masses, weights, tol)
