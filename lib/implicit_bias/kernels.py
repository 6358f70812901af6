"""Arc-cosine kernels: the mean of a product of two ReLUs over rotationally invariant inputs, in closed form.

Cosines come from a product of matrices. A cosine is right to rounding only, so that its angle θ is off by as much over
sin θ; but where sin θ = 0 the kernels are stationary in θ, and do not feel it.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from implicit_bias.checks import Array, array, choice, in_range, whole

Inputs = Literal["gaussian", "sphere"]
INPUTS: tuple[Inputs, ...] = ("gaussian", "sphere")
STEEP = 0.9  # a cosine beyond which it no longer fixes its angle
SIDE = 192  # rows and columns of a block of pairs: its numbers stay in the cache between two passes
GATHERED = 100_000  # pairs of which vectors are subtracted at a time


def second_moment(inputs: Inputs, d: int) -> float:
    """E[x xᵀ] = I for standard Gaussian inputs, I/d for inputs uniform on the unit sphere: the factor before I.

    inputs: "gaussian" or "sphere".
    d: dimension.

    >>> second_moment("gaussian", 3), round(second_moment("sphere", 3), 4)
    (1.0, 0.3333)
    """
    choice("inputs", inputs, INPUTS)
    return 1.0 if inputs == "gaussian" else 1.0 / whole("d", d, least=1)  # mutant(1): the guard of an argument


def angles(w: ArrayLike, v: ArrayLike) -> Array:
    """The angles θ in [0, π] between the rows of w and those of v, accurate also where they are small.

    θ = arccos ŵ·v̂, and where |ŵ·v̂| > 0.9 more accurately 2 arctan(‖ŵ − v̂‖ / ‖ŵ + v̂‖),  ŵ = w/‖w‖

    w: m × d.
    v: k × d.

    Returns m × k angles; that of a zero row, which has none, is π/2.
    Raises ValueError for arrays that do not fit together.

    >>> (angles([[1.0, 0.0]], [[0.0, 2.0], [-1.0, 0.0]]) / np.pi).round(12)
    array([[0.5, 1. ]])
    """
    left, right = (one.directions for one in _both(w, v))
    cosine = left @ right.T
    # mutant(1.0): rounding beyond a cosine of one
    # mutant(cosine, -1.0): the same: a clip from one side after the other
    theta = np.arccos(np.clip(cosine, -1.0, 1.0))
    _mend(theta, np.flatnonzero(np.abs(cosine) > STEEP), left, right)
    return np.asarray(theta)


@in_range
def relu_kernel(w: ArrayLike, v: ArrayLike, inputs: Inputs = "gaussian") -> Array:
    """The interaction of two ReLU neurons, and with x and w exchanged the conjugate kernel of a ReLU layer.

    k(w, v) = E[(w·x)₊ (v·x)₊] = c ‖w‖‖v‖ (sin θ + (π − θ) cos θ) / 2π,  c = 1 (Gaussian) or 1/d (sphere)

    w: m × d.
    v: k × d.
    inputs: the law of x: "gaussian" for N(0, I), "sphere" for uniform on the unit sphere.

    Returns m × k values.
    Raises ValueError for arrays that do not fit together and an unknown law.
    Reference: Cho and Saul 2009, the kernel of order 1 (there without the factor ½).

    >>> relu_kernel([[1.0, 0.0]], [[1.0, 0.0], [0.0, 1.0], [-1.0, 0.0]]).round(4) + 0.0
    array([[0.5   , 0.1592, 0.    ]])
    """
    first, second = _both(w, v)
    scale = second_moment(inputs, first.rows.shape[1]) / (2 * np.pi)
    sizes = np.outer(scale * first.lengths, second.lengths)
    return _times(sizes, first, second, lambda opposite, sine, beyond: sine - beyond * opposite)


@in_range
def relu_potential_gradient(w: ArrayLike, v: ArrayLike, weights: ArrayLike, inputs: Inputs = "gaussian") -> Array:
    """The gradient at each w of the potential V(w) = Σ_k weights_k k(w, v_k).

    ∇_w k(w, v) = E[1{w·x > 0} (v·x)₊ x] = c [(π − θ) v + sin θ ‖v‖ w/‖w‖] / 2π

    w: m × d.
    v: k × d.
    weights: k numbers.
    inputs: the law of x, as for ``relu_kernel``.

    Returns m × d. V is 1-homogeneous: w·∇V(w) = V(w). At w = 0, where V has a kink, the second term is left out.
    Raises ValueError for arrays that do not fit together and an unknown law.

    >>> relu_potential_gradient([[1.0, 0.0]], [[1.0, 0.0]], [2.0]).round(12)
    array([[1., 0.]])
    """
    first, second = _both(w, v)
    scale = second_moment(inputs, first.rows.shape[1]) / (2 * np.pi)
    charges = scale * array("weights", weights, 1, (len(second.rows),))
    pulled, charges = charges[:, None] * second.rows, charges * second.lengths
    pull, along = np.zeros_like(first.rows), np.zeros(len(first.rows))
    for rows, columns, mirrored, _, sine, beyond in _pairs(first, second):
        pull[rows] += beyond @ pulled[columns]
        along[rows] += sine @ charges[columns]
        if mirrored:
            pull[columns] += beyond.T @ pulled[rows]
            along[columns] += sine.T @ charges[rows]
    return np.asarray(pull + along[:, None] * first.directions)


@in_range
def squared_relu_kernel(w: ArrayLike, v: ArrayLike) -> Array:
    """The second moment of the product of two ReLUs over Gaussian inputs.

    E[(w·x)₊² (v·x)₊²] = ‖w‖²‖v‖² (3 sin θ cos θ + (π − θ)(1 + 2 cos² θ)) / 2π

    w: m × d.
    v: k × d.

    Returns m × k values.
    Reference: Cho and Saul 2009, the kernel of order 2 (there without the factor ½).

    >>> squared_relu_kernel([[1.0, 0.0]], [[1.0, 0.0], [-1.0, 0.0]]).round(12) + 0.0
    array([[1.5, 0. ]])
    """
    one, other = _both(w, v)  # mutant: each direction has its own partner; held by test_kernels
    with np.errstate(over="ignore"):
        # mutant(one.lengths, other.lengths): each direction has its own partner; held by test_kernels
        squares = np.outer(one.lengths, other.lengths) ** 2
    array("the product of the squared norms of w and v", squares, 2)
    squares /= 2 * np.pi
    return _times(
        squares, one, other, lambda opposite, sine, beyond: beyond * (1 + 2 * opposite**2) - 3 * sine * opposite
    )


@dataclass(frozen=True)
class _Polar:
    """Rows, their lengths and their directions; a row of length 0 is its own."""

    rows: Array
    lengths: Array
    directions: Array


def _both(w: ArrayLike, v: ArrayLike) -> tuple[_Polar, _Polar]:
    """Two matrices that must fit together, twice the same object if w and v are."""
    first = _polar(array("w", w, 2))
    return first, first if v is w else _polar(array("v", v, 2, (None, first.rows.shape[1])))


def _polar(w: Array) -> _Polar:
    lengths = np.linalg.norm(w, axis=1)
    # mutant(0): a zero row has no direction; held by tests
    # mutant(1.0): what a zero row is divided by
    return _Polar(w, lengths, w / np.where(lengths > 0, lengths, 1.0)[:, None])


def _mend(theta: Array, near: NDArray[np.int64], left: Array, right: Array) -> None:
    """The angles with these numbers, of m × k, once more from sums and differences of directions; in place."""
    for first in range(0, near.size, GATHERED):
        pairs = near[first : first + GATHERED]
        one, other = left[pairs // len(right)], right[pairs % len(right)]
        apart, along = np.linalg.norm(one - other, axis=1), np.linalg.norm(one + other, axis=1)
        theta.flat[pairs] = 2 * np.arctan2(apart, along)


def _times(sizes: Array, first: _Polar, second: _Polar, shape: Callable[[Array, Array, Array], Array]) -> Array:
    """Sizes of pairs, m × k, changed in place into their products with a function of −cos θ, sin θ and π − θ."""
    for rows, columns, mirrored, *of_angle in _pairs(first, second):
        shapes = shape(*of_angle)
        sizes[rows, columns] *= shapes
        if mirrored:
            sizes[columns, rows] *= shapes.T
    return sizes


def _pairs(first: _Polar, second: _Polar) -> Iterator[tuple[slice, slice, bool, Array, Array, Array]]:
    """−cos θ, sin θ and π − θ of pairs of rows, in blocks.

    Rows with themselves make a symmetric matrix: of two blocks that mirror each other one is computed.

    Yields rows, columns, whether the mirrored block is left out, and the three blocks.
    """
    m, k, same = len(first.rows), len(second.rows), first is second
    against = -second.directions
    for top in range(0, m, SIDE):
        for left in range(top if same else 0, k, SIDE):
            rows, columns = slice(top, min(m, top + SIDE)), slice(left, min(k, left + SIDE))
            opposite = first.directions[rows] @ against[columns].T
            np.clip(opposite, -1.0, 1.0, out=opposite)
            sine = 1 - opposite
            sine *= 1 + opposite  # 1 − cos² would lose half of the digits of a small angle
            yield rows, columns, same and left != top, opposite, np.sqrt(sine, out=sine), np.arccos(opposite)
