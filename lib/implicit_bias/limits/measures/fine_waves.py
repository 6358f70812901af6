"""Fourier coefficients of spikes that nearly cancel, Σ_j c_j e^{−ik·x_j}, right to the last digit of what is left."""

import math
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from implicit_bias.checks import Array
from implicit_bias.limits.certificate import exponent
from implicit_bias.limits.rounding import UNIT

FINE = 12  # highest frequency up to which sums of floats are as good as asked, and faster
FARTHEST = 64.0  # |x| up to which a place is at most 2^−5 after the halvings
BITS = 120  # after the point, of sines and cosines in whole numbers
HALVINGS = 11  # of an angle, before its series
TERMS = 16  # of e^{it}: at |t| ≤ 2^−5 the next one is below 2^−124
SLICES = 4

Waves = NDArray[np.complex128]


def is_fine(positions: Array, cutoff: int) -> bool:  # attack: none, inside solvers
    """Whether ``fine_weights`` takes these places, and is worth its time.

    positions: x, l × d.
    cutoff: K.
    """
    return cutoff > FINE and positions.shape[1] <= 2 and float(np.max(np.abs(positions), initial=0.0)) <= FARTHEST


def fine_weights(positions: Array, charges: Array, cutoff: int) -> tuple[Waves, float]:  # attack: none, inside solvers
    """q_k = Σ_j c_j e^{−ik·x_j} and the ε with |q_k as computed − q_k| ≤ 2^−53 |q_k as computed| + ε.

    Spikes of an answer and of its data cancel up to λ/(2K+1)^d. In floats each q_k is off by the rounding of angles,
    K|x| 2^−53 Σ|c_j|, however small it is. Here e^{−ix} is a whole number of 2^−120, by its series at x/2^11 and eleven
    squarings, and its powers are products of whole numbers: off by 2^−116 before the squarings, which double that, by
    2^−104 after them, and by K 2^−103 as powers. Both factors of (c_j e^{−ik₁x_j1}) (e^{−ik₂x_j2}), each at most 1 for
    |c_j| ≤ 1, are cut into four slices of β bits, 2β + log₂(16 l) ≤ 53. A sum over j and the m + 1 pairs of slices of
    one order m, of 2l(m + 1) products of at most (2^β + 1)², is then a whole number below 2^53, exact in floats, in any
    order of its terms. Orders 3, 2, 1, 0 are added in that order. The last rounding is that of q_k; those before are of
    numbers below 5l 2^−β. Orders beyond 3 come to less than 7l 2^−4β, what lies beyond four slices to less than
    4l 2^−4β, for real and imaginary part each:

    ε = 2^e l (9 · 2^−β 2^−53 + 17 · 2^−4β + K 2^−99),  max |c_j| < 2^e

    positions: x, l × d, d = 1 or 2, |x| ≤ 64.
    charges: c, l numbers.
    cutoff: K.

    Returns q, 2K+1 × (2K+1)^{d−1}, and ε.
    """
    positions, charges = np.ascontiguousarray(positions), np.ascontiguousarray(charges)
    return _fine_weights(positions.tobytes(), positions.shape, charges.tobytes(), cutoff)


@lru_cache(maxsize=4)  # a certificate asks for the same sum several times
def _fine_weights(places: bytes, shape: tuple[int, int], masses: bytes, cutoff: int) -> tuple[Waves, float]:
    positions, charges = np.frombuffer(places).reshape(shape), np.frombuffer(masses)
    length, d = shape
    if not length:
        return np.zeros((2 * cutoff + 1, (2 * cutoff + 1) ** (d - 1)), dtype=np.complex128), 0.0
    power = int(exponent(charges))
    bits = (53 - math.ceil(math.log2(16 * length))) // 2
    weights = np.array([_whole(charge, -power) for charge in charges.tolist()], dtype=object)
    real, imaginary = (_sliced(weights * part >> BITS, bits) for part in _powers(positions[:, 0], cutoff))
    if d == 2:
        across, up = (_sliced(part, bits) for part in _powers(positions[:, 1], cutoff))
    else:
        across, up = _sliced(np.full((1, length), 1 << BITS, dtype=object), bits), np.zeros((SLICES, 1, length))
    found = np.zeros((2, real.shape[1], across.shape[1]))
    for order in reversed(range(SLICES)):
        pairs = [(one, order - one) for one in range(order + 1)]
        left = np.hstack([part[one] for one, _ in pairs for part in (real, imaginary)])
        for each, (over, under, sign) in zip(found, ((across, up, -1.0), (up, across, 1.0)), strict=True):
            right = np.hstack([part for _, two in pairs for part in (over[two], sign * under[two])])
            each += np.ldexp(left @ right.T, -bits * (order + 2))
    off = length * (9 * 2.0**-bits * UNIT + 17 * 2.0 ** (-SLICES * bits) + cutoff * 2.0**-99)
    sums = np.ldexp(found[0], power) + 1j * np.ldexp(found[1], power)
    sums.flags.writeable = False  # whoever asks again gets the same array
    return sums, float(np.ldexp(off, power))


def _whole(value: float, power: int) -> int:
    """The value times 2^(power + BITS), rounded down."""
    share, exponent_ = math.frexp(value)
    shift = exponent_ - 53 + power + BITS
    digits = int(share * 2.0**53)
    return digits << shift if shift >= 0 else digits >> -shift


def _powers(places: Array, cutoff: int) -> tuple[NDArray[np.object_], NDArray[np.object_]]:
    """Cosine and −sine of k x, k from −K to K, in whole numbers of 2^−120: 2K+1 × l each."""
    angle = np.array([_whole(place, -HALVINGS) for place in places.tolist()], dtype=object)
    cosine, sine = 0 * angle, 0 * angle
    term, one = 0 * angle + (1 << BITS), 1 << BITS
    for n in range(TERMS):
        turned = term if n % 4 < 2 else -term
        cosine, sine = (cosine + turned, sine) if n % 2 == 0 else (cosine, sine - turned)
        term = (term * angle >> BITS) // (n + 1)
    for _ in range(HALVINGS):
        cosine, sine = (cosine * cosine - sine * sine) >> BITS, (2 * cosine * sine) >> BITS
    reals, imaginaries = [0 * angle + one], [0 * angle]
    for _ in range(cutoff):
        last, other = reals[-1], imaginaries[-1]
        reals.append((last * cosine - other * sine) >> BITS)
        imaginaries.append((last * sine + other * cosine) >> BITS)
    return (
        np.array([*reals[:0:-1], *reals], dtype=object),
        np.array([*(-part for part in imaginaries[:0:-1]), *imaginaries], dtype=object),
    )


def _sliced(values: NDArray[np.object_], bits: int) -> Array:
    """Whole numbers of 2^−120 as Σ_m s_m 2^{−β(m+1)} with whole |s_m| ≤ 2^β + 1: four arrays of floats in one."""
    slices = []
    for place in range(1, SLICES + 1):
        shift = BITS - bits * place
        whole = values >> shift
        values = values - (whole << shift)
        slices.append(whole.astype(np.float64))
    return np.array(slices)
