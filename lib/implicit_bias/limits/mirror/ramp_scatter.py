"""How networks of random ramps scatter around the function that infinitely many of them learn."""

import numpy as np
from numpy.typing import ArrayLike

from implicit_bias.checks import Array, array, memory
from implicit_bias.data.biases import BiasLaw
from implicit_bias.limits.certificate import CertificateError
from implicit_bias.limits.mirror.ramp_spline import ramp_kernel, ramp_spline
from implicit_bias.limits.scatter import Scatter

POINTS, RULE = np.polynomial.legendre.leggauss(6)  # on each piece: exact for products of four ramps and a density
TOLERANCE = 1e-10


def ramp_scatter(x: ArrayLike, y: ArrayLike, law: BiasLaw, places: ArrayLike) -> Scatter:
    """The central limit theorem for interpolation with n random ramps (wx − b)₊, w = ±1 and b independent.

    √n (f_n(x) − h(x)) → N(0, E ξ(x)²),  ξ(x) = g (φ(x) − Σ_k β_k(x) φ(x_k)),
    g = Σ_i λ_i φ(x_i),  φ(x) = (wx − b)₊,  β(x) = K⁻¹ k(X, x)

    with the spline h = Σ_i λ_i k(x_i, ·), and f_n its counterpart for the kernel of the n ramps at hand. Between the
    kinks all integrands are polynomials in b, so that the quadrature is exact up to rounding.

    x: M places of the data, all different, within the reach of the biases.
    y: M numbers.
    law: of b.
    places: N places at which the functions are compared.

    Returns the scatter of the N values.
    Raises ValueError as ``ramp_spline``, CertificateError where the quadrature misses the kernel, which is known in
    closed form, by 1e-10.
    Reference: derived in the chapter variational_problem.
    """
    spline = ramp_spline(x, y, law)
    places = array("places", places, 1)
    kinks = np.concatenate([spline.x, places])
    memory("places", places.size, 16 * POINTS.size * 2 * kinks.size * kinks.size)
    b, share = _rule(kinks, law)
    total, mean = np.zeros((places.size,) * 2), np.zeros((spline.x.size,) * 2)
    gram, cross = ramp_kernel(spline.x, spline.x, law), ramp_kernel(spline.x, places, law)
    beta = np.linalg.solve(gram, cross)
    for sign in (1.0, -1.0):
        seen = np.maximum(sign * spline.x - b[:, None], 0)
        value = (seen @ spline.charges)[:, None] * (np.maximum(sign * places - b[:, None], 0) - seen @ beta)
        total += value.T @ (share[:, None] * value) / 2
        mean += seen.T @ (share[:, None] * seen) / 2
    off = float(np.max(np.abs(mean - gram)) / np.max(np.abs(gram)))
    if not off <= TOLERANCE:
        raise CertificateError(f"the quadrature over the biases misses the kernel by {off:.1e} of its size")
    return Scatter(total)


def _rule(kinks: Array, law: BiasLaw) -> tuple[Array, Array]:
    """Nodes b and their shares of the law: exact for polynomials between ± the kinks."""
    ends = np.unique(np.concatenate([[-law.reach, law.reach], kinks, -kinks]))
    ends = ends[np.abs(ends) <= law.reach]
    middle, half = (ends[1:] + ends[:-1]) / 2, np.diff(ends) / 2
    b = (middle[:, None] + half[:, None] * POINTS).ravel()
    return b, (half[:, None] * RULE).ravel() * law.density(b)
