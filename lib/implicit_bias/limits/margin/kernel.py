"""Maximum margins in the space of a kernel, and how late gradient flow is."""

from dataclasses import replace

import numpy as np
from numpy.typing import ArrayLike

from implicit_bias.checks import Array, array, number
from implicit_bias.limits.certificate import (
    UNKNOWN,
    WIDTH,
    Certificate,
    CertificateError,
    Enclosure,
    exponent,
    relative,
)
from implicit_bias.limits.margin.linear import MaxMargin, max_margin
from implicit_bias.limits.rounding import Between, Numbers

ROUNDING = 64 * np.finfo(float).eps  # of the largest eigenvalue: so far a Gram matrix may be from positive
TOLERANCE = 1e-10
ROOT = 1.0  # the width allowed to the margin of the rows, which proves nothing of K
STEPS = 3  # of iterative refinement of the multipliers


def kernel_margin(gram: ArrayLike, y: ArrayLike, *, tol: float = WIDTH) -> MaxMargin:
    """The hard-margin support vector machine of a kernel, without bias.

    max_{‖f‖_K ≤ 1} min_i y_i f(x_i) = min_{p ≥ 0, Σp = 1} (Σ_ik p_i y_i K_ik y_k p_k)^{1/2}

    The support vectors are those of the rows y_i L_i, K = LLᵀ. What is certified is the matrix that was given: where
    the rounding of L shows in it, the multipliers are those of y_i y_k K_ik on these support vectors.

    gram: K, n × n, symmetric and positive semidefinite, both but for rounding: K_ik = k(x_i, x_k).
    y: n labels ±1.
    tol: the allowed relative width of the enclosure of the margin.

    Returns the maximum margin of the rows y_i L_i: margin, multipliers, support, slack and contraction do not
    depend on L, and f = γ Σ_i α_i y_i k(x_i, ·).
    Raises ValueError for a matrix that is not symmetric and positive, or labels that are not ±1; CertificateError as
    ``max_margin``.

    >>> machine = kernel_margin([[1.0, 0.5], [0.5, 1.0]], [1.0, -1.0])
    >>> print(round(machine.margin, 12), machine.alpha.round(12))
    0.5 [2. 2.]
    """
    gram = array("gram", gram, 2)
    y = array("y", y, 1, gram.shape[:1])
    tol = number("tol", tol, above=0)
    if not np.all(np.abs(y) == 1):
        raise ValueError(f"y holds {y[np.abs(y) != 1][0]:g}; every label must be 1 or -1")
    if gram.shape[0] != gram.shape[1] or np.abs(gram - gram.T).max() > ROUNDING * np.abs(gram).max():
        raise ValueError(f"gram is no symmetric matrix (shape {gram.shape}); it must be K_ik = k(x_i, x_k)")
    values, vectors = np.linalg.eigh(gram)
    if values[0] < -ROUNDING * len(values) * values[-1]:
        raise ValueError(f"gram has the eigenvalue {values[0]:.3g}; it must be positive semidefinite")
    rows = y[:, None] * vectors * np.sqrt(np.maximum(values, 0))
    machine = max_margin(rows, tol=ROOT)
    certificate = certify_kernel_margin(gram, y, machine, tol)
    if not certificate.holds(TOLERANCE, tol):
        machine = _on_support(gram, y, machine)
        certificate = certify_kernel_margin(gram, y, machine, tol)
    machine = replace(machine, certificate=certificate)
    certificate.demand(TOLERANCE, "the maximum margin of the kernel", tol=tol, answer=machine)
    return machine


def certify_kernel_margin(  # attack: none, inside solvers
    gram: Array, y: Array, machine: MaxMargin, tol: float = WIDTH
) -> Certificate:
    """How far f = Σ α_i y_i k(x_i, ·) is from the hard margin of K itself, and between what the margin γ lies.

    min_i (Qα)_i/(αᵀQα)^{1/2} ≤ γ ≤ (αᵀQα)^{1/2}/Σα_i,  Q_ik = y_i y_k K_ik, α ≥ 0

    for a K that is positive semidefinite; this is not proved anew.

    gram: K, n × n.
    y: n labels ±1.
    machine: the multipliers α and the margin, which is to lie between these as well.
    tol: the relative width of the enclosure beyond which it is computed anew in exact numbers, if the data are small.

    Returns the certificate: primal, by how much the worst point falls short of 1; dual, the most negative multiplier
    over the largest; gap, αᵀQα − Σα over αᵀQα.
    """
    # mutant anywhere(y[:, None] * gram * y → y[:, None] * gram / y): a label is its own inverse
    signed, alpha = y[:, None] * gram * y, machine.alpha
    outputs = signed @ alpha
    value = float(alpha @ outputs)
    certificate = Certificate(
        primal=float(np.maximum(0.0, np.max(1 - outputs))),
        dual=relative(np.maximum(-alpha, 0), np.abs(alpha).max()),
        gap=relative(value - float(alpha.sum()), value),
    )
    if not (np.all(np.isfinite(alpha)) and value > 0):
        return certificate
    force = np.ldexp(np.maximum(alpha, 0.0), -exponent(alpha))

    def bounds(numbers: type[Numbers]) -> tuple[Between, Between]:
        charges = numbers.of(force)
        pushed = numbers.of(signed) @ charges
        size = (charges @ pushed).total().root()
        return pushed.least() / size, size / charges.total()

    found = Enclosure.proved(bounds, gram.size, tol)
    if found is not UNKNOWN:
        found = Enclosure(min(found.low, machine.margin), max(found.high, machine.margin))
    return replace(certificate, enclosure=found)


def _on_support(gram: Array, y: Array, machine: MaxMargin) -> MaxMargin:
    """The same support vectors, with the multipliers and the margin that K itself gives them."""
    on = machine.support
    signed = (y[:, None] * gram * y)[np.ix_(on, on)]
    try:
        inverse = np.linalg.pinv(signed, hermitian=True)
    except np.linalg.LinAlgError as error:
        raise CertificateError(f"the multipliers of the kernel were not found: {error}", machine) from error
    force = np.zeros(on.size)
    for _ in range(STEPS):
        force = force + inverse @ (1 - signed @ force)
    alpha = np.zeros(y.size)
    alpha[on] = force
    size = float(np.sqrt(np.maximum(force @ signed @ force, 0.0)))
    slack = max(0.0, float(np.min(np.delete(y * (gram @ (alpha * y)) - 1, on), initial=np.inf)))
    return replace(machine, alpha=alpha, w=machine.w * (size * machine.margin), slack=slack)


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
    return max(0.0, float(p @ machine.residuals - machine.residuals.min()))
