"""The interpolator of least Euclidean norm."""

from contextlib import suppress
from dataclasses import dataclass
from fractions import Fraction

import numpy as np
from numpy.typing import ArrayLike

from implicit_bias.brief import brief
from implicit_bias.checks import Array, array, columns, number
from implicit_bias.limits.certificate import (
    UNKNOWN,
    WIDTH,
    Certificate,
    CertificateError,
    Enclosure,
    in_unit,
    relative,
)
from implicit_bias.limits.enclosed_equations import missed_share, near_solution, solvable, squared_length
from implicit_bias.limits.equations import rescaled, scaled_equations
from implicit_bias.limits.rounding import Balls, Between, Numbers, Unproved

TOLERANCE = 1e-10


@brief()
@dataclass(frozen=True)
class LeastNorm:
    """A minimizer and its multipliers.

    w: the minimizer, d entries, or d × q.
    dual: λ with w = Xᵀλ, N entries, or N × q.
    certificate: its optimality; encloses the least norm. Of several columns the largest residuals and the
        widest enclosure.

    >>> answer = least_norm([[1.0, 2.0]], [5.0])
    >>> answer.dual.round(12), answer.certificate.worst < 1e-12
    (array([1.]), True)
    """

    w: Array
    dual: Array
    certificate: Certificate


def least_norm(x: ArrayLike, y: ArrayLike, *, tol: float = WIDTH) -> LeastNorm:
    """min ½‖w‖₂² subject to Xw = y; the solution is X⁺y = Xᵀλ.

    x: N × d of rank N, or with rows that depend on others and labels that do so too.
    y: N labels, or q columns of them, N × q, for which X is factorized once.
    tol: the allowed relative width of the enclosure of the least norm.

    Returns the minimizer with its multipliers.
    Raises CertificateError, with the answer that it is about, where no interpolator exists, the least norm is not
    enclosed to tol, or a residual exceeds 1e-10.

    >>> answer = least_norm([[1.0, 0.0, 1.0], [0.0, 2.0, 0.0]], [2.0, 2.0])
    >>> print(answer.w.round(12), answer.certificate.enclosure.width < 1e-12)
    [1. 1. 1.] True
    """
    x = array("x", x, 2)
    y = columns("y", y, x.shape[0])
    tol = number("tol", tol, above=0)
    each = np.ascontiguousarray(y.reshape(len(y), -1).T)
    rows, labels, lengths, sizes = x, np.empty_like(each), np.zeros(len(x), dtype=np.int64), []
    for row, one in zip(labels, each, strict=True):
        rows, row[:], lengths, size = scaled_equations(x, one)
        sizes.append(size)
    places = np.asarray(np.linalg.lstsq(rows, labels.T.reshape(y.shape))[0], dtype=np.float64)
    forces = np.asarray(np.linalg.lstsq(rows.T, places)[0], dtype=np.float64)
    pairs = zip(places.reshape(x.shape[1], -1).T, forces.reshape(len(x), -1).T, sizes, strict=True)
    found = [
        (in_unit(w, size, "the interpolator"), in_unit(force, size - lengths, "the multipliers"))
        for w, force, size in pairs
    ]
    least = None
    if y.ndim == 2:
        with suppress(Unproved):
            least = squared_length(rows)
    certificate = Certificate.of_all(
        [certify_least_norm(x, one, w, dual, tol, least) for one, (w, dual) in zip(each, found, strict=True)]
    )
    w, dual = (np.array(part).T.reshape(-1, *y.shape[1:]) for part in zip(*found, strict=True))
    answer = LeastNorm(w, dual, certificate)
    certificate.demand(TOLERANCE, "the interpolator of least norm", tol=tol, answer=answer)
    return answer


def certify_least_norm(
    x: Array, y: Array, w: Array, dual: Array, tol: float = WIDTH, least: Between | None = None
) -> Certificate:
    """How far w and λ are from solving min ½‖w‖² subject to Xw = y, and between what the least norm lies.

    y·λ/‖Xᵀλ‖ ≤ min ‖v‖ ≤ ‖w‖ + ‖X⁺(y − Xw)‖

    x: N × d.
    y: N labels.
    w: d entries.
    dual: λ, N entries.
    tol: the relative width of the enclosure beyond which it is computed anew in exact numbers, if the data are small.
    least: what ``squared_length`` says of X in its own units, if that is known.

    Returns the certificate: primal, ‖Xw − y‖/‖y‖; dual, ‖w − Xᵀλ‖/‖w‖; gap, of the values, over the primal one.
    """
    x = array("x", x, 2, finite=False)
    n, d = x.shape
    y, dual = array("y", y, 1, (n,), finite=False), array("dual", dual, 1, (n,), finite=False)
    w = array("w", w, 1, (d,), finite=False)
    size = float(np.abs(w).max()) or 1.0
    shape, force = w / size, dual / size  # so that no square overflows
    pushed, value = force @ x, float(shape @ shape) / 2
    return Certificate(
        primal=missed_share(x, w, y, TOLERANCE),
        dual=relative(np.linalg.norm(shape - pushed), np.linalg.norm(shape)),
        gap=relative(value - (float(y / size @ force) - float(pushed @ pushed) / 2), value),
        enclosure=enclose_least(x, y, w, dual, tol, of_l1=False, least=least),
    )


def enclose_least(  # attack: none, inside solvers
    x: Array, y: Array, w: Array, dual: Array, tol: float, *, of_l1: bool, least: Between | None = None
) -> Enclosure:
    """Between what the least ℓ2 or ℓ1 norm of an interpolator lies, by any w and any λ.

    y·λ/‖Xᵀλ‖_* ≤ min ‖v‖ ≤ ‖w‖ + ‖v − w‖ for a v that interpolates; of more equations than unknowns, or dependent ones,
    min is over what solves those that determine the others.

    x, y, w, dual: as for ``certify_least_norm``.
    tol: the relative width that is sought.
    of_l1: whether the norm is ℓ1, and the dual one ℓ∞.
    least: as for ``certify_least_norm``.
    """
    if not all(np.all(np.isfinite(part)) for part in (x, y, w, dual)):
        return UNKNOWN
    if not np.any(y):
        return Enclosure(0.0, 0.0)
    try:
        rows, labels, lengths, size = scaled_equations(x, y)
    except CertificateError:
        return UNKNOWN
    near, force = np.ldexp(w, -size), np.ldexp(dual, lengths if of_l1 else lengths - size)
    if not (np.array_equal(rescaled(rows, lengths), x) and np.all(np.isfinite(near + force @ rows))):
        return UNKNOWN  # entries that no unit holds

    def bounds(numbers: type[Numbers], off: Between) -> tuple[Between, Between]:
        v, multipliers = numbers.of(near), numbers.of(force)
        pushed = multipliers @ numbers.of(rows)
        push = pushed.largest() if of_l1 else pushed.squares().root()
        high = v.moduli() + off if of_l1 else v.squares().root() + off
        unit = Between.of(Fraction(2) ** size)
        return unit * (multipliers @ numbers.of(labels)).total() / push, unit * high

    try:
        if not of_l1:  # the cheaper way, where the squared condition leaves rounding room
            missed = Balls.of(labels) - Balls.of(rows) @ Balls.of(near)
            with suppress(Unproved):
                low, high = bounds(Balls, near_solution(rows, missed, least))
                if (found := Enclosure(low.down(), high.up())).width <= tol:
                    return found
        kept = solvable(rows, labels, np.flatnonzero(near) if of_l1 else None)
    except Unproved:
        return UNKNOWN

    def by_inverse(numbers: type[Numbers]) -> tuple[Between, Between]:
        missed = numbers.of(kept.y) - numbers.of(kept.x) @ numbers.of(near)
        return bounds(numbers, kept.off(numbers, missed)[of_l1])

    # mutant anywhere(rows.size * len(rows)): how many entries exact numbers are tried for
    return Enclosure.proved(by_inverse, rows.size * len(rows), tol)
