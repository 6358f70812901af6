"""A proof, for one set of samples, that a leaky ReLU network's margin problem has one stationary point."""

from itertools import product

import numpy as np

from implicit_bias.checks import Array, instance
from implicit_bias.data import Classification
from implicit_bias.limits.margin.rank_two import network_shape

MOST_ROUNDS = 200  # of bounds that tighten
GAIN = 1e-4  # of the widest interval in a round, relative; with less it is given up
SLACK = 1e-9  # a sign counts as known beyond it, relative to the largest squared norm times multiplier: rounding


def agreement(problem: Classification, slope: float, positive: int, negative: int) -> bool:
    """Whether intervals prove that at every KKT point all neurons of one sign see each sample from the same side.

    At a KKT point of min ½‖W‖_F² subject to y_i f(x_i; W) ≥ 1, with s_ik = y_i y_k ⟨x_i, x_k⟩ and |a_j| = 1/√m,

    h_ji = y_i ⟨w_j, x_i⟩/a_j = Σ_k s_ik λ_k φ′_jk,  y_i f(x_i) = (1/m) Σ_j φ′_ji h_ji,  λ_i > 0 only where that is 1

    with λ ≥ 0 and γ ≤ φ′ ≤ 1. Each λ_i lies in an interval, each φ′_ji in one for the positive and one for the negative
    neurons. The largest ν_i = λ_i ‖x_i‖² is at most 1/(γ min_i(γ − Σ_k max(−s_ik, 0)/‖x_k‖²)). From there on the
    intervals bound h_ji, y_i f(x_i) ≥ 1 bounds λ_i from below, y_i f(x_i) ≤ 1 from above, and φ′_ji is known once
    h_ji > 0, in turn until nothing changes.

    If all signs are h_ji > 0, then λ solves a linear complementarity problem with the matrix K of ``rank_two``. It is
    positive definite for independent samples: there is one KKT point, the global minimizer.

    problem: n samples.
    slope: γ in (0, 1].
    positive, negative: m₁ and m₂, at least 1 each.

    Returns whether it succeeds. The bounds are floats with room for rounding, not rounded outwards: no enclosure.
    Raises ValueError for an argument outside its range.

    Reference: Frei et al. 2023, Theorem 3.2, for the conclusion.

    >>> from implicit_bias.data import Classification
    >>> near, far = (np.eye(3) + correlation for correlation in (0.01, 1.0))
    >>> [agreement(Classification(x, np.array([1.0, -1.0, 1.0])), 0.5, 2, 3) for x in (near, far)]
    [True, False]
    """
    instance("problem", problem, Classification)
    slope, m = network_shape(slope, positive, negative)
    shares = np.array([positive, negative]) / m
    lengths = np.sum(problem.x**2, axis=1)
    if not lengths.all():
        return False
    signed = (problem.signed @ problem.signed.T) / lengths  # s_ik/‖x_k‖²: the unknowns are the ν_k
    others = signed - np.eye(lengths.size)
    up, down = np.maximum(others, 0), np.maximum(-others, 0)
    bracket = float((slope - down.sum(axis=1)).min())
    if bracket <= 0:
        return False
    low, high = np.zeros(lengths.size), np.full(lengths.size, 1 / (slope * bracket))
    known = np.where([problem.y > 0, problem.y < 0], 1.0, slope)
    least, most = np.full(known.shape, slope), np.ones(known.shape)  # of φ′, by the neuron's sign
    for _ in range(MOST_ROUNDS):
        below = (least * low) @ up.T - (most * high) @ down.T  # of h, without the sample's own term φ′ν
        above = (most * high) @ up.T - (least * low) @ down.T
        sure = least * low + below > SLACK * high.max()
        width = float((high - low).max())
        gates = [shares[:, None] * np.where(np.array(pair)[:, None], most, least) for pair in product((0, 1), repeat=2)]
        # Between the largest and the least of these linear functions lies y_i f(x_i), for each ν_i.
        low = np.maximum(low, np.min([_reaches_one(gate, most, above) for gate in gates], axis=0))
        high = np.minimum(high, np.max([_reaches_one(gate, least, below) for gate in gates], axis=0))
        gained = bool(np.any(sure & (least < most)))
        least, most = np.where(sure, known, least), np.where(sure, known, most)
        if sure.all():
            return True
        if not gained and width - float((high - low).max()) < GAIN * width:
            return False
    return False


def _reaches_one(gate: Array, own: Array, rest: Array) -> Array:
    """Where Σ gate (own ν + rest), summed over the two kinds of neurons, is 1."""
    return np.asarray((1 - np.sum(gate * rest, axis=0)) / np.sum(gate * own, axis=0))
