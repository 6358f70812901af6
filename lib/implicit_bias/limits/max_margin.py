"""Maximum-margin directions of separable sets, in the ℓ2 norm (hard-margin SVM without bias) and in the ℓ1 norm."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.optimize import linprog, nnls

from implicit_bias.checks import Array, array
from implicit_bias.limits.certificate import Certificate, CertificateError

TOLERANCE = 1e-10
LINEAR_PROGRAM = 1e-8
# Below this distance of 0 from the hull of the points, scaled to size 1, they count as not separable.
SEPARABLE = 1e-7
NNLS_SWEEPS = 30


@dataclass(frozen=True)
class MaxMargin:
    """The hard-margin solution ŵ and what it says of the flow's tail.

    w: ŵ = argmin ‖w‖² subject to z_i·w ≥ 1, d entries.
    alpha: its multipliers, ŵ = Σ α_i z_i, N entries ≥ 0.
    support: the indices with α_i > 0.
    slack: min of z_i·ŵ − 1 over the other points (infinite if there are none).
    contraction: the least eigenvalue of (z_i·z_j α_j) over the support vectors, 0 if they depend on each other.
    certificate: its optimality.
    """

    w: Array
    alpha: Array
    support: NDArray[np.intp]
    slack: float
    contraction: float
    certificate: Certificate

    @property
    def margin(self) -> float:
        """The margin γ = 1/‖ŵ‖."""
        return 1 / float(np.linalg.norm(self.w))

    @property
    def direction(self) -> Array:
        """ŵ/‖ŵ‖, d entries."""
        return self.w * self.margin

    @property
    def residuals(self) -> Array:
        """The limits c_i = −ln(N α_i) of z_i·w(t) − ln t on the support vectors, in the order of ``support``."""
        return np.asarray(-np.log(self.alpha.size * self.alpha[self.support]))

    @property
    def decay(self) -> float:
        """The exponent r with which these limits are approached, like t^{−r}: the least of slack and contraction.

        δ_i = z_i·w − ln t − c_i obeys dδ/d ln t = −(z_i·z_j α_j) δ + O(δ²) + O(t^{−slack}).
        """
        return min(self.slack, self.contraction)


def max_margin(z: ArrayLike) -> MaxMargin:
    """min ½‖w‖₂² subject to z_i·w ≥ 1, by non-negative least squares, polished on the support it finds.

    Least-distance programming: with E = [Zᵀ; 1ᵀ], f = (0, …, 0, 1), u = argmin_{u≥0} ‖Eu − f‖ and r = Eu − f,
    ŵ = −r_{1…d}/r_{d+1} and α = u/(−r_{d+1}).

    z: N × d, the signed points y_i x_i.

    Returns the solution with its multipliers.
    Raises CertificateError if no direction separates the points, or the Karush–Kuhn–Tucker residual exceeds 1e-10.
    Reference: Lawson & Hanson 1974, Chapter 23.
    """
    z = array("z", z, 2)
    n, d = z.shape
    scale = float(np.abs(z).max())
    if not np.any(z):
        raise CertificateError("no direction separates the points: all of them are 0")
    points = z / scale
    u, distance = nnls(np.vstack([points.T, np.ones(n)]), np.append(np.zeros(d), 1.0), maxiter=NNLS_SWEEPS * max(n, d))
    if distance < SEPARABLE:
        raise CertificateError(f"no direction separates the points: 0 is within {distance:.1e} of their convex hull")
    support = np.flatnonzero(u > 0)
    gram = points[support] @ points[support].T
    multipliers = np.linalg.lstsq(gram, np.ones(support.size))[0]
    alpha = np.zeros(n)
    alpha[support] = multipliers / scale**2
    w = alpha @ z
    margins = z @ w
    value = 0.5 * float(w @ w)
    certificate = Certificate(
        primal=max(0.0, 1 - float(margins.min())),
        dual=max(0.0, -float(alpha.min() / alpha.max())),
        gap=(value - (float(alpha.sum()) - value)) / value,
    )
    certificate.demand(TOLERANCE, "the maximum-margin direction")
    slack = float(np.min(np.delete(margins, support) - 1, initial=np.inf))
    # diag(√α) G diag(√α) has the eigenvalues of G diag(α) and is symmetric.
    root = np.sqrt(alpha[support]) * scale
    contraction = float(np.linalg.eigvalsh(root[:, None] * gram * root)[0])
    return MaxMargin(w, alpha, support, slack, max(0.0, contraction), certificate)


@dataclass(frozen=True)
class L1MaxMargin:
    """w: argmin ‖w‖₁ subject to z_i·w ≥ 1, d entries; alpha: its multipliers; certificate: its optimality."""

    w: Array
    alpha: Array
    certificate: Certificate

    @property
    def direction(self) -> Array:
        """w/‖w‖₂, d entries: normalised in ℓ2, to be compared with other directions."""
        return np.asarray(self.w / np.linalg.norm(self.w))


def l1_max_margin(z: ArrayLike) -> L1MaxMargin:
    """min ‖w‖₁ subject to z_i·w ≥ 1, as a linear program; coordinate descent tends to its direction.

    z: N × d, the signed points y_i x_i.

    Returns the solution with its multipliers, ‖Σ α_i z_i‖∞ ≤ 1 and Σ α_i = ‖w‖₁.
    Raises CertificateError if no direction separates the points or the program is not solved to 1e-8.
    """
    z = array("z", z, 2)
    d = z.shape[1]
    answer = linprog(
        np.ones(2 * d), A_ub=-np.hstack([z, -z]), b_ub=-np.ones(z.shape[0]), bounds=(0, None), method="highs-ds"
    )
    if answer.status != 0:
        raise CertificateError(f"no direction separates the points: {answer.message}")
    w = np.asarray(answer.x[:d] - answer.x[d:])
    alpha = -np.asarray(answer.ineqlin.marginals)
    size = float(np.abs(w).sum())
    certificate = Certificate(
        primal=max(0.0, 1 - float((z @ w).min())),
        dual=max(0.0, float(np.abs(alpha @ z).max()) - 1, -float(alpha.min())),
        gap=(size - float(alpha.sum())) / size,
    )
    certificate.demand(LINEAR_PROGRAM, "the l1 maximum-margin direction")
    return L1MaxMargin(w, alpha, certificate)
