"""Which matrix one layer of attention tends to: maximum margins of the tokens that it selects."""

from dataclasses import dataclass
from typing import Literal, get_args

import numpy as np
from numpy.typing import ArrayLike
from scipy.optimize import nnls

from implicit_bias.brief import brief
from implicit_bias.checks import Array, array, choice, in_range, number
from implicit_bias.limits.certificate import (
    UNKNOWN,
    WIDTH,
    Certificate,
    CertificateError,
    Enclosure,
    exponent,
    in_unit,
)
from implicit_bias.limits.margin.least_distance import SEPARABLE, directions
from implicit_bias.limits.margin.linear import TOLERANCE, max_margin
from implicit_bias.limits.margin.nuclear import certify_nuclear, demand_one, least_nuclear, path_gap

SMALLEST_LOG = -300.0  # of λ: beyond, multipliers of tokens that do not matter underflow
AttentionNorm = Literal["frobenius", "nuclear"]
LARGEST_DECAY = 1e-2  # from here on what the exponential leaves out is some percent


def token_differences(x: ArrayLike, z: ArrayLike, selected: ArrayLike) -> Array:
    """The matrices δ_it = (x_{i α_i} − x_it) z_iᵀ, t ≠ α_i, row after row: ⟨δ_it, W⟩ is by what token α_i leads.

    x: tokens, n × T × k.
    z: queries, n × d, none of them 0.
    selected: α, n whole numbers from 0 to T − 1.

    Returns n(T − 1) × k·d: sample after sample, for each the other tokens in order.
    Raises ValueError for a query that is 0, for one token alone, and for a selection that names no token.

    >>> token_differences([[[1.0, 0.0], [0.0, 1.0]]], [[2.0]], [0])
    array([[ 2., -2.]])
    """
    x, z, chosen = _tokens(x, z, selected)
    n, count, _ = x.shape
    others = np.arange(count)[None, :] != chosen[:, None]
    leads = (x[np.arange(n), chosen][:, None, :] - x)[others]
    return np.asarray((leads[:, :, None] * np.repeat(z, count - 1, axis=0)[:, None, :]).reshape(len(leads), -1))


def token_pulls(scores: ArrayLike) -> Array:  # law: none, the loss fixes the unit
    """The factors c_it of the exponentials to which the loss of attention falls, for the tokens of best score.

    L − inf L ≈ Σ c_it e^{−⟨δ_it, W⟩},  c_it = σ(−γ_{i α_i}) (γ_{i α_i} − γ_it)/n

    for L = (1/n) Σ ln(1 + e^{−Σ_t s_it γ_it}), s_it the share of token t.

    scores: γ, n × T, in each row one that is larger than all others.

    Returns n(T − 1) numbers in the order of ``token_differences``.
    Raises ValueError where two tokens of a sample share the best score.

    >>> token_pulls([[0.0, -1.0]])
    array([0.5])
    """
    scores, best = _scores(scores)
    n, count = scores.shape
    top = scores[np.arange(n), best][:, None]
    others = np.arange(count)[None, :] != best[:, None]
    return np.asarray((np.exp(-np.logaddexp(0, top)) * (top - scores) / n)[others])


@brief("margin")
@dataclass(frozen=True)
class AttentionMargin:
    """The matrix of least norm with which each selected token leads by one, with what proves it.

    w: argmin ‖W‖ subject to ⟨δ_it, W⟩ ≥ 1, k × d.
    multipliers: a ≥ 0 in the order of ``token_differences``; M = Σ a_it δ_it is W (Frobenius), or has the largest
        singular value one and ⟨M, W⟩ = ‖W‖_* (nuclear).
    dual: M, k × d.
    slack: min of ⟨δ_it, W⟩ − 1 where the multiplier is 0, infinite where there is none.
    certificate: its optimality; encloses the margin 1/‖W‖.

    >>> answer = attention_margin([[[1.0, 0.0], [0.0, 0.0]]], [[2.0]], [0])
    >>> round(answer.margin, 9), answer.multipliers.round(9)
    (2.0, array([0.5]))
    """

    w: Array
    multipliers: Array
    dual: Array
    slack: float
    certificate: Certificate

    @property
    def margin(self) -> float:
        """The middle of the enclosure of 1/‖W‖."""
        found = self.certificate.enclosure or UNKNOWN
        return found.low / 2 + found.high / 2

    def offsets(self, pulls: ArrayLike) -> Array:
        """ln(c_it/a_it): the limits of ⟨δ_it, W⟩ − ln t of the flow, or of ⟨δ_it, W⟩ − ln(1/λ) of its decay.

        pulls: c of ``token_pulls``.

        Returns n(T − 1) numbers; where a_it = 0 there is no limit, and the number is infinite.
        """
        pulls = array("pulls", pulls, 1, self.multipliers.shape)
        with np.errstate(divide="ignore"):
            return np.asarray(np.log(pulls) - np.log(self.multipliers))


def attention_margin(
    x: ArrayLike, z: ArrayLike, selected: ArrayLike, norm: AttentionNorm = "nuclear", *, tol: float = WIDTH
) -> AttentionMargin:
    """The attention SVM: the W of least norm with which token α_i of each sample leads all others by one.

    min ‖W‖ subject to ⟨δ_it, W⟩ ≥ 1,  δ_it = (x_{i α_i} − x_it) z_iᵀ

    In the Frobenius norm by least-distance programming, in the nuclear norm (the sum of the singular values) by
    Newton's method with a barrier on the dual, polished by its equations.

    x: tokens, n × T × k.
    z: queries, n × d, none of them 0.
    selected: α, n whole numbers from 0 to T − 1.
    norm: "frobenius" or "nuclear".
    tol: the allowed relative width of the enclosure of the margin.

    Returns W with multipliers and certificate.
    Raises ValueError for what ``token_differences`` refuses and for another norm; CertificateError, with weights p of
    Σ p_it δ_it ≈ 0 as answer, where no W selects these tokens; CertificateError where several W have the least
    nuclear norm, or the margin is not enclosed to tol.
    Reference: Ataee Tarzanagh, Li, Thrampoulidis & Oymak 2023; the certificate is weak duality.

    >>> x, z = [[[2.0, 1.0], [0.0, 0.0]], [[2.0, -1.0], [0.0, 0.0]]], [[2.0, 1.0], [2.0, -1.0]]
    >>> answer = attention_margin(x, z, [0, 0])
    >>> np.diag(answer.w).round(9) + 0.0, np.diag(answer.dual).round(9)
    (array([0.25, 0.  ]), array([1.  , 0.25]))
    """
    choice("norm", norm, get_args(AttentionNorm))
    tol = number("tol", tol, above=0)
    delta = token_differences(x, z, selected)
    shape = (len(delta), np.shape(x)[2], np.shape(z)[1])
    power = int(exponent(delta))
    rows = np.ldexp(delta, -power)
    _demand_selectable(rows)
    if norm == "frobenius":
        flat = max_margin(rows, tol=tol)
        w, force, certificate = flat.w.reshape(shape[1:]), flat.alpha, flat.certificate
    else:
        found = least_nuclear(rows.reshape(shape))
        w, force = found.w, found.multipliers
        certificate = certify_nuclear(rows.reshape(shape), w, force, tol)
        answer = np.ldexp(w, -power)
        certificate.demand(max(TOLERANCE, tol), "the least nuclear norm", tol=tol, answer=answer)
        demand_one(rows.reshape(shape), found, answer)
    products = rows @ w.ravel()
    dual = np.tensordot(force, rows.reshape(shape), axes=1)
    ends = certificate.enclosure or UNKNOWN
    return AttentionMargin(
        w=in_unit(w, -power, "the matrix of least norm"),
        multipliers=in_unit(force, -(2 if norm == "frobenius" else 1) * power, "the multipliers"),
        dual=np.ldexp(dual, -power) if norm == "frobenius" else dual,
        slack=float(np.min(products[force <= 0] - 1, initial=np.inf)),
        certificate=Certificate(
            certificate.primal,
            certificate.dual,
            certificate.gap,
            Enclosure(float(np.ldexp(ends.low, power)), float(np.ldexp(ends.high, power))),
        ),
    )


@brief()
@dataclass(frozen=True)
class AttentionDecay:
    """Where attention with small weight decay ends: W, the multipliers, and what proves it.

    w: a minimizer of ‖W‖_* + Σ (c_it/λ) e^{−⟨δ_it, W⟩}, k × d.
    multipliers: a_it = (c_it/λ) e^{−⟨δ_it, W⟩} in the order of ``token_differences``.
    dual: M = Σ a_it δ_it, of largest singular value one.
    certificate: its optimality; the gap is relative to ‖W‖_*.

    >>> end = attention_decay([[[1.0], [0.0]]], [[1.0]], [[0.0, -1.0]], np.log(1e-6))
    >>> end.w.round(6), end.multipliers.round(6)
    (array([[13.122363]]), array([1.]))
    """

    w: Array
    multipliers: Array
    dual: Array
    certificate: Certificate


@in_range
def attention_decay(x: ArrayLike, z: ArrayLike, scores: ArrayLike, log_decay: float) -> AttentionDecay:
    """Where attention with key and query matrices ends whose weight decay λ is small, up to O(λ), with a certificate.

    min ‖W‖_* + Σ (c_it/λ) e^{−⟨δ_it, W⟩},  W = KQᵀ

    since the least (λ/2)(‖K‖² + ‖Q‖²) among all KQᵀ = W is λ‖W‖_*. Convex: all minimizers share their leads
    ⟨δ_it, W⟩ and ‖W‖_*, and where there are several one of them is returned. As λ → 0, W/ln(1/λ) tends to the
    matrices of least nuclear norm with all leads at least one, which is that of ``attention_margin`` if it is alone.

    x: tokens, n × T × k.
    z: queries, n × d, none of them 0.
    scores: γ, n × T, in each row one that is larger than all others.
    log_decay: ln λ, at most ln 1e-2 (beyond, what the exponential leaves out is some percent) and at least −300.

    Returns W with multipliers and certificate.
    Raises ValueError for arguments outside their range and for equal best scores; CertificateError where no W selects
    the best tokens, where W = 0 is best, or where the gap is above 1e-9.
    Reference: the equality of decay and nuclear norm is Srebro, Rennie & Jaakkola 2005.

    >>> one = attention_decay([[[1.0], [0.0]]], [[2.0]], [[0.0, -1.0]], -20.0)
    >>> bool(abs(2 * one.w[0, 0] - 20 - np.log(0.5 / 0.5)) < 1e-9)
    True
    """
    log_decay = number("log_decay", log_decay, most=float(np.log(LARGEST_DECAY)), least=SMALLEST_LOG)
    scores, best = _scores(scores)
    delta = token_differences(x, z, best)
    if np.shape(scores) != np.shape(x)[:2]:
        raise ValueError(f"scores has shape {np.shape(scores)}; it must be {' × '.join(map(str, np.shape(x)[:2]))}")
    pull = np.log(token_pulls(scores)) - log_decay
    power = int(exponent(delta))
    rows = np.ldexp(delta, -power)
    _demand_selectable(rows)
    shape = (len(rows), np.shape(x)[2], np.shape(z)[1])
    cubes, lifted = rows.reshape(shape), pull + power * np.log(2.0)  # in this unit λ is 2^{−power} as large
    if np.linalg.norm(np.tensordot(np.exp(np.minimum(lifted, 50.0)), cubes, axes=1), 2) <= 1:
        raise CertificateError("W = 0 is best: the decay is too large for these tokens", np.zeros(shape[1:]))
    found = least_nuclear(cubes, lifted)
    w, force = found.w, np.exp(lifted - rows @ found.w.ravel())
    dual = np.tensordot(force, cubes, axes=1)
    certificate = Certificate(
        primal=0.0,
        dual=max(0.0, float(np.linalg.norm(dual, 2)) - 1),
        gap=path_gap(cubes, lifted, w, force),
    )
    certificate.demand(WIDTH, "the end of attention with weight decay", answer=np.ldexp(w, -power))
    return AttentionDecay(np.ldexp(w, -power), np.ldexp(force, -power), dual, certificate)


def _tokens(x: ArrayLike, z: ArrayLike, selected: ArrayLike) -> tuple[Array, Array, np.typing.NDArray[np.intp]]:
    """The three arguments, checked."""
    x = array("x", x, 3)
    n, count, _ = x.shape
    z = array("z", z, 2, (n, None))
    chosen = array("selected", selected, 1, (n,))
    if count < 2:
        raise ValueError(f"x has {count} token for each sample; it must have at least 2")
    if not np.all(np.any(z != 0, axis=1)):
        raise ValueError(f"z has 0 as its row {int(np.argmin(np.any(z != 0, axis=1)))}; a query must not be 0")
    wrong = (chosen != np.floor(chosen)) | (chosen < 0) | (chosen >= count)
    if np.any(wrong):
        raise ValueError(f"selected holds {chosen[wrong][0]:g}; it must be whole numbers from 0 to {count - 1}")
    return x, z, chosen.astype(np.intp)


def _scores(scores: ArrayLike) -> tuple[Array, np.typing.NDArray[np.intp]]:
    """The scores, checked, and the best token of each sample."""
    scores = array("scores", scores, 2)
    if scores.shape[1] < 2:
        raise ValueError(f"scores has shape {scores.shape}; it must have at least 2 columns")
    tied = np.sum(scores == scores.max(axis=1, keepdims=True), axis=1) > 1
    if np.any(tied):
        raise ValueError(f"scores has several best entries in row {int(np.argmax(tied))}; each row must have one")
    return scores, scores.argmax(axis=1)


def _demand_selectable(rows: Array) -> None:
    """CertificateError where 0 lies in the convex hull of the δ, as far as rounding can tell, with its weights."""
    u, lengths = directions(rows) if np.all(np.any(rows != 0, axis=1)) else (None, None)
    if u is None or lengths is None:
        raise CertificateError("no W selects these tokens: one of them is equal to another", None)
    force, missed = nnls(np.vstack([u.T, np.ones(len(u))]), np.append(np.zeros(u.shape[1]), 1.0), maxiter=30 * u.size)
    if not missed > SEPARABLE:
        weights = np.ldexp(force, lengths.min() - lengths)
        raise CertificateError(
            "no W selects these tokens: a convex combination of the differences is 0, and its weights are the answer",
            weights / weights.sum(),
        )
