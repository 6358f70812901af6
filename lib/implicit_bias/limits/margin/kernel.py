"""Maximum margins in the space of a kernel, and how late gradient flow is."""

import numpy as np
from numpy.typing import ArrayLike

from implicit_bias.checks import array
from implicit_bias.limits.margin.linear import MaxMargin, max_margin

ROUNDING = 64 * np.finfo(float).eps  # of the largest eigenvalue: so far a Gram matrix may be from positive


def kernel_margin(gram: ArrayLike, y: ArrayLike) -> MaxMargin:
    """The hard-margin support vector machine of a kernel, without bias.

    max_{‖f‖_K ≤ 1} min_i y_i f(x_i) = min_{p ≥ 0, Σp = 1} (Σ_ik p_i y_i K_ik y_k p_k)^{1/2}

    gram: K, n × n, symmetric and positive semidefinite: K_ik = k(x_i, x_k).
    y: n labels ±1.

    Returns the maximum margin of the rows y_i L_i, K = LLᵀ: margin, multipliers, support, slack and contraction do not
    depend on L, and f = γ Σ_i α_i y_i k(x_i, ·).
    Raises ValueError for a matrix that is not symmetric and positive, CertificateError as ``max_margin``.

    >>> answer = kernel_margin([[2.0, 1.0], [1.0, 2.0]], [1.0, -1.0])
    >>> round(answer.margin**2, 12), answer.alpha.round(12)
    (0.5, array([1., 1.]))
    """
    gram = array("gram", gram, 2)
    y = array("y", y, 1, gram.shape[:1])
    if gram.shape[0] != gram.shape[1] or np.abs(gram - gram.T).max() > ROUNDING * np.abs(gram).max():
        raise ValueError(f"gram is no symmetric matrix (shape {gram.shape}); it must be K_ik = k(x_i, x_k)")
    values, vectors = np.linalg.eigh(gram)
    if values[0] < -ROUNDING * len(values) * values[-1]:
        raise ValueError(f"gram has the eigenvalue {values[0]:.3g}; it must be positive semidefinite")
    return max_margin(y[:, None] * vectors * np.sqrt(np.maximum(values, 0)))


def margin_lag(machine: MaxMargin) -> float:
    """How late the normalized margin of gradient flow is, for a loss with the tail e^{−m}.

    γ(t)/γ = 1 − C/ln t + O(1/ln² t),  C = Σ_i p_i c_i − min_i c_i over the support,  p_i = γ² α_i,  c_i = −ln(n α_i)

    w(t) = ŵ ln t + w̃ + o(1) with z_i·w̃ = c_i on the support; so min_i z_i·w = ln t + min c and
    ‖w‖ = ‖ŵ‖ ln t + γ Σ α_i c_i.

    machine: the maximum margin of the points that are trained on.

    Returns C ≥ 0, which is 0 where all multipliers agree.
    Reference: Soudry et al. 2018, for w̃; the constant is derived here.

    >>> from implicit_bias.limits.margin import max_margin
    >>> margin_lag(max_margin(np.eye(3))) < 1e-12, round(margin_lag(max_margin(np.diag([1.0, 2.0]))), 4)
    (True, 0.2773)
    """
    p = machine.margin**2 * machine.alpha[machine.support]
    return float(p @ machine.residuals - machine.residuals.min())
