"""Class 11: certified margins, interpolators and kernels, on data drawn to be as hard as floats allow."""

from collections.abc import Callable
from fractions import Fraction
from random import Random
from typing import Any

import mpmath
import numpy as np

from attacks.case import Class, demand
from attacks.exact import Matrix, combined, dot, fractions, times
from attacks.optima import certified, counted, of_equations, of_kernel, of_margin, of_regression
from attacks.stage import Stage
from implicit_bias.checks import Array
from implicit_bias.limits.interpolation import least_l1, least_norm
from implicit_bias.limits.margin import l1_max_margin, max_margin

HARD = Class("hard", "Certified answers on data as hard as floats allow")
UNITS = (1.0, 1.0, 1.0, 1e-150, 1e150, 1e-60, 1e60)
LARGE = 48  # points and dimensions, from which on other methods solve than for few


def opposite(g: np.random.Generator, n: int, d: int) -> Array:
    """Points that are separated by hardly anything, on both sides of 0."""
    line, push = g.standard_normal((2, d))
    side = np.where(g.random((n, 1)) < 0.5, -1.0, 1.0)
    return side * line * g.uniform(0.5, 2, (n, 1)) + 10.0 ** -g.uniform(0, 16) * push * g.uniform(0.1, 1, (n, 1))


def one_ray(g: np.random.Generator, n: int, d: int) -> Array:
    """A small cloud far from 0."""
    return np.asarray(g.standard_normal(d) + 10.0 ** -g.uniform(0, 16) * g.standard_normal((n, d)))


def face(g: np.random.Generator, n: int, d: int) -> Array:
    """Whole numbers on one or two parallel planes: more points carry the margin than are needed."""
    z = g.integers(-3, 4, (n, d)) * 1.0
    z[:, 0] = g.integers(1, 3) + (g.random(n) < 0.3)
    return np.asarray(z @ (g.integers(-1, 2, (d, d)) + 2.0 * np.eye(d)) if g.random() < 0.5 else z)


def orders(g: np.random.Generator, n: int, d: int) -> Array:
    """Rows, and columns, over eight orders of magnitude and more."""
    return np.asarray(
        g.standard_normal((n, d)) * 10.0 ** g.uniform(-6, 6, (n, 1)) * 10.0 ** (g.integers(0, 7) * g.uniform(-1, 1, d))
    )


def deficient(g: np.random.Generator, n: int, d: int) -> Array:
    """Whole numbers of lower rank than either side, some with a trace of another."""
    rank = int(g.integers(1, min(n, d) + 1))
    z = g.integers(-3, 4, (n, rank)) @ g.integers(-3, 4, (rank, d)) * 1.0
    return z + g.choice((0.0, 0.0, 1e-15, 1e-12, 1e-8)) * g.standard_normal((n, d))


def twins(g: np.random.Generator, n: int, d: int) -> Array:
    """Rows twice, the same, a float apart, or parallel to rounding."""
    z = g.standard_normal((n, d)) + g.choice((0.0, 2.0)) * (np.arange(d) == 0)
    for i in range(1, n):
        if g.random() < 0.5:
            other = z[g.integers(i)]
            z[i] = (np.nextafter(other, g.choice((-np.inf, np.inf))), other, other / 3, other * 7)[g.integers(4)]
    return z


def whole(g: np.random.Generator, n: int, d: int) -> Array:
    """Whole numbers, tiny ones, and of all sizes at once."""
    z = g.integers(-2, 3, (n, d)) * 1.0
    return np.asarray(np.where(g.random((n, d)) < 0.3, z * g.choice((2.0**-40, 2.0**40, 1e-16)), z))


SHAPES = (opposite, one_ray, face, orders, deficient, twins, whole)


def drawn(rng: Random, n: int, d: int) -> Array:
    """One matrix of these kinds, in one of the units."""
    g = np.random.default_rng(rng.randrange(2**32))
    return np.asarray(rng.choice(SHAPES)(g, n, d) * rng.choice(UNITS))


@HARD.attack("the maximum margin, by every set of support vectors", weight=3)
def hard_margin(stage: Stage, rng: Random) -> dict[str, Any]:
    return of_margin(drawn(rng, rng.randint(1, 8), rng.randint(1, 4)), of_l1=False)


@HARD.attack("the maximum margin in the ℓ1 norm, by every vertex", weight=3)
def hard_margin_in_l1(stage: Stage, rng: Random) -> dict[str, Any]:
    return of_margin(drawn(rng, rng.randint(1, 6), rng.randint(1, 3)), of_l1=True)


def equations(rng: Random) -> tuple[Array, Array]:
    """Equations of such rows, most of them solvable, in rows or in columns."""
    n, d = rng.randint(1, 5), rng.randint(1, 7)
    x = drawn(rng, n, d) if rng.random() < 0.6 else drawn(rng, d, n).T.copy()
    g = np.random.default_rng(rng.randrange(2**32))
    kind = rng.randrange(4)
    with np.errstate(all="ignore"):
        y = (x @ g.integers(-2, 3, d), np.abs(x).max(axis=1) * g.integers(-3, 4, n), x[:, 0], g.standard_normal(n))[
            kind
        ]
    return x, np.where(np.isfinite(y), y, 0.0) * rng.choice((1.0, 1.0, 1e-100, 1e100)) * 1.0


@HARD.attack("the interpolator of least norm, in fractions", weight=3)
def hard_least_norm(stage: Stage, rng: Random) -> dict[str, Any]:
    return of_equations(*equations(rng), of_l1=False)


@HARD.attack("the interpolator of least ℓ1 norm, by every support", weight=3)
def hard_least_l1(stage: Stage, rng: Random) -> dict[str, Any]:
    return of_equations(*equations(rng), of_l1=True)


def positive(matrix: Matrix) -> bool:
    """Whether a symmetric matrix is positive semidefinite, by elimination."""
    work = [list(row) for row in matrix]
    for i, row in enumerate(work):
        if row[i] < 0 or (row[i] == 0 and any(row[i:])):
            return False
        if row[i]:
            for k in range(i + 1, len(work)):
                share = work[k][i] / row[i]
                work[k] = [a - share * b for a, b in zip(work[k], row, strict=True)]
    return True


def kernel(rng: Random) -> Array:
    """A kernel's matrix that is nearly singular: places that nearly coincide, features that nearly depend."""
    n, g = rng.randint(1, 6), np.random.default_rng(rng.randrange(2**32))
    at = np.sort(g.standard_normal(n)) * 10.0 ** g.uniform(-3, 2)
    if n > 1 and rng.random() < 0.5:
        at[1] = at[0] + 10.0 ** -g.uniform(0, 16) * abs(at[0])
    apart = np.abs(at[:, None] - at)
    x = drawn(rng, n, rng.randint(1, n + 1)) if rng.random() < 0.5 else g.standard_normal((n, n))
    with np.errstate(all="ignore"):
        k = (np.exp(-(apart**2) / 2), np.exp(-apart), x @ x.T, 1 / (np.add.outer(np.arange(n), np.arange(n)) + 1))[
            rng.randrange(4)
        ]
    k = k + np.diag(k) * np.eye(n) * rng.choice((0.0, 1e-15, 1e-12, 1e-6))
    k = (k + k.T) / 2
    return np.asarray(k if np.all(np.isfinite(k)) and np.any(k) else np.eye(n))


@HARD.attack("the maximum margin of a kernel that is nearly singular, by every set of support vectors", weight=2)
def hard_margin_of_kernel(stage: Stage, rng: Random) -> dict[str, Any]:
    k = kernel(rng)
    if not positive(fractions(k)):
        return {"indefinite": True}
    return of_kernel(k, np.array([rng.choice((-1.0, 1.0)) for _ in k]))


@HARD.attack("regression with a kernel that is nearly singular: it meets its labels, yᵀK⁻¹y in fractions", weight=2)
def hard_regression_of_kernel(stage: Stage, rng: Random) -> dict[str, Any]:
    k = kernel(rng)
    if not positive(fractions(k)):
        return {"indefinite": True}
    return of_regression(k, np.array([rng.gauss(0, 1) for _ in k]) * rng.choice((1.0, 1e-100, 1e100)))


@HARD.attack("the margin of many points: what w and α prove, in fractions", weight=1)
def margin_of_many(stage: Stage, rng: Random) -> dict[str, Any]:
    g, of_l1 = np.random.default_rng(rng.randrange(2**32)), rng.random() < 0.4
    n, d = int(g.integers(8, LARGE)), int(g.integers(8, LARGE))
    z = drawn(rng, n, d) if rng.random() < 0.4 else g.standard_normal((n, d)) + rng.choice((0.0, 1.0))
    answer = certified(lambda: (l1_max_margin if of_l1 else max_margin)(z))
    if answer is None:
        return counted(None, True)
    points, (w,), (alpha,) = fractions(z), fractions([answer.w]), fractions([answer.alpha])
    least, pushed, power = min(times(points, w)), combined(alpha, points), 1 if of_l1 else 2
    size = sum(map(abs, w), Fraction(0)) if of_l1 else dot(w, w)
    push = max(map(abs, pushed)) if of_l1 else dot(pushed, pushed)
    found, mass = answer.certificate.enclosure, sum(alpha)
    demand(least > 0 and min(alpha) >= 0, "it separates nothing, or a multiplier is below 0")
    demand(Fraction(found.low) ** power * size <= least**power, f"w does not prove {found.low!r}")
    demand(push <= Fraction(found.high) ** power * mass**power, f"the multipliers do not prove {found.high!r}")
    return counted(answer, True)


@HARD.attack("interpolators of many equations: both ends, in 100 digits", weight=1)
def interpolator_of_many(stage: Stage, rng: Random) -> dict[str, Any]:
    g, of_l1 = np.random.default_rng(rng.randrange(2**32)), rng.random() < 0.5
    n = int(g.integers(5, 20))
    d = int(g.integers(n, 2 * LARGE))
    x = drawn(rng, n, d) if rng.random() < 0.4 else g.standard_normal((n, d))
    y = x[:, :3].sum(axis=1) if rng.random() < 0.5 else np.abs(x).max(axis=1) * g.standard_normal(n)
    solve: Callable[..., Any] = least_l1 if of_l1 else least_norm
    answer = certified(lambda: solve(x, y))
    if answer is None or not np.any(y):
        return counted(answer, True)
    found = answer.certificate.enclosure
    rows, (labels,), (w,), (force,) = fractions(x), fractions([y]), fractions([answer.w]), fractions([answer.dual])
    pushed = combined(force, rows)
    push = max(map(abs, pushed)) if of_l1 else dot(pushed, pushed)
    reached, power = dot(force, labels), 1 if of_l1 else 2
    demand(reached**power <= Fraction(found.high) ** power * push, f"above {found.high!r}, as the multipliers prove")
    missed = [a - b for a, b in zip(labels, times(rows, w), strict=True)]
    with mpmath.workdps(100):
        exact = [[mpmath.mpf(a.numerator) / a.denominator for a in row] for row in rows]
        gram = mpmath.matrix([[mpmath.fdot(a, b) for b in exact] for a in exact])
        try:
            step = mpmath.lu_solve(gram, mpmath.matrix([mpmath.mpf(a.numerator) / a.denominator for a in missed]))
        except ZeroDivisionError:  # of dependent rows
            return counted(answer, True)
        near = [mpmath.mpf(float(a)) + mpmath.fdot(c, step) for a, c in zip(w, zip(*exact, strict=True), strict=True)]
        size = mpmath.fsum(map(abs, near)) if of_l1 else mpmath.sqrt(mpmath.fsum(a * a for a in near))
        demand(mpmath.mpf(found.low) <= size * (1 + mpmath.mpf(10) ** -40), f"{found.low!r} is above {size}")
    return counted(answer, True)
