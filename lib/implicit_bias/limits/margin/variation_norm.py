"""The largest margin of infinitely wide two-layer ReLU networks in the variation norm, certified in the plane."""

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike
from scipy.optimize import linprog

from implicit_bias.brief import brief
from implicit_bias.checks import Array, number, rows
from implicit_bias.data import Classification
from implicit_bias.limits.certificate import Certificate, CertificateError
from implicit_bias.limits.margin.arrangement import largest_responses
from implicit_bias.limits.margin.exact_network import floats, hidden, least_margin
from implicit_bias.limits.margin.variation_certificate import certify_variation_margin, scaled

TOLERANCE = 1e-9
ENOUGH = 0.2  # of the tolerance: a gap at which no better one is sought
ROUNDS, PATIENCE = 400, 16
COLUMNS, APART = 40, 0.995  # so many new directions a round, no two with a larger cosine
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
    certificate: its optimality; margin and bound are the ends of its enclosure, both proved.

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
        hidden = np.maximum(rows("x", x, self.directions.shape[1]) @ self.directions.T, 0)
        return np.asarray(hidden @ self.masses / 2)


def variation_margin(points: Classification, *, tol: float = TOLERANCE) -> VariationMargin:
    """γ₁, the largest margin of the ReLU networks of F₁ norm 1 on points in R³, by column generation.

    γ₁ = max_{‖ν‖_TV ≤ 1} min_i ½ y_i ∫ (u·x_i)₊ dν(u) = min_{p ∈ Δ} ½ max_u |Σ_i p_i y_i (u·x_i)₊|

    with ν a signed measure on the unit sphere. The ½ is the largest value of b‖a‖ at ‖a‖² + b² = 1: ν has the norm of
    the measures over neurons (a, b) that Chizat and Bach use. Linear programs over a few directions u get more of them
    where the right-hand side is largest, which ``largest_responses`` finds on the whole sphere. The margin of the best
    ν and the bound of the best p are evaluated without rounding.

    points: n points in the plane with a third coordinate that is constant, or any others in R³.
    tol: the relative width allowed for the enclosure of γ₁.

    Returns the classifier with its certificate.
    Raises ValueError for another dimension, labels of one class, or labels that no network can fit; CertificateError,
    with the best classifier, where γ₁ is not proved to tol: near one ray float64 cannot hold directions so fine.
    Reference: Chizat & Bach 2020, the F₁-max-margin problem of Theorem 3.

    >>> from implicit_bias.data import Classification
    >>> x = np.array([[-1.0, 0.0, 1.0], [0.0, 0.0, 1.0], [1.0, 0.0, 1.0]])
    >>> answer = variation_margin(Classification(x, np.array([1.0, -1.0, 1.0])))
    >>> round(answer.margin, 6), bool(answer.bound - answer.margin < 1e-9)
    (0.1, True)
    """
    x, y, _ = scaled(points, 3)
    tol = number("tol", tol, above=0)
    # mutant(0): it steers, the certificate decides
    # mutant(>; <): where the columns begin
    classes = [y > 0, y < 0]
    # mutant(2): the lower bound is not used here; held by tests
    weights = sum((own / own.sum() for own in classes), np.zeros(y.size)) / 2
    directions, masses = np.zeros((0, 3)), np.zeros(0)  # mutant(0): it steers, the certificate decides
    signed = np.zeros((y.size, 0))
    # mutant(0): it steers, the certificate decides
    best, lower, upper, waited = (directions, masses, weights), 0.0, np.inf, 0
    for _ in range(ROUNDS):
        candidates, values = largest_responses(x, weights * y)
        if abs(values[0]) < upper:  # mutant(0): it steers, the certificate decides
            # mutant(2): the lower bound is not used here; held by tests
            # mutant(0): it steers, the certificate decides
            best, upper, waited = (*best[:2], weights), float(abs(values[0])), 0
        if upper - lower <= ENOUGH * tol * upper or waited == PATIENCE:
            break
        new = _apart(candidates[np.abs(values) > lower])
        directions = np.concatenate([directions, new])
        signed = np.concatenate([signed, y[:, None] * floats(hidden(x, new))], axis=1)
        try:
            masses, weights = program(signed, 1 / (lower or upper))  # mutant: the unit of the program
        except CertificateError:  # what was found before stands, and its enclosure says how good it is
            break
        reached = least_margin(x, y, directions[masses != 0], masses[masses != 0]).down()
        waited += 1  # mutant: how long it waits for a better bound
        if reached > lower:
            # mutant(0): it steers, the certificate decides
            # mutant(2): the lower bound is not used here; held by tests
            best, lower = (directions[masses != 0], masses[masses != 0], best[2]), reached
    if lower <= 0:  # mutant(0): a guard
        certificate = certify_variation_margin(points, np.eye(3)[:1], np.zeros(1), best[2])
        high = certificate.enclosure.high if certificate.enclosure else math.inf
        raise CertificateError(
            f"no two-layer network was found that separates the points: γ₁ is below {high:.1e}", None, certificate
        )
    return demanded(points, *best, tol)


def demanded(  # attack: none, inside solvers
    points: Classification, directions: Array, masses: Array, weights: Array, tol: float
) -> VariationMargin:
    """The classifier of ν with its certificate, if that proves γ₁ to tol; CertificateError otherwise.

    points: the data, N × d with labels.
    directions, masses, weights: of ν and of the dual, as ``certify_variation_margin`` takes them.
    tol: the allowed relative width of the enclosure of γ₁.
    """
    certificate = certify_variation_margin(points, directions, masses, weights)
    low, high = (certificate.enclosure.low, certificate.enclosure.high) if certificate.enclosure else (0.0, math.inf)
    answer = VariationMargin(directions, masses, weights, low, high, certificate)
    certificate.demand(max(tol, TOLERANCE), "the largest margin in the variation norm", tol=tol, answer=answer)
    return answer


def _apart(candidates: Array) -> Array:
    """The first of the candidates that are not too near to each other."""
    chosen = candidates[:1]
    for candidate in candidates[1:]:  # mutant anywhere: which columns are added to a program
        if len(chosen) == COLUMNS:
            break
        if np.all(chosen @ candidate < APART):
            chosen = np.concatenate([chosen, candidate[None]])
    return chosen


def program(signed: Array, size: float) -> tuple[Array, Array]:  # attack: none, inside solvers
    """ν and p of max_{Σ|ν_k| ≤ 1} min_i Σ_k F_ik ν_k, solved for size · F, whose value should be about 1.

    signed: F, n × k.
    size: the unit.
    """
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
