"""The interpolant of least potential of a linear model, where mirror flow from 0 ends: Newton's method on its dual."""

from dataclasses import dataclass
from fractions import Fraction

import numpy as np
from numpy.typing import ArrayLike

from implicit_bias.brief import brief
from implicit_bias.checks import Array, array, number
from implicit_bias.limits.certificate import UNKNOWN, WIDTH, Certificate, CertificateError, Enclosure, relative
from implicit_bias.limits.mirror.enclosed_potential import enclosed_potential
from implicit_bias.limits.near_interpolator import near_interpolator
from implicit_bias.limits.ranges import Ranges
from implicit_bias.limits.rounding import Between, Unproved
from implicit_bias.limits.solvers import SHRINK, armijo_step, newton_direction
from implicit_bias.potentials import Potential

TOLERANCE = 1e-10
SOLVED = 1e-13  # of the labels: so far Newton's method goes
ROUNDS, TRIALS = 200, 40


@brief()
@dataclass(frozen=True)
class LeastPotential:
    """The parameters of least Σ_j φ(u_j) with Fu = y.

    u: p numbers.
    charges: the multipliers λ with φ′(u) = Fᵀλ, M numbers.
    value: Σ_j φ(u_j) − φ(0).
    certificate: misses of Fu = y (primal) and of φ′(u) = Fᵀλ (dual), and the gap of the two problems. It encloses the
        least value for the potentials of the library; of another one only floats are known, which prove nothing.

    >>> from implicit_bias.potentials import Quadratic
    >>> answer = least_potential(np.array([[1.0, 2.0]]), np.array([5.0]), Quadratic())
    >>> answer.charges.round(9), round(answer.value, 9)
    (array([2.]), 5.0)
    """

    u: Array
    charges: Array
    value: float
    certificate: Certificate


def least_potential(features: ArrayLike, y: ArrayLike, potential: Potential, *, tol: float = WIDTH) -> LeastPotential:
    """min Σ_j φ(u_j) with Fu = y, by its dual max_λ λᵀy − Σ_j φ*((Fᵀλ)_j), in M numbers.

    features: F, M × p, of rank M.
    y: M numbers.
    potential: φ, with its least value at 0.
    tol: the allowed relative width of the enclosure of the least value, where there is one.

    Returns the parameters.
    Raises ValueError for features of less than full rank; CertificateError, with the answer, where a residual exceeds
    1e-10 or, for a potential of the library, the least value is not enclosed to tol.
    Reference: Gunasekar et al. 2018, Theorem 1.

    >>> from implicit_bias.potentials import Quadratic
    >>> least_potential(np.array([[1.0, 2.0]]), np.array([5.0]), Quadratic()).u.round(9)
    array([1., 2.])
    """
    features = array("features", features, 2)
    y = array("y", y, 1, features.shape[:1])
    tol = number("tol", tol, above=0)
    if (rank := np.linalg.matrix_rank(features)) < y.size:
        raise ValueError(f"features has rank {rank}; it must have full rank {y.size}")
    zero = float(potential.value(np.zeros(1))[0])

    def primal(charges: Array) -> Array:
        return potential.inverse_slope(features.T @ charges)

    def dual_value(charges: Array, u: Array) -> float:
        return float(charges @ y - np.sum((features.T @ charges) * u - (potential.value(u) - zero)))

    charges = np.zeros(y.size)
    u = primal(charges)
    for _ in range(ROUNDS):
        missed = y - features @ u
        if np.max(np.abs(missed)) <= SOLVED * np.max(np.abs(y)):
            break
        ahead = newton_direction((features / potential.curvature(u)) @ features.T, missed, "the least potential")
        rise, step = float(missed @ ahead), 1.0  # mutant: it steers, the certificate decides
        # mutant: it steers, the certificate decides
        if not np.linalg.norm(y - features @ primal(charges + ahead)) <= SHRINK * np.linalg.norm(missed):
            # near the end rounding hides what a step raises; there the whole step counts, which halves what is missed
            step = armijo_step(lambda at: -dual_value(at, primal(at)), charges, ahead, rise, TRIALS, rounding=SOLVED)
        if step == 0:
            break
        charges = charges + step * ahead
        u = primal(charges)
    value = float(np.sum(potential.value(u) - zero))
    certificate = Certificate(
        primal=relative(features @ u - y, np.max(np.abs(y), initial=np.finfo(float).tiny)),
        dual=relative(potential.slope(u) - features.T @ charges, np.max(np.abs(features.T @ charges), initial=1e-300)),
        gap=(value - dual_value(charges, u)) / max(value, np.finfo(float).tiny),
        enclosure=enclose_potential(features, y, potential, u, charges),
    )
    answer = LeastPotential(u, charges, value, certificate)
    certificate.demand(
        TOLERANCE, "the interpolant of least potential", tol=tol if certificate.enclosure else np.inf, answer=answer
    )
    return answer


def enclose_potential(  # attack: none, inside solvers
    features: Array, y: Array, potential: Potential, u: Array, charges: Array
) -> Enclosure | None:
    """Between what min Σ_j φ(u_j) − φ(0) with Fu = y lies, by any u and any λ; None for a potential of others.

    P − ‖φ′(u) − Fᵀλ‖²/2φ″(0) ≤ min ≤ P + ‖φ′(v) − Fᵀλ‖ ε,  P = Σ_j (φ(u_j) − φ(0)) + λ·(y − Fu)

    as φ″ ≥ φ″(0) and φ is convex; v is the interpolator nearest to u, ε its distance, φ′(v) at its largest.

    features: F, M × p.
    y: M numbers.
    potential: φ.
    u: p numbers.
    charges: λ, M numbers.
    """
    if not all(np.all(np.isfinite(part)) for part in (features, y, u, charges)):
        return UNKNOWN
    if not np.any(y):
        return Enclosure(0.0, 0.0)
    try:
        at = enclosed_potential(potential, Ranges.of(u))
    except Unproved:
        return None
    try:
        near = near_interpolator(features, y, u, charges)
        pushed = Ranges.around(near.pushed.middle, near.pushed.radius)
        beside = at.slope - pushed
        price = at.value.total() + near.short
        low = price - (beside * beside).over(at.curvature + at.curvature).total()
        there = enclosed_potential(potential, Ranges.around(u, np.full_like(u, near.off.up()))).slope - pushed
        high = price + (there * there).total().root() * Between(Fraction(0), near.off.high)
    except (CertificateError, Unproved, OverflowError):
        return UNKNOWN
    return Enclosure(max(0.0, low.down()), high.up())
