"""The largest margin over convex combinations of fixed features: a matrix game, solved by a linear program."""

from contextlib import suppress
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike
from scipy.optimize import linprog

from implicit_bias.brief import brief
from implicit_bias.checks import Array, array, number
from implicit_bias.limits.certificate import (
    UNKNOWN,
    WIDTH,
    Certificate,
    CertificateError,
    Enclosure,
    exponent,
    relative,
)
from implicit_bias.limits.rounding import Between, Numbers

TOLERANCE = 1e-10


@brief()
@dataclass(frozen=True)
class SimplexMargin:
    """The combination a* of largest margin, and the weights of the points that prove it.

    margin: γ₁ = min_i z_i·a*.
    a: a*, m entries ≥ 0 of sum 1.
    p: n entries ≥ 0 of sum 1; no combination has a margin above max_j (Zᵀp)_j.
    certificate: its optimality; encloses γ₁.

    >>> answer = simplex_margin(np.array([[1.0, 0.0], [0.0, 3.0]]))
    >>> answer.a.round(12), answer.p.round(12)
    (array([0.75, 0.25]), array([0.75, 0.25]))
    """

    margin: float
    a: Array
    p: Array
    certificate: Certificate


def simplex_margin(z: ArrayLike, *, tol: float = WIDTH) -> SimplexMargin:
    """γ₁^(m) = max over a ∈ Δ of min_i z_i·a = min over p ∈ Δ of max_j (Zᵀp)_j, polished at the program's vertex.

    z: n × m, the signed features y_i φ(θ_j, x_i).
    tol: the allowed width of the enclosure of γ₁, in units of the largest |z|: a game's value may be 0.

    Returns the solution with its dual weights; the margin may be negative.
    Raises CertificateError, with the answer that it is about, if γ₁ is not enclosed to tol or a residual exceeds 1e-10.
    Reference: Chizat & Bach 2020, Section 4.

    >>> answer = simplex_margin(np.array([[1.0, 0.0], [0.0, 3.0]]))
    >>> round(answer.margin, 12), answer.a.round(12)
    (0.75, array([0.75, 0.25]))
    """
    z = array("z", z, 2)
    tol = number("tol", tol, above=0)
    unit = int(exponent(z))
    u = np.ldexp(z, -unit)  # mutant(-): the unit of the program
    n, m = u.shape
    solved = linprog(
        np.append(np.zeros(m), -1.0),  # mutant(1.0): the unit of the program
        A_ub=np.hstack([-u, np.ones((n, 1))]),
        b_ub=np.zeros(n),
        A_eq=np.append(np.ones(m), 0.0)[None],  # mutant(0.0): the unit of the program
        b_eq=[1.0],  # mutant: the unit of the program
        bounds=[(0, None)] * m + [(None, None)],  # mutant(0): the program's own vertex is accurate here
        method="highs-ds",
    )
    if solved.status != 0:
        raise CertificateError(f"the largest margin of a combination was not found: {solved.message}")
    a, p = np.asarray(solved.x[:m]), -np.asarray(solved.ineqlin.marginals)
    used, tight = a > 0, p > 0  # mutant(0): the program's own vertex is accurate here
    square = u[np.ix_(tight, used)]
    if used.sum() == tight.sum():  # a vertex: its equations, solved anew, are free of the program's tolerances
        with suppress(np.linalg.LinAlgError):  # at a degenerate one they determine nothing
            a[used], p[tight] = _equalizing(square), _equalizing(square.T)
    certificate = certify_simplex_margin(z, a, p, tol)
    answer = SimplexMargin(float(np.min(z @ a)), a, p, certificate)
    certificate.demand(TOLERANCE, "the largest margin of a combination", answer=answer)
    found = certificate.enclosure or UNKNOWN
    width = np.ldexp(found.high, -unit) - np.ldexp(found.low, -unit)
    if not width <= tol * np.abs(u).max():
        raise CertificateError(
            f"the largest margin of a combination is not certified: it is proved to lie between {found.low:.17g} and "
            f"{found.high:.17g}, a width of {width / np.abs(u).max():.1e} of the largest |z|, allowed {tol:.1e}",
            answer,
            certificate,
        )
    return answer


def certify_simplex_margin(z: Array, a: Array, p: Array, tol: float = WIDTH) -> Certificate:
    """How far a and p are from solving the game: a ∈ Δ, p ∈ Δ, and max_j (Zᵀp)_j − min_i (Za)_i over max |z|.

    min_i (Za₊)_i/Σa₊ ≤ γ₁ ≤ max_j (Zᵀp₊)_j/Σp₊

    z: n × m.
    a: m entries.
    p: n entries.
    tol: the relative width of the enclosure beyond which it is computed anew in exact numbers, if the data are small.

    Returns the certificate with the enclosure of γ₁.
    """
    z = array("z", z, 2, finite=False)
    a, p = array("a", a, 1, z.shape[1:], finite=False), array("p", p, 1, z.shape[:1], finite=False)
    unit = int(exponent(np.where(np.isfinite(z), z, 0)))
    u = np.ldexp(z, -unit)
    return Certificate(
        primal=_off_simplex(a),
        dual=_off_simplex(p),
        gap=relative(np.max(u.T @ p) - np.min(u @ a), np.abs(u).max()),
        enclosure=_enclosure(z, np.maximum(a, 0), np.maximum(p, 0), tol),
    )


def _enclosure(z: Array, a: Array, p: Array, tol: float) -> Enclosure:
    """Between what γ₁ lies, by any weights a ≥ 0 and p ≥ 0 that are not all 0."""
    if not all(np.all(np.isfinite(part)) for part in (z, a, p)) or not (np.any(a) and np.any(p)):
        return UNKNOWN

    def bounds(numbers: type[Numbers]) -> tuple[Between, Between]:
        combined, weights = numbers.of(a), numbers.of(p)
        least = (numbers.of(z) @ combined).least()
        most = Between.of(0) - (weights @ numbers.of(-z)).least()
        return least / combined.total(), most / weights.total()

    return Enclosure.proved(bounds, z.size, tol)


def _equalizing(square: Array) -> Array:
    """The x of sum 1 with all entries of (square)x the same."""
    k = len(square)
    # mutant(-): the sign of the game's value, which is read off the margins
    system = np.block([[square, -np.ones((k, 1))], [np.ones((1, k)), np.zeros((1, 1))]])
    return np.asarray(np.linalg.solve(system, np.append(np.zeros(k), 1.0))[:k])


def _off_simplex(weights: Array) -> float:
    """By how much weights miss being nonnegative and of sum 1."""
    return float(max(np.max(-weights), abs(float(weights.sum()) - 1), 0.0))
