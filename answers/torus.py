"""Sparse deconvolution on the torus: a residual, scaled until it is feasible everywhere, proves a lower bound."""

from fractions import Fraction
from functools import cache
from itertools import product

from answers.exact import Interval, Matrix, Vector, cos, pi, sin, total
from answers.proof import Proof, Refused, Values, demand, enclosed, sparse, worst

Complex = tuple[Interval, Interval]
Coefficients = dict[tuple[int, int], Complex]
SIDE = Fraction(403, 64)  # a little more than 2π
FINEST = 16  # halvings of the torus's side
FIXED = 64  # bits behind the point, of the numbers that the search over the torus calculates with
SLACK = Fraction(1, 2**40)  # of Σ|C_k|(1 + |k|)² + 1: thousands of times what these round


def waves(positions: Matrix, masses: Vector, cutoff: int) -> Coefficients:
    """∫ e^{−ik·θ} dν for all k in {−K, …, K}²."""
    found: Coefficients = {}
    each = range(-cutoff, cutoff + 1)
    for k in product(each, each):
        turns = [Interval(k[0] * one + k[1] * other) for one, other in positions]
        found[k] = (total(cos(turn) * mass for turn, mass in zip(turns, masses, strict=True)),
                    -total(sin(turn) * mass for turn, mass in zip(turns, masses, strict=True)))  # fmt: skip
    return found


def squared(coefficients: Coefficients) -> Interval:
    """Σ_k |C_k|²."""
    return total(one * one + other * other for one, other in coefficients.values())


def derivatives(coefficients: Coefficients, place: Vector) -> tuple[Interval, list[Interval], list[Interval]]:
    """η = Re Σ_k C_k e^{ik·θ} at a place, its gradient, and η₁₁, η₁₂, η₂₂."""
    value, gradient, hessian = Interval(0), [Interval(0)] * 2, [Interval(0)] * 3
    for (k, j), (real, imaginary) in coefficients.items():
        turn = Interval(k * place[0] + j * place[1])
        c, s = cos(turn), sin(turn)
        here, slope = real * c - imaginary * s, -(real * s + imaginary * c)
        value = value + here
        gradient = [one + slope * factor for one, factor in zip(gradient, (k, j), strict=True)]
        hessian = [one - here * factor for one, factor in zip(hessian, (k * k, k * j, j * j), strict=True)]
    return value, gradient, hessian


def bowl(coefficients: Coefficients, place: Vector) -> tuple[Fraction, Fraction]:
    """A half side R of a square around a place in which η is convex, and a lower bound of η there.

    In the square η_ab differs from its value at the place by at most R Σ_k |C_k| |k_a k_b| (|k_1| + |k_2|); where it is
    convex it lies above its tangent plane.
    """
    value, gradient, (first, mixed, second) = derivatives(coefficients, place)
    sizes = {k: (abs(real) + abs(imaginary)).high for k, (real, imaginary) in coefficients.items()}
    bends = [
        sum((size * abs(k[a] * k[b]) * (abs(k[0]) + abs(k[1])) for k, size in sizes.items()), Fraction(0))
        for a, b in ((0, 0), (0, 1), (1, 1))
    ]
    half = Fraction(1, 2)
    while half > Fraction(1, 2**10):
        one, other = first.low - half * bends[0], second.low - half * bends[2]
        if one > 0 and other > 0 and one * other > (abs(mixed).high + half * bends[1]) ** 2:
            return half, value.low - half * sum(abs(slope).high for slope in gradient)
        half /= 2
    raise Refused("a spike is at no minimum")


def floor(coefficients: Coefficients, cutoff: int, places: Matrix) -> Fraction:
    """A lower bound of η = Re Σ_k C_k e^{ik·θ} over the torus, reached near the places but for rounding.

    Around the places η is convex. Elsewhere squares are halved until η(c) − |η_1(c)|h − |η_2(c)|h − ½ M h² lies above
    the bound there, c the centre, h the half side and M = Σ_k |C_k| (|k_1| + |k_2|)².
    """
    bowls = [bowl(coefficients, place) for place in places]
    bound = min(low for _, low in bowls)
    one = 1 << FIXED
    sizes = {k: (abs(real) + abs(imaginary)).high for k, (real, imaginary) in coefficients.items()}
    bend = sum((size * (abs(k[0]) + abs(k[1])) ** 2 for k, size in sizes.items()), Fraction(0))
    slack = SLACK * (1 + sum((size * (1 + abs(k[0]) + abs(k[1])) ** 2 for k, size in sizes.items()), Fraction(0)))
    fixed = {k: (int(real.low * one), int(imaginary.low * one)) for k, (real, imaginary) in coefficients.items()}

    @cache
    def along(at: Fraction) -> list[tuple[int, int]]:
        """Cosine and sine of −Kx, …, Kx, each turn from the one before."""
        x = Interval(at)
        c, s = (int(turn.low * one) for turn in (cos(x), sin(x)))
        found = [(one, 0)]
        for _ in range(cutoff):
            (p, q) = found[-1]
            found.append(((c * p - s * q) >> FIXED, (s * p + c * q) >> FIXED))
        return [(p, -q) for p, q in found[:0:-1]] + found

    def above(x: Fraction, y: Fraction, half: Fraction) -> bool:
        """Whether η lies above the bound in a square."""
        value = first = second = 0
        for (k, j), (real, imaginary) in fixed.items():
            (c, s), (p, q) = along(x)[k + cutoff], along(y)[j + cutoff]
            cosine, sine = (c * p - s * q) >> FIXED, (s * p + c * q) >> FIXED
            slope = -(real * sine + imaginary * cosine)
            value += real * cosine - imaginary * sine
            first += k * slope
            second += j * slope
        unit = one * one
        least = Fraction(value - int((abs(first) + abs(second)) * half), unit) - bend * half**2 / 2 - slack
        return least > bound

    def inside(x: Fraction, y: Fraction, half: Fraction) -> bool:
        """Whether a square lies in one in which η is convex."""
        return any(
            all(min((abs(Interval(at - spike) - turns * (2 * pi()))).high for turns in (-1, 0, 1)) + half <= reach
                for at, spike in zip((x, y), place, strict=True))
            for place, (reach, _) in zip(places, bowls, strict=True)
        )  # fmt: skip

    squares, half = [(SIDE / 2, SIDE / 2)], SIDE / 2
    for _ in range(FINEST):
        left = [(x, y) for x, y in squares if not inside(x, y, half) and not above(x, y, half)]
        if not left:
            return bound
        half /= 2
        squares = [(x + a * half, y + b * half) for x, y in left for a, b in product((-1, 1), repeat=2)]
    raise Refused("the residual is smaller elsewhere than at the spikes")


def deconvolution(data: Values, answer: Values, proof: Values) -> Proof:
    """−½Σ|p_k|² − Re⟨p, f̂⟩ ≤ J* ≤ J(ν), where Re Σ_k p_k e^{ik·θ} ≥ −λ on the torus; p is the residual of ν, scaled."""
    positions, masses, cutoff, penalty = answer["positions"], answer["masses"], int(data["cutoff"]), proof["penalty"]
    demand(min(masses) > 0, "a mass is not positive")
    sparse(masses, "masses")
    known, fitted = waves(data["positions"], data["masses"], cutoff), waves(positions, masses, cutoff)
    residual = {k: (fitted[k][0] - known[k][0], fitted[k][1] - known[k][1]) for k in known}
    square = squared(residual)
    overlap = total(residual[k][0] * known[k][0] + residual[k][1] * known[k][1] for k in known)
    low = floor(residual, cutoff, positions)
    demand(low < 0, "the residual is nowhere negative")
    scale = min(Fraction(1), penalty / -low)
    dual = -(square * (scale * scale / 2)) - overlap * scale
    bounds = enclosed(dual, square / 2 + penalty * sum(masses))
    return Proof({"value": bounds}, Fraction(0), worst([-low / penalty - 1]))
