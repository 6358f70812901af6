"""How fast a tiny softmax network grows: the rate of its fastest neuron, and the direction in which it grows."""

from dataclasses import dataclass

import numpy as np
from scipy.optimize import lsq_linear

from implicit_bias.brief import brief
from implicit_bias.checks import Array, array, instance, memory, whole

LENGTHS = np.geomspace(1, 1e-5, 600)  # of the steps of the ascent, where a step of 1 adds as much as there is
LARGEST = 1e70  # beyond it the square of a product of two overflows
KINK = 1e-3  # so near to a neuron's kink, relative to the length of a sample, the sample's gate is open or closed


@brief()
@dataclass(frozen=True)
class FastestGrowth:
    """A direction in which a neuron grows fastest, found from many starts.

    rate: λ, per unit of time.
    w: the direction of the weights, d numbers.
    b: that of the bias.
    a: that of the output weights, C numbers.
    residual: the distance of λ(w, b) to the pulls that the neuron can have there, over λ; 0 at a stationary point.
    share: the part of the starts that ended at this rate, to one part in a thousand.

    >>> growth = fastest_growth(np.eye(2), np.eye(2), np.random.default_rng(0), starts=8)
    >>> growth.rate < 1, growth.residual < 1e-3
    (True, True)
    """

    rate: float
    w: Array
    b: float
    a: Array
    residual: float
    share: float


def _pull(v: Array, rows: Array, error: Array) -> tuple[Array, Array, Array]:
    """Of each row v: the best a, the rate λ that it gives, and what then pulls at v."""
    hidden = np.maximum(rows @ v.T, 0)
    a = error.T @ hidden
    rate = np.linalg.norm(a, axis=0)
    a = a / np.maximum(rate, np.finfo(np.float64).tiny)
    return a.T, rate, np.asarray(((error @ a) * (hidden > 0)).T @ rows)


def fastest_growth(  # law: none, the bias sees inputs of length 1
    x: Array, targets: Array, generator: np.random.Generator, starts: int = 48
) -> FastestGrowth:
    """The largest rate found at which a neuron of a tiny softmax network grows, and its direction.

    λ = max (1/n) Σ_i (a·e_i)(w·x_i + b)₊  over  ‖w‖² + b² = ‖a‖² = 1,  e_i = y_i − (1/n) Σ_k y_k

    A neuron (w, b, a) that points there grows like e^{λt} and keeps its direction, because ẇ = λw, ḃ = λb and ȧ = λa.
    The e_i are what a softmax leaves whose biases c have learned how frequent the classes are. Found by ascent on the
    sphere from random starts, a always the best one. λ is a lower bound of the maximum, as w, b and a are feasible;
    that no other direction is faster is not proved.

    x: n × d.
    targets: n × C, labels as rows of the unit matrix.
    generator: the stream of the starts.
    starts: their number.

    Raises ValueError where no start has a direction in which it grows, and for entries above 1e70.

    >>> growth = fastest_growth(np.array([[1.0], [-1.0]]), np.eye(2), np.random.default_rng(0), starts=4)
    >>> round(growth.rate, 3)  # half of the root of one half, times x + 1 = √2 at w = b
    0.5
    """
    x = array("x", x, 2)
    targets = array("targets", targets, 2, (len(x), None))
    instance("generator", generator, np.random.Generator)
    for name, given in (("x", x), ("targets", targets)):
        if np.abs(given).max(initial=0.0) > LARGEST:
            raise ValueError(f"{name} holds {np.abs(given).max():g}; its entries must be at most {LARGEST:g} in size")
    rows = np.column_stack([x, np.ones(len(x))])
    error = (targets - targets.mean(axis=0)) / len(x)
    starts = whole("starts", starts, least=1)
    memory("starts", starts, 8 * starts * (4 * rows.shape[1] + 3 * len(x) + targets.shape[1]))
    v = generator.standard_normal((starts, rows.shape[1]))
    v /= np.linalg.norm(v, axis=1)[:, None]
    for length in LENGTHS:
        _, rate, grown = _pull(v, rows, error)
        v = v + length * grown / np.maximum(rate, np.finfo(np.float64).tiny)[:, None]
        v /= np.linalg.norm(v, axis=1)[:, None]
    a, rate, grown = _pull(v, rows, error)
    best = int(np.argmax(rate))
    if not rate[best] > 0:
        raise ValueError("x and targets give no direction in which a neuron grows")
    inputs, missing = rows @ v[best], rate[best] * v[best] - grown[best]
    near = np.abs(inputs) <= KINK * np.linalg.norm(rows, axis=1)
    if near.any():  # at a kink the gate of a sample may be anything from 0 to 1
        weights = error[near] @ a[best]
        shut = inputs[near] <= 0
        gates = lsq_linear(
            (weights[:, None] * rows[near]).T, missing, bounds=(np.where(shut, 0, -1), np.where(shut, 1, 0))
        )
        missing = gates.fun
    share = float(np.mean(rate > (1 - 1e-3) * rate[best]))
    residual = float(np.linalg.norm(missing) / rate[best])
    return FastestGrowth(float(rate[best]), v[best, :-1], float(v[best, -1]), a[best], residual, share)
