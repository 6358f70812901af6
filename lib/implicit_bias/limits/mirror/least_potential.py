"""The interpolant of least potential of a linear model, where mirror flow from 0 ends: Newton's method on its dual."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from implicit_bias.brief import brief
from implicit_bias.checks import Array, array
from implicit_bias.limits.certificate import Certificate, relative
from implicit_bias.limits.solvers import armijo_step, newton_direction
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
    certificate: misses of Fu = y (primal) and of φ′(u) = Fᵀλ (dual), and the gap of the two problems.

    >>> from implicit_bias.potentials import Quadratic
    >>> answer = least_potential(np.array([[1.0, 2.0]]), np.array([5.0]), Quadratic())
    >>> answer.charges.round(9), round(answer.value, 9)
    (array([2.]), 5.0)
    """

    u: Array
    charges: Array
    value: float
    certificate: Certificate


def least_potential(features: ArrayLike, y: ArrayLike, potential: Potential) -> LeastPotential:
    """min Σ_j φ(u_j) with Fu = y, by its dual max_λ λᵀy − Σ_j φ*((Fᵀλ)_j), in M numbers.

    features: F, M × p, of rank M.
    y: M numbers.
    potential: φ, with its least value at 0.

    Returns the parameters.
    Raises ValueError for features of less than full rank, CertificateError where the answer does not prove itself.
    Reference: Gunasekar et al. 2018, Theorem 1.

    >>> from implicit_bias.potentials import Quadratic
    >>> least_potential(np.array([[1.0, 2.0]]), np.array([5.0]), Quadratic()).u.round(9)
    array([1., 2.])
    """
    features = array("features", features, 2)
    y = array("y", y, 1, features.shape[:1])
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
        rise = float(missed @ ahead)
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
    )
    certificate.demand(TOLERANCE, "the interpolant of least potential")
    return LeastPotential(u, charges, value, certificate)
