"""The proof by intervals: it succeeds within the condition, and where it does, there is one point, in fractions."""

from fractions import Fraction
from itertools import chain, combinations, permutations, product

import numpy as np
import pytest

from implicit_bias.data import Classification
from implicit_bias.limits.margin import agreement, margin_search, orthogonality, rank_two
from implicit_bias.limits.margin.agreement import (
    _difference,
    _largest,
    _lost,
    _parts,
    _sides,
    _signed,
    _tightened,
    _to_one,
)
from implicit_bias.limits.ranges import Ranges


def drawn(stream, n, d):
    return Classification(stream.standard_normal((n, d)) / np.sqrt(d), np.where(np.arange(n) < n // 2, 1.0, -1.0))


@pytest.mark.parametrize("slope", [0.3, 0.5, 0.9])
@pytest.mark.parametrize("counts", [(3, 2), (1, 6)])
def test_it_succeeds_within_the_condition(slope, counts):
    stream = np.random.default_rng(0)
    allowed = slope**3 / (1 + slope + slope**2) / 5
    for _ in range(20):
        gram = np.triu(stream.choice([-1.0, 1.0], (6, 6)), 1) * allowed * 0.999
        lengths = stream.uniform(1, 3, 6)
        points = lengths[:, None] * np.linalg.cholesky(gram + gram.T + np.eye(6))
        for labels in (stream.choice([-1.0, 1.0], 6), -np.ones(6)):
            samples = Classification(points, labels)
            if orthogonality(samples, slope) > 1:
                assert agreement(samples, slope, *counts)
                assert rank_two(samples, slope, *counts).valid


def test_where_it_succeeds_there_is_one_point():
    stream = np.random.default_rng(1)
    proved = 0
    for _ in range(20):
        samples = drawn(stream, 4, 160)
        if agreement(samples, 0.5, 3, 2):
            proved += 1
            if proved <= 3:
                limit = rank_two(samples, 0.5, 3, 2)
                assert orthogonality(samples, 0.5) < 1  # beyond the condition
                _, values = margin_search(samples, 0.5, 3, 2, stream, starts=5)
                np.testing.assert_allclose(values, limit.multipliers.sum() / 2, rtol=1e-7)
    assert proved >= 3


def test_it_does_not_depend_on_units_or_order():
    stream = np.random.default_rng(2)
    for _ in range(20):
        samples = drawn(stream, 5, 150)
        order = stream.permutation(5)
        same = [Classification(c * samples.x[k], samples.y[k]) for c in (1, 1e6) for k in (np.arange(5), order)]
        answers = {agreement(one, 0.5, 2, 2) for one in same}
        swapped = agreement(Classification(samples.x, -samples.y), 0.5, 2, 2)
        assert answers == {swapped}


def test_it_fails_where_signs_are_wrong():
    assert not agreement(Classification(np.array([[1.0, 0.0], [0.9, 0.3]]), np.array([1.0, -1.0])), 0.1, 1, 1)
    assert not agreement(Classification(np.array([[1.0, 0.0], [0.0, 0.0]]), np.array([1.0, -1.0])), 0.5, 1, 1)
    stream = np.random.default_rng(3)
    for _ in range(50):
        samples = drawn(stream, 5, 15)
        assert rank_two(samples, 0.5, 2, 2).valid or not agreement(samples, 0.5, 2, 2)


def solved(matrix):
    """The x with Ax = 1 in fractions, or None where A is singular."""
    rows = [[*row, Fraction(1)] for row in matrix]
    for c in range(len(rows)):
        pivot = next((r for r in range(c, len(rows)) if rows[r][c]), None)
        if pivot is None:
            return None
        rows[c], rows[pivot] = rows[pivot], rows[c]
        rows[c] = [value / rows[c][c] for value in rows[c]]
        rows = [
            row if r == c else [a - row[c] * b for a, b in zip(row, rows[c], strict=True)] for r, row in enumerate(rows)
        ]
    return [row[-1] for row in rows]


def has_another_point(samples, slope, positive, negative):
    """Whether some neuron sees some sample from the wrong side, or from neither, at a KKT point, in fractions.

    Of all slopes φ' in {γ, 1} and all supports of λ, for networks whose neurons of one sign are equal.
    """
    x, n, slope = [[Fraction(float(v)) for v in row] for row in samples.signed], len(samples.y), Fraction(slope)
    s = [[sum(a * b for a, b in zip(one, other, strict=True)) for other in x] for one in x]
    known = [[Fraction(1) if sign * y > 0 else slope for y in samples.y] for sign in (1, -1)]
    shares = [Fraction(count, positive + negative) for count in (positive, negative)]
    supports = list(chain.from_iterable(combinations(range(n), size) for size in range(1, n + 1)))
    for flat in product((Fraction(1), slope), repeat=2 * n):
        gates = [list(flat[:n]), list(flat[n:])]
        if gates == known:
            continue
        kernel = [
            [s[i][k] * sum(c * g[i] * g[k] for c, g in zip(shares, gates, strict=True)) for k in range(n)]
            for i in range(n)
        ]
        for support in supports:
            found = solved([[kernel[i][k] for k in support] for i in support])
            if found is None or min(found) < 0:
                continue
            weights = dict(zip(support, found, strict=True))
            if min(sum(kernel[i][k] * v for k, v in weights.items()) for i in range(n)) < 1:
                continue
            sides = [
                sum(s[i][k] * gate[k] * v for k, v in weights.items()) * (1 if gate[i] == right[i] else -1)
                for gate, right in zip(gates, known, strict=True)
                for i in range(n)
            ]
            if min(sides) >= 0:
                return True
    return False


@pytest.mark.parametrize("seed", range(4))
def test_what_it_proves_is_true_in_fractions(seed):
    stream = np.random.default_rng(seed)
    proved = others = 0
    while proved < 12:
        n = int(stream.integers(2, 4))
        points = stream.standard_normal((n, 3)) * np.exp(stream.uniform(-2, 2, (n, 1)))
        points += stream.choice([0, 1, 3]) * stream.standard_normal(3)  # some of them lie near one ray
        samples = Classification(points, stream.choice([-1.0, 1.0], n))
        given = (samples, float(stream.uniform(0.05, 1)), *(int(count) for count in stream.integers(1, 30, 2)))
        if agreement(*given):
            proved += 1
            assert not has_another_point(*given)
        elif others < 3 and n == 2:
            others += has_another_point(*given)
    assert others > 0


def test_a_product_that_rounding_loses_is_not_proved():
    """⟨x₁, x₂⟩ = 0.72 is lost beside 2⁶⁰, in most orders: without it both signs would be sure, and they are not."""
    points, lost = np.array([[2.0**60, 0.72, -(2.0**60)], [1, 1, 1]]), []
    for order in permutations(range(3)):
        samples = Classification(points[:, order], np.array([1.0, -1.0]))
        lost.append(float(samples.x[0] @ samples.x[1]) == 0)
        assert has_another_point(samples, 0.25, 30, 1)
        assert not agreement(samples, 0.25, 30, 1)
    assert any(lost)
    assert agreement(Classification(np.array([[2.0**40, 0], [0, 1]]), np.array([1.0, -1.0])), 0.25, 30, 1)


def test_a_multiplier_that_is_bounded_by_less_than_0_is_0():
    """A sample along another, ten times as long, has the multiplier 0; were it below 0, it would prove wrong signs."""
    for ratio in (16, 32):
        points = np.array([[-0.26, 8, 0], [-1, 0, 0], [-ratio, 0, 0.125]])
        samples = Classification(points, np.array([1.0, -1.0, -1.0]))
        assert has_another_point(samples, 0.3125, 30, 1)
        assert not agreement(samples, 0.3125, 30, 1)


@pytest.mark.parametrize("size", [1e-300, 1e-150, 1e150, 1e300])
def test_it_knows_its_answer_at_every_scale(size):
    points = np.array([[1.0, 0.01], [0.02, 1.0]])
    assert agreement(Classification(size * points, np.array([1.0, -1.0])), 0.5, 2, 1)


def fractions(values):
    return np.vectorize(Fraction, otypes=[object])(values)


def rounding(n):
    """What n orthogonal samples of length 1 may lose."""
    return _lost(Ranges(np.eye(n), np.eye(n)))


@pytest.mark.parametrize("n", [1, 2, 5, 40, 400])
def test_every_bound_is_rounded_outwards(n):
    stream = np.random.default_rng(n)
    lost = rounding(n)
    for _ in range(200 // n + 1):
        few = min(n, 8)
        one, other, matrix = stream.uniform(0, 1, (2, n)), stream.uniform(0, 1, (2, n)), stream.uniform(0, 1, (n, few))
        one[0, 1:] *= 2.0**-53 if n > 100 else 1.0  # beside the first, they are lost one after the other
        for plus, minus in ((one, other), (one, 0 * other), (0 * one, other)):
            sums = fractions(plus) @ fractions(matrix) - fractions(minus) @ fractions(matrix)
            assert np.all(fractions(_difference(plus @ matrix, minus @ matrix, lost)) < sums)
            assert np.all(fractions(_difference(plus @ matrix, minus @ matrix, -lost)) > sums)
        slope, opposed = float(stream.uniform(0.5, 1)), matrix[:, : min(n, 5)] / (4 * n)
        truth = 1 / (Fraction(slope) * min(Fraction(slope) - sum(column) for column in fractions(opposed).T))
        found = Fraction(_largest(slope, opposed, lost))
        assert truth < found < truth * (1 + 100 * Fraction(lost))
        gates, own = np.sort(stream.uniform(0.1, 1, (4, 2, n)), axis=0), stream.uniform(0.1, 1, (2, n))
        rest = stream.choice([1.0, 1e6]) * stream.standard_normal((2, n))
        lack = 1 - (fractions(gates) * fractions(rest)).sum(axis=1)
        truth = np.maximum(lack, 0) / (fractions(gates) * fractions(own)).sum(axis=1)
        below, above = (fractions(_to_one(gates, gates[-1], own, rest, side * lost)) for side in (-1, 1))
        assert np.all((below < truth) | ((truth == 0) & (below == 0)))
        assert np.all((above > truth) | ((truth == 0) & (above == 0)))
        assert np.all(above - below <= fractions(1000 * lost * (1 + np.abs(rest).max())))


def test_what_lengths_are_off_is_lost_too():
    low, high = np.diag([1.0, 0.75, 1.0]), np.diag([1.0, 1.0, 1.125])
    assert 0.25 < _lost(Ranges(low, high)) < 0.25 + 1e-14
    assert 0.125 < _lost(Ranges(np.eye(3), high)) < 0.125 + 1e-14
    assert 10 * 2.0**-53 < rounding(2) < 24 * 2.0**-53


@pytest.mark.parametrize("n", [1, 2, 40])
def test_the_lengths_may_be_off_at_every_bound_of_a_multiplier(n):
    off, stream = 2.0**-28, np.random.default_rng(n)
    lost = _lost(Ranges(np.eye(n) * (1 - off), np.eye(n) * (1 + off)))
    gates, own = np.sort(stream.uniform(0.1, 1, (4, 2, n)), axis=0), stream.uniform(0.1, 1, (2, n))
    for rest in (0.0, -1.0, -1e6):  # of both kinds alike, where what is lost is a share of the whole lack
        lack = 1 - fractions(gates).sum(axis=1) * Fraction(rest)
        truth = lack / (fractions(gates) * fractions(own)).sum(axis=1)
        below, above = (
            fractions(_to_one(gates, gates[-1], own, np.full((2, n), rest), side * lost)) for side in (-1, 1)
        )
        assert np.all(below < truth / (1 + Fraction(off)))
        assert np.all(above > truth / (1 - Fraction(off)))


@pytest.mark.parametrize("n", [2, 5, 12])
def test_what_the_other_samples_do_lies_between_its_bounds(n):
    stream = np.random.default_rng(n)
    lost = rounding(n)
    for spread in (0.0, 1e-3, 1.0):
        low = stream.standard_normal((n, n))
        high, weak = low + spread * stream.uniform(0, 1, (n, n)), stream.uniform(0, 1, (2, n))
        strong = weak + spread * stream.uniform(0, 1, (2, n))
        own, below, above = (fractions(one) for one in _sides(weak, strong, _parts(Ranges(low, high)), lost))
        for share in (0, Fraction(1, 3), 1):
            for other in (0, Fraction(2, 3), 1):
                s = fractions(low) + share * (fractions(high) - fractions(low))
                s[np.diag_indices(n)] = 0
                moved = fractions(weak) + other * (fractions(strong) - fractions(weak))
                assert np.all(below < moved @ s.T)
                assert np.all(own < fractions(weak) + moved @ s.T)
                assert np.all(moved @ s.T < above)
        if spread == 0:
            assert np.all(above - below < 100 * n * Fraction(lost))
            assert np.all(fractions(weak) + above - own < 100 * n * Fraction(lost))


@pytest.mark.parametrize("n", [2, 40])
def test_the_value_one_is_met_between_two_multipliers(n):
    stream = np.random.default_rng(n)
    lost = rounding(n)
    shares = np.array([[0.75], [0.25]])
    for spread in (0.0, 1e-2, 0.5):
        least, below = stream.uniform(0.2, 0.5, (2, n)), stream.uniform(-0.5, 0.5, (2, n))
        most, above = least + spread * stream.uniform(0, 1, (2, n)), below + spread * stream.uniform(0, 1, (2, n))
        first, last = (fractions(one) for one in _tightened(shares, (least, most), (below, above), lost))
        values = []
        for share in product((0, 1), (0, 1), (0, 1)):  # of both φ′, and of the rest
            gate = fractions(least) + np.array(share[:2])[:, None] * (fractions(most) - fractions(least))
            rest = fractions(below) + share[2] * (fractions(above) - fractions(below))
            for slope in (gate, fractions(least), fractions(most)):
                front = fractions(shares) * gate
                values.append(np.maximum((1 - (front * rest).sum(axis=0)) / (front * slope).sum(axis=0), 0))
        assert np.all(first < np.min(values, axis=0))
        assert np.all(np.max(values, axis=0) < last)
        assert np.all(np.min(values, axis=0) - first < 1000 * Fraction(lost))
        assert np.all(last - np.max(values, axis=0) < 1000 * Fraction(lost))


def test_no_bound_of_the_multipliers_where_none_is_proved():
    assert _largest(0.5, np.array([[0.0, 0.25], [0.25, 0.0]]), rounding(2)) == pytest.approx(8)
    assert _largest(0.5, np.array([[0.0, 0.25], [0.5, 0.0]]), rounding(2)) == np.inf
    assert _largest(0.5, np.array([[0.0, 0.25], [0.75, 0.0]]), rounding(2)) == np.inf
    assert _largest(1e-60, np.zeros((2, 2)), rounding(2)) == np.inf  # beyond which quotients may underflow


def test_what_underflows_is_within_the_bounds():
    tiny = np.full((1, 3), 1e-200)
    for lost in (rounding(3), -rounding(3)):
        found = _difference(tiny @ tiny.T, tiny @ tiny.T, lost).item()
        assert found * lost < 0
        assert abs(found) > 3 * 1e-323


BEYOND = np.array([[1e300], [1e-15], [1e-10], [1.0]])  # some of which are rounded where the largest is 1


@pytest.mark.parametrize("unit", [1.0, 1e-160, 1e-300])
def test_the_products_of_the_samples_are_enclosed(unit):
    stream = np.random.default_rng(4)
    for lengths in (1.0, np.array([[1e8], [1.0], [1e-3], [0.3]]), np.array([[1.0], [1e-158], [1.0], [1.0]]), BEYOND):
        samples = Classification(unit * lengths * stream.standard_normal((4, 5)), np.array([1.0, -1, 1, 1]))
        found, q = _signed(samples)
        exact = fractions(samples.signed) @ fractions(samples.signed.T)
        exact = exact / Fraction(4) ** int(np.frexp(np.abs(samples.x).max())[1]) / fractions(q)
        assert np.all(fractions(found.low) <= exact)
        assert np.all(exact <= fractions(found.high))
        if np.ndim(lengths) == 0:
            assert np.all(found.high - found.low < 1e-13)
            assert np.all(np.abs(np.diag(found.low) - 1) < 1e-13)


@pytest.mark.parametrize(
    ("n", "d", "slope", "known"), [(4, 80, 0.8, 40), (4, 120, 0.5, 14), (6, 300, 0.5, 9), (4, 80, 0.3, 1)]
)
def test_how_far_it_reaches(n, d, slope, known):
    """Of forty Gaussian sets: signs that are known tighten the bounds of the others."""
    stream = np.random.default_rng(2)
    assert sum(agreement(drawn(stream, n, d), slope, 3, 2) for _ in range(40)) == known
