"""The basis of the interpolator of least ℓ1 norm: an interior-point method comes near, pivots arrive."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.linalg.blas import dger

from implicit_bias.checks import Array
from implicit_bias.limits.solvers import gram_inverse

Single = NDArray[np.float32]

NEAR = 1e-3  # the relative duality gap at which pivots are cheaper than another step
MOST_STEPS = 30
BACK = 0.99  # the share of the way to the boundary
PIVOTS = 5  # at most, times the number of equations
DUAL = 1e-11  # by how much a multiplier may exceed 1
REFRESH = 100  # pivots after which the inverse is computed anew
APART = 1e-11  # by how much coordinates are moved away from 0, so that every pivot lowers the norm
SIGN = np.array([[1], [-1]], dtype=np.float32)


@dataclass(frozen=True)
class NearL1:
    """Almost a minimizer and its multipliers.

    w: d entries.
    dual: λ, N entries.
    face: the coordinates that seem to belong to the support, d booleans: |w_j|/max |w| exceeds 1 − |x_j·λ|.
    """

    w: Array
    dual: Array
    face: NDArray[np.bool_]


@np.errstate(all="ignore")  # where single precision ends, so do the steps
def near_least_l1(rows: Array, labels: Array) -> NearL1:  # attack: none, inside solvers
    """An interpolator with almost the least ℓ1 norm, in single precision: Mehrotra's predictor-corrector method.

    min Σ(p + q) subject to X(p − q) = y, p, q ≥ 0,  with slacks 1 ∓ Xᵀλ ≥ 0

    rows: X, N × d of rank N and of size about 1.
    labels: y, N numbers, not all 0.

    Returns w = p − q and λ to about three digits.
    Raises LinAlgError where the rows of X depend on each other in single precision.
    Reference: Mehrotra 1992.
    """
    x, y = rows.astype(np.float32), labels.astype(np.float32)
    w, dual = gram_inverse(x)(y) @ x, np.zeros_like(y)
    parts, slacks = np.maximum(SIGN * w, 0) + np.abs(w).max() / 2, np.ones((2, w.size), dtype=np.float32)
    near = w, dual, slacks
    for _ in range(MOST_STEPS):
        w, products = parts[0] - parts[1], parts * slacks
        if not (np.all(np.isfinite(w)) and np.all(np.isfinite(dual))):
            break
        near = w, dual, slacks
        centre = products.mean()
        if products.sum() <= NEAR * np.abs(w).sum():
            break
        try:
            move = _newton(x, y - x @ w, parts / slacks, slacks)
        except np.linalg.LinAlgError:
            break
        to_parts, to_slacks, _ = move(-products)
        ahead = parts + _within(parts, to_parts) * to_parts, slacks + _within(slacks, to_slacks) * to_slacks
        aim = (np.mean(ahead[0] * ahead[1]) / centre) ** 3 * centre
        to_parts, to_slacks, to_dual = move(aim - products - to_parts * to_slacks)
        parts = parts + _within(parts, to_parts, BACK) * to_parts
        step = _within(slacks, to_slacks, BACK)
        slacks, dual = slacks + step * to_slacks, dual + step * to_dual
    w, dual, slacks = near
    face = np.abs(w) > np.abs(w).max() * slacks.min(axis=0)
    return NearL1(w.astype(np.float64), dual.astype(np.float64), face)


def _newton(
    x: Single, missed: Single, weights: Single, slacks: Single
) -> Callable[[Single], tuple[Single, Single, Single]]:
    """The change of the products (2 × d) ↦ the changes of parts, slacks and λ that make it, to first order."""
    solve = gram_inverse(x * np.sqrt(weights.sum(axis=0)))

    def move(change: Single) -> tuple[Single, Single, Single]:
        own = change / slacks
        to_dual: Single = solve(missed - x @ (own[0] - own[1]))
        push: Single = SIGN * (to_dual @ x)
        return own + weights * push, -push, to_dual

    return move


def _within(values: Single, change: Single, share: float = 1.0) -> np.float32:
    """The step, 1 at most, that goes the share of the way to the first value that would be 0."""
    steepest = np.min(change / values)
    return np.float32(1.0 if steepest >= -share else -share / steepest)


@np.errstate(all="ignore")  # what overflows comes to no end
def best_basis(  # attack: none, inside solvers
    x: Array, y: Array, near: Array
) -> tuple[NDArray[np.intp], Array] | None:
    """The basis of a vertex of least ℓ1 norm, by the simplex method from the N largest coordinates of a vector near it.

    A coordinate j with |x_j·λ| > 1 enters. It grows while the norm falls, past zeros of others, which change their
    sign; the one at whose zero the norm would rise leaves.

    x: N × d with N ≤ d.
    y: N labels.
    near: d entries.

    Returns the basis, N indices in order, and the signs of the coordinates, N entries; those of coordinates that are 0
    belong to the multipliers. None where the pivots come to no end. Raises LinAlgError for a singular basis.
    Reference: Barrodale & Roberts 1973.
    """
    n = y.size
    basis = np.sort(np.argpartition(-np.abs(near), n - 1)[:n])
    for pivot in range(PIVOTS * n):
        if pivot % REFRESH == 0:
            inverse = np.asfortranarray(np.linalg.inv(x[:, basis]))
            w = inverse @ y
            if pivot == 0:
                w = w + np.where(w < 0, -1, 1) * np.linspace(APART, 2 * APART, n) * np.abs(w).max()
                y = x[:, basis] @ w
            signs = np.sign(w)
        pushed = (signs @ inverse) @ x
        pushed[basis] = 0
        enters = int(np.argmax(np.abs(pushed)))
        sign, excess = np.sign(pushed[enters]), abs(pushed[enters]) - 1
        if not excess > DUAL:
            order = np.argsort(basis)
            return (basis[order], signs[order]) if np.isfinite(excess) else None
        change = inverse @ x[:, enters]
        falling = np.flatnonzero(sign * change * signs > 0)
        steps = w[falling] / (sign * change[falling])
        order = np.argsort(steps)
        last = int(np.searchsorted(np.cumsum(2 * np.abs(change[falling[order]])), excess))
        if last == order.size:
            return None
        leaves, step = falling[order[last]], sign * steps[order[last]]
        signs[falling[order[:last]]] *= -1
        w = w - step * change
        w[leaves], signs[leaves], basis[leaves] = step, sign, enters
        row = inverse[leaves] / change[leaves]
        change[leaves] -= 1
        inverse = dger(-1.0, change, row, a=inverse, overwrite_a=1)
    return None
