"""Where gradient flow of a leaky ReLU network goes while its activation pattern lasts: a hard margin in the pattern."""

import numpy as np

from implicit_bias.checks import Array, array, in_range, instance, number
from implicit_bias.data import Classification
from implicit_bias.limits.certificate import WIDTH
from implicit_bias.limits.margin.linear import TOLERANCE, certify_max_margin, max_margin


@in_range
def pattern_limit(
    problem: Classification, slope: float, output_weights: Array, pattern: Array, *, tol: float = WIDTH
) -> Array:
    """The network of least norm with all margins at least 1 among those linear in a given activation pattern.

    min ½‖W‖_F²  subject to  Σ_j a_j φ′_ji y_i w_j·x_i ≥ 1 for all i,  w_j·x_i = 0 where the pattern is 0,

    φ′_ji = 1 where the pattern is 1, γ where it is −1. A neuron that slides along its kink at x_i keeps w_j·x_i = 0: it
    moves by the part of its gradient that is orthogonal to the x_i of its zeros. So W(τ)/‖W(τ)‖ tends to this network's
    direction for as long as the pattern lasts, and the network is a KKT point of the whole margin problem if its own
    pre-activations have the pattern's signs and the forces at the kinks are those of slopes between γ and 1.

    problem: n samples.
    slope: γ in (0, 1].
    output_weights: the m fixed a_j.
    pattern: m × n numbers 1, −1 or 0.
    tol: the allowed relative width of the enclosure of 1/‖W‖_F.

    Returns W, m × d. Proved is its norm for the forces a_j φ′_ji y_i x_i, without their parts across the kinks, as
    float64 holds them: these are not formed without rounding.
    Raises CertificateError, with the network that was found, if no network of the pattern classifies all samples, or
    the least norm is not enclosed to tol.

    >>> from implicit_bias.data import Classification
    >>> problem = Classification(np.eye(2), np.array([1.0, -1.0]))
    >>> w = pattern_limit(problem, 0.5, [1.0, -1.0], [[1, -1], [-1, 1]])
    >>> w.round(6)
    array([[ 0.8, -0.4],
           [-0.4,  0.8]])
    """
    instance("problem", problem, Classification)
    slope = number("slope", slope, above=0, most=1)  # mutant(1): the guard of an argument
    tol = number("tol", tol, above=0)
    x = problem.x
    weights = array("output_weights", output_weights, 1)  # mutant: the guard of an argument
    signs = array("pattern", pattern, 2, (len(weights), len(x)))
    push = np.outer(weights, problem.y) * np.where(signs > 0, 1.0, slope) * (signs != 0)
    features = push[:, :, None] * np.stack([_beside(x, x[row == 0]) for row in signs])
    gram = np.einsum("jid,jkd->ik", features, features, optimize=True)
    values, frame = np.linalg.eigh(gram)
    multipliers = max_margin(frame * np.sqrt(np.maximum(values, 0))).alpha
    found = np.asarray(np.einsum("i,jid->jd", multipliers, features))
    rows = features.transpose(1, 0, 2).reshape(len(x), -1)
    certificate = certify_max_margin(rows, found.ravel(), multipliers, tol)
    certificate.demand(TOLERANCE, "the network of the pattern", tol=tol, answer=found)
    return found


def _beside(x: Array, pinned: Array) -> Array:
    """The rows of x without their parts in the span of the pinned ones."""
    frame = np.linalg.qr(pinned.T)[0]
    return np.asarray(x - (x @ frame) @ frame.T)
