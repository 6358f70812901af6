"""The two-layer ReLU classifier with biases, both layers trained on the cross-entropy of its softmax."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from implicit_bias.checks import Array, array, instance, kept, memory, number, unmasked, whole
from implicit_bias.devices import in_memory, namespace

Weights = tuple[Any, ...]
SMALLEST_DIVISOR = 1e-100


def glorot_uniform(generator: np.random.Generator, rows: int, columns: int) -> Array:
    """Independent entries, uniform with variance 2/(rows + columns): Keras' default for a dense layer.

    generator: of the entries.
    rows, columns: their numbers.

    Reference: Glorot and Bengio 2010, equation 16.
    """
    instance("generator", generator, np.random.Generator)
    rows, columns = whole("rows", rows, least=1), whole("columns", columns, least=1)  # mutant: the guard of an argument
    memory("rows × columns", rows * columns, 8 * rows * columns)
    reach = np.sqrt(6 / (rows + columns))  # mutant: a common scale of both layers
    return generator.uniform(-reach, reach, (rows, columns))


def stable_rank(w: Any) -> Any:
    """‖W‖_F²/‖W‖₂²: 1 for rank one, min(rows, columns) at most.

    w: a matrix on any device, or several of one shape along leading axes.

    Returns a number, or an array of one for each matrix.
    Raises ValueError for W = 0.

    >>> round(float(stable_rank(np.diag([2.0, 1.0, 1.0]))), 12)
    1.5
    """
    xp = namespace(w, "w")
    if xp is np and (w := array("w", w, None)).ndim < 2:
        raise ValueError(f"w has {w.ndim} axes (shape {w.shape}); it must have at least 2")
    largest = float(xp.abs(w).max())
    # mutant: a guard
    if 0 < largest < np.inf:  # in a unit, a power of two, in which no square overflows
        # mutant(2.0): a unit; held by test_softmax
        w = w * 2.0 ** -float(np.clip(np.floor(np.log2(largest)), -1000, 1000))
    # mutant(1): of the guard; in the quotient it is noticed
    gram = w @ w.mT if w.shape[-2] <= w.shape[-1] else w.mT @ w
    spectrum = xp.linalg.eigvalsh(gram)
    if not (spectrum[..., -1] > 0).all():  # mutant: a guard
        raise ValueError(f"w has the squared norm {float(spectrum[..., -1].min()):g}; it must be positive")
    ranks = spectrum.sum(-1) / spectrum[..., -1]  # mutant: of the guard; in the quotient it is noticed
    return float(ranks) if w.ndim == 2 else in_memory(ranks)


@dataclass(frozen=True)
class SoftmaxNetwork:
    """The initialization of f(x) = A (Wx + b)₊ + c, and the cross-entropy that trains all of θ = (W, b, A, c).

    L = −(1/n) Σ_i ln p_i[y_i],  p_i = softmax(f(x_i))

    w: m × d, the first layer W.
    b: its m biases.
    a: C × m, the second layer A.
    c: its C biases.

    >>> net = SoftmaxNetwork.glorot(np.random.default_rng(0), width=5, d=4, classes=3)
    >>> net.output(net.start, np.ones((2, 4))).shape
    (2, 3)
    """

    w: Array
    b: Array
    a: Array
    c: Array

    def __post_init__(self) -> None:
        """Refuse arrays that do not fit together."""
        m = len(kept(self, "w", 2))
        kept(self, "b", 1, (m,))
        classes = len(kept(self, "a", 2, (None, m)))
        kept(self, "c", 1, (classes,))

    @classmethod
    def glorot(
        cls, generator: np.random.Generator, width: int, d: int, classes: int, divisor: float = 1.0
    ) -> "SoftmaxNetwork":
        """The default initialization of TensorFlow's Keras, both layers divided by the same number; biases 0.

        generator: the stream of the initialization.
        width: number m of neurons.
        d: dimension of the inputs.
        classes: C.
        divisor: at least 1e-100, by which the standard deviations √(2/(m+d)) and √(2/(m+C)) are divided.
        """
        instance("generator", generator, np.random.Generator)
        # mutant: the guard of an argument
        m, d, classes = whole("width", width, least=1), whole("d", d, least=1), whole("classes", classes, least=2)
        divisor = number("divisor", divisor, least=SMALLEST_DIVISOR)
        memory("width × d", f"{m} × {d}", 8 * m * d)
        memory("width × classes", f"{m} × {classes}", 8 * m * classes)
        w = glorot_uniform(generator, m, d) / divisor
        return cls(w, np.zeros(m), glorot_uniform(generator, classes, m) / divisor, np.zeros(classes))

    @property
    def start(self) -> Weights:
        """θ = (W, b, A, c)."""
        return self.w, self.b, self.a, self.c

    @staticmethod
    def hidden(theta: Weights, x: Any) -> Any:
        """(Wx_i + b)₊, n × m, at the rows of x."""
        xp, b = namespace(theta[0]), theta[1]
        z = x @ theta[0].T
        z += b
        return xp.maximum(z, xp.zeros_like(b), out=z)  # a row of zeros and no new array: NumPy takes half the time

    @staticmethod
    def output(theta: Weights, x: Any) -> Any:
        """The logits f(x_i), n × C, at the rows of x."""
        _, _, a, c = theta
        return SoftmaxNetwork.hidden(theta, x) @ a.T + c

    @staticmethod
    def batch_gradient(theta: Weights, x: Any, targets: Any) -> Weights:
        """∇L over the given images, in the order W, b, A, c; at a kink the slope is 0.

        theta: W, b, A, c.
        x: n × d.
        targets: n × C, labels as rows of the unit matrix.
        """
        _, _, a, c = theta
        hidden = SoftmaxNetwork.hidden(theta, x)
        error = (_softmax(hidden @ a.T + c) - targets) / len(x)
        back = error @ a
        back *= hidden > 0
        return back.T @ x, back.sum(0), (hidden.T @ error).T, error.sum(0)  # the long factor goes first


def accuracy(logits: Any, labels: Any) -> float:
    """The fraction of the rows whose largest entry is that of their label; ValueError unless there is a label a row.

    logits: a row for each sample, a column for each class.
    labels: the number of the class of each.

    >>> round(accuracy(np.array([[2.0, 1.0], [0.0, 3.0], [1.0, 0.0]]), np.array([0, 1, 1])), 4)
    0.6667
    """
    if len(getattr(logits, "shape", ())) != 2:
        raise ValueError(f"logits is a {type(logits).__name__}; it must be an array of two axes")
    held = tuple(getattr(labels, "shape", ()))
    if held != (logits.shape[0],):
        raise ValueError(f"labels has shape {held}; it must be ({logits.shape[0]},), one for each row")
    unmasked("logits", logits)
    unmasked("labels", labels)
    return float(np.mean(in_memory(logits.argmax(1) == labels)))


def _softmax(logits: Any) -> Any:
    """e^{f_c}/Σ_k e^{f_k} along each row."""
    xp = namespace(logits)
    weights = xp.exp(logits - xp.amax(logits, axis=1, keepdims=True))
    return weights / weights.sum(1)[:, None]
