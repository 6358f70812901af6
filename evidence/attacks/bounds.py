"""Class 10: what is proved of γ₁, of splines, entropies and sparse measures, held against subsets and many digits."""

from collections.abc import Callable
from fractions import Fraction
from random import Random
from typing import Any

import mpmath
import numpy as np
from library.limits.margin.subsets import largest_response, least_margin, near_one_ray

from attacks.case import Class, demand
from attacks.stage import Stage
from implicit_bias.checks import Array
from implicit_bias.data import BiasLaw, Classification, Samples
from implicit_bias.data.biases import Shape
from implicit_bias.data.torus import Deconvolution
from implicit_bias.limits.adaptivity import variation_fit
from implicit_bias.limits.certificate import CertificateError
from implicit_bias.limits.interpolation import HyperbolicEntropy
from implicit_bias.limits.margin import VariationMargin, largest_responses, variation_margin, variation_margin_of_many
from implicit_bias.limits.margin.arrangement import response_bound
from implicit_bias.limits.measures import blasso
from implicit_bias.limits.mirror import ramp_spline

BOUNDS = Class("bounds", "Proved bounds of γ₁, splines, entropies and sparse measures")
DIGITS = 60
NEAR = 1e-9  # the width that is promised where nothing else is asked for


def stream(rng: Random) -> np.random.Generator:
    """NumPy's generator of a case."""
    return np.random.default_rng(rng.randrange(2**32))


def counted(answered: bool) -> dict[str, Any]:
    """What the campaign counts."""
    return {"answered": answered, "refused": not answered}


def holds(low: float, high: float, truth: Any, what: str) -> None:
    """The truth lies between the ends, which are near to each other."""
    demand(low <= truth <= high, f"{what}: {float(truth)!r} is not between {low!r} and {high!r}")
    demand(high - low <= NEAR * max(abs(high), abs(low)) * (1 + NEAR), f"{what}: between {low!r} and {high!r}")


@BOUNDS.attack("the largest response near a ray, by every subset of the terms", weight=8)
def response(stage: Stage, rng: Random) -> dict[str, Any]:
    g = stream(rng)
    spread = 10.0 ** -g.integers(0, 15)
    x, q = near_one_ray(g, spread)
    x = x * rng.choice((1.0, 1.0, 1e-150, 1e150))
    exact = largest_response(x, q)
    bound = response_bound(x, q)
    demand(exact <= bound, f"{float(exact)!r} exceeds the bound {float(bound)!r}")
    demand(bound <= exact * Fraction(1 + 1e-12), f"the bound {float(bound)!r} lies far above {float(exact)!r}")
    if exact:
        found = abs(float(largest_responses(x, q)[1][0]))
        demand(abs(Fraction(found) / exact - 1) <= 1e-12, f"{found!r} is not the largest")
    return counted(answered=True)


@BOUNDS.attack("γ₁ near a ray: the network's margin and the weights' bound, in fractions and by every subset", weight=4)
def margin(stage: Stage, rng: Random) -> dict[str, Any]:
    g = stream(rng)
    x, _ = near_one_ray(g, 10.0 ** -g.integers(0, 11), most=5)
    y = np.where(g.random(len(x)) < 0.5, 1.0, -1.0)
    y[:2] = 1, -1
    return of_network(x, y, rng.choice((variation_margin, variation_margin_of_many)))


def of_network(x: Array, y: Array, solve: Callable[[Classification], VariationMargin]) -> dict[str, Any]:
    """One set of points and labels, the ends of its enclosure in fractions."""
    try:
        answer = solve(Classification(x, y))
    except ValueError:
        return counted(answered=False)
    except CertificateError as error:
        if error.answer is None:
            return counted(answered=False)
        answer, refused = error.answer, True
        demand(answer.certificate.enclosure.width > NEAR, "refused although it is proved")
    else:
        refused = False
        demand(answer.bound - answer.margin <= NEAR * answer.bound, "certified at another width")
    low = least_margin(x, y, answer.directions, answer.masses)
    high = largest_response(x, answer.weights * y) / 2 / sum((Fraction(float(p)) for p in answer.weights), Fraction(0))
    demand(max(Fraction(answer.margin), 0) <= max(low, 0), f"the network has {float(low)!r}, not {answer.margin!r}")
    demand(high <= Fraction(answer.bound), f"the weights prove {float(high)!r}, not {answer.bound!r}")
    return counted(not refused)


@BOUNDS.attack("the fit of least variation norm: J in fractions, the dual value by every subset", weight=1)
def fit(stage: Stage, rng: Random) -> dict[str, Any]:
    g = stream(rng)
    x, y = near_one_ray(g, 10.0 ** -g.integers(0, 9), most=5)
    penalty = float(10.0 ** g.uniform(-3, 0))
    try:
        answer = variation_fit(Samples(x, y), penalty)
    except (ValueError, CertificateError):
        return counted(answered=False)
    with mpmath.workdps(DIGITS):
        f = [
            mpmath.fsum(
                mpmath.mpf(m) * max(mpmath.mpf(0), mpmath.fdot(map(mpmath.mpf, u), map(mpmath.mpf, point)))
                for u, m in zip(answer.directions.tolist(), answer.masses.tolist(), strict=True)
            )
            for point in x.tolist()
        ]
        rest = [mpmath.mpf(a) - b for a, b in zip(y.tolist(), f, strict=True)]
        norm = mpmath.fsum(
            abs(mpmath.mpf(m)) * mpmath.sqrt(mpmath.fsum(mpmath.mpf(a) ** 2 for a in u))
            for u, m in zip(answer.directions.tolist(), answer.masses.tolist(), strict=True)
        )
        value = mpmath.fsum(r * r for r in rest) / 2 / len(y) + mpmath.mpf(penalty) * norm
        residual = np.array([float(r) for r in rest])
        largest = mpmath.mpf(float(largest_response(x, residual))) * (1 - mpmath.mpf(10) ** -15) / len(y)
        along = mpmath.fsum(mpmath.mpf(a) * b for a, b in zip(y.tolist(), residual.tolist(), strict=True))
        square = mpmath.fsum(mpmath.mpf(r) ** 2 for r in residual.tolist())
        s = max(mpmath.mpf(0), along / square) if square else mpmath.mpf(0)
        s = min(s, penalty / largest) if largest else s
        dual = (s * along - s * s * square / 2) / len(y)
        demand(value <= answer.value, f"J is {value}, not {answer.value!r}")
        demand(answer.bound <= dual * (1 + mpmath.mpf(10) ** -9), f"the residual proves {dual}, not {answer.bound!r}")
    return counted(answered=True)


@BOUNDS.attack("the least hyperbolic entropy, by Newton's method in 60 digits", weight=5)
def entropy(stage: Stage, rng: Random) -> dict[str, Any]:
    g = stream(rng)
    n = rng.randint(1, 3)
    d = rng.randint(n, 6)
    x, y = g.standard_normal((n, d)), g.standard_normal(n)
    if rng.random() < 0.3:
        x = np.round(2 * x) + np.eye(n, d)
    roots = 10.0 ** (g.uniform(-4, 2) + g.uniform(-0.5, 0.5, d))
    return of_entropy(x, y, roots**2, g.standard_normal(d) * rng.choice((0.0, 1.0, 1e-3)))


def of_entropy(x: Array, y: Array, k: Array, w0: Array) -> dict[str, Any]:
    """One set of equations with the k of an entropy and its start, the least entropy in many digits."""
    try:
        answer = HyperbolicEntropy(k, w0).minimize(x, y)
    except CertificateError:
        return counted(answered=False)
    with mpmath.workdps(DIGITS):
        truth = _least_entropy(x, y, k, w0, answer.dual)
        demand(truth is not None, "Newton's method in 60 digits ends elsewhere")
        holds(answer.certificate.enclosure.low, answer.certificate.enclosure.high, truth, "the entropy")
    return counted(answered=True)


def _least_entropy(x: Any, y: Any, k: Any, w0: Any, dual: Any) -> Any:
    """min Q_k among the interpolators, from multipliers near the best."""
    n, d = x.shape
    rows, labels, force = mpmath.matrix(x.tolist()), mpmath.matrix(y.tolist()), mpmath.matrix(dual.tolist())
    root = [mpmath.sqrt(mpmath.mpf(float(one))) for one in k]
    rest = [mpmath.asinh(2 * mpmath.mpf(float(a)) / b) for a, b in zip(w0, root, strict=True)]
    for _ in range(12):
        nu = rows.T * force
        w = mpmath.matrix([root[j] / 2 * mpmath.sinh(2 * nu[j] + rest[j]) for j in range(d)])
        missed = labels - rows * w
        if mpmath.norm(missed) <= mpmath.mpf(10) ** (-DIGITS // 2 - 5):
            x0 = [2 * mpmath.mpf(float(one)) / b for one, b in zip(w0, root, strict=True)]
            return mpmath.fsum(
                root[j] / 4 * (mpmath.sqrt(1 + x0[j] ** 2) - mpmath.sqrt(1 + (2 * w[j] / root[j]) ** 2))
                + w[j] / 2 * (mpmath.asinh(2 * w[j] / root[j]) - rest[j])
                for j in range(d)
            )
        bend = mpmath.matrix(n, n)
        for a in range(n):
            for b in range(n):
                bend[a, b] = mpmath.fsum(
                    rows[a, j] * rows[b, j] * mpmath.sqrt(4 * w[j] ** 2 + root[j] ** 2) for j in range(d)
                )
        force = force + mpmath.lu_solve(bend, missed)
    return None


@BOUNDS.attack("the spline, by elimination in fractions", weight=3)
def spline(stage: Stage, rng: Random) -> dict[str, Any]:
    g = stream(rng)
    n, shape = rng.randint(1, 5), rng.choice(("uniform", "parabolic"))
    reach = float(10.0 ** g.uniform(-2, 2))
    x, y = np.sort(g.uniform(-1, 1, n)) * reach, g.standard_normal(n)
    if rng.random() < 0.3:
        x = np.arange(n) / 4 * reach / 2
    return of_spline(x, y, reach, shape, (rng.random() < 0.5, rng.random() < 0.5))


def of_spline(x: Array, y: Array, reach: float, shape: Shape, penalized: tuple[bool, bool]) -> dict[str, Any]:
    """One set of places and labels, the least value in fractions."""
    try:
        answer = ramp_spline(x, y, BiasLaw(reach, shape), penalized)
    except (ValueError, CertificateError):
        return counted(answered=False)
    truth = _spline_value([Fraction(float(v)) for v in x], [Fraction(float(v)) for v in y], reach, shape, penalized)
    demand(truth is not None, "equations that have no solution")
    enclosure = answer.certificate.enclosure
    holds(enclosure.low, enclosure.high, truth, "the spline's value")
    return counted(answered=True)


def _spline_value(x: Any, y: Any, reach: float, shape: str, penalized: tuple[bool, bool]) -> Any:
    """The value of G₁ + G₂ + G₃, from the kernel as an integral over the biases, piece by piece."""
    b = Fraction(reach)
    # p(s) = (p₀ + p₂ s²)
    p = (1 / (2 * b), Fraction(0)) if shape == "uniform" else (3 / (4 * b), -3 / (4 * b**3))

    def integral(low: Any, high: Any, u: Any, v: Any) -> Any:
        """Of p(s)(u − s)(v − s) from low to high."""
        terms = (u * v, -(u + v), Fraction(1))
        total = Fraction(0)
        for power, weight in ((0, p[0]), (2, p[1])):
            for k, term in enumerate(terms):
                e = power + k + 1
                total += weight * term * (high**e - low**e) / e
        return total

    variance = integral(-b, b, Fraction(0), Fraction(0))

    def kernel(u: Any, v: Any) -> Any:
        low, high = sorted((u, v))
        apart = integral(-b, low, u, v) - integral(low, high, u, v) + integral(high, b, u, v)
        return (apart + penalized[0] * u * v + penalized[1] * variance) / 4

    free = [[one, Fraction(1)] for one in x]
    kept = [i for i in (0, 1) if not penalized[i]]
    n, m = len(x), len(x) + len(kept)
    rows = [[kernel(u, v) for v in x] + [free[i][j] for j in kept] + [y[i]] for i, u in enumerate(x)]
    rows += [[free[i][j] for i in range(n)] + [Fraction(0)] * (len(kept) + 1) for j in kept]
    for i in range(m):
        pivot = next((k for k in range(i, m) if rows[k][i]), None)
        if pivot is None:
            return None
        rows[i], rows[pivot] = rows[pivot], rows[i]
        rows[i] = [value / rows[i][i] for value in rows[i]]
        for k in range(m):
            if k != i and rows[k][i]:
                rows[k] = [a - rows[k][i] * c for a, c in zip(rows[k], rows[i], strict=True)]
    return sum((rows[i][m] * y[i] for i in range(n)), Fraction(0))


@BOUNDS.attack("a sparse measure on the circle: J in 60 digits, the dual value with J′ on a fine grid", weight=3)
def measure(stage: Stage, rng: Random) -> dict[str, Any]:
    g = stream(rng)
    spikes, cutoff = rng.randint(1, 3), rng.randint(1, 4)
    known = g.uniform(0, 2 * np.pi, (spikes, 1)), g.uniform(0.3, 2, spikes) * rng.choice((1.0, 1e-3, 1e3))
    penalty = float(known[1].max() * 10.0 ** g.uniform(-1.5, 0.5))
    try:
        answer = blasso(Deconvolution(*known, cutoff), penalty)
    except CertificateError:
        return counted(answered=False)
    enclosure = answer.certificate.enclosure
    with mpmath.workdps(30):
        places = [*answer.positions[:, 0].tolist(), *known[0][:, 0].tolist()]
        charges = [*map(mpmath.mpf, answer.masses.tolist()), *(-mpmath.mpf(m) for m in known[1].tolist())]
        q, f = (
            [
                mpmath.fsum(c * mpmath.expj(-k * mpmath.mpf(t)) for c, t in zip(weights, of, strict=True))
                for k in range(-cutoff, cutoff + 1)
            ]
            for weights, of in ((charges, places), (list(map(mpmath.mpf, known[1].tolist())), places[-spikes:]))
        )
        size = mpmath.fsum(abs(one) ** 2 for one in q)
        along = mpmath.fsum((one * mpmath.conj(other)).real for one, other in zip(q, f, strict=True))
        value = size / 2 + mpmath.mpf(penalty) * mpmath.fsum(map(mpmath.mpf, answer.masses.tolist()))
        angle = np.concatenate([2 * np.pi * np.arange(2000) / 2000, answer.positions[:, 0]])
        waves = np.exp(1j * np.outer(angle, np.arange(-cutoff, cutoff + 1)))
        lowest = min(0.0, float((penalty + (waves @ np.array([complex(one) for one in q])).real).min()))
        scale = penalty / (penalty - mpmath.mpf(lowest))
        most = -(scale**2) * size / 2 - scale * along
        demand(value <= enclosure.high, f"J is {value}, above {enclosure.high!r}")
        # The grid's least value lies above that of the circle, so the dual value on it is never below the proved one.
        demand(enclosure.low <= most * (1 + mpmath.mpf(10) ** -12), f"{enclosure.low!r} is above the dual value {most}")
    demand(enclosure.high - enclosure.low <= NEAR * enclosure.high, "an enclosure wider than promised")
    return counted(answered=True)
