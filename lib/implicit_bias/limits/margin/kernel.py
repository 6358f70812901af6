"""Maximum margins in the space of a kernel, their spread over random features, and how late gradient flow is."""

import numpy as np
from numpy.typing import ArrayLike

from implicit_bias.checks import array, in_range
from implicit_bias.kernels import relu_kernel
from implicit_bias.limits.certificate import CertificateError
from implicit_bias.limits.margin.linear import MaxMargin, max_margin

ROUNDING = 64 * np.finfo(float).eps  # of the largest eigenvalue: so far a Gram matrix may be from positive
SPHERE = 400  # heights of the quadrature on the sphere
RADIAL = 15.0  # E‖θ‖⁴ for θ ~ N(0, I) in three dimensions


def kernel_margin(gram: ArrayLike, y: ArrayLike) -> MaxMargin:
    """The hard-margin support vector machine of a kernel, without bias.

    max_{‖f‖_K ≤ 1} min_i y_i f(x_i) = min_{p ≥ 0, Σp = 1} (Σ_ik p_i y_i K_ik y_k p_k)^{1/2}

    gram: K, n × n, symmetric and positive semidefinite: K_ik = k(x_i, x_k).
    y: n labels ±1.

    Returns the maximum margin of the rows y_i L_i, K = LLᵀ: margin, multipliers, support, slack and contraction do not
    depend on L, and f = γ Σ_i α_i y_i k(x_i, ·).
    Raises ValueError for a matrix that is not symmetric and positive, CertificateError as ``max_margin``.
    """
    gram = array("gram", gram, 2)
    y = array("y", y, 1, gram.shape[:1])
    if gram.shape[0] != gram.shape[1] or np.abs(gram - gram.T).max() > ROUNDING * np.abs(gram).max():
        raise ValueError(f"gram is no symmetric matrix (shape {gram.shape}); it must be K_ik = k(x_i, x_k)")
    values, vectors = np.linalg.eigh(gram)
    if values[0] < -ROUNDING * len(values) * values[-1]:
        raise ValueError(f"gram has the eigenvalue {values[0]:.3g}; it must be positive semidefinite")
    return max_margin(y[:, None] * vectors * np.sqrt(np.maximum(values, 0)))


@in_range
def margin_deviation(x: ArrayLike, y: ArrayLike) -> float:
    """The constant of the central limit theorem for the margin of m random ReLU features.

    √m (γ₂^{(m)}/γ₂ − 1) → N(0, s²),  s² = (E g(θ)⁴/γ₂⁴ − 1)/4,  g(θ) = Σ_i p_i y_i (θ·x_i)₊,  θ ~ N(0, I)

    with the weights p of the dual optimum, for which E g² = γ₂²: (γ₂^{(m)})² is the least value of a quadratic form in
    p whose matrix is a mean over θ, and the envelope theorem leaves the fluctuation of that matrix at p.

    x: n × 3, the points with their constant coordinate; the mean over the sphere is by quadrature.
    y: n labels ±1.

    Returns s, to a relative error of about 1e-5.
    Raises ValueError for another dimension, CertificateError as ``kernel_margin`` or where the quadrature fails.
    """
    x = array("x", x, 2, (None, 3))
    machine = kernel_margin(relu_kernel(x, x), y)
    push = machine.margin**2 * machine.alpha * array("y", y, 1, x.shape[:1])
    height, weight = np.polynomial.legendre.leggauss(SPHERE)
    angle = 2 * np.pi * np.arange(2 * SPHERE) / (2 * SPHERE)
    ring = np.sqrt(1 - height**2)
    second = fourth = 0.0
    for h, r, w in zip(height, ring, weight, strict=True):
        u = np.column_stack([r * np.cos(angle), r * np.sin(angle), np.full(angle.size, h)])
        g = np.maximum(u @ x.T, 0) @ push
        second += w / 2 * float(np.mean(g**2)) * 3
        fourth += w / 2 * float(np.mean(g**4)) * RADIAL
    if abs(second / machine.margin**2 - 1) > 1e-3:
        raise CertificateError(f"the quadrature gives E g² = {second:.6g}; it must be {machine.margin**2:.6g}")
    return float(np.sqrt(fourth / machine.margin**4 - 1) / 2)


def margin_lag(machine: MaxMargin) -> float:
    """How late the normalized margin of gradient flow is, for a loss with the tail e^{−m}.

    γ(t)/γ = 1 − C/ln t + O(1/ln² t),  C = Σ_i p_i c_i − min_i c_i over the support,  p_i = γ² α_i,  c_i = −ln(n α_i)

    w(t) = ŵ ln t + w̃ + o(1) with z_i·w̃ = c_i on the support; so min_i z_i·w = ln t + min c and
    ‖w‖ = ‖ŵ‖ ln t + γ Σ α_i c_i.

    machine: the maximum margin of the points that are trained on.

    Returns C ≥ 0, which is 0 where all multipliers agree.
    Reference: Soudry et al. 2018, for w̃; the constant is derived here.
    """
    p = machine.margin**2 * machine.alpha[machine.support]
    return float(p @ machine.residuals - machine.residuals.min())
