"""A proof, for one set of samples, that a leaky ReLU network's margin problem has one stationary point."""

from itertools import product

import numpy as np

from implicit_bias.checks import Array, instance
from implicit_bias.data import Classification
from implicit_bias.limits.certificate import exponent
from implicit_bias.limits.margin.rank_two import network_shape
from implicit_bias.limits.ranges import Ranges
from implicit_bias.limits.rounding import LEAST, UNIT, Balls

MOST_ROUNDS = 200  # of bounds that tighten
GAIN = 1e-4  # of the widest interval in a round, relative; with less it is given up
UNDERFLOW = 2.0**-900  # more than all products of a sum that underflow lose
SMALLEST = 2.0**-300  # of γ times the bracket; beyond it no quotient underflows
FINE = 2.0**-27  # of what rounding may lose; its square is less than a rounding
PAIRS = np.array(list(product((False, True), repeat=2)))[:, :, None]  # which of the two kinds has its largest φ′


def agreement(problem: Classification, slope: float, positive: int, negative: int) -> bool:
    """Whether intervals prove that at every KKT point all neurons of one sign see each sample from the same side.

    At a KKT point of min ½‖W‖_F² subject to y_i f(x_i; W) ≥ 1, with s_ik = y_i y_k ⟨x_i, x_k⟩ and |a_j| = 1/√m,

    h_ji = y_i ⟨w_j, x_i⟩/a_j = Σ_k s_ik λ_k φ′_jk,  y_i f(x_i) = (1/m) Σ_j φ′_ji h_ji,  λ_i > 0 only where that is 1

    with λ ≥ 0 and γ ≤ φ′ ≤ 1. Each λ_i lies in an interval, each φ′_ji in one for the positive and one for the negative
    neurons. The largest ν_i = λ_i ‖x_i‖² is at most 1/(γ min_i(γ − Σ_k max(−s_ik, 0)/‖x_k‖²)). From there on the
    intervals bound h_ji, y_i f(x_i) ≥ 1 bounds λ_i from below, y_i f(x_i) ≤ 1 bounds it from above, or it is 0, and
    φ′_ji is known once h_ji > 0, in turn until nothing changes.

    If all signs are h_ji > 0, then the KKT points are those of a convex quadratic program, with the matrix K of
    ``rank_two``: there is one, the global minimizer.

    problem: n samples.
    slope: γ in (0, 1].
    positive, negative: m₁ and m₂, at least 1 each.

    Returns whether it succeeds. That it does is a proof for the floats as they are: the s_ik are enclosed, and every
    bound is rounded outwards, by more than what its sums and products can lose. That it fails proves nothing.
    Raises ValueError for an argument outside its range.

    Reference: Frei et al. 2023, Theorem 3.2, for the conclusion; Higham 2002, Section 3.1, for the rounding.

    >>> from implicit_bias.data import Classification
    >>> near, far = (np.eye(3) + correlation for correlation in (0.01, 1.0))
    >>> [agreement(Classification(x, np.array([1.0, -1.0, 1.0])), 0.5, 2, 3) for x in (near, far)]
    [True, False]
    """
    instance("problem", problem, Classification)
    slope, m = network_shape(slope, positive, negative)
    with np.errstate(all="ignore"):  # what overflows is not proved
        return _signs_are_known(problem, slope, np.array([[positive / m], [negative / m]]))


def _signs_are_known(problem: Classification, slope: float, shares: Array) -> bool:
    """``agreement`` for the shares m₁/m and m₂/m.

    In the units ν_k = λ_k q_k, q_k near ‖x_k‖², the h_ji are Σ_k φ′_jk (s_ik/q_k) ν_k.
    """
    signed, _ = _signed(problem)
    lost = _lost(signed)
    if not lost < FINE:
        return False
    parts = _parts(signed)
    largest = _largest(slope, parts[1], lost)
    if largest == np.inf:
        return False
    low, high = np.zeros(len(problem.y)), np.full(len(problem.y), largest)
    # mutant anywhere(0 → 1): the labels are 1 and −1
    known = np.where([problem.y > 0, problem.y < 0], 1.0, slope)
    least, most = np.full(known.shape, slope), np.ones(known.shape)  # of φ′, by the neuron's sign
    for _ in range(MOST_ROUNDS):
        weak, strong = least * low, most * high  # φ′ν
        own, below, above = _sides(weak, strong, parts, lost)
        sure = own > 0
        width = float((high - low).max())  # mutant anywhere: how many rounds it is given; more prove nothing wrong
        first, last = _tightened(shares, (least, most), (below, above), lost)
        low, high = np.maximum(low, first), np.minimum(high, last)
        # mutant anywhere: how many rounds it is given; more prove nothing wrong
        gained = bool(np.any(sure & (least < most)))
        least, most = np.where(sure, known, least), np.where(sure, known, most)
        if sure.all():
            return True
        # mutant anywhere: how many rounds it is given; more prove nothing wrong
        if not gained and not width - float((high - low).max()) >= GAIN * width:
            return False
    return False


def _lost(signed: Ranges) -> float:
    """By how much the ‖x_i‖²/q_i may be off 1, and what a sum of n products of numbers ≥ 0 loses.

    With the operations around these are n + 8 roundings, and the square of what is off.
    """
    own = np.stack([np.diag(signed.low), np.diag(signed.high)])
    # mutant anywhere(16 → 17): more room than that
    return float(np.abs(own - 1).max()) + (len(signed.low) + 16) * UNIT


def _parts(signed: Ranges) -> tuple[Array, ...]:
    """The s_ik/q_k for i ≠ k, transposed: their least and largest values, each above 0 and below, by their moduli."""
    ends = [end.T * (1 - np.eye(len(end))) for end in (signed.low, -signed.low, signed.high, -signed.high)]
    return tuple(np.maximum(end, 0) for end in ends)


def _largest(slope: float, opposed: Array, lost: float) -> float:
    """A bound of all ν_k, 1/(γ min_i(γ − Σ_k opposed_ki)), rounded up; infinite where none is proved."""
    bracket = float(_difference(np.asarray(slope), opposed.sum(axis=0), lost).min())
    return (1 + lost) / (slope * bracket) if slope * bracket > SMALLEST else np.inf


def _sides(weak: Array, strong: Array, parts: tuple[Array, ...], lost: float) -> tuple[Array, Array, Array]:
    """Of h_ji a lower bound; and of what the other samples add to it a lower and an upper one.

    weak, strong: the least and the largest φ′ν.
    """
    least_up, least_down, most_up, most_down = parts
    helped, opposed = weak @ least_up, strong @ least_down
    return (
        _difference(weak + helped, opposed, lost),
        _difference(helped, opposed, lost),
        _difference(strong @ most_up, weak @ most_down, -lost),
    )


def _difference(plus: Array, minus: Array, lost: float) -> Array:
    """The difference of two sums, rounded down; or up, if lost is below 0."""
    underflow = np.copysign(UNDERFLOW, lost)
    return np.asarray((plus * (1 - lost) - underflow) - (minus * (1 + lost) + underflow))


def _tightened(
    shares: Array, slopes: tuple[Array, Array], rest: tuple[Array, Array], lost: float
) -> tuple[Array, Array]:
    """Between what ν_i lies if y_i f(x_i) = Σ share φ′_i (φ′_i ν_i + rest_i), of both kinds of neurons, is 1.

    For each ν_i it lies between the least and the largest of linear functions, with φ′ at its ends in front.

    slopes: the least and the largest φ′.
    rest: of what the other samples add to h_ji the least and the largest.
    """
    gates = shares * np.where(PAIRS, slopes[1], slopes[0])
    first = _to_one(gates, shares, slopes[1], rest[1], -lost)
    last = _to_one(gates, shares, slopes[0], rest[0], lost)
    return np.asarray(first.min(axis=0)), np.asarray(last.max(axis=0))


def _to_one(gates: Array, most: Array, own: Array, rest: Array, lost: float) -> Array:
    """The ν ≥ 0 at which Σ gate (own ν + rest), summed over the two kinds of neurons, is 1, or 0 where it is more at 0.

    Rounded up; or down, if lost is below 0.

    gates: … × 2 × n, at most most.
    """
    lack = 1 - (gates * rest).sum(axis=1)
    # mutant anywhere(1 → 2; most → 1): more room than is lost
    lack = np.maximum(lack + lost * (1 + (most * np.abs(rest)).sum(axis=0)), 0)
    return np.asarray(lack / (gates * own).sum(axis=1))  # whose rounding is within what is lost of 1 + … ≥ lack


def _signed(problem: Classification) -> tuple[Ranges, Array]:
    """s_ik/q_k, n × n: the products of the samples, in a unit of their own, over floats q_k near ‖x_k‖²; and these."""
    power = exponent(problem.x)
    x = np.ldexp(problem.signed, -power)
    # mutant anywhere(==): what the product allows for underflow covers this too
    points = Balls(x, np.where(np.ldexp(x, power) == problem.signed, 0.0, LEAST))
    products = points @ Balls(x.T, points.radius.T)
    q = np.maximum(np.diag(products.middle), UNDERFLOW)
    return Ranges.around(products.middle, products.radius).over(Ranges.of(q)), q
