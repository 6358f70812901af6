"""A margin that networks have in every dimension: the one of networks that see two coordinates of the points."""

import numpy as np

from implicit_bias.checks import array, whole
from implicit_bias.data import Classification
from implicit_bias.limits.margin.variation_norm import _program, restricted_margin

FIRST, MORE = 40, 20  # directions of the first program, and at most so many new ones a round
ENOUGH = 1e-6  # relative gap, on the grid, at which no further direction is added


def plane_margin(points: Classification, *, directions: int = 4000) -> float:
    """A lower bound of γ₁ that is the same in every dimension: the margin of networks of the plane.

    γ₁(x) ≥ γ₁(x_1, x_2, x_d) ≥ max_{Σ_k |ν_k| ≤ 1} min_i ½ y_i Σ_k ν_k (u_k·(x_1, x_2, x_d)_i)₊

    A network of the plane is one of R^d whose hidden weights vanish on the other coordinates, so that the first
    inequality holds and the second number does not change with d. Its u_k are spread evenly over the sphere; of these
    few are needed, which column generation finds.

    points: n points in R^d, d at least 3, whose last coordinate is constant.
    directions: number of the u_k, at least 100; with the default the bound is within a percent of γ₁ of the plane.

    Returns the bound; 0 if networks of these directions cannot separate the points.
    Raises ValueError as ``restricted_margin``, or for points of fewer than three coordinates.
    """
    x = array("points.x", points.x, 2)
    if x.shape[1] < 3:
        raise ValueError(f"points.x has shape {x.shape}; it must have two coordinates and a constant at least")
    whole("directions", directions, least=100)
    plane = Classification(x=x[:, [0, 1, -1]], y=points.y)
    index = np.arange(directions) + 0.5
    height, angle = 1 - 2 * index / directions, np.pi * (1 + np.sqrt(5)) * index
    ring = np.sqrt(1 - height**2)
    u = np.stack([ring * np.cos(angle), ring * np.sin(angle), height], axis=1)
    signed = points.y[:, None] * np.maximum(plane.x @ u.T, 0)
    chosen = np.linspace(0, directions - 1, FIRST).astype(int)
    while True:
        masses, weights = _program(signed[:, chosen], 1.0)
        responses = np.abs(weights @ signed)
        missed = np.argsort(-responses, kind="stable")[:MORE]
        reached = np.max(responses[chosen])
        missed = missed[responses[missed] > (1 + ENOUGH) * reached]
        if not missed.size:
            return restricted_margin(plane, u[chosen][masses != 0]) if np.any(masses) else 0.0
        chosen = np.append(chosen, missed)
