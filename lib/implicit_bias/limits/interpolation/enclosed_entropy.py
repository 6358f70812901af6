"""Between what the least hyperbolic entropy of an interpolator lies, rounding included."""

from fractions import Fraction

import numpy as np

from implicit_bias.checks import Array
from implicit_bias.limits.certificate import UNKNOWN, CertificateError, Enclosure
from implicit_bias.limits.near_interpolator import near_interpolator
from implicit_bias.limits.ranges import Ranges
from implicit_bias.limits.rounding import Between, Unproved

NARROW = 1e-12  # of min Q_k: a bound that is off by less needs no second one


@np.errstate(all="ignore")  # what overflows is not proved
def enclose_entropy(  # attack: none, inside solvers
    root: Ranges, offset: Ranges, w: Array, dual: Array, x: Array, y: Array
) -> Enclosure:
    """Between what the least Q_k of an interpolator lies, by any w and any λ.

    y·λ − Q_k*(Xᵀλ) ≤ min Q_k ≤ Q_k(v) for the v nearest to w that interpolates, and ∇Q_k(w)·(v − w) is
    λ·(y − Xw) + (∇Q_k(w) − Xᵀλ)·(v − w):

    Q_k(v) ≤ Q_k(w) + λ·(y − Xw) + ‖∇Q_k(w) − Xᵀλ‖ ‖v − w‖ + ‖v − w‖²/(2 min √k)

    or, where k is tiny, Q_k(w) + √d ‖∇Q_k‖∞ ‖v − w‖, the gradient at its largest between w and v.

    root: √k.
    offset: arsinh(2w(0)/√k).
    w: d entries.
    dual: λ, N entries.
    x: N × d.
    y: N labels.
    """
    if not all(np.all(np.isfinite(part)) for part in (w, dual, x, y)):
        return UNKNOWN
    zero, at = np.zeros_like(w), Ranges.of(2 * w).over(root)
    angle, half, quarter = at.arsinh(), Ranges.of(zero + 0.5), Ranges.of(zero + 0.25)
    fall = ((angle + offset) * half).sinh() * ((angle - offset) * half).sinh()
    inside = at * (angle - offset) - fall - fall
    try:
        near = near_interpolator(x, y, w, dual)
        nu = Ranges.around(near.pushed.middle, near.pushed.radius)
        low = near.bought - (root * half * (nu + offset).sinh() * nu.sinh()).total()
        beside = (angle - offset) * half - nu
        more = near.short + (beside * beside).total().root() * near.off
        more = more + near.off * near.off / Between.of(2 * float(root.low.min()))
        high = (root * quarter * inside).total()
        if more.high > high.high * Fraction(NARROW):  # a tiny k, or far from an interpolator
            reach = Ranges.around(zero, np.abs(w) + near.off.up())
            steepest = float(np.max(((reach + reach).over(root).arsinh() + offset.moduli()).high)) / 2
            more = min(more, Between.of(w.size).root() * near.off * Between.of(steepest), key=lambda way: way.high)
        high = high + more
    except (CertificateError, Unproved, ValueError, OverflowError):
        return UNKNOWN
    return Enclosure(max(0.0, low.down()), high.up())
