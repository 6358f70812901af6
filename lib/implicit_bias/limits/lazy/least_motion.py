"""How long the weights of any two-layer ReLU network of the plane must be that fits the labels."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike
from scipy.optimize import linprog

from implicit_bias.brief import brief
from implicit_bias.checks import Array, array
from implicit_bias.limits.certificate import Certificate, exponent, in_unit
from implicit_bias.limits.lazy.circle import CircleResponse

GRID = 2000  # directions of the linear program besides the kinks
TOLERANCE = 1e-3  # of the gap: the grid misses the best direction by half of its spacing


@brief("length")
@dataclass(frozen=True)
class LeastWeights:
    """The least Σ_j |a_j|‖w_j‖ with which Σ_j a_j (w_j·x_i)₊ = y_i, from both sides.

    value: a lower bound ν·y, exact up to rounding.
    charges: ν, with |Σ_i ν_i (u·x_i)₊| ≤ 1 for all unit u.
    certificate: by how much the best network on the grid misses a label, over the largest; its gap to the bound.

    >>> around = np.array([[1.0, 0.0], [0.0, 1.0], [-1.0, 0.0], [0.0, -1.0]])
    >>> least = least_weights(around, np.array([2.0, 0.0, 0.0, 0.0]))
    >>> round(least.value, 3), round(least.length, 3)
    (2.0, 2.0)
    """

    value: float
    charges: Array
    certificate: Certificate

    @property
    def length(self) -> float:
        """√(2 value) ≤ (Σ_j ‖w_j‖² + a_j²)^{1/2}, for any network that fits the labels."""
        return float(np.sqrt(2 * self.value))


def least_weights(x: ArrayLike, y: ArrayLike) -> LeastWeights:
    """min Σ_j |a_j|‖w_j‖ over all networks that fit the labels = max {ν·y : |Σ_i ν_i (u·x_i)₊| ≤ 1 for unit u}.

    The dual is solved with the u on a grid and at all kinks, and its answer divided by the exact maximum over the
    circle: a bound that holds for every network, whatever its width.

    x: n points of the plane, n × 2.
    y: n labels, not all 0.

    Returns the bound, its proof, and how near it is to the best network on the grid.
    Raises ValueError for arrays that do not fit, labels that are all 0, labels that no network fits, or half planes
    without a point; CertificateError where the gap is above 1e-3.
    Reference: derived in the chapter training_paths; Bach 2017 for the norm.

    >>> around = np.array([[1.0, 0.0], [0.0, 1.0], [-1.0, 0.0], [0.0, -1.0]])
    >>> least = least_weights(around, np.array([2.0, 0.0, 0.0, 0.0]))
    >>> round(least.value, 3), bool(least.certificate.worst < 1e-3)
    (2.0, True)
    """
    x = array("x", x, 2, (None, 2))
    y = array("y", y, 1, (len(x),))
    if not np.any(y):
        raise ValueError("y is 0; at least one label must differ from it")
    long, large = int(exponent(x)), int(exponent(y))
    x, y = np.ldexp(x, -long), np.ldexp(y, -large)
    grid = np.concatenate([CircleResponse(x, y).kinks, 2 * np.pi * np.arange(GRID) / GRID])
    features = np.maximum(x @ np.stack([np.cos(grid), np.sin(grid)]), 0)
    found = linprog(
        np.ones(2 * grid.size), A_eq=np.hstack([features, -features]), b_eq=y, bounds=(0, None), method="highs"
    )
    if found.status != 0:
        raise ValueError(f"y cannot be fitted by a network at x: {found.message}")
    charges = np.asarray(found.eqlin.marginals, dtype=np.float64)
    charges /= CircleResponse(x, charges).largest()
    value = float(charges @ y)
    masses = found.x[: grid.size] - found.x[grid.size :]
    missed = float(np.max(np.abs(features @ masses - y)) / np.max(np.abs(y)))
    certificate = Certificate(missed, 0.0, float(found.fun - value) / float(found.fun))
    certificate.demand(TOLERANCE, "the least weights")
    return LeastWeights(
        float(in_unit(value, large - long, "the least weights")), in_unit(charges, -long, "the charges"), certificate
    )
