"""How fast a measured quantity falls or grows: slopes of straight lines through logarithms, by least squares."""

import numpy as np
from numpy.typing import ArrayLike

from implicit_bias.checks import Array, array, in_range


def log_log_slope(x: ArrayLike, y: ArrayLike) -> float:
    """The exponent p of y ≈ C xᵖ, the regressed slope of ln y in ln x.

    min over c, p of Σ_i (ln y_i − c − p ln x_i)²

    x: k ≥ 2 positive numbers, not all the same.
    y: k positive numbers.

    Returns p.
    Raises ValueError for anything else.

    >>> round(log_log_slope([1.0, 2.0, 4.0], [8.0, 4.0, 2.0]), 12)
    -1.0
    """
    return _slope("x", np.log(_positive("x", x)), y)


@in_range
def log_slope(t: ArrayLike, y: ArrayLike) -> float:
    """The rate r of y ≈ C e^{rt}, the regressed slope of ln y in t; negative where y falls.

    min over c, r of Σ_i (ln y_i − c − r t_i)²

    t: k ≥ 2 numbers, not all the same; r is per unit of t.
    y: k positive numbers.

    Returns r.
    Raises ValueError for anything else.

    >>> round(log_slope([0.0, 1.0, 2.0], [1.0, np.exp(-3), np.exp(-6)]), 12)
    -3.0
    """
    return _slope("t", array("t", t, 1), y)


def _slope(name: str, t: Array, y: ArrayLike) -> float:
    """The regressed slope of ln y in t, which the caller knows by another name."""
    log_y = np.log(_positive("y", y))
    if len(log_y) != len(t):
        raise ValueError(f"y has shape {log_y.shape}; it must have a number for each of the {len(t)} entries of {name}")
    if len(t) < 2:
        raise ValueError(f"{name} has shape {t.shape}; a slope needs two entries that differ")
    if np.all(t == t[0]):
        raise ValueError(f"{name} holds the same number {len(t)} times; a slope needs two entries that differ")
    line, _, rank, *_ = np.polyfit(t, log_y, 1, full=True)
    if rank < 2:
        raise ValueError(f"{name} holds numbers that are equal but for rounding; a slope needs two entries that differ")
    return float(line[0])


def _positive(name: str, value: ArrayLike) -> Array:
    """The value as one axis of positive numbers; ValueError otherwise."""
    out = array(name, value, 1)
    if np.any(out <= 0):
        raise ValueError(f"{name} holds {out.min():g}; its numbers must be positive")
    return out
