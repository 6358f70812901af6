"""What a network and weights of the points prove of the largest margin in the variation norm, in the plane."""

import math

import numpy as np
from numpy.typing import ArrayLike

from implicit_bias.checks import Array, array, instance, memory
from implicit_bias.data import Classification
from implicit_bias.limits.certificate import Certificate, Enclosure, exponent, in_unit
from implicit_bias.limits.margin.arrangement import response_bound, unit_rows
from implicit_bias.limits.margin.exact_network import least_margin, variation
from implicit_bias.limits.rounding import Between, Exact

HUGE = 2**1000  # a relative gap beyond it is infinite: a float64 may not hold it
ONE_RAY = 1e-12  # so near two directions may be the same, which whole numbers decide


def certify_variation_margin(points: Classification, directions: Array, masses: Array, weights: Array) -> Certificate:
    """How far ν and p are from solving both problems: Σ|ν_k|‖u_k‖ ≤ 1; p ≥ 0 of sum 1; the gap over the dual value.

    The enclosure is that of γ₁: below is the margin of ν/Σ|ν_k|‖u_k‖, above the bound of p₊/Σp₊.

    points: n points in R³.
    directions: u, k × 3.
    masses: ν, k numbers.
    weights: p, n numbers.
    """
    x, y = points.x, points.y
    directions = array("directions", directions, 2, (None, 3), finite=False)
    masses = array("masses", masses, 1, directions.shape[:1], finite=False)
    weights = array("weights", weights, 1, y.shape, finite=False)
    if not all(np.all(np.isfinite(part)) for part in (directions, masses, weights)):
        return Certificate(np.inf, np.inf, np.inf)
    margin, total = least_margin(x, y, directions, masses), variation(directions, masses)
    bound = response_bound(x, weights * y)
    low = (margin / (total + total)).down() if margin.low > 0 else 0.0
    missed = (bound - margin.low) / bound if bound else bound
    return Certificate(
        primal=max(0.0, float(total.high) - 1),
        dual=max(float(np.max(-weights)), abs(float(np.sum(weights)) - 1), 0.0),
        gap=float(missed) if bound and abs(missed) < HUGE else math.inf,
        enclosure=Enclosure(low, _bound(x, y, np.maximum(weights, 0))),
    )


def margin_bound(points: Classification, weights: ArrayLike) -> float:
    """½ max_u |Σ_i p_i y_i (u·x_i)₊| ≥ γ₁: what any weights of the points prove of the largest margin.

    points: n points in R³.
    weights: p, n numbers ≥ 0, not all 0; they are divided by their sum.

    Returns the bound.
    Raises ValueError for a negative weight or another dimension.

    >>> from implicit_bias.data import Classification
    >>> from implicit_bias.limits.margin import variation_margin
    >>> x = np.array([[-1.0, 0.0, 1.0], [0.0, 0.0, 1.0], [1.0, 0.0, 1.0]])
    >>> points = Classification(x, np.array([1.0, -1.0, 1.0]))
    >>> bool(margin_bound(points, [1.0, 1.0, 1.0]) >= variation_margin(points).margin)
    True
    """
    instance("points", points, Classification)
    p = array("weights", weights, 1, points.y.shape)
    if np.any(p < 0) or not np.any(p > 0):
        raise ValueError(f"weights holds {p.min():g} to {p.max():g}; they must be at least 0, and not all 0")
    return float(in_unit(_bound(points.x, points.y, p), 0, "the bound"))


def _bound(x: Array, y: Array, weights: Array) -> float:
    """½ max_u |Σ_i p_i y_i (u·x_i)₊| / Σ p_i, rounded up, for weights that are not below 0; infinite if all are 0."""
    total = Exact.of(weights).total().low
    return Between.of(response_bound(x, weights * y) / (2 * total)).up() if total else math.inf


def scaled(points: Classification, d: int | None) -> tuple[Array, Array, int]:  # attack: none, inside solvers
    """The points over a power of two, their labels and that power, if a network can fit them.

    points: n points in R^d.
    d: the dimension that they must have; None for any.
    """
    instance("points", points, Classification)
    x, y = array("points.x", points.x, 2), points.y
    if d is not None and x.shape[1] != d:
        raise ValueError(
            f"points.x has shape {x.shape}; it must be any × {d}: points of the plane and a constant, for only there "
            "is the margin certified (restricted_margin is a lower bound in any dimension)"
        )
    if np.all(y == y[0]):
        raise ValueError(f"points.y holds {y[0]:g} alone; it must hold both -1 and 1")
    memory("the number of rows of points.x", len(x), 16 * len(x) * (x.size + len(x)))
    ray = unit_rows("points.x", x)
    unit = int(exponent(x))
    x = np.ldexp(x, -unit)
    near = np.linalg.norm(ray[:, None] - ray, axis=2) + 2 * (y[:, None] == y)
    for i, j in np.argwhere(near <= ONE_RAY):
        one, other = Exact.of(x[i]).whole, Exact.of(x[j]).whole
        if not np.any(np.outer(one, other) - np.outer(other, one)):
            raise ValueError(
                f"points.y holds {y[i]:g} and {y[j]:g} at points {i} and {j}, which are the same up to a factor; no "
                "network fits both"
            )
    return x, y, unit
