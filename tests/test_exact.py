"""Exact arithmetic of the certified answers: intervals hold what they are of, and bounds hold where one can look."""

import itertools
from decimal import Decimal, localcontext
from fractions import Fraction

import numpy as np
import pytest
from answers.exact import Interval, angle, arsinh, cos, dot, exp, log, pi, product, sin, solved, stored, times
from answers.interpolation import ramp_kernel
from answers.leaky import grows
from answers.margins import relu_kernel
from answers.proof import Refused, enclosed
from answers.sphere import largest_response
from answers.torus import floor

from implicit_bias.data import BiasLaw
from implicit_bias.kernels import relu_kernel as library_kernel
from implicit_bias.limits.mirror import ramp_spline

DRAWN = [Fraction(float(x)) for x in np.random.default_rng(0).uniform(1e-3, 6, 12)]
WIDTH = Fraction(1, 2**300)


def fractions(values):
    return [fractions(one) for one in values] if np.ndim(values) else Fraction(float(values))


def holds(found, value, width=WIDTH):
    assert found.low <= value <= found.high
    assert found.high - found.low <= width * max(1, abs(value))


def test_arithmetic_of_intervals_holds_that_of_their_numbers():
    for x, y in itertools.product([*DRAWN, *(-one for one in DRAWN)], repeat=2):
        one, other = Interval(x), Interval(y)
        for found, value in (
            (one + other, x + y), (one - other, x - y), (one * other, x * y), (one / other, x / y), (-one, -x),
            (abs(one), abs(x)), (2 - one, 2 - x), (1 / one, 1 / x), (y * one, y * x),
        ):  # fmt: skip
            holds(found, value)
        wide = Interval(min(x, y), max(x, y)) * Interval(-1, 2)
        assert wide.low <= min(-x, -y, 2 * x, 2 * y)
        assert max(-x, -y, 2 * x, 2 * y) <= wide.high
    with pytest.raises(ZeroDivisionError):
        Interval(1) / Interval(-1, 1)


@pytest.mark.parametrize("x", DRAWN)
def test_functions_agree_with_decimals_and_with_each_other(x):
    with localcontext() as context:
        context.prec = 120
        value = Decimal(x.numerator) / Decimal(x.denominator)
        off = Fraction(1, 10**115)  # of the decimals
        for found, wanted in ((exp(Interval(x)), value.exp()), (log(Interval(x)), value.ln())):
            assert found.low - off * 1000 <= Fraction(wanted) <= found.high + off * 1000
            assert found.high - found.low < Fraction(1, 2**280)
        assert found.low <= Fraction(wanted) + off
    root = Interval(x).sqrt()
    holds(root * root, x)
    c, s = cos(Interval(x)), sin(Interval(x))
    holds(c * c + s * s, 1)
    turn = angle(c, s) - x
    holds(turn if turn.high > -1 else turn + 2 * pi(), 0, Fraction(1, 2**290))
    grown = exp(arsinh(Interval(x)))
    holds((grown - 1 / grown) / 2, x, Fraction(1, 2**280))


def test_pi_is_pi():
    assert str(float(pi().low)) == "3.141592653589793"
    holds(sin(pi()) + 0, 0)


@pytest.mark.parametrize("function", [exp, cos, sin])
def test_what_a_series_would_take_long_for_is_refused(function):
    for x in (1e3, -1e3, 1e300):
        with pytest.raises(ArithmeticError, match="a number is larger than"):
            function(Interval(Fraction(x)))


def test_a_system_is_solved_exactly_and_a_singular_one_refused():
    rng = np.random.default_rng(1)
    x = fractions(rng.standard_normal((7, 9)))
    gram, right = product(x, x), fractions(rng.standard_normal(7))
    assert times(gram, solved(gram, right)) == right
    assert dot(x[0], x[1]) == gram[0][1] == sum(a * b for a, b in zip(x[0], x[1], strict=True))
    with pytest.raises(ValueError, match="different lengths"):
        times(x, x[0][:-1])
    with pytest.raises(ZeroDivisionError):
        solved(fractions([[1, 1], [1, 1]]), fractions([1, 1]))


def test_end_points_are_rounded_outwards_and_a_wide_enclosure_is_refused():
    low, high = stored(Fraction(1, 3), Fraction(1, 3))
    assert low < Fraction(1, 3) < high
    assert high - low == Fraction(1, 2**192)
    for bad in ((Fraction(1), Fraction(2)), (Fraction(1), Fraction(1) - WIDTH), (Interval(0, 1), Interval(0, 1))):
        with pytest.raises(Refused):
            enclosed(*bad)


RNG = np.random.default_rng(2)
SETS = {
    "drawn": RNG.standard_normal((7, 3)),
    "near a ray": np.column_stack([1e-8 * RNG.standard_normal((6, 2)), np.ones(6)]),
    "integers": RNG.integers(-2, 3, (8, 3)).astype(float),
    "doubled": np.repeat(RNG.standard_normal((4, 3)), 2, axis=0),
}


@pytest.mark.parametrize("name", SETS)
def test_no_direction_exceeds_the_largest_response_and_one_reaches_it(name):
    x, c = SETS[name], np.random.default_rng(3).standard_normal(len(SETS[name]))
    bound = float(largest_response(fractions(x), fractions(c)).high)
    rng = np.random.default_rng(4)
    directions = rng.standard_normal((20_000, 3))
    for spread in (1e-2, 1e-4, 1e-6, 1e-8, 1e-9):  # and around the best so far
        directions /= np.linalg.norm(directions, axis=1, keepdims=True)
        reached = np.abs(np.maximum(directions @ x.T, 0) @ c)
        assert reached.max() <= bound * (1 + 1e-12)
        best = directions[np.argsort(reached)[-20:]]
        directions = np.concatenate([best, np.repeat(best, 400, axis=0) + spread * rng.standard_normal((8000, 3))])
    assert reached.max() >= bound * (1 - 1e-3)


def test_points_in_a_plane_are_refused():
    with pytest.raises(Refused, match="in one plane"):
        largest_response(fractions([[1, 0, 1], [2, 0, 1]]), fractions([1, 1]))


def test_kernels_are_those_of_the_library():
    x = RNG.standard_normal((5, 3))
    for (i, a), (j, b) in itertools.product(enumerate(x), repeat=2):
        found = relu_kernel(fractions(a), fractions(b))
        assert float(found.low) == pytest.approx(library_kernel(x, x)[i, j], rel=1e-7)
    places = np.array([-1.5, 0.2, 1.9])
    gram = [[float(ramp_kernel(one, other, Fraction(2))) for other in fractions(places)] for one in fractions(places)]
    for labels in np.eye(3):
        best = ramp_spline(places, labels, BiasLaw(2.0))
        assert np.linalg.solve(gram, labels) == pytest.approx(best.charges, rel=1e-9)


def test_the_floor_of_a_polynomial_lies_below_it_and_touches_it():
    zero = Interval(0)
    wave = {(1, 0): 1.0, (0, 1): 1.0, (1, 1): 0.25, (2, 1): 0.1}  # cosines: the minimum is looked for on a grid
    coefficients = {
        k: (Interval(Fraction(wave.get(k, 0.0)) / 1), zero) for k in itertools.product(range(-2, 3), repeat=2)
    }
    t = np.linspace(0, 2 * np.pi, 721)
    a, b = np.meshgrid(t, t, indexing="ij")

    def value(a, b):
        return sum(size * np.cos(k[0] * a + k[1] * b) for k, size in wave.items())

    grid = value(a, b)
    lowest = [(a.flat[i], b.flat[i]) for i in np.flatnonzero(grid < grid.min() + 1e-9)]
    bound = float(floor(coefficients, 2, [fractions(place) for place in lowest]))
    assert bound <= grid.min()
    assert bound >= grid.min() - 0.1
    with pytest.raises(Refused, match="at no minimum"):
        floor(coefficients, 2, [fractions((0.0, 0.0))])


def test_samples_that_are_not_nearly_orthogonal_are_refused():
    grows(fractions([1, 1]), fractions([[1, 0], [0.25, 1]]))
    with pytest.raises(Refused, match="nearly orthogonal"):
        grows(fractions([1, 1]), fractions([[1, 0], [1, 1]]))
