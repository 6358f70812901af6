"""Class 9: answers that are certified, held against the same problem in fractions, by every active set."""

from collections.abc import Callable
from fractions import Fraction
from math import isfinite
from random import Random
from typing import Any

import numpy as np
from numpy.typing import NDArray

from attacks.case import Class, demand
from attacks.exact import (
    Matrix,
    combined,
    dot,
    fractions,
    gram,
    l1_margin,
    least_l1_norm,
    solved,
    square_of_least_norm,
    square_of_margin,
    times,
)
from attacks.stage import Stage
from implicit_bias.limits.certificate import CertificateError
from implicit_bias.limits.interpolation import least_l1, least_norm
from implicit_bias.limits.lazy import kernel_regression
from implicit_bias.limits.margin import kernel_margin, l1_max_margin, max_margin
from implicit_bias.limits.neuron import linear_neuron_limit
from implicit_bias.limits.rounding import Between

OPTIMA = Class("optima", "Certified answers against exact arithmetic")
WIDTH = Fraction(1, 10**9)  # what is promised of an enclosure
NEAR = Fraction(1, 10**8)  # what is asked of the answer itself, which is demanded to 1e-10 or 1e-9 in floats
Answer = Any


def matrix(rng: Random, n: int, d: int) -> NDArray[np.float64]:
    """Data that are hard: whole numbers, doubled and opposite rows, nearly dependent ones, lengths of all orders."""
    g = np.random.default_rng(rng.randrange(2**32))
    z = g.integers(-3, 4, (n, d)) * 1.0 if rng.random() < 0.5 else g.standard_normal((n, d))
    z += rng.choice((0.0, 0.0, 2.0)) * (np.arange(d) == 0)
    if n > 1 and rng.random() < 0.3:
        i, k = rng.sample(range(n), 2)
        z[i] = z[k] * rng.choice((1.0, 2.0, -1.0)) + rng.choice((0.0, 1e-15, 1e-11, 1e-7)) * g.standard_normal(d)
    orders = rng.choice((0, 0, 0, 4, 12, 20))
    z *= 10.0 ** g.uniform(-orders, orders, (n, 1))
    if rng.random() < 0.15:
        z *= 10.0 ** g.uniform(-orders, orders, d)
    return np.asarray(z * rng.choice((1.0, 1.0, 1.0, 1e-150, 1e150, 1e-60, 1e60)))


def certified(solve: Callable[[], Answer]) -> Answer | None:
    """What a solver answers; None where it says that it cannot."""
    try:
        return solve()
    except CertificateError:
        return None


def holds(answer: Answer, power: int, truth: Fraction, what: str) -> None:
    """The enclosure, raised to a power, holds the truth, and is as narrow as promised."""
    found = answer.certificate.enclosure
    low, high = Fraction(found.low), Fraction(found.high)
    demand(low <= high and low >= 0, f"{what}: between {found.low!r} and {found.high!r}")
    demand(low**power <= truth <= high**power, f"{what}: the truth is not between {found.low!r} and {found.high!r}")
    demand(high - low <= WIDTH * high * (1 + NEAR), f"{what}: an enclosure of width {found.width:.1e}")


def counted(answer: Answer | None, truth: object) -> dict[str, Any]:
    """What the campaign counts: answers, refusals of what has one, and of what has none."""
    return {"answered": answer is not None, "refused": answer is None and truth is not None, "none": truth is None}


def of_margin(z: NDArray[np.float64], of_l1: bool) -> dict[str, Any]:
    """One set of points, its margin in fractions."""
    points = fractions(z)
    answer = certified(lambda: (l1_max_margin if of_l1 else max_margin)(z))
    truth = l1_margin(points) if of_l1 else square_of_margin(gram(points), z.shape[1])
    if answer is None:
        return counted(answer, truth)
    demand(truth is not None, "points that nothing separates")
    assert truth is not None
    holds(answer, 1 if of_l1 else 2, truth, "the margin")
    w, alpha = fractions([answer.w])[0], fractions([answer.alpha])[0]
    least, power = min(times(points, w)), 1 if of_l1 else 2
    size = sum(map(abs, w), Fraction(0)) if of_l1 else dot(w, w)
    demand(least >= 1 - NEAR, f"the worst point comes to {float(least):.3g}")
    demand(least**power >= truth * size * (1 - 4 * NEAR), "another margin than the largest")
    demand(min(alpha) >= 0, "a multiplier below 0")
    pushed = combined(alpha, points)
    push = max(map(abs, pushed)) if of_l1 else dot(pushed, pushed)
    demand(push <= truth * sum(alpha) ** power * (1 + 4 * NEAR), "multipliers that prove another margin")
    if not of_l1:
        demand(list(answer.support) == list(np.flatnonzero(answer.alpha > 0)), "support is not where α > 0")
        demand(np.all(np.isfinite(answer.residuals)), "a residual that is no number")
        demand(isfinite(answer.contraction) and answer.decay >= 0, f"decay {answer.decay}")
        demand(abs(answer.margin**2 - float(truth)) <= 1e-8 * float(truth), "its margin is not γ")
    return counted(answer, truth)


@OPTIMA.attack("the maximum margin, by every set of support vectors", weight=3)
def margin(stage: Stage, rng: Random) -> dict[str, Any]:
    return of_margin(matrix(rng, rng.randint(1, 6), rng.randint(1, 3)), of_l1=False)


@OPTIMA.attack("the maximum margin in the ℓ1 norm, by every vertex", weight=3)
def margin_in_l1(stage: Stage, rng: Random) -> dict[str, Any]:
    return of_margin(matrix(rng, rng.randint(1, 6), rng.randint(1, 3)), of_l1=True)


def equations(rng: Random) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Equations, most of them solvable, some of dependent rows, some with labels that no solution has."""
    x = matrix(rng, rng.randint(1, 4), rng.randint(1, 5))
    g = np.random.default_rng(rng.randrange(2**32))
    kind = rng.random()
    if kind < 0.4:
        y = np.asarray(x @ np.round(2 * g.standard_normal(x.shape[1])))
    elif kind < 0.8:
        y = np.abs(x).max(axis=1) * np.round(3 * g.standard_normal(len(x)))
    else:
        y = g.standard_normal(len(x))
    return x, y


def of_equations(x: NDArray[np.float64], y: NDArray[np.float64], of_l1: bool) -> dict[str, Any]:
    """One set of equations, its least norm in fractions."""
    rows, (labels,) = fractions(x), fractions([y])
    answer = certified(lambda: (least_l1 if of_l1 else least_norm)(x, y))
    truth = least_l1_norm(rows, labels) if of_l1 else square_of_least_norm(rows, labels)
    if answer is None:
        return counted(answer, truth)
    w = fractions([answer.w])[0]
    missed = [a - b for a, b in zip(times(rows, w), labels, strict=True)]
    demand(dot(missed, missed) <= NEAR**2 * dot(labels, labels), "it does not interpolate")
    if truth is None:  # contradictions by rounding alone, of more equations than unknowns
        demand(len(x) > x.shape[1], "an interpolator where there is none")
        return counted(answer, truth)
    holds(answer, 1 if of_l1 else 2, truth, "the least norm")
    size, power = (sum(map(abs, w), Fraction(0)), 1) if of_l1 else (dot(w, w), 2)
    demand(abs(size - truth) <= 4 * NEAR * truth, "another norm than the least")
    force = fractions([answer.dual])[0]
    pushed = combined(force, rows)
    push = max(map(abs, pushed)) if of_l1 else dot(pushed, pushed)
    demand(dot(force, labels) ** power >= truth * push * (1 - 4 * NEAR), "multipliers that prove another norm")
    return counted(answer, truth)


@OPTIMA.attack("the interpolator of least norm, in fractions", weight=3)
def of_least_norm(stage: Stage, rng: Random) -> dict[str, Any]:
    return of_equations(*equations(rng), of_l1=False)


@OPTIMA.attack("the interpolator of least ℓ1 norm, by every support", weight=3)
def of_least_l1(stage: Stage, rng: Random) -> dict[str, Any]:
    return of_equations(*equations(rng), of_l1=True)


def products(rng: Random, n: int) -> tuple[NDArray[np.float64], Matrix]:
    """A Gram matrix of whole features times powers of two, exactly positive semidefinite, and itself in fractions."""
    g = np.random.default_rng(rng.randrange(2**32))
    features = g.integers(-9, 10, (n, rng.randint(1, n + 1))) * 1.0
    if n > 1 and rng.random() < 0.3:
        features[0] = features[1] * rng.choice((1.0, -1.0)) + g.integers(0, 2, features.shape[1])
    orders = rng.choice((0, 0, 5, 20))
    features *= np.ldexp(1.0, g.integers(-orders, orders + 1, (n, 1))) * np.ldexp(1.0, rng.choice((0, 0, 200, -200)))
    return features @ features.T, gram(fractions(features))


@OPTIMA.attack(
    "the maximum margin of a kernel, on the matrix that was given, by every set of support vectors", weight=2
)
def margin_of_kernel(stage: Stage, rng: Random) -> dict[str, Any]:
    n = rng.randint(1, 5)
    k, exact = products(rng, n)
    demand(fractions(k) == exact, "the attack's own products are rounded")
    return of_kernel(k, np.array([rng.choice((-1.0, 1.0)) for _ in range(n)]))


def of_kernel(k: NDArray[np.float64], y: NDArray[np.float64]) -> dict[str, Any]:
    """One positive semidefinite matrix with labels, its margin in fractions."""
    n = len(y)
    signed = fractions(y[:, None] * k * y)
    answer, truth = certified(lambda: kernel_margin(k, y)), square_of_margin(signed, n)
    if answer is None:
        return counted(answer, truth)
    demand(truth is not None, "points that nothing separates")
    assert truth is not None
    holds(answer, 2, truth, "the margin")
    alpha = fractions([answer.alpha])[0]
    demand(min(alpha) >= 0, "a multiplier below 0")
    demand(min(times(signed, alpha)) >= 1 - NEAR, "y f falls short of 1")
    demand(dot(alpha, times(signed, alpha)) <= sum(alpha) ** 2 * truth * (1 + 4 * NEAR), "another margin's multipliers")
    demand(abs(answer.margin**2 - float(truth)) <= 1e-8 * float(truth), "its margin is not γ")
    return counted(answer, truth)


@OPTIMA.attack("kernel regression meets its labels, and yᵀK⁻¹y is that of fractions", weight=2)
def regression_of_kernel(stage: Stage, rng: Random) -> dict[str, Any]:
    n = rng.randint(1, 5)
    k, _ = products(rng, n)
    return of_regression(k, np.array([rng.gauss(0, 1) for _ in range(n)]))


def of_regression(k: NDArray[np.float64], y: NDArray[np.float64]) -> dict[str, Any]:
    """One kernel matrix with labels, its weights in fractions."""
    exact, (labels,) = fractions(k), fractions([y])
    truth = solved(exact, labels)
    try:
        answer = certified(lambda: kernel_regression(k, y, k))
    except ValueError:  # not positive definite, as it is or but for rounding
        answer = None
    if answer is None:
        return counted(answer, truth)
    demand(truth is not None, "a singular kernel")
    assert truth is not None
    holds(answer, 1, dot(truth, labels), "yᵀK⁻¹y")
    missed = [a - b for a, b in zip(times(exact, fractions([answer.weights])[0]), labels, strict=True)]
    demand(dot(missed, missed) <= NEAR**2 * dot(labels, labels), "it misses its labels")
    return counted(answer, truth)


@OPTIMA.attack("the limit of a linear neuron, its |a| by roots of fractions", weight=2)
def neuron(stage: Stage, rng: Random) -> dict[str, Any]:
    x, y = equations(rng)
    g, unit = np.random.default_rng(rng.randrange(2**32)), 2.0 ** rng.choice((0, 0, 20, -20))
    a0, w0 = unit * rng.uniform(0.1, 3) * rng.choice((1, -1)), unit * g.standard_normal(x.shape[1])
    try:
        answer = certified(lambda: linear_neuron_limit(x, y, a0, w0))
    except ValueError:  # beyond the range in which it answers
        answer = None
    rows, (labels, start) = fractions(x), [fractions([part])[0] for part in (y, w0)]
    square = square_of_least_norm(rows, labels)
    if answer is None:
        return counted(answer, square)
    found = answer.certificate.enclosure
    demand(Fraction(found.high) - Fraction(found.low) <= WIDTH * Fraction(found.high) * (1 + NEAR), f"wide: {found}")
    (w,) = fractions([answer.w])
    missed = [Fraction(answer.a) * a - b for a, b in zip(times(rows, w), labels, strict=True)]
    demand(dot(missed, missed) <= (10 * NEAR) ** 2 * dot(labels, labels), "it does not interpolate")
    if square is None:
        demand(len(x) > x.shape[1], "a limit where there is none")
        return counted(answer, square)
    inside = square_of_least_norm(rows, times(rows, start))
    assert inside is not None
    b = Between.of(Fraction(a0) ** 2 - inside)
    root = (b * b + Between.of(4 * square)).root()
    truth = Between.of(2 * square) / (root - b) if b.low < 0 else (root + b) * Between.of(0.5)
    demand(Fraction(found.low) ** 2 <= truth.high and truth.low <= Fraction(found.high) ** 2, "|a(∞)| is not enclosed")
    demand(found.low <= abs(answer.a) <= found.high, "its a is not the one that is enclosed")
    return counted(answer, square)
