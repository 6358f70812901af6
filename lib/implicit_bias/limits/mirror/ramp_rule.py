"""Means over a random ramp, by a quadrature that is exact between its kinks."""

import numpy as np

from implicit_bias.checks import Array
from implicit_bias.data.biases import BiasLaw

POINTS, RULE = np.polynomial.legendre.leggauss(8)  # on each piece: exact up to degree 15


def ramp_rule(  # attack: none, inside solvers
    z: Array, x: Array, charges: Array, law: BiasLaw
) -> tuple[Array, Array, Array]:
    """An exact rule for means over w and b of what is piecewise a polynomial, with kinks at wx, wz and where α = 0.

    z: N places.
    x: M places of the data.
    charges: λ of α = Σ_i λ_i (wx_i − b)₊, M numbers.
    law: of b.

    Returns (wx − b)₊ and (wz − b)₊ at the rule's points, M and N × points, and its weights.
    """
    signs, places, weights = [], [], []
    for w in (1.0, -1.0):
        # mutant(np.clip…): the middle one of three numbers in either order
        # mutant(w * z → 1 * z): the places lie symmetrically; held by tests
        edges = np.unique(np.clip(np.concatenate([[-law.reach, law.reach], w * x, w * z]), -law.reach, law.reach))
        alpha = charges @ np.maximum(w * x[:, None] - edges, 0)
        # mutant(*): the sign of a quotient is that of the product
        turns = np.flatnonzero(alpha[:-1] * alpha[1:] < 0)  # between two edges α is straight
        share = alpha[turns] / (alpha[turns] - alpha[turns + 1])
        edges = np.sort(np.append(edges, edges[turns] + share * np.diff(edges)[turns]))  # mutant(,…): they are sorted
        half = np.diff(edges)[:, None] / 2
        b = (edges[:-1, None] + half * (1 + POINTS)).ravel()
        signs.append(np.full(b.size, w))
        places.append(b)
        weights.append((half * RULE).ravel() * law.density(b) / 2)
    w_all, b_all = np.concatenate(signs), np.concatenate(places)
    seen, at_z = (np.maximum(np.outer(at, w_all) - b_all, 0) for at in (x, z))
    return seen, at_z, np.concatenate(weights)
