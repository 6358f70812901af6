"""How networks of random ramps scatter around the function that infinitely many of them learn."""

import numpy as np
from numpy.typing import ArrayLike

from implicit_bias.checks import array, in_range, instance, memory
from implicit_bias.data.biases import BiasLaw
from implicit_bias.limits.certificate import CertificateError
from implicit_bias.limits.mirror.ramp_rule import ramp_rule
from implicit_bias.limits.mirror.ramp_spline import ramp_kernel, ramp_spline
from implicit_bias.limits.scatter import Scatter

TOLERANCE = 1e-10


@in_range
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

    >>> from implicit_bias.data import BiasLaw
    >>> scatter = ramp_scatter([-0.5, 0.5], [1.0, 1.0], BiasLaw(1.0), [0.0, 0.5])
    >>> scatter.covariance.shape, bool(abs(scatter.covariance[1, 1]) < 1e-12)
    ((2, 2), True)
    """
    instance("law", law, BiasLaw)
    spline = ramp_spline(x, y, law)
    places = array("places", places, 1)
    memory("places", places.size, 8 * 3 * 32 * (places.size + spline.x.size) ** 2)
    gram, cross = ramp_kernel(spline.x, spline.x, law), ramp_kernel(spline.x, places, law)
    seen, at, share = ramp_rule(places, spline.x, spline.charges, law)
    value = (spline.charges @ seen) * (at - np.linalg.solve(gram, cross).T @ seen)
    mean = (seen * share) @ seen.T
    off = float(np.max(np.abs(mean - gram)) / np.max(np.abs(gram)))
    if not off <= TOLERANCE:
        raise CertificateError(f"the quadrature over the biases misses the kernel by {off:.1e} of its size")
    return Scatter((value * share) @ value.T)
