"""The interpolator of least ℓ1 norm (basis pursuit)."""

from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.linalg import solve_triangular
from scipy.optimize import linprog

from implicit_bias.brief import brief
from implicit_bias.checks import Array, array, columns, number
from implicit_bias.limits.certificate import WIDTH, Certificate, CertificateError, in_unit, relative
from implicit_bias.limits.enclosed_equations import missed_share
from implicit_bias.limits.equations import scaled_equations
from implicit_bias.limits.interpolation.l1_basis import NearL1, best_basis, near_least_l1
from implicit_bias.limits.interpolation.least_norm import enclose_least

TOLERANCE = 1e-10
ZERO = 1e-9  # below this share of the largest coordinate, one is outside the support
ROUNDING = 1e-13  # below this share of the largest, a coordinate of a vertex is the rounding of 0


@brief()
@dataclass(frozen=True)
class LeastL1:
    """A minimizer and its dual certificate.

    w: a minimizer, d entries, or d × q.
    dual: λ, N entries, or N × q, ‖Xᵀλ‖∞ ≤ 1 and yᵀλ = ‖w‖₁.
    certificate: its optimality; encloses the least norm ‖w‖₁. Of several columns the largest residuals, the widest
        enclosure.

    >>> answer = least_l1([[1.0, 2.0]], [2.0])
    >>> answer.dual.round(12), round(float(answer.dual @ [2.0]), 12)
    (array([0.5]), 1.0)
    """

    w: Array
    dual: Array
    certificate: Certificate


def least_l1(x: ArrayLike, y: ArrayLike, *, tol: float = WIDTH) -> LeastL1:
    """min ‖w‖₁ subject to Xw = y, by an interior-point method, on the face or at the vertex to which it leads.

    Where it leads to none that is certified, as with dependent rows or equal columns, a linear program in the positive
    and negative parts of w is solved by the dual simplex method of HiGHS.

    x: N × d.
    y: N labels, or q columns of them, N × q, one after another: no two have a basis in common.
    tol: the allowed relative width of the enclosure of the least norm.

    Returns the minimizer with its dual certificate.
    Raises CertificateError, with the answer that it is about, where no interpolator exists, the least norm is not
    enclosed to tol, or a residual exceeds 1e-10.

    >>> print(least_l1([[1.0, 0.0, 0.5], [0.0, 2.0, 0.5]], [1.0, 2.0]).w)
    [1. 1. 0.]
    """
    x = array("x", x, 2)
    y = columns("y", y, x.shape[0])  # mutant(0): the guard of an argument
    tol = number("tol", tol, above=0)
    if y.ndim == 2:
        each = [least_l1(x, one, tol=tol) for one in y.T]
        w, dual = (np.array([getattr(one, part) for one in each]).T for part in ("w", "dual"))
        return LeastL1(w, dual, Certificate.of_all([one.certificate for one in each]))
    rows, labels, lengths, size = scaled_equations(x, y)
    for w, force in _answers(rows, labels):
        w, dual = in_unit(w, size, "the interpolator"), in_unit(force, -lengths, "the multipliers")
        answer = LeastL1(w, dual, certify_least_l1(x, y, w, dual, tol))
        if answer.certificate.holds(TOLERANCE, tol):
            break
    answer.certificate.demand(TOLERANCE, "the interpolator of least l1 norm", tol=tol, answer=answer)
    return answer


def _answers(rows: Array, labels: Array) -> Iterator[tuple[Array, Array]]:
    """What may be the minimizer and its multipliers: by the fastest method that applies, then by the surest."""
    n, d = rows.shape
    if n <= d and np.any(labels):
        with suppress(np.linalg.LinAlgError):
            near = near_least_l1(rows, labels)
            if near.face.sum() < n:
                yield _on_face(rows, labels, near)
            vertex = best_basis(rows, labels, near.w)
            if vertex is not None:
                yield _at_vertex(rows, labels, *vertex)
    yield _by_linear_program(rows, labels)


def _on_face(rows: Array, labels: Array, near: NearL1) -> tuple[Array, Array]:
    """The equations solved by the support alone, fewer unknowns than equations, and the λ nearest by with ±1 there."""
    along, w = rows[:, near.face], np.zeros(near.w.size)
    q, r = np.linalg.qr(along)
    w[near.face] = solve_triangular(r, labels @ q)
    missed = np.sign(near.w[near.face]) - near.dual @ along
    return w, np.asarray(near.dual + q @ solve_triangular(r, missed, trans=1))


def _at_vertex(rows: Array, labels: Array, basis: NDArray[np.intp], signs: Array) -> tuple[Array, Array]:
    """The vertex of a basis, and its multipliers."""
    along, w = rows[:, basis], np.zeros(rows.shape[1])
    w[basis] = np.linalg.solve(along, labels)
    w[np.abs(w) <= ROUNDING * np.abs(w).max()] = 0.0
    return w, np.asarray(np.linalg.solve(along.T, signs))


def _by_linear_program(rows: Array, labels: Array) -> tuple[Array, Array]:
    """The dual simplex method of HiGHS, polished at a vertex."""
    d = rows.shape[1]
    answer = linprog(np.ones(2 * d), A_eq=np.hstack([rows, -rows]), b_eq=labels, bounds=(0, None), method="highs-ds")
    if answer.status != 0:
        raise CertificateError(f"the interpolator of least l1 norm was not found: {answer.message}")
    w, force = np.asarray(answer.x[:d] - answer.x[d:]), np.asarray(answer.eqlin.marginals)
    support = np.flatnonzero(np.abs(w) > ZERO * np.abs(w).max())
    if support.size == labels.size:  # a vertex: its equations, solved anew, are free of the program's tolerances
        return _at_vertex(rows, labels, support, np.sign(w[support]))
    return w, force


def certify_least_l1(x: Array, y: Array, w: Array, dual: Array, tol: float = WIDTH) -> Certificate:
    """How far w and λ are from solving min ‖w‖₁ subject to Xw = y, and between what the least norm lies.

    y·λ/‖Xᵀλ‖∞ ≤ min ‖v‖₁ ≤ ‖w‖₁ + ‖v − w‖₁ for a v with Xv = y near w

    x: N × d.
    y: N labels.
    w: d entries.
    dual: λ, N entries.
    tol: the relative width of the enclosure beyond which it is computed anew in exact numbers, if the data are small.

    Returns the certificate: primal, ‖Xw − y‖/‖y‖ in ℓ2; dual, by how much ‖Xᵀλ‖∞ exceeds 1; gap, of the values, over
    ‖w‖₁.
    """
    x = array("x", x, 2, finite=False)
    n, d = x.shape
    y, dual = array("y", y, 1, (n,), finite=False), array("dual", dual, 1, (n,), finite=False)
    w = array("w", w, 1, (d,), finite=False)
    size = float(np.abs(w).sum())
    return Certificate(
        primal=missed_share(x, w, y, TOLERANCE),
        dual=float(np.maximum(0.0, np.abs(dual @ x).max() - 1)),
        gap=relative(size - float(y @ dual), size),
        enclosure=enclose_least(x, y, w, dual, tol, of_l1=True),
    )
