"""The max-margin leaky ReLU network on nearly orthogonal samples in closed form: rank two, a linear boundary."""

from dataclasses import dataclass

import numpy as np

from implicit_bias.brief import brief
from implicit_bias.checks import Array, instance, number, whole
from implicit_bias.data import Classification
from implicit_bias.limits.certificate import UNKNOWN, Certificate, Enclosure
from implicit_bias.limits.enclosed_equations import least_eigenvalue
from implicit_bias.limits.rounding import Between, Numbers, Unproved

NARROW = 1e-12  # the relative width beyond which the enclosure is computed anew in whole numbers, if the data are small


def network_shape(slope: float, positive: int, negative: int) -> tuple[float, int]:
    """The slope γ and the number m₁ + m₂ of neurons, if γ lies in (0, 1] and both kinds occur; ValueError otherwise.

    slope: γ.
    positive, negative: m₁ and m₂, the numbers of neurons with output weights of either sign.
    """
    m = whole("positive", positive, least=1) + whole("negative", negative, least=1)
    return number("slope", slope, above=0, most=1), m


def orthogonality(problem: Classification, slope: float) -> float:
    """By what factor a set meets the condition under which the rank-two network is the only KKT point.

    γ³/((1 + γ + γ²) ε),  ε = max_i Σ_{k≠i} |⟨x_i, x_k⟩|/‖x_k‖²; the condition holds if this exceeds 1.

    problem: at least 2 samples, none of them 0.
    slope: γ in (0, 1].

    Returns the factor, infinite for orthogonal samples.
    Raises ValueError for an argument outside its range.

    >>> from implicit_bias.data import Classification
    >>> orthogonality(Classification(np.eye(3), np.array([1.0, -1.0, 1.0])), 0.5)
    inf
    """
    instance("problem", problem, Classification)
    slope, _ = network_shape(slope, 1, 1)  # mutant: the guard of the slope
    gram = np.abs(problem.x @ problem.x.T)
    squares = np.diag(gram).copy()
    if not squares.all():
        raise ValueError("problem holds a sample that is 0; every sample must have a direction")
    np.fill_diagonal(gram, 0.0)
    overlap = float(np.max(np.sum(gram / squares, axis=1)))
    return slope**3 / ((1 + slope + slope**2) * overlap) if overlap > 0 else np.inf


def boundary_factor(slope: float, positive: int, negative: int) -> float:  # law: none, nothing has a unit
    """The factor C in ‖z‖ ≤ C‖z*‖: how far the boundary of the max-margin network may be from the maximum margin.

    κ² = min(m₁/m₂, m₂/m₁);  C² = (1+κ²)/(γ²+κ²) if κ² ≤ γ,  C = (1+κ²)/(κ(1+γ)) otherwise

    It is the least norm of networks with rows s z* and −t z*, in units of ‖z*‖.

    slope: γ in (0, 1].
    positive, negative: m₁ and m₂, at least 1 each.

    >>> round(boundary_factor(1.0, 2, 2), 12), round(boundary_factor(0.5, 2, 2), 4)
    (1.0, 1.3333)
    """
    slope, _ = network_shape(slope, positive, negative)
    square = min(positive, negative) / max(positive, negative)
    if square <= slope:
        return float(np.sqrt((1 + square) / (slope**2 + square)))
    return float((1 + square) / (np.sqrt(square) * (1 + slope)))


@brief("stable_rank")
@dataclass(frozen=True)
class RankTwo:
    """A network whose m₁ positive neurons all equal v and whose m₂ negative ones all equal u.

    v, u: d entries each.
    multipliers: λ, n entries, v = Σ λ_i α_i y_i x_i/√m and u = −Σ λ_i β_i y_i x_i/√m.
    kernel: K, n × n, with y_i f(x_i) = (Kλ)_i while the signs agree.
    positive, negative: m₁ and m₂.
    certificate: primal, by how much a constraint y_i f(x_i) ≥ 1 is missed; dual, by how much a multiplier is negative
        or a pre-activation has the wrong sign, each relative to the largest; gap, of ½‖W‖² to Σ λ_i/2; the enclosure is
        that of ½‖W‖² of the network with all constraints tight.

    >>> from implicit_bias.data import Classification
    >>> network = rank_two(Classification(np.eye(3), np.array([1.0, -1.0, 1.0])), 0.5, positive=2, negative=3)
    >>> network.weights.shape, round(float(network.stable_rank), 4), network.valid
    ((5, 3), 1.0833, True)
    """

    v: Array
    u: Array
    multipliers: Array
    kernel: Array
    positive: int
    negative: int
    certificate: Certificate

    @property
    def valid(self) -> bool:
        """Whether it is a KKT point of the network's margin problem: certificate to 1e-9."""
        return self.certificate.worst <= 1e-9

    @property
    def weights(self) -> Array:
        """W, m × d."""
        return np.repeat([self.v, self.u], [self.positive, self.negative], axis=0)

    @property
    def direction(self) -> Array:
        """W/‖W‖_F, m × d."""
        return np.asarray(self.weights / np.sqrt(self.multipliers.sum()))

    @property
    def boundary(self) -> Array:
        """z = (m₁v − m₂u)/√m, d entries: f(x) and z·x have the same sign for every x."""
        return np.asarray((self.positive * self.v - self.negative * self.u) / np.sqrt(self.positive + self.negative))

    @property
    def stable_rank(self) -> float:
        """‖W‖_F²/‖W‖₂², between 1 and 2: from the two inner products of v and u."""
        pair = np.stack([np.sqrt(self.positive) * self.v, np.sqrt(self.negative) * self.u])
        squares = np.linalg.eigvalsh(pair @ pair.T)
        return float(squares.sum() / squares[-1])  # mutant(-): the last of two singular values is number one

    @property
    def shares(self) -> Array:
        """p* = λ/Σλ, n entries: the limit of the samples' weights in the flow."""
        return np.asarray(self.multipliers / self.multipliers.sum())

    def offset(self, margins: Array) -> Array:
        """The b with c(τ) = p*·(τ − τ₀) + b for late τ, for the frozen flow dc/dτ = softmax(−m₀ − Kc), c(τ₀) = 0.

        b = p*·(1ᵀq) − q,  q = K⁻¹(m₀ + ln p*)

        What is left decays exponentially in τ.

        margins: m₀, n entries.
        """
        q = np.linalg.solve(self.kernel, margins + np.log(self.shares))
        return np.asarray(self.shares * q.sum() - q)


def rank_two(problem: Classification, slope: float, positive: int, negative: int) -> RankTwo:
    """The rank-two network with all constraints tight: λ = K⁻¹1.

    K_ik = y_i y_k ⟨x_i, x_k⟩ (m₁ α_i α_k + m₂ β_i β_k)/m,  α_i = 1, β_i = γ where y_i = 1;  α_i = γ, β_i = 1 elsewhere

    Where the certificate is good it is a KKT point of min ½‖W‖_F² subject to y_i f(x_i; W) ≥ 1; if moreover
    ``orthogonality`` exceeds 1, it is the only one and the global minimizer.

    problem: n samples, linearly independent.
    slope: γ in (0, 1].
    positive, negative: m₁ and m₂, at least 1 each.

    Returns the network, valid or not.
    Raises ValueError for an argument outside its range and for dependent samples.
    Reference: Frei et al. 2023, Theorem 3.2.

    >>> from implicit_bias.data import Classification
    >>> network = rank_two(Classification(np.eye(3), np.array([1.0, -1.0, 1.0])), 0.5, positive=2, negative=3)
    >>> network.valid, network.v.round(4)
    (True, array([ 0.8131, -0.3194,  0.8131]))
    """
    instance("problem", problem, Classification)
    slope, m = network_shape(slope, positive, negative)
    positive, negative = int(positive), int(negative)
    x, y = problem.x, problem.y
    if np.linalg.matrix_rank(x) < y.size:
        raise ValueError(f"problem holds {y.size} samples of rank {np.linalg.matrix_rank(x)}; they must be independent")
    alpha, beta = np.where(y > 0, 1.0, slope), np.where(y > 0, slope, 1.0)
    kernel = (problem.signed @ problem.signed.T) * (positive * np.outer(alpha, alpha) + negative * np.outer(beta, beta))
    kernel /= m
    multipliers = np.linalg.solve(kernel, np.ones(y.size))
    v = (multipliers * alpha) @ problem.signed / np.sqrt(m)
    u = -(multipliers * beta) @ problem.signed / np.sqrt(m)
    sides = np.concatenate([problem.signed @ v, -(problem.signed @ u)])
    hidden_v, hidden_u = (np.maximum(x @ row, slope * (x @ row)) for row in (v, u))
    margins = y * (positive * hidden_v - negative * hidden_u) / np.sqrt(m)
    size = float(positive * v @ v + negative * u @ u)
    total = float(multipliers.sum())
    certificate = Certificate(
        primal=max(0.0, 1 - float(margins.min())),
        dual=max(0.0, -float(multipliers.min() / np.abs(multipliers).max()), -float(sides.min() / np.abs(sides).max())),
        gap=(size - total) / total,
        enclosure=_enclosure(problem, slope, (positive, negative), kernel, multipliers),
    )
    return RankTwo(v, u, multipliers, kernel, positive, negative, certificate)


def _enclosure(
    problem: Classification, slope: float, counts: tuple[int, int], kernel: Array, multipliers: Array
) -> Enclosure:
    """Between what ½‖W‖_F² = ½ 1ᵀK⁻¹1 lies, by any λ near K⁻¹1, with the K of the points themselves.

    1ᵀK⁻¹1 = 2·1ᵀλ − λᵀKλ + rᵀK⁻¹r,  r = 1 − Kλ,  0 ≤ rᵀK⁻¹r ≤ ‖r‖²/λ_min(K),  λ_min(K) ≥ λ_min(K̃) − ‖K − K̃‖_F
    """
    if not np.all(np.isfinite(multipliers)):
        return UNKNOWN
    (n, d), m, signed = problem.x.shape, sum(counts), problem.signed
    factors = np.stack([np.where(problem.y > 0, 1.0, slope), np.where(problem.y > 0, slope, 1.0)])
    try:
        near = Between.of(least_eigenvalue(m * kernel))
    except Unproved:
        return UNKNOWN

    def bounds(numbers: type[Numbers]) -> tuple[Between, Between]:
        pairs = numbers.of(factors.T) @ (numbers.of(np.diag(np.array(counts, dtype=np.float64))) @ numbers.of(factors))
        own = (numbers.of(signed) @ numbers.of(signed.T)) * pairs  # mK
        weights = numbers.of(multipliers)
        pushed = own @ weights
        least = near - (own - numbers.of(m * kernel)).squares().root()
        missed = numbers.of(np.full(n, float(m))) - pushed
        low = Between.of(2 * m) * weights.total() - (weights @ pushed).total()
        unit = Between.of(2 * m)
        return low / unit, (low + missed.squares() / least) / unit

    # mutant anywhere(n * n…): how many entries exact numbers are tried for
    return Enclosure.proved(bounds, n * n * d, NARROW)
