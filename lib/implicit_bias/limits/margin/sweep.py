"""The local extremes of a sum of ReLUs over the unit sphere of R³, each circle walked around in whole numbers."""

from functools import cmp_to_key
from typing import Any

import numpy as np
from numpy.typing import NDArray

from implicit_bias.checks import Array
from implicit_bias.limits.certificate import CertificateError
from implicit_bias.limits.rounding import Exact

Whole = NDArray[Any]  # Python's whole numbers, of any length

# What is compared below are whole numbers rounded to float64, divided by lengths and multiplied: inner products of such
# directions are off by at most 10 units of 1.1e-16, angles by 50, lengths and what is divided by them by 15.
UNSURE = 4e-15
CLOSE = 1e-13
ROUNDING = 4e-15
AT_ONCE = 2**18  # numbers: the sides of all points on which some of the cells lie


def local_extremes(x: Array, charges: Array) -> tuple[Array, Array, int]:  # attack: none, inside solvers
    """Where g(u) = Σ_i q_i (u·x_i)₊ is extreme on the unit sphere of R³, and its size there.

    On the cell of the terms A that are active, g(u) = v_A·u with v_A = Σ_{i∈A} q_i x_i. So |g| is largest inside a
    cell, at ±v_A/‖v_A‖, or inside an arc of a circle u ⊥ x_i, at the same of the projection of v_A, whose length is
    ‖v_A × x_i‖/‖x_i‖, or at a vertex ±x_i × x_j. A float64 is a whole number times a power of two: v_A, v_A × x_i and
    x_i × x_j are found as whole numbers, without rounding, by a walk around each circle, and are rounded once at the
    end. The order of the vertices along a circle is that of their angles in float64, and where these are close that of
    the signs of det(x_i, x_j, x_k). A place is left out only where it lies outside its cell or arc by more than all
    rounding, and a cell where it cannot hold more than a vertex does.

    x: n × 3, no row 0.
    charges: q, n numbers, none 0.

    Returns directions, k × 3 of unit norm; the sizes there with the sign of g, k numbers, each right to 4e-15 of
    itself, and at least |g| if the direction lies outside its cell by less than rounding; and the power of two that is
    their unit.
    Raises CertificateError where the numbers are of too different size.
    """
    rows = [Exact.of(row) for row in x]
    amounts = Exact.of(charges)
    powers = [row.power + amounts.power for row in rows]
    unit = min(powers)
    whole = np.stack([row.whole for row in rows])
    parts = np.stack(
        [row.whole * (q << (power - unit)) for row, q, power in zip(rows, amounts.whole, powers, strict=True)]
    )
    return *_extremes(*_lines(whole, parts)), unit


def _lines(rows: Whole, parts: Whole) -> tuple[Whole, Whole, Whole, Whole]:
    """The points by the lines that they lie in.

    rows: x_i up to a factor > 0, n × 3.
    parts: q_i x_i, n × 3.

    Returns one x of each line, l × 3; x_i × x_j among them, l × l × 3; the sum of the q_i x_i on its side, and that of
    those on the other side, l × 3 each.
    """
    crossed = _cross(rows[:, None], rows[None])
    first = np.argmax(np.all(crossed == 0, axis=2), axis=1)
    line, member = np.unique(first, return_inverse=True)
    same_side = _dot(rows, rows[first]) > 0
    sides = np.zeros((2, len(line), 3), dtype=object)
    for part, of, same in zip(parts, member, same_side, strict=True):
        sides[0 if same else 1, of] += part
    return rows[line], crossed[np.ix_(line, line)], sides[0], sides[1]


def _extremes(x: Whole, crossed: Whole, with_: Whole, against: Whole) -> tuple[Array, Array]:
    """The places and the sizes of all extremes, from one point of each line and the sums on both of its sides."""
    if len(x) == 1:  # g grows with |u·x| alone
        to, far = _rounded(np.concatenate([with_, against]))
        way = np.concatenate([_rounded(x)[0], _rounded(-x)[0]])
        return way, np.sign(_dot(to, way)) * far
    order, sign = _around(x, crossed)
    half = sign[:, :, None] * np.take_along_axis(crossed, order[:, :, None], axis=1)
    at = np.concatenate([half, -half], axis=1)  # the vertices d_1 … d_k, −d_1 … −d_k once round each circle
    # At ±x_i × x_l, d or −d, the turn about x_i leaves the side of x_l or comes to it; what lies against x_l the other
    # way round. So before d_1 all is active that stops at some d, and after −d_1, −d_2, … what is not after d_1, d_2, …
    begin = np.where(sign[:, :, None] > 0, with_[order], against[order]).sum(axis=1)
    after = begin[:, None] - np.cumsum(sign[:, :, None] * (with_ - against)[order], axis=1)
    every = (with_ + against)[order].sum(axis=1)
    active = np.concatenate([after, every[:, None] - after], axis=1)
    to, far = _rounded(at)
    places, sizes = [to.reshape(-1, 3)], [(_floats(_dot(active, at)) / far).ravel()]
    for place, size in (
        _on_arcs(x, active, to),
        _in_cells(x, order, sign, active, (with_, against), float(np.max(np.abs(sizes[0])))),
    ):
        places.append(place[size != 0])
        sizes.append(size[size != 0])
    return np.concatenate(places), np.concatenate(sizes)


def _around(x: Whole, crossed: Whole) -> tuple[NDArray[np.intp], NDArray[np.int64]]:
    """The other circles in the order in which half a turn about each x_i meets them, l × (l − 1).

    The second answer is 1 where it meets them at x_i × x_j, −1 where at its opposite.
    """
    count = len(x)
    own = np.arange(count)[:, None]
    others = np.arange(count - 1) + (np.arange(count - 1) >= own)
    to = _rounded(crossed[own, others])[0]
    first, second = to[:, :1], _cross(_rounded(x)[0][:, None], to[:, :1])
    angle = np.arctan2(_dot(to, second), _dot(to, first))
    ends = np.sort(angle % np.pi, axis=1)
    gaps = np.diff(ends, axis=1, append=ends[:, :1] + np.pi)
    widest = np.argmax(gaps, axis=1)[:, None]  # the half turn begins in the middle of the widest gap
    angle = (angle - np.take_along_axis(ends + gaps / 2, widest, axis=1)) % (2 * np.pi)
    sign = np.where(angle < np.pi, 1, -1)
    sorted_ = np.argsort(angle % np.pi, axis=1, kind="stable")
    close = np.diff(np.take_along_axis(angle % np.pi, sorted_, axis=1), axis=1) < CLOSE
    others, sign = (np.take_along_axis(part, sorted_, axis=1) for part in (others, sign))
    for i in np.flatnonzero(close.any(axis=1)).tolist():

        def turned(one: tuple[int, int], other: tuple[int, int], i: int = i) -> int:
            """Below 0 where the first of two is met first: their cross product has the direction of x_i."""
            return int(-one[1] * other[1] * (crossed[i, one[0]] @ x[other[0]]))

        ends_of_runs = np.flatnonzero(~close[i]) + 1
        runs = np.split(np.arange(count - 1), ends_of_runs)
        for run in (run for run in runs if len(run) > 1):
            both = sorted(zip(others[i, run].tolist(), sign[i, run].tolist(), strict=True), key=cmp_to_key(turned))
            others[i, run], sign[i, run] = np.array(both).T
    return others, sign


def _on_arcs(x: Whole, active: Whole, to: Array) -> tuple[Array, Array]:
    """The extremes inside of arcs: where v·u stops to grow, or to fall, between one vertex and the next."""
    normal, length = _rounded(x)
    turned, far = _rounded(_cross(active, x[:, None]))  # v × x_i: at d the growth of v·u is (v × x_i)·d
    begin, end = _dot(turned, to), _dot(turned, np.roll(to, -1, axis=1))
    size = far / length[:, None]
    place = _cross(normal[:, None], turned)
    most, least = (begin > -UNSURE) & (end < UNSURE), (begin < UNSURE) & (end > -UNSURE)
    return np.concatenate([place[most], -place[least]]), np.concatenate([size[most], -size[least]])


def _in_cells(
    x: Whole, order: NDArray[np.intp], sign: NDArray[np.int64], active: Whole, sides: tuple[Whole, Whole], floor: float
) -> tuple[Array, Array]:
    """The extremes inside of cells that are larger than a floor, from the cells on both sides of each arc."""
    normal = _rounded(x)[0]
    count = len(x)
    rank, stops = np.zeros((count, count), dtype=np.intp), np.zeros((count, count), dtype=np.bool_)
    np.put_along_axis(rank, order, np.arange(count - 1)[None], axis=1)
    np.put_along_axis(stops, order, sign > 0, axis=1)
    places, sizes = [], []
    for own, side in zip((True, False), sides, strict=True):
        to, far = _rounded(active + side[:, None])
        high = np.nonzero(far > floor)
        to, far = to[high], far[high]
        most, least = np.zeros(len(to), dtype=np.bool_), np.zeros(len(to), dtype=np.bool_)
        step = 1 + AT_ONCE // count
        for part in (slice(begin, begin + step) for begin in range(0, len(to), step)):
            i, k = high[0][part], high[1][part]
            on = ((rank[i] > k[:, None] % (count - 1)) == stops[i]) ^ (k[:, None] >= count - 1)
            on[np.arange(len(i)), i] = own
            inward = to[part] @ normal.T
            np.negative(inward, out=inward, where=~on)
            most[part], least[part] = np.all(inward > -UNSURE, axis=1), np.all(inward < UNSURE, axis=1)
        places += [to[most], -to[least]]
        sizes += [far[most], -far[least]]
    return np.concatenate(places), np.concatenate(sizes)


def _rounded(vectors: Whole) -> tuple[Array, Array]:
    """The directions and the lengths of whole vectors; 0 has no direction."""
    near = _floats(vectors)
    size = np.abs(near)
    power = np.frexp(np.maximum(np.maximum(size[..., 0], size[..., 1]), size[..., 2]))[1]
    near = np.ldexp(near, -power[..., None])
    length = np.sqrt(_dot(near, near))
    # mutant anywhere(1.0): of a vector of length 0
    return near / np.where(length > 0, length, 1.0)[..., None], np.ldexp(length, power)


def _floats(values: Whole) -> Array:
    """Whole numbers rounded to float64."""
    try:
        return np.asarray(values.astype(np.float64))
    except OverflowError:
        raise CertificateError(
            "the largest response is not known: x and charges hold numbers of too different size for a proof"
        ) from None


def _dot(one: Whole, other: Whole) -> Whole:
    """Inner products along the last axis."""
    return np.asarray(one[..., 0] * other[..., 0] + one[..., 1] * other[..., 1] + one[..., 2] * other[..., 2])


def _cross(one: Whole, other: Whole) -> Whole:
    """Cross products along the last axis."""
    (a, b, c), (p, q, r) = (tuple(each[..., k] for k in range(3)) for each in (one, other))
    return np.stack([b * r - c * q, c * p - a * r, a * q - b * p], axis=-1)
