"""When a model is lazy without a scale: the criterion κ, what it proves of the training, and its limit in width."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import hyp1f1

from implicit_bias.brief import brief
from implicit_bias.checks import Array, array, in_range, number
from implicit_bias.limits.lazy.bilinear import bilinear_norm

SMALLEST = 1e-150  # its square is a number
LARGEST = 1e60  # of κ and of s: their powers are numbers


@brief()
@dataclass(frozen=True)
class LazyCriterion:
    """κ = ‖h − y‖ ‖D²h‖ / ‖Dh‖² at given weights, between two bounds.

    below, above: κ from the two bounds of ‖D²h‖.
    slope: ‖Dh‖.
    bend: ‖D²h‖ as it is attained.
    block: the neuron in which it is attained.
    direction: the change of its weights that attains it, of length 1.

    >>> criterion = lazy_criterion([3.0, 4.0], np.eye(2), np.ones((1, 2, 1, 1)))
    >>> bool(criterion.below <= criterion.above), criterion.slope
    (True, 1.0)
    """

    below: float
    above: float
    slope: float
    bend: float
    block: int
    direction: Array


@in_range
def lazy_criterion(residual: ArrayLike, kernel: ArrayLike, seconds: ArrayLike) -> LazyCriterion:
    """κ = ‖h − y‖ ‖D²h‖ / ‖Dh‖² of a model whose second derivative is block diagonal, as that of two layers is.

    residual: h(w₀) − y, n numbers.
    kernel: Dh Dhᵀ at w₀, n × n; its norm is ‖Dh‖².
    seconds: the second derivatives of the outputs, m × n × q × q: one block for each neuron's q weights.

    Returns the criterion.
    Raises ValueError for arrays that do not fit, or a kernel that is 0.
    Reference: Chizat, Oyallon and Bach 2019, equation 2.

    >>> criterion = lazy_criterion([3.0, 4.0], np.eye(2), np.ones((1, 2, 1, 1)))
    >>> round(criterion.below, 6), round(criterion.above, 6)
    (7.071068, 7.071068)
    """
    r = array("residual", residual, 1)
    k = array("kernel", kernel, 2, (r.size, r.size))
    b = array("seconds", seconds, 4, (None, r.size, None, None))
    square = float(np.linalg.eigvalsh(k)[-1])
    if not square > 0:
        raise ValueError(f"kernel has the largest eigenvalue {square:g}; it must be positive")
    norm = bilinear_norm(b)
    unit = float(np.linalg.norm(r)) / square
    return LazyCriterion(
        unit * norm.below, unit * norm.above, float(np.sqrt(square)), norm.below, norm.block, norm.direction
    )


@in_range
def lazy_error(kappa: float, times: ArrayLike) -> Array:  # law: none, κ and s are without unit
    """The largest relative error of the linearization after a normalized time, for the squared loss.

    ‖h(w) − h̄(w̄)‖ / ‖h(w₀) − y‖ ≤ min{(e^{2κs} − 1 − 2κs)/2κ, (√2/3) κ s^{3/2} + κ²s²/(6√3)},  s = t ‖Dh(w₀)‖²

    The first is κs² + O(κ²s³). For small κ it is the smaller one until s = 2/9, and then the second, which knows
    that what moves the weights is lost by the residual.

    kappa: κ > 0, with the largest ‖D²h‖ on the way.
    times: s ≥ 0, k numbers.

    Returns k numbers.
    Raises ValueError for numbers out of range.
    Reference: Chizat, Oyallon and Bach 2019, Section 1.1, for κs²; the rest derived in the chapter lazy_criterion.

    >>> lazy_error(0.01, [0.0, 0.1, 1.0]).round(6)
    array([0.      , 0.0001  , 0.004724])
    """
    kappa = number("kappa", kappa, above=0, most=LARGEST)
    s = array("times", times, 1)
    number("times", float(s.min()), least=0)
    number("times, the largest", float(s.max()), most=LARGEST)
    z = 2 * kappa * s  # mutant: a bound with room; held by tests
    early = np.minimum(z, 700.0)  # mutant: beyond it the second is far smaller
    # mutant: a bound with room; held by tests
    exponential = early**2 / 2 * hyp1f1(1, 3, early) / (2 * kappa)  # eᶻ − 1 − z, free of cancellation
    # mutant: a bound with room; held by tests
    energy = kappa * s**1.5 * (np.sqrt(2) / 3 + kappa * np.sqrt(s) / (6 * np.sqrt(3)))
    return np.asarray(np.minimum(exponential, energy))


@brief()
@dataclass(frozen=True)
class WideCriterion:
    """m α(m) κ of networks α(m) Σ_j Φ(w_j, ·) of m neurons in random pairs, as m → ∞.

    constant: C, the limit.
    gap: the relative distance of the two bounds of ‖D²h‖.
    scatter: of √m (m α(m) κ / C − 1), its standard deviation in the limit.
    shift: a bound on m times the relative shift of its mean.

    >>> points = np.array([[[1.0, 0.0]], [[0.0, 1.0]]])
    >>> limit = wide_criterion([2.0], points, np.tile(np.eye(2), (2, 1, 1, 1)))
    >>> round(limit.constant, 6)
    2.0
    """

    constant: float
    gap: float
    scatter: float
    shift: float


@in_range
def wide_criterion(residual: ArrayLike, gradients: ArrayLike, seconds: ArrayLike) -> WideCriterion:
    """The limit of m α(m) κ from the law of one neuron, given by points of equal weight that are dense in it.

    C = ‖y‖ sup ‖D²Φ‖ / λ_max(E DΦ DΦᵀ)

    The output is a sum: Dh Dhᵀ grows like m α², by the law of large numbers, and D²h is α times that of one neuron, the
    worst one. With q the top eigenvector, the eigenvalue of m/2 pairs scatters by (2/m) Var ‖qᵀDΦ‖².

    residual: h(w₀) − y; for pairs, −y, n numbers.
    gradients: DΦ at the points, k × n × q.
    seconds: D²Φ at the points, k × n × q × q.

    Returns the limit.
    Raises ValueError for arrays that do not fit.
    Reference: Chizat, Oyallon and Bach 2019, Section 1.1, for the power of m; derived in the chapter lazy_criterion.

    >>> points = np.array([[[1.0, 0.0]], [[0.0, 1.0]]])
    >>> limit = wide_criterion([2.0], points, np.tile(np.eye(2), (2, 1, 1, 1)))
    >>> round(limit.constant, 6), round(limit.gap, 6)
    (2.0, 0.0)
    """
    r = array("residual", residual, 1)  # mutant(1): only enters tolerances; held by tests
    g = array("gradients", gradients, 3, (None, r.size, None))
    for name, value in (("residual", r), ("gradients", g), ("seconds", seconds)):
        number(
            f"{name}, the largest modulus",
            float(np.max(np.abs(array(name, value, None)))),
            least=SMALLEST,
            most=1 / SMALLEST,
        )
    kernels = np.einsum("jia,jka->jik", g, g)
    mean = kernels.mean(axis=0)
    one = lazy_criterion(r, mean, seconds)
    spectrum, basis = np.linalg.eigh(mean)
    top = spectrum[-1]  # mutant: only enters tolerances; held by tests
    # mutant(-1): only enters tolerances; held by tests
    beside = np.einsum("jik,ip,k->jp", kernels - mean, basis, basis[:, -1])  # (κ_j − K)q in the basis
    # mutant(-1; 2 → 3): only enters tolerances; held by tests
    scatter = float(np.sqrt(2 * np.mean(beside[:, -1] ** 2)) / top)
    # mutant(2; -; 1; /; *; 2…): only enters tolerances; held by tests
    pushed = 2 * np.mean(beside[:, :-1] ** 2, axis=0) / (top - spectrum[:-1])
    shift = scatter**2 + float(pushed.sum() / top)  # mutant: only enters tolerances; held by tests
    # mutant(1; -; /): only enters tolerances; held by tests
    return WideCriterion(one.below, one.above / one.below - 1, scatter, shift)
