"""The stable rank of what one step of gradient descent adds to a first layer, from any start."""

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import expit

from implicit_bias.checks import Array, array, in_range, instance, number, whole
from implicit_bias.data import Classification

FAR, NODES = 9.0, 4001  # a rule with equal steps, exact for what is smooth and right to 1e-3 for a step
SERIES = 3  # odd Hermite polynomials, up to the fifth


def _gate_covariance(x: Array, delta: float, deviation: float) -> Array:
    """The covariance of the gates at the samples, over w ~ N(0, ω²I): E[t_i t_k], t_i = δ tanh(w·x_i/2), n × n.

    By Mehler's formula Σ_l b_l(i) b_l(k) ρ_ik^l, with the correlations ρ and the odd Hermite coefficients b of t.
    """
    h = np.linspace(-FAR, FAR, NODES)
    weights = np.exp(-(h**2) / 2)
    weights /= weights.sum()
    sizes = np.linalg.norm(x, axis=1)
    turn = delta * np.tanh(deviation * np.outer(sizes, h) / 2)
    correlations = x @ x.T / np.outer(sizes, sizes)
    before, now = np.zeros_like(h), np.ones_like(h)  # normed Hermite polynomials
    covariance = np.zeros_like(correlations)
    for order in range(1, 2 * SERIES):
        before, now = now, (h * now - np.sqrt(order - 1) * before) / np.sqrt(order)
        part = turn @ (weights * now)  # 0 for an even order
        covariance += np.outer(part, part) * correlations**order
    np.fill_diagonal(covariance, turn**2 @ weights)
    return np.asarray(covariance)


@in_range
def first_change_rank(data: Classification, slope: float, m: int, deviation: float, margins: ArrayLike = 0.0) -> float:
    """The stable rank of W(1) − W(0) for W(0) ~ N(0, ω²I) of any size, the smoothed leaky ReLU and the logistic loss.

    W(1) − W(0) ∝ κ a q̃ᵀ + B,  q̃ = Σ z_i,  z_i = σ(−M_i) y_i x_i,  B_j = a_j Σ_i t_ji z_i,  t_ji = δ tanh(w_j·x_i/2),

    where the gates φ′ = κ + t are random and independent from neuron to neuron, of covariance V_ik = E[t_ji t_jk]:

    SR = (κ²‖q̃‖² + b)/(κ²‖q̃‖² + Σ_ik V_ik p_i p_k + b/m),  b = Σ_ik V_ik z_i·z_k,  p_i = z_i·q̃/‖q̃‖,

    up to terms of third order in B. κ = (1 + γ)/2, δ = (1 − γ)/2, σ(z) = 1/(1 + e^{−z}). As ω → ∞ with M = 0 this is
    ``kinked_stable_rank``, as ω → 0 it is 1.

    data: the samples, none of them 0.
    slope: γ in [0, 1].
    m: number of neurons; |a_j| = 1/√m.
    deviation: ω ≥ 0.
    margins: M, the margins y_i f(x_i) at W(0), n numbers, or 0.

    Raises ValueError for an argument outside its range, and where q̃ vanishes.

    >>> from implicit_bias.data import Classification
    >>> points = Classification(np.eye(2), np.array([1.0, 1.0]))
    >>> [round(first_change_rank(points, 0.5, 100, deviation), 4) for deviation in (0.0, 1.0, 1e3)]
    [1.0, 1.0094, 1.0514]
    """
    instance("data", data, Classification)
    slope = number("slope", slope, least=0, most=1)  # mutant(1): the guard of an argument
    m = whole("m", m, least=1)  # mutant: the guard of an argument
    kappa, delta = (1 + slope) / 2, (1 - slope) / 2
    deviation = number("deviation", deviation, least=0)
    if not np.all(np.any(data.x, axis=1)):
        raise ValueError("data holds a sample that is 0; every sample must have a direction")
    given = array("margins", margins, None)
    if given.ndim:
        given = array("margins", given, 1, (len(data.y),))
    # mutant(-given): margins of a random start are of either sign alike; held by test_first_change
    g = expit(-given) * np.ones(len(data.y))
    z = (g / max(float(g.max()), np.finfo(float).tiny))[:, None] * data.signed
    gram = z @ z.T
    spike = kappa**2 * float(gram.sum())
    if not spike > 0:  # mutant: a guard
        raise ValueError("data and margins let the first step vanish; Σ σ(−M_i) y_i x_i must have a direction")
    covariance = _gate_covariance(data.x, delta, deviation)
    noise = float(np.sum(covariance * gram))
    along = gram.sum(axis=1) * kappa / np.sqrt(spike)
    return (spike + noise) / (spike + float(along @ covariance @ along) + noise / m)
