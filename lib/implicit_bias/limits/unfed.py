"""The first phase of a small softmax network: its neurons grow before its output is heard."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from implicit_bias.checks import Array, array, number, whole

# The mean of the Tracy–Widom law of real matrices, F₁, and its standard deviation (Bornemann 2010).
TRACY_WIDOM_MEAN, TRACY_WIDOM_DEVIATION = -1.2065335746, 1.2679811387


@dataclass(frozen=True)
class RandomStableRank:
    """The stable rank of an m × d matrix with independent entries of one variance, as m, d → ∞.

    ‖W‖_F²/‖W‖₂² ≈ md/(μ + σ E F₁),  μ = (√(m−½) + √(d−½))²,  σ = √μ (1/√(m−½) + 1/√(d−½))^{1/3}

    value: with the mean of the Tracy–Widom law F₁.
    edge: with the leading order alone, md/(√m + √d)².
    deviation: the standard deviation, relative to the value, that F₁ gives to the stable rank.

    Reference: Johnstone 2001, Theorem 1.1, for Gaussian entries; the limit does not depend on the entries' law. The
        halves make the error one of second order (Ma 2012).
    """

    value: float
    edge: float
    deviation: float


def random_stable_rank(m: int, d: int) -> RandomStableRank:
    """The stable rank of a random m × d matrix: see ``RandomStableRank``."""
    m, d = whole("m", m, least=2), whole("d", d, least=2)
    rows, columns = np.sqrt(m - 0.5), np.sqrt(d - 0.5)
    centre = (rows + columns) ** 2
    spread = (rows + columns) * (1 / rows + 1 / columns) ** (1 / 3)
    largest = centre + spread * TRACY_WIDOM_MEAN
    return RandomStableRank(
        float(m * d / largest),
        float(m * d / (np.sqrt(m) + np.sqrt(d)) ** 2),
        float(spread * TRACY_WIDOM_DEVIATION / largest),
    )


def first_step_moment(x: Array, targets: Array) -> Array:
    """The second moment of a neuron's first gradient, d × d up to a factor: its trace over its norm is a stable rank.

    S ∝ Σ_{ik} (e_i·e_k) κ(x_i, x_k) x_i x_kᵀ,  e_i = y_i − 1/C,  κ = P(w·x_i > 0, w·x_k > 0) = (π − θ_ik)/2π

    Where the outputs are 0, neuron j first moves by Σ_i (a_j·e_i) 1{w_j·x_i > 0} x_i. S is the mean of this vector's
    square over rotationally invariant w_j and an independent a_j with uncorrelated entries of one variance.

    x: n × d.
    targets: n × C, labels as rows of the unit matrix.

    Returns S. The kernel is the arc-cosine kernel of order 0 (Cho and Saul 2009).
    """
    x = array("x", x, 2)
    error = _errors(array("targets", targets, 2, (len(x), None)))
    length = np.linalg.norm(x, axis=1)
    unit = x / np.where(length > 0, length, 1.0)[:, None]
    both_active = (np.pi - np.arccos(np.clip(unit @ unit.T, -1.0, 1.0))) / (2 * np.pi)
    return np.asarray(x.T @ ((both_active * (error @ error.T)) @ x))


def trace_over_norm(moment: Array) -> float:
    """tr S/‖S‖₂ of a positive matrix: the stable rank of a matrix W with WᵀW = S."""
    spectrum = np.linalg.eigvalsh(array("moment", moment, 2))
    return float(spectrum.sum() / spectrum[-1])


@dataclass(frozen=True)
class UnfedGrowth:
    """A network that does not hear its own neurons.

    steps: 0, 1, …, k.
    stable_rank: that of W at these steps, k + 1 numbers.
    output: the root of the mean square of the outputs A(Wx + b)₊ that it would give, k + 1 numbers.
    """

    steps: NDArray[np.int64]
    stable_rank: Array
    output: Array


def unfed_growth(
    w: Array, a: Array, x: Array, targets: Array, learning_rate: float, *, loudest: float, most: int
) -> UnfedGrowth:
    """Gradient descent on all samples, with each neuron's output kept from the softmax.

    e_i = y_i − softmax(c),  ẇ_j = (1/n) Σ_i (a_j·e_i) 1{w_j·x_i + b_j > 0} x_i,  ḃ_j likewise with 1 for x_i,
    ȧ_j = (1/n) Σ_i e_i (w_j·x_i + b_j)₊,  ċ = (1/n) Σ_i e_i

    Each neuron moves by itself. If W, b and A are multiplied by a number, so is the whole course: the scale of the
    initialization only says when the outputs become loud, and the prediction ends.

    w: m × d, the first layer's start; biases start at 0.
    a: C × m, the second layer's start.
    x: n × d.
    targets: n × C, labels as rows of the unit matrix.
    learning_rate: η > 0, the length of a step.
    loudest: the root mean square of the outputs at which to stop.
    most: the number of steps at which to stop otherwise.

    Returns the course, its last step the last one whose outputs are at most ``loudest``, or ``most``.
    """
    x = array("x", x, 2)
    targets = array("targets", targets, 2, (len(x), None))
    w, a = array("w", w, 2, (None, x.shape[1])), array("a", a, 2, (targets.shape[1], None))
    number("learning_rate", learning_rate, above=0)
    number("loudest", loudest, above=0)
    b, c, n = np.zeros(len(w)), np.zeros(len(a)), len(x)
    ranks, outputs = list[float](), list[float]()
    for _ in range(whole("most", most, least=0) + 1):
        hidden = x @ w.T + b
        active = hidden > 0
        hidden *= active
        heard = float(np.sqrt(np.mean((hidden @ a.T) ** 2)))
        if heard > loudest:
            break
        ranks.append(trace_over_norm(w.T @ w if len(w) > w.shape[1] else w @ w.T))
        outputs.append(heard)
        prior = np.exp(c) / np.exp(c).sum()
        error = (targets - prior) / n
        pull = (error @ a) * active
        a = a + learning_rate * error.T @ hidden
        w, b = w + learning_rate * pull.T @ x, b + learning_rate * pull.sum(axis=0)
        c = c + learning_rate * error.sum(axis=0)
    return UnfedGrowth(np.arange(len(ranks)), np.array(ranks), np.array(outputs))


def _errors(targets: Array) -> Array:
    """y_i − 1/C: what a softmax of equal logits leaves."""
    return np.asarray(targets - 1 / targets.shape[1])
