"""The tangent kernel of an infinitely wide ReLU network, what it predicts, and the scatter of random networks."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike
from scipy.linalg import LinAlgError, cho_factor, cho_solve
from scipy.linalg.lapack import dpocon

from implicit_bias.brief import brief
from implicit_bias.checks import Array, array, columns, in_range, memory, number
from implicit_bias.kernels import angles, relu_kernel
from implicit_bias.limits.certificate import WIDTH, Certificate, CertificateError, relative
from implicit_bias.limits.enclosed_equations import enclose_forms, missed_share
from implicit_bias.limits.scatter import Scatter

TOLERANCE = 1e-10
SYMMETRIC = 1e-13  # of the largest entry: so far a kernel may be from symmetric
CLEARLY_POSITIVE = 1e-10  # a reciprocal condition number beyond which rounding cannot turn the sign of an eigenvalue
SMALLEST = 1e-150  # its square is a number
NODES = 16  # of each arc between two kinks, on which all integrands are trigonometric polynomials of low degree
# Of a planar normal vector of length r, and of a normal number a: E r², E r⁴, E a², E a⁴.
SQUARE, FOURTH, A_SQUARE, A_FOURTH = 2.0, 8.0, 1.0, 3.0


@in_range
def relu_tangent_kernel(x: ArrayLike, z: ArrayLike) -> Array:
    """The tangent kernel of m^{−1/2} Σ_j a_j (w_j·x)₊ in the limit m → ∞, both layers trained, all weights N(0, 1).

    k(x, z) = E[(w·x)₊ (w·z)₊] + x·z P(w·x > 0, w·z > 0) = ‖x‖‖z‖ (sin θ + 2(π − θ) cos θ) / 2π

    x: n × d.
    z: k × d.

    Returns n × k values.
    Raises ValueError for arrays that do not fit together or hold numbers too large to be multiplied.
    Reference: Jacot, Gabriel and Hongler 2018; Cho and Saul 2009 for the two expectations.

    >>> relu_tangent_kernel([[1.0, 0.0]], [[1.0, 0.0], [0.0, 1.0], [-1.0, 0.0]]).round(4) + 0.0
    array([[1.    , 0.1592, 0.    ]])
    """
    x = array("x", x, 2)
    z = array("z", z, 2, (None, x.shape[1]))
    return np.asarray(relu_kernel(x, z) + (x @ z.T) * (np.pi - angles(x, z)) / (2 * np.pi))


@brief()
@dataclass(frozen=True)
class KernelRegression:
    """The interpolator of least norm in the space of a kernel: where the flow of the linearized model ends.

    weights: α = K^{−1} y, n numbers, or n × q.
    values: k(·, X) α at the points, N numbers, or N × q.
    certificate: by how much the labels are missed, ‖Kα − y‖/‖y‖ (``Certificate.of_equations``); encloses the squared
        norm yᵀK⁻¹y of f for the kernel that was given; of several columns the largest miss and the widest enclosure.

    >>> limit = kernel_regression(np.diag([2.0, 4.0]), np.array([1.0, 1.0]), np.array([[1.0, 1.0]]))
    >>> limit.weights, limit.values
    (array([0.5 , 0.25]), array([0.75]))
    """

    weights: Array
    values: Array
    certificate: Certificate


def kernel_regression(kernel: ArrayLike, y: ArrayLike, cross: ArrayLike, *, tol: float = WIDTH) -> KernelRegression:
    """f(x) = k(x, X) K^{−1} y, the limit of the flow of the squared loss from 0 for a model with this tangent kernel.

    |f(x) − f*(x)|² ≤ k(x, x) rᵀK⁻¹r for the exact f*, with r the labels that are missed: no more than the width of the
    enclosure times k(x, x) yᵀK⁻¹y.

    kernel: K, n × n, positive definite, and symmetric but for rounding.
    y: n labels, or q columns of them, n × q, for which K is factorized once.
    cross: k(x, X) at the points, N × n.
    tol: the allowed relative width of the enclosure of yᵀK⁻¹y.

    Returns the regression.
    Raises ValueError for arrays that do not fit or a kernel that is not symmetric and positive definite;
    CertificateError, with the answer that it is about, where the labels are missed by 1e-10 or yᵀK⁻¹y is not enclosed
    to tol.

    >>> found = kernel_regression([[2.0, 1.0], [1.0, 2.0]], [1.0, -1.0], [[1.0, 0.0]])
    >>> print(found.weights, found.values)
    [ 1. -1.] [1.]
    """
    y = columns("y", y)
    tol = number("tol", tol, above=0)
    n = len(y)
    k = array("kernel", kernel, 2, (n, n))
    across = k if cross is kernel else array("cross", cross, 2, (None, n))
    if relative(k - k.T, np.max(np.abs(k))) > SYMMETRIC:
        raise ValueError("kernel is no symmetric matrix; it must be K_ij = k(x_i, x_j)")
    weights = _solved(k, y)
    each, near = y.reshape(n, -1), weights.reshape(n, -1)
    certificate = Certificate.of_all(
        [
            Certificate.of_equations(missed_share(k, alpha, labels, TOLERANCE), enclosure=enclosure)
            for alpha, labels, enclosure in zip(near.T, each.T, enclose_forms(k, each, near, tol), strict=True)
        ]
    )
    found = KernelRegression(weights, across @ weights, certificate)
    certificate.demand(TOLERANCE, "kernel regression", tol=tol, answer=found)
    return found


def _solved(k: Array, y: Array) -> Array:
    """K^{−1} y by Cholesky's factors; where they leave in doubt that K is positive, its eigenvalues decide.

    Raises ValueError where one of them is not positive, CertificateError where K is singular to rounding.
    """
    try:
        factor = cho_factor(k.T, lower=True, check_finite=False)  # the transpose lies as LAPACK wants it
        clear = bool(dpocon(factor[0], float(np.linalg.norm(k, 1)), uplo="L")[0] > CLEARLY_POSITIVE)
    except LinAlgError:
        factor, clear = None, False
    if not clear:
        least = float(np.linalg.eigvalsh(k)[0])
        if not least > 0:
            raise ValueError(f"kernel has the least eigenvalue {least:.1e}; it must be positive")
    try:
        return np.asarray(np.linalg.solve(k, y) if factor is None else cho_solve(factor, y, check_finite=False))
    except LinAlgError as error:
        raise CertificateError(f"kernel regression was not solved: {error}") from error


@brief()
@dataclass(frozen=True)
class TangentScatter(Scatter):
    """How networks of m neurons in m/2 random pairs scatter around the limit of infinite width, in the plane.

    covariance: of √m (f_m − f_∞) at N points as m → ∞, N × N, where f_m is the end of the linearized network.
    kernel: lim √m (E‖K_m − K‖_F²)^{1/2}, which is exact for every m.

    >>> x = np.array([[1.0, 0.0], [0.0, 1.0]])
    >>> scatter = tangent_scatter(x, np.array([1.0, -1.0]), np.array([[1.0, 1.0]]))
    >>> scatter.covariance.shape, bool(scatter.kernel > 0)
    ((1, 1), True)
    """

    kernel: float


@in_range
def tangent_scatter(x: ArrayLike, y: ArrayLike, points: ArrayLike) -> TangentScatter:
    """The scatter of the tangent kernel and of what it predicts, by quadrature over the directions of a neuron.

    √m (f_m(x) − f_∞(x)) → N(0, 2 Var ξ(x)),  ξ(x) = Σ_i α_i (κ(x, x_i) − Σ_k β_k(x) κ(x_k, x_i)),
    κ(x, z) = (w·x)₊ (w·z)₊ + a² 1{w·x > 0} 1{w·z > 0} x·z,  α = K^{−1} y,  β(x) = K^{−1} k(X, x)

    A pair of neurons (w, a), (w, −a) adds (2/m) κ to the kernel. Between two directions at which a point is
    orthogonal to w all integrands are smooth, so that the quadrature is exact up to rounding.

    x: n points of the plane, n × 2.
    y: n labels.
    points: N points of the plane at which the predictions are compared, N × 2.

    Returns the two constants.
    Raises ValueError for arrays that do not fit, or points whose kernel is singular; CertificateError where the
    quadrature misses the kernel, which is known in closed form, by 1e-10.
    Reference: derived in the chapter tangent_kernel.

    >>> x = np.array([[1.0, 0.0], [0.0, 1.0]])
    >>> scatter = tangent_scatter(x, np.array([1.0, -1.0]), x)
    >>> bool(np.max(np.abs(scatter.covariance)) < 1e-12)
    True
    """
    x, points = array("x", x, 2, (None, 2)), array("points", points, 2, (None, 2))
    n, count = len(x), len(points)
    number("x, the largest modulus", float(np.abs(x).max()), above=SMALLEST)
    nodes = 2 * NODES * (n + count)
    memory("points", f"{count} × 2", 8 * nodes * (8 * count + n * n))
    k, cross = relu_tangent_kernel(x, x), relu_tangent_kernel(points, x)
    alpha = kernel_regression(k, array("y", y, 1, (n,)), cross).weights
    beta = np.linalg.solve(k, cross.T)
    u, share = _directions(np.concatenate([x, points]))
    hidden, seen = np.maximum(u @ x.T, 0), np.maximum(u @ points.T, 0)
    gate, gate_seen = (u @ x.T > 0) * 1.0, (u @ points.T > 0) * 1.0
    output = ((hidden @ alpha)[:, None]) * (seen - hidden @ beta)
    pushed = (gate * alpha) @ x  # Σ α_i 1{w·x_i > 0} x_i
    first = gate_seen * (pushed @ points.T) - (gate * (pushed @ x.T)) @ beta
    mixed = output.T @ (share[:, None] * first)
    covariance = FOURTH * output.T @ (share[:, None] * output) + SQUARE * A_SQUARE * (mixed + mixed.T)
    covariance += A_FOURTH * first.T @ (share[:, None] * first)
    squares = FOURTH * (hidden**2).T @ (share[:, None] * hidden**2)
    both = (gate * share[:, None]).T @ gate * (x @ x.T)
    by_quadrature = SQUARE * (hidden * share[:, None]).T @ hidden + A_SQUARE * both
    off = float(np.max(np.abs(by_quadrature - k)) / np.max(np.abs(k)))
    if not off <= TOLERANCE:
        raise CertificateError(f"the quadrature over the directions misses the kernel by {off:.1e} of its size")
    squares += 2 * SQUARE * A_SQUARE * (hidden * share[:, None]).T @ hidden * (x @ x.T) + A_FOURTH * both * (x @ x.T)
    # mutant(k ** 2 → k ** 1): held by test_tangent_limit
    return TangentScatter(np.asarray(2 * covariance), float(np.sqrt(2 * np.sum(squares - k**2))))


def _directions(points: Array) -> tuple[Array, Array]:
    """Unit vectors and weights of sum 1: a quadrature over the circle that is exact between kinks."""
    kinks = np.arctan2(points[:, 1], points[:, 0])[:, None] + np.array([np.pi / 2, -np.pi / 2])
    ends = np.sort(np.ravel(kinks) % (2 * np.pi))
    starts = np.concatenate([[ends[-1] - 2 * np.pi], ends[:-1]])
    node, weight = np.polynomial.legendre.leggauss(NODES)
    half = (ends - starts)[:, None] / 2
    angle = ((ends + starts)[:, None] / 2 + half * node).ravel()
    return np.column_stack([np.cos(angle), np.sin(angle)]), (half * weight).ravel() / (2 * np.pi)
