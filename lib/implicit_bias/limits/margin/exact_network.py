"""What a ReLU network of given neurons computes, and its variation norm, without rounding."""

import numpy as np

from implicit_bias.checks import Array
from implicit_bias.limits.rounding import Between, Exact


def hidden(x: Array, directions: Array) -> Exact:  # attack: none, inside solvers
    """The (u_k·x_i)₊.

    x: n × d.
    directions: u, k × d.

    Returns n × k.
    """
    seen = Exact.of(x) @ Exact.of(directions.T)
    return Exact(np.maximum(seen.whole, 0), seen.power)


def outputs(x: Array, directions: Array, masses: Array) -> Exact:  # attack: none, inside solvers
    """The Σ_k ν_k (u_k·x_i)₊.

    x: n × d.
    directions: u, k × d.
    masses: ν, k numbers.

    Returns n numbers.
    """
    return hidden(x, directions) @ Exact.of(masses)


def least_margin(x: Array, y: Array, directions: Array, masses: Array) -> Between:  # attack: none, inside solvers
    """min_i y_i Σ_k ν_k (u_k·x_i)₊.

    x: n × d.
    y: n labels ±1.
    directions: u, k × d.
    masses: ν, k numbers.
    """
    reached = outputs(x, directions, masses)
    return Exact(reached.whole * np.where(y > 0, 1, -1).astype(object), reached.power).least()


def variation(directions: Array, masses: Array) -> Between:  # attack: none, inside solvers
    """Σ_k |ν_k|‖u_k‖.

    directions: u, k × d.
    masses: ν, k numbers.
    """
    total = Between.of(0)
    for u, mass in zip(directions, masses, strict=True):
        total = total + Exact.of(u).squares().root() * Between.of(abs(float(mass)))
    return total


def floats(numbers: Exact) -> Array:  # attack: none, inside solvers
    """Each number rounded once.

    numbers: of any shape.
    """
    return np.asarray(np.ldexp(numbers.whole.astype(np.float64), numbers.power))
