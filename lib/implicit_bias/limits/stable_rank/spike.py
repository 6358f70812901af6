"""The stable rank of a leaky network's first layer under gradient descent: a spike in noise."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import expit

from implicit_bias.brief import brief
from implicit_bias.checks import Array, array, in_range, instance, memory, number, whole
from implicit_bias.data import Classification

NODES = 60  # of the Gauss–Hermite rule


def _slopes(slope: float) -> tuple[float, float]:
    """κ = (1 + γ)/2 and δ = (1 − γ)/2: φ′ lies between κ − δ and κ + δ, and is κ at 0."""
    slope = number("slope", slope, least=0, most=1)  # mutant(1): the guard of an argument
    return (1 + slope) / 2, (1 - slope) / 2


def _over(spike: ArrayLike, deviation: ArrayLike) -> Array:
    """θ² = (s/ω)², of the common shape of both; ValueError for numbers that are not finite and for an ω ≤ 0."""
    spike, deviation = array("spike", spike, None), array("deviation", deviation, None)
    number("the smallest deviation", float(deviation.min()), above=0)
    with np.errstate(over="ignore"):
        return array("the square of spike over deviation", (spike / deviation) ** 2, None)


def _demand_direction(data: Classification) -> None:
    """ValueError where q = Σ y_i x_i is 0 but for rounding: then the first step has no direction."""
    size = float(np.linalg.norm(data.signed.sum(axis=0)))
    if not size > len(data.y) * np.finfo(np.float64).eps * float(np.linalg.norm(data.x, axis=1).max()):
        raise ValueError(f"data has ‖Σ y_i x_i‖ = {size:.1g}; it must not vanish, or the first step has no direction")


def _over_noise(spike: ArrayLike, deviation: ArrayLike, m: int, d: int) -> tuple[Array, Array, Array, int, int]:
    """θ² = (s/ω)², whether it exceeds √(md), and σ²/ω²; then m and d, all of them checked."""
    m, d = whole("m", m, least=1), whole("d", d, least=1)  # mutant: the guard of an argument
    over = _over(spike, deviation)
    out = over > np.sqrt(m * d)
    safe = np.where(out, over, 1.0)  # mutant: stands in where the other case is taken
    top = np.where(out, (safe + m) * (1 + d / safe), (np.sqrt(m) + np.sqrt(d)) ** 2)
    return over, np.asarray(out), top, m, d


def spiked_stable_rank(spike: ArrayLike, deviation: ArrayLike, m: int, d: int, beside: ArrayLike = 0.0) -> Array:
    """The stable rank of a spike in Gaussian noise, s u vᵀ + ωN, as m and d grow together.

    SR = (mdω² + s² + r²)/σ²,  σ² = (s² + mω²)(s² + dω²)/s² if s⁴ > mdω⁴, and ω²(√m + √d)² otherwise

    spike: s ≥ 0, one or many.
    deviation: ω > 0, the standard deviation of the entries of the noise, one or many.
    m, d: the shape of the matrix.
    beside: r, the norm of what lies beside the spike and is small against it, one or many.

    Returns SR, of the common shape of ``spike``, ``deviation`` and ``beside``.
    Raises ValueError for a deviation that is not positive.

    Reference: Benaych-Georges and Nadakuditi 2012, Section 3.1.

    >>> spiked_stable_rank([0.0, 3.0, 100.0], 0.1, 100, 200).round(3)
    array([34.315, 17.1  ,  1.02 ])
    """
    over, _, top, m, d = _over_noise(spike, deviation, m, d)
    aside = _over(beside, deviation)
    return np.asarray((m * d + over + aside) / top)


def spiked_fluctuation(spike: ArrayLike, deviation: ArrayLike, m: int, d: int) -> Array:
    """The root mean square by which the stable rank of s u vᵀ + ωN misses its limit at finite m and d.

    For a spike that is outside the noise, θ⁴ > md with θ = s/ω, with T = ‖W‖_F²/ω² and σ² in units of ω²:

    Var T = 2md,  Cov(T, σ²) = 2(m + d) + 4md/θ²,  Var σ² = 2(1 − md/θ⁴)(m + d + 2md/θ²),
    Var SR = (Var T − 2 SR Cov + SR² Var σ²)/σ⁴

    to first order in the noise. At the edge, where σ² is less than one unit μ(√m + √d)² above (√m + √d)²,
    μ = (m^{-1/2} + d^{-1/2})^{1/3}/(√m + √d): SR times 1.75 μ, the root mean square of the Tracy–Widom law, of mean
    −1.2065 and deviation 1.2680. What the noise has along the spike, uᵀNv, is taken as known and part of s.

    spike, deviation, m, d: as for ``spiked_stable_rank``.

    Returns numbers of the common shape of ``spike`` and ``deviation``; over SR − 1 they tend to √(2/md) for ω → 0.

    Reference: Johnstone 2001, Theorem 1.1, for the edge. For the spike, σ solves
    (σ − bᵀG_d b)(σ − cᵀG_m c) = (θ + bᵀGc)² with the rest of its row b, of its column c, and the resolvent G of all
    other noise; linearized in its three random sums, whose variances are those of Gaussian quadratic forms.

    >>> bool(spiked_fluctuation(10.0, 0.1, 100, 200) < spiked_fluctuation(3.0, 0.1, 100, 200))
    True
    """
    over, out, top, m, d = _over_noise(spike, deviation, m, d)
    safe = np.where(out, over, np.sqrt(m * d))
    rank = (m * d + over) / top
    of_top = 2 * (1 - m * d / safe**2) * (m + d + 2 * m * d / safe)
    common = 2 * (m + d) + 4 * m * d / safe
    # mutant(0): against rounding where the other case is taken
    outside = np.sqrt(np.maximum(2 * m * d - 2 * rank * common + rank**2 * of_top, 0)) / top  # not at the edge
    edge, unit = (np.sqrt(m) + np.sqrt(d)) ** 2, (m**-0.5 + d**-0.5) ** (1 / 3) / (np.sqrt(m) + np.sqrt(d))
    return np.asarray(np.where(top > edge * (1 + unit), outside, 1.75 * unit * rank))


def gate_variance(  # law: none, the smoothed leaky ReLU has the width 1
    data: Classification, slope: float, deviation: float
) -> Array:
    """The variance of the gates φ′(w·x_i) over w ~ N(0, ω²I), for the smoothed leaky ReLU of width 1.

    v_i = E[(δ tanh(z/2))²],  z ~ N(0, ω²‖x_i‖²),  δ = (1 − γ)/2

    data: the samples.
    slope: γ in [0, 1].
    deviation: ω ≥ 0.

    Returns n numbers; their error is below 1e-12 for ω‖x_i‖ ≤ 1.4.

    >>> from implicit_bias.data import Classification
    >>> points = Classification(np.eye(2), np.array([1.0, 1.0]))
    >>> gate_variance(points, 0.5, deviation=1.0).round(5), gate_variance(points, 1.0, deviation=1.0)
    (array([0.01084, 0.01084]), array([0., 0.]))
    """
    instance("data", data, Classification)
    _, delta = _slopes(slope)
    nodes, weights = np.polynomial.hermite_e.hermegauss(NODES)
    sizes = np.linalg.norm(data.x, axis=1)
    # mutant(0): the guard of an argument, or the axis of a norm
    turn = np.tanh(number("deviation", deviation, least=0) * np.outer(sizes, nodes) / 2)
    return np.asarray(delta**2 * (turn**2 @ weights) / weights.sum())


@brief()
@dataclass(frozen=True)
class SpikeCurve:
    """What gradient descent is predicted to add to the first layer, for t = 0, …, steps.

    spike: s(t), steps + 1 numbers.
    slopes: c(t), the gathered slopes of the loss, (steps + 1) × n.

    >>> from implicit_bias.data import Classification
    >>> points = Classification(np.eye(2), np.array([1.0, -1.0]))
    >>> curve = spike_curve(points, 0.5, learning_rate=1.0, steps=3)
    >>> curve.spike.round(3), curve.slopes.shape
    (array([0.   , 0.265, 0.512, 0.741]), (4, 2))
    """

    spike: Array
    slopes: Array


def spike_curve(
    data: Classification,
    slope: float,
    learning_rate: float,
    steps: int,
    *,
    deviation: float = 0.0,
    margins: ArrayLike = 0.0,
) -> SpikeCurve:
    """The spike that gradient descent on the logistic loss grows in the first layer.

    c_i ← c_i + (α/n) σ(−M_i − Σ_k K_ik c_k),  c(0) = 0,  s = r + c·M/r,  r = κ ‖Σ_i c_i y_i x_i‖,  κ = (1 + γ)/2,

    K_ik = y_iy_k x_i·x_k (κ² + 1{i=k} v_i),  v_i = ``gate_variance``,  σ(z) = 1/(1 + e^{−z})

    K is the tangent kernel of the smoothed leaky ReLU of width 1 at W(0), averaged over W(0); between different samples
    the gates φ′ are nearly independent. For ω = 0 it is the network whose activation is replaced by its tangent κz at
    0, and W(t) = W(0) + s(t) a vᵀ; s(1) = ακ‖q‖/(2n) with q = Σ y_i x_i. Where M is given, s counts what W(0) itself
    has along a vᵀ, aᵀW(0)v = c·M/r.

    data: the samples.
    slope: γ in [0, 1].
    learning_rate: α > 0.
    steps: at least 1.
    deviation: ω ≥ 0, the standard deviation of the entries of W(0).
    margins: M, the margins y_i f(x_i) at W(0), n numbers, or 0.

    Raises ValueError for an argument outside its range.

    >>> from implicit_bias.data import Classification
    >>> points = Classification(np.eye(2), np.array([1.0, -1.0]))
    >>> spike_curve(points, 1.0, learning_rate=1.0, steps=3).spike.round(4)
    array([0.    , 0.3536, 0.6631, 0.9353])
    """
    instance("data", data, Classification)
    kappa, _ = _slopes(slope)
    _demand_direction(data)
    rate = number("learning_rate", learning_rate, above=0) / len(data.y)
    steps = whole("steps", steps, least=1)  # mutant: the guard of an argument
    memory("steps", steps, 8 * 4 * (steps + 1) * len(data.y))
    gram = data.signed @ data.signed.T
    kernel = kappa**2 * gram + np.diag(np.diag(gram) * gate_variance(data, slope, deviation))
    given = array("margins", margins, None)
    # mutant(1): the guard of an argument
    before = np.broadcast_to(given, (len(data.y),)) if given.ndim == 0 else array("margins", given, 1, (len(data.y),))
    c = np.zeros((steps + 1, len(data.y)))
    for step in range(steps):
        c[step + 1] = c[step] + rate * expit(-before - kernel @ c[step])
    with np.errstate(over="ignore", invalid="ignore", divide="ignore"):
        added = kappa * np.sqrt(np.einsum("ti,ik,tk->t", c[1:], gram, c[1:], optimize=True))
        spike = np.append(0.0, np.abs(added + c[1:] @ before / added))
    if not np.all(np.isfinite(spike)):
        raise ValueError(
            "the spike is beyond the range of a float64; margins and learning_rate must be of another size"
        )
    return SpikeCurve(spike, c)


@in_range
def beside_spike(data: Classification, slope: float, a: ArrayLike, slopes: Array) -> Array:
    """The norm r(t) of the second direction that gradient descent grows, beside the spike of ``spike_curve``.

    r² = δ² ‖Σ_i h_i x_i‖² (1 − β²)(1 − ν²),  h_i ← h_i + (c_i(t+1) − c_i(t)) tanh(κ Σ_k y_iy_k x_i·x_k c_k(t)/(2√m))

    The gate of neuron j at x_i is φ′(z) = κ + δ tanh(z/2) at z = κ a_j y_i Σ_k y_iy_k x_i·x_k c_k, with W(0) neglected:
    odd in a_j and y_i, so that all neurons move alike, along Σ h_i x_i without the labels. β = Σ a_j/√m and ν, the
    cosine of the angle between Σ h_i x_i and Σ c_i y_i x_i, take off what lies along the spike on either side.

    data: the samples.
    slope: γ in [0, 1].
    a: the m output weights ±1/√m.
    slopes: c(t), T × n, for t = 0, …, T − 1.

    Returns r(t), T numbers.

    >>> from implicit_bias.data import Classification
    >>> points = Classification(np.eye(2), np.array([1.0, -1.0]))
    >>> slopes = spike_curve(points, 0.5, learning_rate=1.0, steps=3).slopes
    >>> beside_spike(points, 0.5, np.array([1.0, -1.0]) / np.sqrt(2), slopes).round(3)
    array([0.   , 0.   , 0.005, 0.015])
    """
    instance("data", data, Classification)
    kappa, delta = _slopes(slope)
    a = array("a", a, 1)
    slopes = array("slopes", slopes, 2, (None, len(data.y)))
    ahead = kappa * slopes[:-1] @ (data.signed @ data.signed.T) / np.sqrt(len(a))
    h = np.cumsum(np.diff(slopes, axis=0) * np.tanh(ahead / 2), axis=0)
    gram = data.x @ data.x.T
    c = slopes[1:] * data.y
    own, spike, across = (
        np.einsum("ti,ik,tk->t", left, gram, right, optimize=True) for left, right in ((h, h), (c, c), (h, c))
    )
    balance = 1 - a.sum() ** 2 / len(a)
    return np.append(0.0, delta * np.sqrt(np.maximum(balance * (own - across**2 / spike), 0.0)))


def one_step_error(data: Classification, slope: float) -> float:
    """By how much the first step from W(0) ~ N(0, ω²) misses its limit for ω → 0, over ω and as ω → 0.

    ‖W(1) − W(0) − P‖_F/‖P‖_F ≈ ω √((φ″(0)/κ)² Σ_ik y_iy_k (x_i·x_k)² + κ²/4 Σ_ik (x_i·x_k)²)/‖q‖,  P = ακ/(2n) a qᵀ,

    with φ″(0) = (1 − γ)/4: in the first sum the gates φ′ = κ + φ″(0) w_j·x_i, in the second the slopes of the loss,
    g_i = ½ − y_i f(x_i)/4. Expectations over W(0) and over balanced signs of a, for |a_j| = 1/√m.

    data: the samples.
    slope: γ in [0, 1].

    >>> from implicit_bias.data import Classification
    >>> points = Classification(np.eye(2), np.array([1.0, 1.0]))
    >>> round(one_step_error(points, 1.0), 4)
    0.5
    """
    instance("data", data, Classification)
    kappa, delta = _slopes(slope)
    _demand_direction(data)
    squares = (data.x @ data.x.T) ** 2
    gates = (delta / 2 / kappa) ** 2 * float(data.y @ squares @ data.y)
    return float(np.sqrt(gates + kappa**2 / 4 * float(squares.sum())) / np.linalg.norm(data.signed.sum(axis=0)))


def kinked_stable_rank(data: Classification, slope: float, m: int) -> float:
    """The stable rank after one step from ω → 0 where the activation is the leaky ReLU itself.

    W(1) ∝ κ a qᵀ + B,  B_j = a_j δ Σ_i ε_ji y_i x_i,  κ = (1 + γ)/2,  δ = (1 − γ)/2,

    with the random signs ε_ji of w_j(0)·x_i, E ε_ji = 0, E ε_ji ε_jk = T_ik = (2/π) arcsin(x_i·x_k/‖x_i‖‖x_k‖):

    SR = (κ²‖q‖² + E‖B‖_F²)/(κ²‖q‖² + E‖Bq̂‖² + E‖Bᵀa‖²),  up to terms of third order in B,

    E‖B‖_F² = δ² Σ_ik T_ik y_iy_k x_i·x_k,  E‖Bq̂‖² = δ² Σ_ik T_ik p_i p_k,  p_i = y_i x_i·q̂,  E‖Bᵀa‖² = E‖B‖_F²/m.

    data: the samples.
    slope: γ in [0, 1].
    m: number of neurons; |a_j| = 1/√m.

    >>> from implicit_bias.data import Classification
    >>> points = Classification(np.eye(2), np.array([1.0, 1.0]))
    >>> [round(kinked_stable_rank(points, slope, m=100), 4) for slope in (0.5, 1.0)]
    [1.0515, 1.0]
    """
    instance("data", data, Classification)
    kappa, delta = _slopes(slope)
    _demand_direction(data)
    if not np.all(np.any(data.x, axis=1)):  # mutant: a guard
        raise ValueError("data holds a sample that is 0; every sample must have a direction")
    z = data.signed
    q = z.sum(axis=0)
    gram = z @ z.T
    sizes = np.linalg.norm(z, axis=1)
    # The signs of y_i cancel between T_ik and the rest: both are taken of the signed samples.
    # mutant(-1 → -2): the guard of an argument, or of rounding beyond one
    signs = 2 / np.pi * np.arcsin(np.clip(gram / np.outer(sizes, sizes), -1, 1))
    signs = data.y[:, None] * signs * data.y
    spike = kappa**2 * float(q @ q)
    noise = delta**2 * float(np.sum(signs * gram))
    p = z @ q / np.linalg.norm(q)
    # mutant(1): the guard of an argument, or of rounding beyond one
    return (spike + noise) / (spike + delta**2 * float(p @ signs @ p) + noise / whole("m", m, least=1))
