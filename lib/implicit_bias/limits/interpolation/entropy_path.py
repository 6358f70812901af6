"""The minimizers of Q_k for a whole range of k: a path in λ, followed from large k to small."""

from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import ArrayLike
from scipy.linalg import LinAlgError, cho_factor, cho_solve

from implicit_bias.brief import brief
from implicit_bias.checks import Array, array, in_range, number
from implicit_bias.limits.certificate import Certificate
from implicit_bias.limits.interpolation.hyperbolic_entropy import HyperbolicEntropy

LARGEST = 1e150  # of a √k, whose square is k
LONGEST_STEP = 2.5  # in ln √k; further on the predictor starts Newton's method no nearer


@brief("worst")
@dataclass(frozen=True)
class EntropyPath:
    """Minimizers of Q_k over the interpolators, one a row, in the order of the √k asked for.

    root_k: the common scales √k, m numbers, decreasing.
    w: the minimizers, m × d.
    dual: their multipliers λ, ∇Q_k(w) = Xᵀλ, m × N.
    steps: Newton steps taken to each, m numbers.
    certificates: the optimality of each, m of them.

    >>> path = entropy_path(np.array([[1.0, 2.0]]), np.array([2.0]), [10.0, 1.0, 1e-3])
    >>> path.w.round(3)
    array([[0.399, 0.801],
           [0.342, 0.829],
           [0.016, 0.992]])
    >>> path.worst < 1e-9
    True
    """

    root_k: Array
    w: Array
    dual: Array
    steps: tuple[int, ...]
    certificates: tuple[Certificate, ...]

    @property
    def worst(self) -> float:
        """The largest residual of all the certificates."""
        return max(certificate.worst for certificate in self.certificates)


@in_range
def scale_derivative(entropy: HyperbolicEntropy, x: ArrayLike, w: ArrayLike) -> tuple[Array, Array]:
    """How the minimizer and its multipliers move with the scale, where all √k_j grow by the same factor.

    dλ/d ln √k = −(XCXᵀ)⁻¹Xw,  dw/d ln √k = w + C Xᵀ dλ/d ln √k,  C = diag √(4w² + k)

    from w_j = (√k_j/2) sinh 2(Xᵀλ)_j and d(Xw)/d ln √k = 0.

    entropy: Q_k with its minimum at 0.
    x: N × d of rank N.
    w: the minimizer at k, d entries.

    Returns dλ/d ln √k, N entries, and dw/d ln √k, d entries.
    Raises ValueError for a Q_k whose minimum is elsewhere.

    >>> x = np.array([[1.0, 2.0]])
    >>> entropy = HyperbolicEntropy(np.ones(2))
    >>> dual, moved = scale_derivative(entropy, x, entropy.minimize(x, np.array([2.0])).w)
    >>> (x @ moved).round(12) + 0.0
    array([0.])
    """
    if entropy.w0 is not None:
        raise ValueError("entropy has a w0; the derivative by the scale is that of a Q_k with its minimum at 0")
    x = array("x", x, 2, (None, entropy.k.size))
    w = array("w", w, 1, (entropy.k.size,))
    root = x / np.sqrt(entropy.curvature(w))
    try:
        dual = -cho_solve(cho_factor(root @ root.T, check_finite=False), x @ w, check_finite=False)
    except LinAlgError:
        raise ValueError(f"x holds {len(x)} dependent rows; they must be independent") from None
    return dual, w + (dual @ x) / entropy.curvature(w)


@in_range
def entropy_path(x: ArrayLike, y: ArrayLike, root_k: ArrayLike, *, weights: ArrayLike | None = None) -> EntropyPath:
    """Follow argmin {Q_k(w) : Xw = y} in λ as √k decreases: an Euler step in ln √k, then Newton's method.

    √k_j = √k · b_j,  λ ← λ + dλ/d ln √k · Δ ln √k

    For small k, λ is linear in ln √k but for terms that vanish with k, so that the steps may be long.

    x: N × d of rank N.
    y: N labels.
    root_k: the scales √k, m positive, decreasing numbers.
    weights: b, d positive numbers; 1 by default.

    Returns the path with a certificate at every point.
    Raises CertificateError where a point is not certified, ValueError for scales that do not decrease.

    >>> path = entropy_path(np.array([[1.0, 2.0]]), np.array([2.0]), [10.0, 1.0, 1e-3])
    >>> path.w.round(3)
    array([[0.399, 0.801],
           [0.342, 0.829],
           [0.016, 0.992]])
    """
    x = array("x", x, 2)  # mutant(2): the guard of an argument
    y = array("y", y, 1, (x.shape[0],))  # mutant(1; 0): the guard of an argument
    scales = array("root_k", root_k, 1)  # mutant(1): the guard of an argument
    number("root_k[0]", float(scales[0]), most=LARGEST)
    number("root_k[-1]", float(scales[-1]), least=1 / LARGEST)
    if np.any(np.diff(scales) >= 0):  # mutant(0): a guard
        raise ValueError("root_k holds numbers that do not decrease; it must be a decreasing list")
    # mutant(1): the guard of an argument
    b = np.ones(x.shape[1]) if weights is None else array("weights", weights, 1, (x.shape[1],))
    if not np.all(b > 0):  # mutant(0): a guard
        raise ValueError(f"weights holds {b.min():g}; every entry must be positive")
    found = [HyperbolicEntropy((scales[0] * b) ** 2).minimize(x, y)]
    steps = [found[0].iterations]
    for before, after in pairwise(scales):
        # mutant(1): one more point between two scales, or a guard
        # mutant(0): the count of steps, or the refusal of bad scales
        answer, taken = found[-1], 0
        between = np.geomspace(before, after, 1 + int(np.ceil(np.log(before / after) / LONGEST_STEP)))
        for here, there in pairwise(between):
            # mutant(*; 2 → 3): Newton's method takes the predictor's error away
            slope, _ = scale_derivative(HyperbolicEntropy((here * b) ** 2), x, answer.w)
            predicted = answer.dual + slope * np.log(there / here)
            # mutant(2 → 3): Newton's method takes the predictor's error away
            # mutant(*): b is 1 without weights; held by test_entropy_path
            answer = HyperbolicEntropy((there * b) ** 2).minimize(x, y, start=predicted)
            taken += answer.iterations
        found.append(answer)
        steps.append(taken)
    return EntropyPath(
        scales,
        np.array([answer.w for answer in found]),
        np.array([answer.dual for answer in found]),
        tuple(steps),
        tuple(answer.certificate for answer in found),
    )
