"""What is proved of the interpolator nearest to a point, and of multipliers: all that a convex price needs to know."""

from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from implicit_bias.checks import Array
from implicit_bias.limits.certificate import exponent
from implicit_bias.limits.enclosed_equations import near_solution, solvable
from implicit_bias.limits.equations import rescaled, scaled_equations
from implicit_bias.limits.rounding import Balls, Between, Unproved

ALIKE, MODERATE = 8, 100  # powers of two that rows, and that y and w, may reach to be used as they are


@dataclass(frozen=True)
class NearInterpolator:
    """How far some v with Xv = y is from w at most, and what multipliers λ say of v.

    For a convex Q: λ·y − Q*(Xᵀλ) ≤ Q(v), and ∇Q(w)·(v − w) = λ·(y − Xw) + (∇Q(w) − Xᵀλ)·(v − w).

    pushed: Xᵀλ, d entries.
    bought: λ·y.
    short: λ·(y − Xw).
    off: an upper bound of ‖v − w‖₂.
    """

    pushed: Balls
    bought: Between
    short: Between
    off: Between


@np.errstate(all="ignore")  # what overflows is not proved
def near_interpolator(x: Array, y: Array, w: Array, dual: Array) -> NearInterpolator:  # attack: none, inside solvers
    """What floats w and λ prove of Xw = y, by the least eigenvalue of XXᵀ, or where that is lost by a right inverse.

    x: X, N × d.
    y: N labels.
    w: d entries.
    dual: λ, N entries.

    Raises Unproved where equations are not proved to be independent, or no unit holds all entries; CertificateError
    where a float64 cannot hold the data in units of their own.
    """
    rows, labels, lengths, size = x, y, exponent(x, axis=1), 0
    if np.abs(lengths).max() > ALIKE or np.abs([exponent(y), exponent(w)]).max() > MODERATE:
        rows, labels, lengths, size = scaled_equations(x, y)
    else:
        lengths = np.zeros_like(lengths)
    near, force = np.ldexp(w, -size), np.ldexp(dual, lengths)  # what underflows is another λ, as good as any
    if not (
        np.array_equal(np.ldexp(near, size), w)
        and (rows is x or np.array_equal(rescaled(rows, lengths), x))
        and np.all(np.isfinite(force))
    ):
        raise Unproved("entries that no unit holds")
    multipliers, unit = Balls.of(force), Between.of(Fraction(2) ** size)
    missed = Balls.of(labels) - Balls.of(rows) @ Balls.of(near)
    try:
        off = near_solution(rows, missed)
    except Unproved:
        kept = solvable(rows, labels)
        off = kept.off(Balls, Balls.of(kept.y) - Balls.of(kept.x) @ Balls.of(near))[0]
    return NearInterpolator(
        multipliers @ Balls.of(rows),
        unit * (multipliers @ Balls.of(labels)).total(),
        unit * (multipliers @ missed).total(),
        unit * off,
    )
