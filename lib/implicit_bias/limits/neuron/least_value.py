"""Between what the least value of a neuron's regularizer among the interpolators lies, rounding included."""

from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from implicit_bias.checks import Array
from implicit_bias.limits.certificate import UNKNOWN, CertificateError, Enclosure
from implicit_bias.limits.near_interpolator import near_interpolator
from implicit_bias.limits.ranges import Ranges
from implicit_bias.limits.rounding import Balls, Between, Unproved

NOTHING, HALF, SLOPE = (Between.of(value) for value in (0.0, 0.5, 1.5))


@dataclass(frozen=True)
class Radial:
    """q_δ and its derivatives at a length x ≥ 0 that is known to lie between two numbers.

    a, v: A and V, with AV = x and A² − V² = δ.
    value: q_δ(x) = (V² − δ/2)A.
    """

    a: Between
    v: Between
    value: Between

    @classmethod
    def at(cls, x: Between, delta: Between) -> "Radial":
        """By √(S + |δ|/2), S = √(x² + δ²/4), the larger of A and V, and x over it; all floats' neighbours."""
        half = delta * HALF
        size = half if half.low >= 0 else NOTHING - half
        large = _short(_short((x * x + half * half).root()) + size)
        large = _short(large.root())
        small = _short(x / large) if x.high else NOTHING
        a, v = (large, small) if delta.low >= 0 else (small, large)
        return cls(a, v, (v * v - half) * a)


def enclose_least_value(  # attack: none, inside solvers
    delta: float, w0: Array, w: Array, dual: Array, x: Array, y: Array
) -> Enclosure:
    """Between what min Q(w̃) subject to Xw̃ = y lies, Q(w̃) = q_δ(‖w̃‖) + zᵀw̃, by any w̃ and any λ.

    y·λ − ½(δ + ‖v‖²)₊^{3/2} ≤ min Q,  v = (2/3)(Xᵀλ − z);  for the interpolator nearest to w̃, at a distance ε,

    min Q ≤ Q(w̃) + λ·(y − Xw̃) + ‖∇Q(w̃) − Xᵀλ‖ ε + (3/4) ε²/A(‖w̃‖ − ε)

    or, near the kink of δ < 0, Q(w̃) + ((3/2) V(‖w̃‖ + ε) + ‖z‖) ε.

    delta, w0: δ and w̃(0), which is not 0.
    w, dual: w̃ and λ.
    x, y: X and the labels.
    """
    if not all(np.all(np.isfinite(part)) for part in (w, dual, x, y)):
        return UNKNOWN
    try:
        near, kept = near_interpolator(x, y, w, dual), Between.of(delta)
        off = _short(near.off)
        begin, size = (_short(Balls.of(part).squares().root()) for part in (w0, w))
        pull = _short(SLOPE * Radial.at(begin, kept).v / begin)  # z = −pull w̃(0)
        nu = Ranges.around(near.pushed.middle, near.pushed.radius)
        tilt = _constant(w0, pull) * Ranges.of(w0)
        neuron = nu + tilt  # (3/2)v
        left = kept + _squares(neuron) / Between.of(2.25)
        bought = _short(left.root())  # 0 where it is below
        low = near.bought - HALF * bought * bought * bought
        here = Radial.at(size, kept)
        high = here.value - (tilt * Ranges.of(w)).total()
        try:
            nearer = Radial.at(Between.of(max(size.low - off.high, Fraction(0))), kept)
            along = _constant(w, _short(SLOPE / here.a)) * Ranges.of(w)
            beside = _short(_squares(along - neuron).root())
            high = high + near.short + beside * off + SLOPE * HALF * off * off / nearer.a
        except Unproved:
            farther = Radial.at(Between.of(size.high + off.high), kept)
            high = high + (SLOPE * farther.v + pull * begin) * off
    except (CertificateError, Unproved, OverflowError):
        return UNKNOWN
    return Enclosure(low.down(), high.up())


def _constant(like: Array, number: Between) -> Ranges:
    return Ranges(np.full_like(like, number.down()), np.full_like(like, number.up()))


def _squares(vector: Ranges) -> Between:
    return _short((vector * vector).total())


def _short(number: Between) -> Between:
    """The same between floats, with which fractions stay short."""
    low, high = number.down(), number.up()
    if not np.isfinite([low, high]).all():
        raise Unproved("a number that a float64 cannot hold")
    return Between(Fraction(low), Fraction(high))
