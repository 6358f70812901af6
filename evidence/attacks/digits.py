"""Class 12: γ₁, entropies, splines and sparse measures where digits run out, held against fractions and many digits."""

from random import Random
from typing import Any

import mpmath
import numpy as np
from library.limits.margin.subsets import near_one_ray

from attacks.bounds import counted, of_entropy, of_network, of_spline, stream
from attacks.case import Class, demand
from attacks.stage import Stage
from implicit_bias.checks import Array
from implicit_bias.data.torus import Deconvolution
from implicit_bias.limits.certificate import CertificateError
from implicit_bias.limits.margin import variation_margin, variation_margin_of_many
from implicit_bias.limits.measures import blasso

DIGITS = Class("digits", "Proved bounds of γ₁, entropies, splines and sparse measures where digits run out")
POLISHED, STEPS = 50, 4  # digits of the minimizer that a sparse measure is held against, and Newton steps to it
MOST_SPIKES = 16  # for which Newton's method in many digits takes a second or two
SPARE = 1e-11  # of J′'s size: what floats may miss of it on a grid
CELLS, CUTS = 64, 40  # cells a frequency, and how often one is cut


@DIGITS.attack("γ₁ of doubled, opposite, whole, scaled and nearly parallel points, in fractions", weight=4)
def hard_network(stage: Stage, rng: Random) -> dict[str, Any]:
    g = stream(rng)
    x, _ = near_one_ray(g, 10.0 ** -g.integers(0, 11), most=6)
    n, kind = len(x), rng.randrange(5)
    if kind == 0:  # all along one ray but for a spread, some on the other side
        x = g.uniform(0.5, 2, (n, 1)) * (g.standard_normal(3) + 10.0 ** -g.uniform(0, 10) * g.standard_normal((n, 3)))
    elif kind == 1:  # whole numbers in the plane
        x = np.column_stack([g.integers(-3, 4, (n, 2)), np.ones(n)]) * 1.0
    elif kind == 2:  # doubled, and a float apart
        x[-1] = np.nextafter(x[0], np.inf) if g.random() < 0.5 else x[0] * 2
    elif kind == 3:  # lengths over eight orders
        x = x * 10.0 ** g.uniform(-4, 4, (n, 1))
    y = np.where(g.random(n) < 0.5, 1.0, -1.0)
    y[:2] = 1, -1
    return of_network(
        x * rng.choice((1.0, 1.0, 1e-150, 1e150)), y, rng.choice((variation_margin, variation_margin_of_many))
    )


@DIGITS.attack("the least hyperbolic entropy at k from 1e-16 to 1e16, by Newton's method in 60 digits", weight=3)
def hard_entropy(stage: Stage, rng: Random) -> dict[str, Any]:
    g = stream(rng)
    n = rng.randint(1, 4)
    d = rng.randint(n, 8)
    x = np.round(2 * g.standard_normal((n, d))) + np.eye(n, d) if rng.random() < 0.4 else g.standard_normal((n, d))
    if n > 1 and rng.random() < 0.3:
        x[1] = x[0] + 10.0 ** -g.uniform(0, 8) * g.standard_normal(d)
    if rng.random() < 0.3:
        x *= 10.0 ** g.uniform(-3, 3, (n, 1))
    y = x @ np.round(2 * g.standard_normal(d)) if rng.random() < 0.5 else g.standard_normal(n)
    roots = 10.0 ** (g.uniform(-8, 8) + rng.choice((0.0, 0.5, 3.0)) * g.uniform(-1, 1, d))
    return of_entropy(x, y, roots**2, g.standard_normal(d) * rng.choice((0.0, 0.0, 1.0, 1e-3, 1e3)))


@DIGITS.attack("the spline of nearly coincident places, at the ends of the reach, in any unit, in fractions", weight=3)
def hard_spline(stage: Stage, rng: Random) -> dict[str, Any]:
    g = stream(rng)
    n, reach = rng.randint(1, 8), float(10.0 ** g.uniform(-6, 6) * rng.choice((1.0, 1.0, 1.0, 1e-60, 1e60)))
    x = g.uniform(-1, 1, n) * reach
    if n > 1 and rng.random() < 0.6:
        x[1] = x[0] * (1 + 10.0 ** -g.uniform(1, 16))
    if rng.random() < 0.3:
        x[-1] = rng.choice((-reach, reach, 0.0))
    y = g.integers(-2, 3, n) * 1.0 if rng.random() < 0.5 else g.standard_normal(n)
    x, y = np.clip(x, -reach, reach), y * rng.choice((1.0, 1.0, 1e-100, 1e100))
    return of_spline(x, y, reach, rng.choice(("uniform", "parabolic")), (rng.random() < 0.5, rng.random() < 0.5))


@DIGITS.attack("a sparse measure up to cutoff 40, near the least spacing: its minimum in 50 digits", weight=3)
def hard_measure(stage: Stage, rng: Random) -> dict[str, Any]:
    g = stream(rng)
    cutoff, signed = rng.choice((1, 2, 3, 5, 8, 13, 20, 39, 40)), rng.random() < 0.3
    spikes = rng.randint(1, min(5, cutoff + 1))
    apart = rng.choice((0.5, 1.0, 2.0, 4.0)) / cutoff
    places = g.uniform(0, 2 * np.pi) + apart * (np.arange(spikes) + 0.2 * g.uniform(-1, 1, spikes))
    masses = g.uniform(0.3, 2, spikes) * (np.where(g.random(spikes) < 0.5, -1, 1) if signed else 1)
    masses = masses * rng.choice((1.0, 1.0, 1e-6, 1e6, 1e-100, 1e100))
    penalty = float(np.abs(masses).max() * 10.0 ** g.uniform(-3, 0.7))
    try:
        answer = blasso(Deconvolution(places[:, None] % (2 * np.pi), masses, cutoff), penalty, signed=signed)
    except CertificateError:
        return counted(answered=False)
    if answer.masses.size > MOST_SPIKES:
        return {"unchecked": True}
    low, high = answer.certificate.enclosure.low, answer.certificate.enclosure.high
    known = answer.problem.positions[:, 0].tolist()
    with mpmath.workdps(POLISHED):
        unit = mpmath.mpf(float(np.abs(masses).max()))
        weights, price = [mpmath.mpf(m) / unit for m in masses.tolist()], mpmath.mpf(penalty) / unit
        start = answer.positions[:, 0].tolist(), [mpmath.mpf(a) / unit for a in answer.masses.tolist()]
        try:
            at, mass = _polished(*start, known, weights, cutoff, price)
        except ZeroDivisionError:  # spikes that have no other place nearby
            return counted(answered=True) | {"settled": False}
        charges, places = [*mass, *(-m for m in weights)], [*at, *map(mpmath.mpf, known)]
        turns = [mpmath.expj(-t) for t in places]
        waves = [mpmath.fsum(c * turn**k for c, turn in zip(charges, turns, strict=True)) for k in range(cutoff + 1)]
        waves = [*map(mpmath.conj, waves[:0:-1]), *waves]
        least = (mpmath.fsum(abs(one) ** 2 for one in waves) / 2 + price * mpmath.fsum(map(abs, mass))) * unit**2
        size = mpmath.fsum(abs(one) for one in waves) + price
        q, here = np.array([complex(one / size) for one in waves]), np.array([float(t) for t in at])
        settled = _nowhere_below(q, float(price / size), here, np.sign(answer.masses), signed)
    room = least * mpmath.mpf(10) ** -20
    demand(low <= least + room, f"{low!r} is above what a measure reaches, {least}")
    demand(not settled or high >= least - room, f"{high!r} is below the least value {least}")
    return counted(answered=True) | {"settled": settled}


def _polished(at: Any, mass: Any, known: Any, weights: Any, cutoff: int, penalty: Any) -> Any:
    """Masses and places at which J has no slope, by Newton's method in many digits."""
    at, signs, s = [mpmath.mpf(t) for t in at], [1 if a > 0 else -1 for a in mass], len(at)
    for _ in range(STEPS if s else 0):
        charges, places = [*mass, *(-m for m in weights)], [*at, *map(mpmath.mpf, known)]
        kernel = [[_kernel(t - u, cutoff) for u in places] for t in at]
        field = [
            [mpmath.fsum(c * one[p] for c, one in zip(charges, row, strict=True)) for p in range(3)] for row in kernel
        ]
        slope, bend = mpmath.matrix(2 * s, 1), mpmath.matrix(2 * s, 2 * s)
        for i in range(s):
            slope[i], slope[s + i] = field[i][0] + penalty * signs[i], mass[i] * field[i][1]
            for j in range(s):
                value, first, second = kernel[i][j]
                bend[i, j], bend[i, s + j] = value, -mass[j] * first + (i == j) * field[i][1]
                bend[s + j, i] = bend[i, s + j]
                bend[s + i, s + j] = -mass[i] * mass[j] * second + (i == j) * mass[i] * field[i][2]
        step = mpmath.lu_solve(bend, -slope)
        mass = [a + step[i] for i, a in enumerate(mass)]
        at = [t + step[s + i] for i, t in enumerate(at)]
    return at, mass


def _kernel(t: Any, cutoff: int) -> Any:
    """Σ_k cos kt over |k| ≤ K, with its first two derivatives."""
    turn, wave, sums = mpmath.expj(t), mpmath.mpc(1), [mpmath.mpf(1) / 2, mpmath.mpf(0), mpmath.mpf(0)]
    for k in range(1, cutoff + 1):
        wave *= turn
        sums = [sums[0] + wave.real, sums[1] - k * wave.imag, sums[2] - k * k * wave.real]
    return [2 * one for one in sums]


def _nowhere_below(q: Array, penalty: float, at: Array, signs: Array, signed: bool) -> bool:
    """Whether λ ± Re Σ q_k e^{ikt} ≥ 0: on cells by the value and two derivatives, near spikes by the bend."""
    k = np.arange(len(q)) - len(q) // 2
    third = float(np.abs(q) @ np.abs(k) ** 3.0)
    for sign in (1.0, -1.0) if signed else (1.0,):
        own = at[signs == sign]
        bends = -sign * (np.exp(1j * np.outer(own, k)) @ (q * k**2)).real
        if np.any(bends <= 0):
            return False
        near = 2 * bends / third if own.size else np.zeros(0)  # there the bend is the larger part
        half = np.pi / (CELLS * len(q))
        cells = half * (2 * np.arange(CELLS * len(q)) + 1.0)
        for _ in range(CUTS):
            off = np.abs((cells[:, None] - own + np.pi) % (2 * np.pi) - np.pi)
            cells = cells[np.all(off + half > near, axis=1)]
            waves = np.exp(1j * np.outer(cells, k))
            value, slope, bend = (sign * (waves @ (q * (1j * k) ** p)).real for p in range(3))
            low = penalty + value - np.abs(slope) * half - np.abs(bend) * half**2 / 2 - third * half**3 / 6 - SPARE
            cells = cells[low < 0]
            if not cells.size:
                break
            if cells.size > 20_000:
                return False
            half /= 2
            cells = np.concatenate([cells - half, cells + half])
        else:
            return False
    return True
