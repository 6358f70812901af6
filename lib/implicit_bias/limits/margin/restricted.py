"""The largest margin in the variation norm of networks whose neurons have given directions."""

import numpy as np
from numpy.typing import ArrayLike

from implicit_bias.checks import array
from implicit_bias.data import Classification
from implicit_bias.limits.certificate import in_unit
from implicit_bias.limits.margin.arrangement import unit_rows
from implicit_bias.limits.margin.exact_network import least_margin, variation
from implicit_bias.limits.margin.variation_certificate import scaled
from implicit_bias.limits.margin.variation_norm import program


def restricted_margin(points: Classification, directions: ArrayLike) -> float:
    """The largest margin of F₁ norm 1 with neurons of given directions alone: a lower bound of γ₁ in any dimension.

    max_{Σ_k |ν_k| ≤ 1} min_i ½ y_i Σ_k ν_k (u_k·x_i)₊

    points: n points in R^d.
    directions: u, k × d, not 0; their length does not matter.

    Returns the margin of the network that was found, evaluated without rounding, so that it is proved not to exceed
    γ₁; 0 if none was found that separates the points. That no other masses do better says the program alone, to its
    tolerance of 1e-10, and is no proof: the best of these networks would be a bound of γ₁ from below as well.
    Raises ValueError for arrays that do not fit or labels that no network can fit.

    >>> from implicit_bias.data import Classification
    >>> points = Classification(np.array([[1.0, 0.0], [0.0, 1.0]]), np.array([1.0, -1.0]))
    >>> round(restricted_margin(points, np.eye(2)), 12)
    0.25
    """
    x, y, unit = scaled(points, None)
    u = unit_rows("directions", array("directions", directions, 2, (None, x.shape[1])))
    signed = y[:, None] * np.maximum(x @ u.T, 0)
    margin, size = 0.0, 1.0  # mutant(1.0): the unit of the first program
    for _ in range(3):  # mutant: one program more, in the same unit
        masses, _ = program(signed, size)
        used = masses != 0  # mutant(0): neurons of mass 0 add nothing
        reached, norm = least_margin(x, y, u[used], masses[used]), variation(u[used], masses[used])
        if used.any() and reached.low > 0:
            margin = max(margin, (reached / (norm + norm)).down())
        if margin <= 0:
            return 0.0
        size = 0.5 / margin
    return float(in_unit(margin, unit, "the margin"))
