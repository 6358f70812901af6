"""Largest margins of linear classifiers of several classes: Frobenius norm, largest entry, spectral norm."""

from dataclasses import dataclass, replace
from typing import Any, get_args

import numpy as np
from numpy.typing import ArrayLike
from scipy.optimize import linprog

from implicit_bias.brief import brief
from implicit_bias.checks import Array, array, choice, in_range, memory, number
from implicit_bias.late import extra
from implicit_bias.limits.certificate import (
    UNKNOWN,
    WIDTH,
    Certificate,
    CertificateError,
    Enclosure,
    exponent,
    relative,
)
from implicit_bias.limits.margin.least_distance import least_distance
from implicit_bias.limits.rounding import Between, Numbers
from implicit_bias.limits.solvers import TINY, clarabel
from implicit_bias.norms import MatrixNorm

RESIDUAL = 1e-9


@in_range
def matrix_norm(w: ArrayLike, norm: MatrixNorm) -> float:
    """‖W‖_F, max |W_cj|, or the largest singular value σ₁(W).

    w: W, k × d.
    norm: "frobenius", "entries" or "spectral".

    Raises ValueError for another norm, and for what is no finite matrix.

    >>> [round(matrix_norm([[3.0, 0.0], [0.0, 4.0]], norm), 9) for norm in ("frobenius", "entries", "spectral")]
    [5.0, 4.0, 4.0]
    """
    w = array("w", w, 2)
    choice("norm", norm, get_args(MatrixNorm))
    if norm == "entries":
        return float(np.abs(w).max())
    return float(np.linalg.norm(w, 2 if norm == "spectral" else "fro"))


def dual_norm(g: ArrayLike, norm: MatrixNorm) -> float:
    """max ⟨G, W⟩ over ‖W‖ ≤ 1: ‖G‖_F, Σ |G_cj|, or the sum of the singular values.

    g: G, k × d.
    norm: of W.

    Raises ValueError for another norm, and for what is no finite matrix.

    >>> [round(dual_norm([[3.0, 0.0], [0.0, 4.0]], norm), 9) for norm in ("frobenius", "entries", "spectral")]
    [5.0, 7.0, 7.0]
    """
    g = array("g", g, 2)
    choice("norm", norm, get_args(MatrixNorm))
    if norm == "entries":
        return float(np.abs(g).sum())
    return float(np.linalg.norm(g, "nuc" if norm == "spectral" else "fro"))


def class_differences(x: ArrayLike, y: ArrayLike, classes: int | None = None) -> Array:
    """The matrices Z_ic = (e_{y_i} − e_c) x_iᵀ, c ≠ y_i, row after row, of which ⟨Z_ic, W⟩ is a margin of W.

    x: n × d.
    y: labels, n whole numbers from 0.
    classes: k, at least 2; by default one more than the largest label.

    Returns n(k − 1) × k·d: sample after sample, for each the other classes in order.
    Raises ValueError for labels that are no classes, and where there is one class alone.

    >>> class_differences([[2.0]], [1], 3)
    array([[-2.,  2.,  0.],
           [ 0.,  2., -2.]])
    """
    x = array("x", x, 2)
    y = array("y", y, 1, x.shape[:1])
    largest = int(y.max()) if np.all(np.isfinite(y)) else 0
    k = largest + 1 if classes is None else int(number("classes", classes, least=2))
    if np.any(y != np.floor(y)) or y.min() < 0 or largest >= k or k < 2:
        raise ValueError(
            f"y has labels from {y.min():g} to {y.max():g}; they must be whole numbers from 0 to k − 1, k at least 2"
        )
    memory("the number k of classes of y", k, 8 * 3 * len(x) * k * k * x.shape[1])
    labels, every = y.astype(np.intp), np.arange(k)
    signs = np.eye(k)[labels][:, None, :] - np.eye(k)[None, :, :]
    others = signs[every[None, :] != labels[:, None]]
    return np.asarray((others[:, :, None] * np.repeat(x, k - 1, axis=0)[:, None, :]).reshape(len(others), -1))


@brief("margin")
@dataclass(frozen=True)
class MatrixMargin:
    """The largest margin among matrices of norm one, with the matrix that has it.

    γ = max_{‖W‖≤1} min_{i, c≠y_i} (e_{y_i} − e_c)ᵀ W x_i

    w: W of norm 1, k × d.
    weights: λ ≥ 0 of sum 1 in the order of ``class_differences``; ‖Σ λ_ic (e_{y_i} − e_c) x_iᵀ‖ in the dual norm is γ.
    certificate: its optimality; encloses γ.

    >>> answer = matrix_margin([[2.0, 0.0], [0.0, 2.0]], [0, 1])
    >>> round(answer.margin, 9), answer.weights.round(9)
    (2.0, array([0.5, 0.5]))
    """

    w: Array
    weights: Array
    certificate: Certificate

    @property
    def margin(self) -> float:
        """The middle of the enclosure of γ."""
        found = self.certificate.enclosure or UNKNOWN
        return found.low / 2 + found.high / 2


def matrix_margin(x: ArrayLike, y: ArrayLike, norm: MatrixNorm = "frobenius", *, tol: float = WIDTH) -> MatrixMargin:
    """The largest margin of a linear classifier of k classes among matrices of norm one, with its certificate.

    γ = max_{‖W‖≤1} min_{i, c≠y_i} ⟨Z_ic, W⟩ = min_{λ∈Δ} ‖Σ λ_ic Z_ic‖_*,  Z_ic = (e_{y_i} − e_c) x_iᵀ

    By a least-distance program (Frobenius), a linear program polished at its vertex (entries), a semidefinite program
    (spectral, by the extra ``cone``). The dual norms are the Frobenius norm, the sum of the moduli, the nuclear norm.

    x: n × d.
    y: labels, n whole numbers from 0 to k − 1, each class with a sample or not; k is one more than the largest.
    norm: of W: "frobenius", "entries" (the largest modulus) or "spectral" (the largest singular value).
    tol: the allowed relative width of the enclosure of γ, and of the gap where it is above 1e-9.

    Returns W, the weights λ, and the certificate.
    Raises ValueError for other labels or norms; CertificateError, with the answer that it is about, if no matrix
    separates the classes, or γ is not enclosed to tol.
    Reference: the characterization of the limits of normalized steepest descent by these margins, Fan, Schmidt &
    Thrampoulidis 2025; the certificate is weak duality.

    >>> x = np.array([[2.0, 0.0], [0.0, 1.0]])
    >>> answer = matrix_margin(x, [0, 1], "entries")
    >>> round(answer.margin, 9), answer.w
    (2.0, array([[ 1., -1.],
           [-1.,  1.]]))
    """
    x = array("x", x, 2)
    choice("norm", norm, get_args(MatrixNorm))
    tol = number("tol", tol, above=0)
    power = int(exponent(x))
    z = class_differences(np.ldexp(x, -power), y)
    w, weights = {"frobenius": _frobenius, "entries": largest_entry, "spectral": _spectral}[norm](
        z, z.shape[1] // x.shape[1]
    )
    size = matrix_norm(w, norm)
    w, weights = w / (size or 1.0), np.maximum(weights, 0) / max(np.maximum(weights, 0).sum(), TINY)
    certificate = certify_matrix_margin(z, w, weights, norm, tol)
    found = certificate.enclosure or UNKNOWN
    unit = replace(certificate, enclosure=Enclosure(*(float(np.ldexp(end, power)) for end in (found.low, found.high))))
    answer = MatrixMargin(w, weights, unit)
    if not found.low > 0:
        raise CertificateError(
            f"no matrix is proved to separate the classes: their largest margin in the {norm} norm is at most "
            f"{np.ldexp(found.high, power):.1e}, as the weights λ of the answer prove",
            answer,
            unit,
        )
    unit.demand(max(RESIDUAL, tol), f"the largest margin in the {norm} norm", tol=tol, answer=answer)
    return answer


def certify_matrix_margin(z: Array, w: Array, weights: Array, norm: MatrixNorm, tol: float = WIDTH) -> Certificate:
    """How far W and λ are from the largest margin, and between what it lies, by any W and any λ.

    min ⟨Z_ic, W⟩/‖W‖ ≤ γ ≤ ‖Σ λ_ic Z_ic‖_*/Σ λ_ic

    z: of ``class_differences``, N × k·d.
    w: W, k × d.
    weights: λ, N numbers; what is below 0 counts as 0.
    norm: of W.
    tol: the relative width of the enclosure beyond which it is computed anew in exact numbers, if the data are small.

    Returns the certificate: primal, by how much ‖W‖ differs from 1; dual, the most negative of the λ, or by how much
    their sum differs from 1; gap, of the two values, over the upper one.
    """
    z = array("z", z, 2, finite=False)
    w, weights = array("w", w, 2, finite=False), array("weights", weights, 1, z.shape[:1], finite=False)
    if not (np.all(np.isfinite(z)) and np.all(np.isfinite(w)) and np.all(np.isfinite(weights))):
        return Certificate(np.inf, np.inf, np.inf, UNKNOWN)
    if w.size != z.shape[1]:
        raise ValueError(f"w has shape {w.shape}; it must have {z.shape[1]} entries, as many as a row of z")
    force = np.maximum(weights, 0.0)
    pushed = (force @ z).reshape(w.shape)

    def bounds(numbers: type[Numbers]) -> tuple[Between, Between]:
        points, place, push = numbers.of(z), numbers.of(w), numbers.of(force)
        least, sum_ = (points @ numbers.of(w.ravel())).least(), push.total()
        pull = push @ points  # k·d numbers
        if norm == "frobenius":
            return least / place.squares().root(), pull.squares().root() / sum_
        if norm == "entries":
            return least / place.largest(), pull.moduli() / sum_
        rest = (pull - numbers.of(pushed.ravel())).squares().root()
        spread = singular_bounds(numbers, pushed)[1] + _times(min(w.shape), rest)
        return least / singular_bounds(numbers, w)[0], spread / sum_

    found = Enclosure.proved(bounds, z.size, tol)
    value, upper = float((z @ w.ravel()).min()), dual_norm(pushed, norm)
    return Certificate(
        primal=abs(matrix_norm(w, norm) - 1),
        dual=max(float(np.max(-weights, initial=0.0)), abs(float(weights.sum()) - 1)),
        gap=relative(upper - value, upper),
        enclosure=found,
    )


def _times(count: int, value: Between) -> Between:
    """√count times a number, rounded outwards."""
    return Between.of(count).root() * value


def singular_bounds(  # attack: none, inside solvers
    numbers: type[Numbers], w: Array
) -> tuple[Between, Between]:
    """Upper bounds of the largest singular value and of the sum of all, by floats' factors and what they miss.

    σ₁ ≤ s₁ √((1 + ‖UᵀU − 1‖)(1 + ‖VᵀV − 1‖)) + ‖W − U S Vᵀ‖_F, and likewise the sum, with √min(k, d) ‖…‖_F.

    numbers: in which the bounds are computed.
    w: W, k × d.
    """
    u, s, v = np.linalg.svd(w, full_matrices=False)
    left, right, eye = numbers.of(u), numbers.of(v), numbers.of(np.eye(len(s)))
    skews = numbers.of(u.T.copy()) @ left - eye, right @ numbers.of(v.T.copy()) - eye
    first, second = (Between.of(1) + skew.squares().root() for skew in skews)
    stretch = (first * second).root()
    missed = (numbers.of(w) - (left * numbers.of(np.broadcast_to(s, u.shape).copy())) @ right).squares().root()
    largest = numbers.of(s).largest() * stretch + missed
    return largest, numbers.of(s).moduli() * stretch + _times(len(s), missed)


def _frobenius(z: Array, k: int) -> tuple[Array, Array]:
    _, w, force = least_distance(z, np.ones(len(z)))
    return w.reshape(k, -1), force


def largest_entry(z: Array, k: int = 1) -> tuple[Array, Array]:  # attack: none, inside solvers
    """W of largest entry 1 with the largest margin, and λ, by a linear program polished at its vertex.

    z: N × k·d.
    k: number of rows of W.
    """
    count, size = z.shape
    cost = np.append(np.zeros(size), -1.0)
    answer = linprog(
        cost,
        A_ub=np.hstack([-z, np.ones((count, 1))]),
        b_ub=np.zeros(count),
        bounds=[(-1.0, 1.0)] * size + [(0.0, None)],
        method="highs-ds",
    )
    if answer.status != 0:
        raise CertificateError(f"the largest margin was not found: {answer.message}")
    w, force = np.asarray(answer.x[:size]), -np.asarray(answer.ineqlin.marginals)
    free, tight = np.abs(w) < 1, force > 0
    if tight.sum() == free.sum() + 1:  # a vertex: its equations, solved anew, are free of the program's tolerances
        inside = z[np.ix_(tight, free)]
        border = np.hstack([inside, -np.ones((tight.sum(), 1))])
        w[free] = np.linalg.solve(border, -z[np.ix_(tight, ~free)] @ w[~free])[:-1]
        force[tight] = np.linalg.solve(
            np.vstack([inside.T, np.ones(tight.sum())]), np.append(np.zeros(free.sum()), 1.0)
        )
    return w.reshape(k, -1), force


def _spectral(z: Array, k: int) -> tuple[Array, Array]:
    with extra():
        import cvxpy  # a second to import, for the few programs that need it

    cp: Any = cvxpy  # its functions carry no types
    w, gamma = cp.Variable((k, z.shape[1] // k)), cp.Variable()
    met = z @ cp.vec(w, order="C") >= gamma
    # mutant anywhere(1 → 2): the unit of the program; W is scaled to norm one
    clarabel(cp.Problem(cp.Maximize(gamma), [met, cp.sigma_max(w) <= 1]))
    centred = w.value - w.value.mean(axis=0)  # the margins are the same, the norm is not larger
    return centred, np.asarray(met.dual_value)
