"""How fast a measured quantity falls or grows: slopes of straight lines through logarithms, by least squares."""

import numpy as np
from numpy.typing import ArrayLike

from implicit_bias.checks import Array, array


def log_log_slope(x: ArrayLike, y: ArrayLike) -> float:
    """The exponent p of y ≈ C xᵖ, the regressed slope of ln y in ln x.

    min over c, p of Σ_i (ln y_i − c − p ln x_i)²

    x: k ≥ 2 positive numbers, not all the same.
    y: k positive numbers.

    Returns p.
    Raises ValueError for anything else.
    """
    return log_slope(np.log(_positive("x", x)), y)


def log_slope(t: ArrayLike, y: ArrayLike) -> float:
    """The rate r of y ≈ C e^{rt}, the regressed slope of ln y in t; negative where y falls.

    min over c, r of Σ_i (ln y_i − c − r t_i)²

    t: k ≥ 2 numbers, not all the same; r is per unit of t.
    y: k positive numbers.

    Returns r.
    Raises ValueError for anything else.
    """
    t = array("t", t, 1)
    log_y = np.log(_positive("y", y))
    if len(log_y) != len(t):
        raise ValueError(f"y has shape {log_y.shape}; it must have a number for each of the {len(t)} abscissae")
    if np.all(t == t[0]):
        raise ValueError(f"the abscissae are {len(t)} times {t[0]:g}; a slope needs two that differ")
    return float(np.polyfit(t, log_y, 1)[0])


def _positive(name: str, value: ArrayLike) -> Array:
    """The value as one axis of positive numbers; ValueError otherwise."""
    out = array(name, value, 1)
    if np.any(out <= 0):
        raise ValueError(f"{name} holds {out.min():g}; its numbers must be positive")
    return out
