"""Gradient flow of one layer of attention: of its matrix in the logarithm of time, and of its two factors."""

from collections.abc import Callable, Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import ArrayLike

from implicit_bias.checks import Array, array, number
from implicit_bias.flows.driver import Solution, drive
from implicit_bias.flows.ode import OdeStepper

FAR = 600.0  # of a logarithm of a weight: beyond it e^… leaves the floats
Rates = tuple[Array, Array]


def attention_flow(  # attack: none, it takes functions
    x: ArrayLike,
    z: ArrayLike,
    scores: ArrayLike,
    *,
    log_t_end: float,
    record: Sequence[float] | Array = (),
    start: ArrayLike | None = None,
    log_unit: float = 0.0,
    premise: Callable[[Array], str | None] | None = None,
    rtol: float = 1e-10,
    atol: float = 1e-10,
) -> Solution:
    """Integrate Ẇ = −∇L(W), L = (1/n) Σ ln(1 + e^{−o_i}), o_i = Σ_t s_it γ_it, s_i = softmax(x_it·W z_i).

    −∇L = Σ r_it x_it z_iᵀ,  r_it = σ(−o_i) s_it (γ_it − o_i)/n

    in ln(1 + t/t₀), in the n·T integrals of r_it, with their Jacobian. The r_it of a sample are formed relative to its
    token of largest s_it, of which r is minus the sum of the others, so that nothing cancels however small they are.

    x: tokens, n × T × k.
    z: queries, n × d, none of them 0.
    scores: γ_it, n × T.
    log_t_end: ln(1 + t/t₀) at the end.
    record: values of ln(1 + t/t₀) at which the state is recorded.
    start: W(0), k × d; 0 by default.
    log_unit: ln t₀; at the start R·W with margins of R nothing moves before t = e^R, so R is a good choice.
    premise: W ↦ a sentence where the run is to stop, None where it goes on.
    rtol, atol: as in ``OdeStepper``.

    Returns the solution; its times are ln(1 + t/t₀), its states W, row after row.
    Raises ValueError for arguments outside their range.

    >>> run = attention_flow([[[1.0], [0.0]]], [[1.0]], [[0.0, -1.0]], log_t_end=40.0)
    >>> run.final.round(3)  # ln t, less ln 2: a half of e^{−W} is what W moves by
    array([39.307])
    """
    x, z, scores = _data(x, z, scores)
    log_t_end = number("log_t_end", log_t_end, above=0)
    log_unit = number("log_unit", log_unit)
    (n, count, k), d = x.shape, z.shape[1]
    first = np.zeros((k, d)) if start is None else array("start", start, 2, (k, d))
    gram = (np.einsum("itk,juk->itju", x, x) * (z @ z.T)[:, None, :, None]).reshape(n * count, -1)
    logits = np.einsum("itk,kd,id->it", x, first, z)

    def rates(state: Array, slopes: bool) -> Rates:
        return _rates(logits + (gram @ state[:-1]).reshape(n, count), scores, log_unit + state[-1], slopes)

    def velocity(state: Array) -> Array:
        return np.append(rates(state, False)[0], 1.0)

    def jacobian(state: Array) -> Array:
        pull, slopes = rates(state, True)
        answer = np.zeros((n * count + 1, n * count + 1))
        answer[:-1, :-1] = np.einsum("itu,iuj->itj", slopes, gram.reshape(n, count, -1)).reshape(n * count, -1)
        answer[:-1, -1] = pull.ravel()
        return answer

    def matrix(states: Array) -> Array:
        return np.asarray(first + np.einsum("...it,itk,id->...kd", states[..., :-1].reshape(-1, n, count), x, z))

    stepper = OdeStepper(velocity, jacobian=jacobian, rtol=rtol, atol=atol)
    asked = None if premise is None else lambda state: premise(matrix(state)[0])
    run = drive(stepper, np.zeros(n * count + 1), t_end=log_t_end, record=record, premise=asked)
    return replace(run, theta=matrix(run.theta).reshape(len(run.theta), -1))


def key_query_flow(  # attack: none, it takes functions
    x: ArrayLike,
    z: ArrayLike,
    scores: ArrayLike,
    key: ArrayLike,
    query: ArrayLike,
    *,
    t_end: float,
    log_decay: float | None = None,
    record: Sequence[float] | Array = (),
    rtol: float = 1e-8,
    atol: float = 1e-10,
) -> Solution:
    """Integrate K̇ = −∇L(KQᵀ)Q − λK, Q̇ = −∇L(KQᵀ)ᵀK − λQ in the time λt, or without decay in ln(1 + t).

    x, z, scores: as in ``attention_flow``.
    key, query: K(0), k × m, and Q(0), d × m.
    t_end: λt at the end, or ln(1 + t) without decay.
    log_decay: ln λ; None: λ = 0.
    record: values of λt, or of ln(1 + t), at which the state is recorded.
    rtol, atol: as in ``OdeStepper``.

    Returns the solution; its states are W = KQᵀ, row after row.
    Raises ValueError for arguments outside their range.

    >>> one = {"x": [[[1.0], [0.0]]], "z": [[1.0]], "scores": [[0.0, -1.0]], "key": [[0.1]], "query": [[0.1]]}
    >>> run = key_query_flow(**one, t_end=30.0, log_decay=-20.0)
    >>> run.final.round(3)  # ln(1/λ), less ln 2
    array([19.307])
    """
    x, z, scores = _data(x, z, scores)
    t_end = number("t_end", t_end, above=0)
    kept = 0.0 if log_decay is None else 1.0
    log_scale = 0.0 if log_decay is None else -number("log_decay", log_decay, below=0)
    (n, count, k), d = x.shape, z.shape[1]
    key = array("key", key, 2, (k, None))
    m = key.shape[1]
    query = array("query", query, 2, (d, m))

    def split(state: Array) -> tuple[Array, Array, float]:
        clock = log_scale if kept else float(state[-1])
        return state[: k * m].reshape(k, m), state[k * m : (k + d) * m].reshape(d, m), clock

    def rates(state: Array, slopes: bool) -> tuple[Array, Array, Array, Array, Array]:
        left, right, clock = split(state)
        logits = np.einsum("itm,im->it", x @ left, z @ right)
        pull, turned = _rates(logits, scores, clock, slopes)
        return left, right, np.einsum("it,itk->ik", pull.reshape(n, count), x).T @ z, pull, turned

    def velocity(state: Array) -> Array:
        left, right, push, _, _ = rates(state, False)
        moved = [(push @ right - kept * left).ravel(), (push.T @ left - kept * right).ravel()]
        return np.concatenate(moved if kept else [*moved, [1.0]])

    def jacobian(state: Array) -> Array:
        left, right, push, _, turned = rates(state, True)
        along = np.concatenate(  # of the logits by K and by Q, n × T × (k + d)·m
            [
                (x[..., None] * (z @ right)[:, None, None, :]).reshape(n, count, -1),
                (z[:, None, :, None] * (x @ left)[:, :, None, :]).reshape(n, count, -1),
            ],
            axis=2,
        )
        size, middle = (k + d) * m, k * m
        by = np.einsum("itu,iup->itp", turned, along)
        answer = np.zeros((len(state), len(state)))
        answer[:size, :size] = along.reshape(-1, size).T @ by.reshape(-1, size) - kept * np.eye(size)
        answer[:middle, middle:size] += np.kron(push, np.eye(m))
        answer[middle:size, :middle] += np.kron(push.T, np.eye(m))
        if not kept:
            answer[:size, -1] = velocity(state)[:-1]
        return answer

    begin = np.concatenate([key.ravel(), query.ravel(), np.zeros(0 if kept else 1)])
    run = drive(OdeStepper(velocity, jacobian=jacobian, rtol=rtol, atol=atol), begin, t_end=t_end, record=record)
    pairs = [split(state) for state in run.theta]
    return replace(run, theta=np.array([(left @ right.T).ravel() for left, right, _ in pairs]))


def _data(x: ArrayLike, z: ArrayLike, scores: ArrayLike) -> tuple[Array, Array, Array]:
    """The three arguments, checked."""
    x = array("x", x, 3)
    z = array("z", z, 2, (x.shape[0], None))
    scores = array("scores", scores, 2, x.shape[:2])
    if x.shape[1] < 2:
        raise ValueError(f"x has {x.shape[1]} token for each sample; it must have at least 2")
    zero = np.all(z == 0, axis=1)
    if np.any(zero):
        raise ValueError(f"z has 0 as its row {int(np.argmax(zero))}; a query must not be 0")
    tied = np.sum(scores == scores.max(axis=1, keepdims=True), axis=1) > 1
    if np.any(tied):
        raise ValueError(f"scores has several best entries in row {int(np.argmax(tied))}; each row must have one")
    return x, z, scores


def _rates(logits: Array, scores: Array, log_scale: float, slopes: bool) -> Rates:
    """The r_it times e^{log_scale}, n × T, and their derivatives by the logits of their sample, n × T × T."""
    n, count = logits.shape
    each, first = np.arange(n), logits.argmax(axis=1)
    ahead = logits - logits[each, first][:, None]
    weights = np.exp(ahead)
    weights[each, first] = 0.0
    total = 1 + weights.sum(axis=1, keepdims=True)
    drop = scores[each, first][:, None] - scores
    missed = (weights * drop).sum(axis=1, keepdims=True) / total  # by how much o_i misses the first token's score
    out = scores[each, first][:, None] - missed
    factor = np.exp(-np.logaddexp(0, out)) / n
    pulls = np.exp(np.minimum(ahead + log_scale, FAR)) / total * (missed - drop)
    pulls[each, first] = 0.0
    pulls[each, first] = -pulls.sum(axis=1)
    if not slopes:
        return np.asarray((factor * pulls).ravel()), np.zeros(0)
    weights[each, first] = 1.0
    share = weights / total
    mixed = pulls[:, :, None] * share[:, None, :]
    turned = np.eye(count) * pulls[:, :, None] - mixed - mixed.transpose(0, 2, 1)
    bent = pulls[:, :, None] * (pulls * np.exp(-log_scale) / (1 + np.exp(-out)))[:, None, :]
    return np.asarray((factor * pulls).ravel()), np.asarray(factor[:, :, None] * (turned - bent))
