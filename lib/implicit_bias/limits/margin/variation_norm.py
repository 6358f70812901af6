"""The largest margin of infinitely wide two-layer ReLU networks in the variation norm, certified in the plane."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike
from scipy.optimize import linprog

from implicit_bias.brief import brief
from implicit_bias.checks import Array, array
from implicit_bias.data import Classification
from implicit_bias.limits.certificate import Certificate, CertificateError, exponent, in_unit, relative
from implicit_bias.limits.margin.arrangement import largest_responses, unit_rows

TOLERANCE = 1e-9
ENOUGH = 2e-10  # a gap at which no better one is sought
ROUNDS, PATIENCE = 400, 6
COLUMNS, APART = 40, 0.995  # so many new directions a round, no two with a larger cosine
ONE_RAY = 1e-12
HIGHS = {"primal_feasibility_tolerance": 1e-10, "dual_feasibility_tolerance": 1e-10}


@brief()
@dataclass(frozen=True)
class VariationMargin:
    """The classifier h(x) = ½ Σ_k ν_k (u_k·x)₊ of largest margin with Σ_k |ν_k| = 1, and what proves it.

    directions: u, k × 3, of unit norm.
    masses: ν, k numbers.
    weights: p, n numbers ≥ 0 of sum 1, positive at the support vectors.
    margin: min_i y_i h(x_i), at most γ₁.
    bound: ½ max_u |Σ_i p_i y_i (u·x_i)₊|, at least γ₁.
    certificate: its optimality; bound and margin differ by its gap.

    >>> from implicit_bias.data import Classification
    >>> x = np.array([[-1.0, 0.0, 1.0], [0.0, 0.0, 1.0], [1.0, 0.0, 1.0]])
    >>> answer = variation_margin(Classification(x, np.array([1.0, -1.0, 1.0])))
    >>> round(float(np.sum(np.abs(answer.masses))), 9), bool(np.min(answer.predict(x) * [1, -1, 1]) > 0)
    (1.0, True)
    """

    directions: Array
    masses: Array
    weights: Array
    margin: float
    bound: float
    certificate: Certificate

    def predict(self, x: ArrayLike) -> Array:
        """h at some points.

        x: … × 3.

        Returns … numbers.
        """
        hidden = np.maximum(array("x", x, None) @ self.directions.T, 0)
        return np.asarray(hidden @ self.masses / 2)


def variation_margin(points: Classification) -> VariationMargin:
    """γ₁, the largest margin of the ReLU networks of F₁ norm 1 on points in R³, by column generation.

    γ₁ = max_{‖ν‖_TV ≤ 1} min_i ½ y_i ∫ (u·x_i)₊ dν(u) = min_{p ∈ Δ} ½ max_u |Σ_i p_i y_i (u·x_i)₊|

    with ν a signed measure on the unit sphere. The ½ is the largest value of b‖a‖ at ‖a‖² + b² = 1: ν has the norm of
    the measures over neurons (a, b) that Chizat and Bach use. Linear programs over a few directions u get more of them
    where the right-hand side is largest, which ``largest_responses`` finds exactly on the whole sphere.

    points: n points in the plane with a third coordinate that is constant, or any others in R³.

    Returns the classifier with its certificate.
    Raises ValueError for another dimension, labels of one class, or labels that no network can fit; CertificateError if
    the programs end above a gap of 1e-9.
    Reference: Chizat & Bach 2020, the F₁-max-margin problem of Theorem 3.

    >>> from implicit_bias.data import Classification
    >>> x = np.array([[-1.0, 0.0, 1.0], [0.0, 0.0, 1.0], [1.0, 0.0, 1.0]])
    >>> answer = variation_margin(Classification(x, np.array([1.0, -1.0, 1.0])))
    >>> round(answer.margin, 6), bool(answer.bound - answer.margin < 1e-9)
    (0.1, True)
    """
    x, y, unit = _scaled(points, 3)
    # mutant(0): it steers, the certificate decides
    # mutant(>; <): where the columns begin
    classes = [y > 0, y < 0]
    # mutant(2): the lower bound is not used here; held by tests
    weights = sum((own / own.sum() for own in classes), np.zeros(y.size)) / 2
    directions, masses = np.zeros((0, 3)), np.zeros(0)  # mutant(0): it steers, the certificate decides
    # mutant(0): it steers, the certificate decides
    best, lower, upper, waited = (directions, masses, weights), 0.0, np.inf, 0
    size = 1.0  # mutant: the unit of the first program
    for _ in range(ROUNDS):
        candidates, values = largest_responses(x, weights * y)
        if abs(values[0]) < upper:  # mutant(0): it steers, the certificate decides
            # mutant(2): the lower bound is not used here; held by tests
            # mutant(0): it steers, the certificate decides
            best, upper, waited = (*best[:2], weights), float(abs(values[0])), 0
        if upper - lower <= ENOUGH * upper or waited == PATIENCE:
            break
        directions = np.concatenate([directions, _apart(candidates[np.abs(values) > lower])])
        signed = y[:, None] * np.maximum(x @ directions.T, 0)
        masses, weights = _program(signed, size)
        reached = float(np.min(signed @ masses))
        waited += 1  # mutant: how long it waits for a better bound
        if reached > lower:
            # mutant(0): it steers, the certificate decides
            # mutant(2): the lower bound is not used here; held by tests
            best, lower = (directions[masses != 0], masses[masses != 0], best[2]), reached
            size = 1 / lower  # mutant(1): it steers, the certificate decides
    if lower <= 0:  # mutant(0): a guard
        raise CertificateError(f"no two-layer network was found that separates the points: γ₁ is below {upper / 2:.1e}")
    directions, masses, weights = best
    scaled = Classification(x=x, y=y)
    certificate = certify_variation_margin(scaled, directions, masses, weights)
    certificate.demand(TOLERANCE, "the largest margin in the variation norm")
    # mutant(2; lower / 2): the lower bound is not used here; held by tests
    margin, bound = in_unit([lower / 2, upper / 2], unit, "the margin")
    return VariationMargin(directions, masses, weights, float(margin), float(bound), certificate)


def certify_variation_margin(points: Classification, directions: Array, masses: Array, weights: Array) -> Certificate:
    """How far ν and p are from solving both problems: Σ|ν_k|‖u_k‖ ≤ 1; p ≥ 0 of sum 1; the gap over the dual value.

    points: n points in R³.
    directions: u, k × 3.
    masses: ν, k numbers.
    weights: p, n numbers.
    """
    x, y, unit = points.x, points.y, exponent(points.x)
    directions = array("directions", directions, 2, (None, 3), finite=False)
    masses = array("masses", masses, 1, directions.shape[:1], finite=False)
    weights = array("weights", weights, 1, y.shape, finite=False)
    if not all(np.all(np.isfinite(part)) for part in (directions, masses, weights)):
        return Certificate(np.inf, np.inf, np.inf)
    with np.errstate(over="ignore", invalid="ignore"):
        total = float(np.abs(masses) @ np.linalg.norm(directions, axis=1))
        margin = float(np.min(y * (np.maximum(np.ldexp(x, -unit) @ directions.T, 0) @ masses)))
        bound = abs(float(largest_responses(np.ldexp(x, -unit), weights * y)[1][0]))
    return Certificate(
        primal=max(0.0, total - 1),
        dual=max(float(np.max(-weights)), abs(float(np.sum(weights)) - 1), 0.0),
        gap=relative(bound - margin, bound),
    )


def restricted_margin(points: Classification, directions: ArrayLike) -> float:
    """The largest margin of F₁ norm 1 with neurons of given directions alone: a lower bound of γ₁ in any dimension.

    max_{Σ_k |ν_k| ≤ 1} min_i ½ y_i Σ_k ν_k (u_k·x_i)₊

    points: n points in R^d.
    directions: u, k × d, not 0; their length does not matter.

    Returns the margin; 0 if networks of these directions cannot separate the points.
    Raises ValueError for arrays that do not fit or labels that no network can fit.

    >>> from implicit_bias.data import Classification
    >>> points = Classification(np.array([[1.0, 0.0], [0.0, 1.0]]), np.array([1.0, -1.0]))
    >>> round(restricted_margin(points, np.eye(2)), 12)
    0.25
    """
    x, y, unit = _scaled(points, None)
    u = unit_rows("directions", array("directions", directions, 2, (None, x.shape[1])))
    signed = y[:, None] * np.maximum(x @ u.T, 0)
    margin, size = 0.0, 1.0  # mutant(1.0): the unit of the first program
    for _ in range(3):  # mutant: one program more, in the same unit
        masses, _ = _program(signed, size)
        margin = max(margin, float(np.min(signed @ masses)))
        if margin <= 0:
            return 0.0
        size = 1 / margin
    return float(in_unit(margin / 2, unit, "the margin"))


def margin_bound(points: Classification, weights: ArrayLike) -> float:
    """½ max_u |Σ_i p_i y_i (u·x_i)₊| ≥ γ₁: what any weights of the points prove of the largest margin.

    points: n points in R³.
    weights: p, n numbers ≥ 0, not all 0; they are divided by their sum.

    Returns the bound.
    Raises ValueError for a negative weight or another dimension.

    >>> from implicit_bias.data import Classification
    >>> x = np.array([[-1.0, 0.0, 1.0], [0.0, 0.0, 1.0], [1.0, 0.0, 1.0]])
    >>> points = Classification(x, np.array([1.0, -1.0, 1.0]))
    >>> bool(margin_bound(points, [1.0, 1.0, 1.0]) >= variation_margin(points).margin)
    True
    """
    p = array("weights", weights, 1, points.y.shape)
    if np.any(p < 0) or not np.any(p > 0):
        raise ValueError(f"weights holds {p.min():g} to {p.max():g}; they must be at least 0, and not all 0")
    p = p / p.max()
    # mutant(0): the largest response is listed more than once
    return abs(float(largest_responses(points.x, p / p.sum() * points.y)[1][0])) / 2


def _scaled(points: Classification, d: int | None) -> tuple[Array, Array, int]:
    """The points over a power of two, their labels and that power, if a network can fit them."""
    x, y = array("points.x", points.x, 2), points.y
    if d is not None and x.shape[1] != d:
        raise ValueError(
            f"points.x has shape {x.shape}; it must be any × {d}: points of the plane and a constant, for only there "
            "is the margin certified (restricted_margin is a lower bound in any dimension)"
        )
    if np.all(y == y[0]):
        raise ValueError(f"points.y holds {y[0]:g} alone; it must hold both -1 and 1")
    ray = unit_rows("points.x", x)
    unit = int(exponent(x))
    x = np.ldexp(x, -unit)
    near = np.linalg.norm(ray[:, None] - ray, axis=2) + 2 * (y[:, None] == y)
    i, j = np.unravel_index(int(np.argmin(near)), near.shape)
    if near[i, j] <= ONE_RAY:
        raise ValueError(
            f"points.y holds {y[i]:g} and {y[j]:g} at points {i} and {j}, which are the same up to a factor; no "
            "network fits both"
        )
    return x, y, unit


def _apart(candidates: Array) -> Array:
    """The first of the candidates that are not too near to each other."""
    chosen = candidates[:1]
    for candidate in candidates[1:]:  # mutant anywhere: which columns are added to a program
        if len(chosen) == COLUMNS:
            break
        if np.all(chosen @ candidate < APART):
            chosen = np.concatenate([chosen, candidate[None]])
    return chosen


def _program(signed: Array, size: float) -> tuple[Array, Array]:
    """ν and p of max_{Σ|ν_k| ≤ 1} min_i Σ_k F_ik ν_k, solved for size · F, whose value should be about 1."""
    n, k = signed.shape
    scaled = size * signed
    # mutant(0.0): a row whose bound the others imply
    rows = np.vstack([np.hstack([-scaled, scaled, np.ones((n, 1))]), np.append(np.ones(2 * k), 0.0)])
    answer = linprog(
        np.append(np.zeros(2 * k), -1.0),  # mutant(1.0): a measure of another mass, divided by its mass
        A_ub=rows,
        b_ub=np.append(np.zeros(n), 1.0),  # mutant(1.0): a measure of another mass, divided by its mass
        bounds=[(0, None)] * (2 * k) + [(None, None)],
        method="highs-ds",
        options=HIGHS,
    )
    if answer.status != 0:
        raise CertificateError(f"the program of the largest margin was not solved: {answer.message}")
    masses = answer.x[:k] - answer.x[k:-1]
    weights = np.maximum(-answer.ineqlin.marginals[:n], 0)
    # mutant(0; >; !=): the program has solved them well already
    # mutant anywhere(weights > 0 → weights > 1): the program has solved them well already
    used, tight = masses != 0, weights > 0
    # mutant: the program has solved them well already
    if used.sum() == tight.sum():  # a vertex: its equations, solved anew, are free of the program's tolerances
        inside = signed[np.ix_(tight, used)]
        try:
            force, push = (
                np.linalg.solve(inside, np.ones(tight.sum())),  # mutant: the program has solved them well already
                np.linalg.solve(inside.T, np.sign(masses[used])),  # mutant: the program has solved them well already
            )
        except np.linalg.LinAlgError:
            pass
        else:
            # mutant(0; >; force; masses[used]): the program has solved them well already
            if np.all(force * masses[used] > 0) and np.all(push > 0):
                masses[used], weights[tight] = force, push
    total = np.abs(masses).sum()
    # mutant(1.0): a measure of another mass, divided by its mass
    return masses / (total if total > 0 else 1.0), weights / weights.sum()
