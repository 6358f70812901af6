"""Networks of one size that learn the same samples from several starts, descended together."""

import numpy as np
from numpy.typing import ArrayLike

from implicit_bias.checks import Array, array, memory
from implicit_bias.losses import MarginLoss, Squared
from implicit_bias.models.two_layer.blocked import both_relu
from implicit_bias.models.two_layer.flow import NetworkRisk

APART = Squared, MarginLoss  # losses whose slope at an output is of this output alone: those of all networks at once


class Together:  # attack: none, it takes a risk
    """Gradient descent of S ReLU networks at once, each with its own rate: one product with the samples for all.

    The state stacks the networks, each W row by row and then all a. A step of ``descend`` with the learning rate 1 is a
    step of every network with its own; followed to a misfit, it ends where the last network has it. At z = 0, where σ
    has a kink, σ′ is 0. What it computes with is memory of its own, overwritten by each call: one thread at a time may
    call it.

    risk: of a ReLU network whose two layers both move.
    w: the starts W, S × m × d.
    a: the starts a, S × m.
    rates: S learning rates.

    Raises ValueError for another activation, a layer that stays, arrays that do not fit, or a rate that is not
    positive.

    >>> from implicit_bias import Classification, LeakyReLU, Risk, Squared, TwoLayer
    >>> risk = Risk(TwoLayer(LeakyReLU(0.0)), Classification(np.eye(2), np.array([1.0, -1.0])), Squared())
    >>> both = Together(risk, np.ones((2, 3, 2)), np.ones((2, 3)), np.array([0.1, 0.2]))
    >>> both.start.size, both.outputs(both.start, np.eye(2))
    (18, array([[3., 3.],
           [3., 3.]]))
    """

    def __init__(self, risk: NetworkRisk, w: Array, a: Array, rates: Array) -> None:
        """Refuse what is no ReLU network of two moving layers or does not fit, and set memory aside."""
        both_relu(risk)
        n = risk.data.y.size
        self.risk, self.w = risk, array("w", w, 3, (None, None, risk.data.x.shape[1]))
        count, m, _ = self.w.shape
        self.a, self.rates = array("a", a, 2, (count, m)), array("rates", rates, 1, (count,))
        if np.any(self.rates <= 0):
            raise ValueError(f"rates holds {np.min(self.rates):g}; every rate must be positive")
        memory("w", f"{count} × {m} neurons", 8 * 2 * count * m * n)
        self._hidden, self._gate = np.empty((2, count, m, n))  # σ(z) and σ′(z)
        self._open = np.empty((count, m, n), dtype=np.bool_)
        self._at: tuple[Array, Array] | None = None  # the state that they are of, and the outputs there
        self._scale = risk.net.scale(m)

    @property
    def start(self) -> Array:
        """The state at t = 0."""
        return np.concatenate([np.ravel(self.w), np.ravel(self.a)])

    def weights(self, state: Array) -> tuple[Array, Array]:
        """W (S × m × d) and a (S × m) as views of a state."""
        size = self.w.size
        return state[:size].reshape(self.w.shape), state[size:].reshape(self.a.shape)

    def outputs(self, state: Array, x: ArrayLike) -> Array:
        """The outputs f of all networks at N points, S × N."""
        w, a = self.weights(state)
        return self.risk.net.output(w, a, array("x", x, 2, (None, self.w.shape[2])))

    def misfits(self, state: Array) -> Array:
        """‖y − f(X)‖ of each network; a gradient at the same state, the same array unchanged, then costs less."""
        f = self._on_samples(state)
        self._at = state, f
        return np.asarray(np.linalg.norm(self.risk.data.y - f, axis=1))

    def misfit(self, state: Array) -> float:
        """The largest of them."""
        return float(np.max(self.misfits(state)))

    def _on_samples(self, state: Array) -> Array:
        """The outputs of all networks on the samples, S × n; memory then holds σ(z) and σ′(z)."""
        w, a = self.weights(state)
        x, z = self.risk.data.x, self._hidden
        np.matmul(w.reshape(-1, w.shape[2]), x.T, out=z.reshape(-1, len(x)))
        np.greater(z, 0, out=self._open)
        np.copyto(self._gate, self._open.view(np.int8))  # from bytes it is faster than from truth values
        np.maximum(z, 0, out=z)
        self._at = None
        return np.asarray(self._scale * np.matmul(a[:, None], z)[:, 0])

    def gradient(self, state: Array) -> Array:
        """The gradients of all risks at a state, each times its network's rate."""
        f = self._at[1] if self._at is not None and self._at[0] is state else self._on_samples(state)
        loss, y = self.risk.loss, self.risk.data.y
        slope = loss.slope(f, y) if isinstance(loss, APART) else np.stack([loss.slope(one, y) for one in f])
        slope = (slope * (self._scale * self.rates[:, None]))[..., None]
        answer = np.empty_like(state)
        of_w, of_a = self.weights(answer)
        np.matmul(self._hidden, slope, out=of_a[..., None])
        np.matmul(self._gate, slope * self.risk.data.x, out=of_w)
        of_w *= self.weights(state)[1][..., None]
        return answer

    def velocity(self, state: Array) -> Array:
        """Minus the gradient: the flow in which each network has its own pace."""
        return -self.gradient(state)
