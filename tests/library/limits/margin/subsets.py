"""The largest response by trying every set of active terms, in whole numbers: shares nothing with the library."""

from fractions import Fraction
from math import isqrt

import numpy as np


def fractions_of(values):
    """Floats over one denominator, as whole numbers, and the denominator."""
    given = [Fraction(float(value)) for value in np.ravel(values)]
    below = max(one.denominator for one in given)
    return np.array([int(one * below) for one in given], dtype=object).reshape(np.shape(values)), below


def root(value, up=0):
    """The square root of a fraction, rounded down, or up, to sixty digits and more."""
    shift = 400 + 2 * value.denominator.bit_length()
    return Fraction(isqrt((value.numerator << shift) // value.denominator) + up, 1 << (shift // 2))


def largest_response(x, charges):
    """max |g|, rounded down to sixty digits: over the sums of all subsets, their projections and all vertices."""
    x, of_x = fractions_of(x)
    q, of_q = fractions_of(charges)
    places = [x] + [np.cross(one, x) for one in x]
    for subset in range(1, 2 ** len(x)):
        total = sum(q[i] * x[i] for i in range(len(x)) if subset >> i & 1)
        places.append(total[None])
        places.append(np.sum(x * x, axis=1)[:, None] * total - (x @ total)[:, None] * x)
    u = np.concatenate(places)
    u = u[np.any(u != 0, axis=1)]
    u = np.concatenate([u, -u])
    size = np.maximum(u @ x.T, 0) @ q
    length = np.sum(u * u, axis=1)
    best = max((Fraction(int(a) ** 2, int(b)) for a, b in zip(size, length, strict=True)), default=Fraction(0))
    return root(best) / of_x / of_q


def least_margin(x, y, directions, masses):
    """min_i ½ y_i Σ_k ν_k (u_k·x_i)₊ over Σ_k |ν_k|‖u_k‖, rounded down, where it is positive."""
    (x, of_x), (u, _), (masses, _) = fractions_of(x), fractions_of(directions), fractions_of(masses)
    outputs = np.maximum(x @ u.T, 0) @ masses
    norm = sum(abs(int(mass)) * root(Fraction(int(one @ one)), up=1) for one, mass in zip(u, masses, strict=True))
    return Fraction(min(int(out) * int(label) for out, label in zip(outputs, y, strict=True)), 2 * of_x) / norm


def near_one_ray(stream, spread, most=6):
    """Points of a small cloud far from the origin, of five kinds, and their charges."""
    n, kind = int(stream.integers(2, most + 1)), int(stream.integers(5))
    cloud = spread * (stream.integers(-2, 3, (n, 2)) if kind == 1 else stream.standard_normal((n, 2)))
    x = np.column_stack([cloud + (kind == 2) * stream.standard_normal(2), np.ones(n)])
    if kind == 3:
        x = stream.standard_normal(3) + spread * stream.standard_normal((n, 3))
    if kind == 4:  # and opposite to it
        x = np.where(stream.random((n, 1)) < 0.5, -1, 1) * (stream.standard_normal(3) + spread * x)
    charges = stream.standard_normal(n)
    return x, charges - charges.mean() if stream.random() < 0.5 else charges
