"""A margin that networks have in every dimension: the one of networks that see two coordinates of the points."""

import numpy as np
from numpy.typing import NDArray

from implicit_bias.checks import Array, array, instance, memory, whole
from implicit_bias.data import Classification
from implicit_bias.limits.certificate import exponent
from implicit_bias.limits.margin.restricted import restricted_margin
from implicit_bias.limits.margin.variation_norm import program

FIRST, MORE = 40, 20  # directions of the first program, and at most so many new ones a round
ENOUGH = 1e-6  # relative gap at which no further direction is added
REACHES, AROUND = (0.03, 0.01, 0.003), 50  # so far around the directions in use so many others are tried


def plane_margin(points: Classification, *, directions: int = 4000) -> float:
    """A lower bound of γ₁ that is the same in every dimension: the margin of networks of the plane.

    γ₁(x) ≥ γ₁(x_1, x_2, x_d) ≥ max_{Σ_k |ν_k| ≤ 1} min_i ½ y_i Σ_k ν_k (u_k·(x_1, x_2, x_d)_i)₊

    A network of the plane is one of R^d whose hidden weights vanish on the other coordinates, so that the first
    inequality holds and the second number does not change with d. Its u_k are spread evenly over the sphere, and then
    around those that are used; column generation finds which.

    points: n points in R^d, d at least 3, whose last coordinate is constant.
    directions: number of the first u_k, at least 100; the default comes within a percent of γ₁ of the plane.

    Returns the bound; 0 if networks of these directions cannot separate the points.
    Raises ValueError as ``restricted_margin``, or for points of fewer than three coordinates.

    >>> from implicit_bias.data import Classification
    >>> x = np.array([[-1.0, 0.0, 7.0, 1.0], [0.0, 1.0, 8.0, 1.0], [1.0, 0.0, 9.0, 1.0]])
    >>> bool(plane_margin(Classification(x, np.array([1.0, -1.0, 1.0])), directions=200) > 0)
    True
    """
    instance("points", points, Classification)
    x = array("points.x", points.x, 2)
    if x.shape[1] < 3:  # mutant(1): a guard
        raise ValueError(f"points.x has shape {x.shape}; it must have two coordinates and a constant at least")
    directions = whole("directions", directions, least=100)  # mutant(100): the guard of an argument
    memory("directions", directions, 8 * directions * (3 + 2 * len(x)))
    plane = Classification(x=x[:, [0, 1, -1]], y=points.y)  # mutant(1): NumPy finds this size by itself
    u = _sphere(directions)
    x = np.ldexp(plane.x, -exponent(plane.x))  # mutant(-): a unit
    used = u[_needed(points.y[:, None] * np.maximum(x @ u.T, 0))]
    if not used.size:
        return 0.0  # mutant: of labels that no direction separates; held by tests
    for reach in REACHES:
        around = used[:, None] + reach * u[:: directions // AROUND]
        # mutant(1): NumPy finds this size by itself
        u = np.concatenate([used, (around / np.linalg.norm(around, axis=2, keepdims=True)).reshape(-1, 3)])
        used = u[_needed(points.y[:, None] * np.maximum(x @ u.T, 0))]
    return restricted_margin(plane, used)


def _sphere(count: int) -> Array:
    """Directions spread evenly over the sphere, count × 3."""
    index = np.arange(count) + 0.5
    height, angle = 1 - 2 * index / count, np.pi * (1 + np.sqrt(5)) * index
    ring = np.sqrt(1 - height**2)
    return np.stack([ring * np.cos(angle), ring * np.sin(angle), height], axis=1)


def _needed(signed: Array) -> NDArray[np.intp]:
    """The columns that the best of their combinations uses, by column generation; none if all have a margin ≤ 0."""
    chosen = np.linspace(0, signed.shape[1] - 1, FIRST).astype(np.intp)
    while True:
        masses, weights = program(signed[:, chosen], 1.0, presolve=False)  # mutant(1.0): the unit of the program
        responses = np.abs(weights @ signed)
        missed = np.argsort(-responses, kind="stable")[:MORE]
        missed = missed[responses[missed] > (1 + ENOUGH) * np.max(responses[chosen])]
        if not missed.size:
            # mutant(0): of labels that no direction separates; held by tests
            return chosen[masses != 0] if np.min(signed[:, chosen] @ masses) > 0 else chosen[:0]
        chosen = np.append(chosen, missed)  # mutant: the order of columns
