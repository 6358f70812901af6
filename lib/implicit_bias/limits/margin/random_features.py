"""How far the classifier of largest margin on random features is from that of their kernel, place by place."""

import numpy as np
from numpy.typing import ArrayLike

from implicit_bias.checks import Array, array, in_range
from implicit_bias.kernels import relu_kernel
from implicit_bias.limits.certificate import CertificateError
from implicit_bias.limits.margin.kernel import RADIAL, kernel_margin

HEIGHTS = 64  # of the quadrature on the sphere, with twice as many angles
MISSED = 1e-2  # what the quadrature may miss of a mean that is known


@in_range
def classifier_deviation(x: ArrayLike, y: ArrayLike, at: ArrayLike) -> Array:
    """The standard deviation, times √m, of the hard-margin classifier of m random ReLU features.

    √m (f_m(x) − f(x)) → N(0, σ²(x)),  σ²(x) = E[g(θ)² r_x(θ)²],  θ ~ N(0, I)
    g(θ) = Σ_i α_i y_i (θ·x_i)₊,  r_x(θ) = (θ·x)₊ − Σ_{i∈S} c_i (θ·x_i)₊,  c = K_SS⁻¹ k(x_S, x)

    f = Σ α_i y_i k(x_i, ·) has y_i f(x_i) = 1 on its support S, and f_m is 1 there too, with the features' own Gram
    matrix: f_m(x) = k_m(x, x_S) K_m,SS⁻¹ y_S. Its derivative in K_m along one neuron θ is g(θ) r_x(θ).

    x: n × 3, the points with their constant coordinate.
    y: n labels ±1.
    at: k × 3, the places.

    Returns σ, k numbers, to a relative error of about 1e-3.
    Raises ValueError for another dimension, CertificateError as ``kernel_margin`` or where the quadrature fails.
    """
    x = array("x", x, 2, (None, 3))
    y = array("y", y, 1, x.shape[:1])
    at = array("at", at, 2, (None, 3))
    machine = kernel_margin(relu_kernel(x, x), y)
    held = x[machine.support]
    charges = (machine.alpha * y)[machine.support]
    shares = np.linalg.solve(relu_kernel(held, held), relu_kernel(held, at))
    height, weight = np.polynomial.legendre.leggauss(HEIGHTS)
    angle = 2 * np.pi * (np.arange(2 * HEIGHTS) + 0.5) / (2 * HEIGHTS)
    second, square = 0.0, np.zeros(len(at))
    for h, r, w in zip(height, np.sqrt(1 - height**2), weight / 2, strict=True):
        u = np.column_stack([r * np.cos(angle), r * np.sin(angle), np.full(angle.size, h)])
        responses = np.maximum(u @ held.T, 0)
        g = responses @ charges
        second += w * 3 * float(np.mean(g**2))
        square += w * RADIAL * np.mean((g[:, None] * (np.maximum(u @ at.T, 0) - responses @ shares)) ** 2, axis=0)
    if abs(second * machine.margin**2 - 1) > MISSED:
        raise CertificateError(f"the quadrature gives E g² = {second:.6g}; it must be {machine.margin**-2:.6g}")
    return np.sqrt(square)
