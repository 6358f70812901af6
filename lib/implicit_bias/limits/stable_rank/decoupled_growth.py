"""The first phase of a small softmax network: its neurons grow before its output is heard."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from implicit_bias.brief import brief
from implicit_bias.checks import Array, array, in_range, number, whole


@in_range
def first_step_moment(x: Array, targets: Array) -> Array:
    """The second moment of a neuron's first gradient, d × d up to a factor: its trace over its norm is a stable rank.

    S ∝ Σ_{ik} (e_i·e_k) κ(x_i, x_k) x_i x_kᵀ,  e_i = y_i − 1/C,  κ = π − θ_ik ∝ P(w·x_i > 0, w·x_k > 0)

    Where the outputs are 0, neuron j first moves by Σ_i (a_j·e_i) 1{w_j·x_i > 0} x_i. S is the mean of this vector's
    square over rotationally invariant w_j and an independent a_j with uncorrelated entries of one variance.

    x: n × d.
    targets: n × C, labels as rows of the unit matrix.

    Returns S. The kernel is the arc-cosine kernel of order 0 (Cho and Saul 2009).

    >>> moment = first_step_moment(np.eye(2), np.eye(2))
    >>> (moment / moment[0, 0]).round(3)
    array([[ 1. , -0.5],
           [-0.5,  1. ]])
    """
    x = array("x", x, 2)
    targets = array("targets", targets, 2, (len(x), None))
    error = targets - 1 / targets.shape[1]  # what a softmax of equal logits leaves
    length = np.linalg.norm(x, axis=1)
    # mutant(0): the guard for an image of length 0
    # mutant(1.0): the guard for an image of length 0, or rounding
    unit = x / np.where(length > 0, length, 1.0)[:, None]
    # mutant(1.0): the guard for an image of length 0, or rounding
    both_active = np.pi - np.arccos(np.clip(unit @ unit.T, -1.0, 1.0))
    return np.asarray(x.T @ ((both_active * (error @ error.T)) @ x))


def trace_over_norm(moment: Array) -> float:
    """tr S/‖S‖₂ of a positive matrix: the stable rank of a matrix W with WᵀW = S.

    moment: S, d × d.

    >>> trace_over_norm(np.diag([2.0, 1.0, 1.0]))
    2.0
    """
    moment = array("moment", moment, 2)
    spectrum = np.linalg.eigvalsh(array("moment", moment, 2, (None, len(moment))))
    if not spectrum[-1] > 0:  # mutant(-1): a guard
        raise ValueError(f"moment has the largest eigenvalue {spectrum[-1]:g}; it must be positive")
    return float(spectrum.sum() / spectrum[-1])  # mutant: of the guard; in the quotient it is noticed


SMALLEST = 1e-150  # its square is a number


@brief()
@dataclass(frozen=True)
class DecoupledGrowth:
    """A network that does not hear its own neurons.

    steps: 0, 1, …, k.
    stable_rank: that of W at these steps, k + 1 numbers.
    output: the root of the mean square of the outputs A(Wx + b)₊ that it would give, k + 1 numbers.

    >>> stream = np.random.default_rng(0)
    >>> w, a, x = 1e-3 * stream.normal(size=(3, 4)), 1e-3 * stream.normal(size=(2, 3)), stream.normal(size=(4, 4))
    >>> course = decoupled_growth(w, a, x, np.eye(2)[[0, 1, 0, 1]], 0.1, loudest=1.0, most=5)
    >>> course.steps, bool(course.stable_rank[-1] < course.stable_rank[0])
    (array([0, 1, 2, 3, 4, 5]), True)
    """

    steps: NDArray[np.int64]
    stable_rank: Array
    output: Array


@in_range
def decoupled_growth(
    w: Array,
    a: Array,
    x: Array,
    targets: Array,
    learning_rate: float,
    *,
    loudest: float,
    most: int,
    batches: Sequence[NDArray[np.int64]] | None = None,
) -> DecoupledGrowth:
    """Gradient descent on all samples or on given batches, with each neuron's output kept from the softmax.

    e_i = y_i − softmax(c),  ẇ_j = (1/n) Σ_i (a_j·e_i) 1{w_j·x_i + b_j > 0} x_i,  ḃ_j likewise with 1 for x_i,
    ȧ_j = (1/n) Σ_i e_i (w_j·x_i + b_j)₊,  ċ = (1/n) Σ_i e_i

    Each neuron moves by itself. If W, b and A are multiplied by a number, so is the whole course: the scale of the
    initialization only says when the outputs become loud, and the prediction ends.

    w: m × d, the first layer's start; biases start at 0.
    a: C × m, the second layer's start.
    x: n × d.
    targets: n × C, labels as rows of the unit matrix.
    learning_rate: η > 0, the length of a step.
    loudest: the root mean square of the outputs at which to stop.
    most: the number of steps at which to stop otherwise.
    batches: the numbers of the samples that each step sees, at least ``most`` lists of them; None: all samples. The
        output is that on all samples.

    Returns the course, its last step the last one whose outputs are at most ``loudest``, or ``most``.

    >>> stream = np.random.default_rng(0)
    >>> w, a, x = 1e-3 * stream.normal(size=(3, 4)), 1e-3 * stream.normal(size=(2, 3)), stream.normal(size=(4, 4))
    >>> course = decoupled_growth(w, a, x, np.eye(2)[[0, 1, 0, 1]], 0.1, loudest=1.0, most=5)
    >>> course.output.shape, bool(np.all(np.diff(course.output) > 0))
    ((6,), True)
    """
    x = array("x", x, 2)
    targets = array("targets", targets, 2, (len(x), None))
    w = array("w", w, 2, (None, x.shape[1]))  # mutant(1): the guard of an argument
    a = array("a", a, 2, (targets.shape[1], len(w)))  # mutant(1): the guard of an argument
    number("w, the largest modulus", float(np.max(np.abs(w))), least=SMALLEST)
    number("learning_rate", learning_rate, above=0)  # mutant: the guard of an argument
    number("loudest", loudest, above=0)  # mutant: the guard of an argument
    b, c = np.zeros(len(w)), np.zeros(len(a))
    ranks, outputs = list[float](), list[float]()
    most = whole("most", most, least=0)  # mutant(0): the guard of an argument
    if batches is not None and len(batches) < most:
        raise ValueError(f"batches holds {len(batches)} lists of samples; it must hold most = {most} at least")
    # mutant(1): one step more than can be reached
    for step in range(most + 1):
        hidden = x @ w.T + b
        active = hidden > 0
        hidden *= active
        heard = float(np.sqrt(np.mean((hidden @ a.T) ** 2)))
        if heard > loudest:
            break
        ranks.append(trace_over_norm(w.T @ w if len(w) > w.shape[1] else w @ w.T))
        outputs.append(heard)
        if step == most:
            break
        seen = slice(None) if batches is None else np.asarray(batches[step])
        inputs, hidden, active = x[seen], hidden[seen], active[seen]
        prior = np.exp(c) / np.exp(c).sum()
        error = (targets[seen] - prior) / len(inputs)
        pull = (error @ a) * active
        a = a + learning_rate * error.T @ hidden
        w, b = w + learning_rate * pull.T @ inputs, b + learning_rate * pull.sum(axis=0)
        c = c + learning_rate * error.sum(axis=0)
    return DecoupledGrowth(np.arange(len(ranks)), np.array(ranks), np.array(outputs))
