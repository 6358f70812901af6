"""Which multipliers gradient flow takes where the support vectors carry the margin in more than one way."""

from dataclasses import replace

import numpy as np
from numpy.typing import ArrayLike

from implicit_bias.checks import Array, array
from implicit_bias.limits.certificate import WIDTH, CertificateError, exponent, in_unit
from implicit_bias.limits.margin.linear import TOLERANCE, MaxMargin, certify_max_margin, max_margin

EDGE = 1e-9  # a point with z_i·ŵ − 1 up to this is a support vector
RANK = 1e-9  # of the largest singular value: a smaller one is the rounding of 0
VANISHED = 1e-8  # a weight below this is that of a point that no solution needs
NEWTON_STEPS = 200


def entropic_margin(z: ArrayLike, *, tol: float = WIDTH) -> MaxMargin:
    """The hard-margin solution with the multipliers of maximal entropy, those that gradient flow takes.

    p* = argmax −Σ p_i ln p_i  subject to  p ≥ 0, Σ p_i = 1, Σ p_i z_i = γ²ŵ;  α* = p*/γ²

    Only points with z_i·ŵ = 1 have p_i > 0, and there p_i ∝ e^{−z_i·ρ}, where ρ minimizes the convex function
    ln Σ e^{−(z_i − γ²ŵ)·ρ}, by Newton's method on the span of these points. Of this form and with Σ α_i z_i = ŵ, which
    the certificate measures, α is the one of maximal entropy. Linearly independent support vectors have only one.

    z: N × d, the signed points y_i x_i.
    tol: the allowed relative width of the enclosure of the margin.

    Returns the solution; its support is all points on the edge, z_i·ŵ − 1 ≤ 1e-9.
    Raises CertificateError where ``max_margin`` does, and where a point on the edge has the multiplier 0 in every
    solution, as far as rounding can tell.
    Reference: Jaynes 1957, for the form of the weights; that the flow takes them is proved in the chapter max_margin.

    >>> answer = entropic_margin([[1.0, 2.0], [1.0, 0.0], [1.0, -1.0]])
    >>> ((answer.alpha / answer.alpha[1]) ** 3).round(6), answer.support
    (array([0.25, 1.  , 2.  ]), array([0, 1, 2]))
    """
    z = array("z", z, 2)
    answer = max_margin(z, tol=tol)
    edge = np.flatnonzero(z @ answer.w - 1 <= EDGE)
    power = exponent(z[edge])
    along, w = np.ldexp(z[edge], -power), np.ldexp(answer.w, power)
    size = float(w @ w)
    weights = _tilted(along - w / size)
    if weights.min() < VANISHED:
        point = edge[np.argmin(weights)]
        raise CertificateError(
            f"point {point} lies on the edge, and its multiplier is 0 in every solution, as far as rounding can tell",
            answer,
            answer.certificate,
        )
    alpha = np.zeros(len(z))
    alpha[edge] = in_unit(weights * size, -2 * power, "the multipliers")
    certificate = certify_max_margin(z, answer.w, alpha, tol)
    slack = max(0.0, float(np.min(np.delete(z @ answer.w - 1, edge), initial=np.inf)))
    found = replace(answer, alpha=alpha, support=edge, vectors=z[edge], slack=slack, certificate=certificate)
    certificate.demand(TOLERANCE, "the multipliers of maximal entropy", tol=tol, answer=found)
    return found


def _tilted(y: Array) -> Array:
    """The weights p_i ∝ e^{−y_i·ρ} with Σ p_i y_i = 0; where none of them has all p_i > 0, nearly such."""
    _, sizes, axes = np.linalg.svd(y, full_matrices=False)
    y = y @ axes[sizes > RANK * max(sizes[0], np.finfo(np.float64).tiny)].T
    rho = np.zeros(y.shape[1])

    def value(rho: Array) -> tuple[float, Array]:
        heights = -y @ rho
        top = heights.max()
        shares = np.exp(heights - top)
        return float(top + np.log(shares.sum())), shares / shares.sum()

    height, p = value(rho)
    for _ in range(NEWTON_STEPS):
        slope = -p @ y
        if not np.abs(slope).max(initial=0.0) > 1e-15 * np.abs(y).max(initial=0.0):
            break
        curvature = (y * p[:, None]).T @ y - np.outer(slope, slope)
        step = -np.linalg.lstsq(curvature, slope)[0]
        length = 1.0
        while length > 1e-6:
            tried, moved = value(rho + length * step)
            if tried <= height + 1e-4 * length * float(slope @ step) + 1e-15 * abs(height):
                break
            length /= 2
        else:
            break
        rho, height, p = rho + length * step, tried, moved
    return p
