"""The gradient of a wide ReLU network of which both layers move, in blocks and in place."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from implicit_bias.activations import RELU
from implicit_bias.checks import Array, memory, whole
from implicit_bias.compiled import both_layers
from implicit_bias.losses import SmoothMargin
from implicit_bias.models.two_layer.flow import NetworkRisk

POINTS = 256  # of a block, at most
BLOCK = 49152  # numbers of a block, not half a megabyte: it stays in the cache between two passes
MODULUS = np.uint64(2**63 - 1)  # all bits of a number but its sign
EVEN = 8  # thin products are a fifth faster, or a third, when their width is a multiple of this
FEW = 20000  # points times neurons, at most, for which calls of NumPy cost so much that few of them are best
NEGLIGIBLE = 1e-20  # of the largest |∂R/∂f_i|: with fewer than 10^4 points such terms are lost in rounding


class BlockedGradient:  # attack: none, it takes a risk
    """What ``risk.of_weights(w, a).gradient`` computes, several times faster: the same numbers up to rounding.

    σ(z) = ½(z + |z|), so that with z_ij = x_i·w_j and R_i = ∂R/∂f_i

    f_i = (s/2) [x_i·(Σ_j a_j w_j) + Σ_j a_j |z_ij|],  v_j = Σ_i 1{z_ij > 0} R_i x_i
    ∂F/∂w_j = s a_j v_j,  ∂F/∂a_j = s w_j·v_j

    A modulus is an operation on one bit, and of z no more than its signs are kept, a byte each. Points whose R_i is
    lost in rounding, as late in training most are, are left out of v. The state is (W row by row, a). At z = 0, where σ
    has a kink, σ′ is 0. The blocks are memory of its own, overwritten by each call: one thread at a time may call it.

    risk: of a ReLU network whose two layers both move.
    m: number of neurons.

    Raises ValueError for another activation, a layer that stays, no neuron, or more than memory allows.

    >>> from implicit_bias import Classification, LeakyReLU, Risk, Squared, TwoLayer
    >>> risk = Risk(TwoLayer(LeakyReLU(0.0)), Classification(np.eye(2), np.array([1.0, -1.0])), Squared())
    >>> flow = risk.of_weights(np.ones((3, 2)), np.ones(3))
    >>> bool(np.allclose(BlockedGradient(risk, 3).gradient(flow.start), flow.gradient(flow.start)))
    True
    """

    def __init__(self, risk: NetworkRisk, m: int) -> None:
        """Refuse what is no ReLU network of two moving layers, and set memory aside."""
        both_relu(risk)
        self.risk, self.m = risk, whole("m", m, least=1)
        n, d = risk.data.x.shape
        memory("m", m, m * n)
        self._blocks = _blocks(n, m)
        self._padded = np.pad(risk.data.x, ((0, 0), (0, -d % EVEN)))
        self._scale = risk.net.scale(m)
        self._compiled = both_layers(risk.data.x, risk.data.y, m)
        self._steps = self._compiled if risk.loss == SmoothMargin() else None

    def outputs(self, state: Array) -> Array:
        """The n numbers f(x_i) at a state, m(d + 1) numbers."""
        if self._compiled and self._compiled.takes(state):
            return self._scale * self._compiled.outputs(state)
        w, a = self._weights(state)
        x, columns = self.risk.data.x, np.ascontiguousarray(w.T)  # a product with rows takes up to twice as long
        answer = x @ (a @ w)
        for block in self._blocks:
            z = block.numbers
            np.matmul(x[block.points], columns[:, block.neurons], out=z)
            np.greater(z, 0, out=block.open)
            np.bitwise_and(block.bits, MODULUS, out=block.bits)  # |z|, a third faster than NumPy's
            answer[block.points] += z @ a[block.neurons]
        answer *= self._scale / 2
        return np.asarray(answer)

    def gradient(self, state: Array) -> Array:
        """The gradient of the risk at a state, m(d + 1) numbers."""
        if self._compiled and self._compiled.takes(state):
            return self._compiled.gradient(state, lambda f: self.risk.loss.slope(f, self.risk.data.y), self._scale)
        if self.risk.data.y.size * self.m <= FEW:
            return self._of_few(state)
        w, a = self._weights(state)
        slope = self.risk.loss.slope(self.outputs(state), self.risk.data.y)  # and the signs are those of this state
        size = np.abs(slope)
        heard = size > NEGLIGIBLE * size.max()
        every = bool(heard.all())
        weighted = slope[:, None] * self._padded
        v = np.zeros((self.m, weighted.shape[1]))
        for block in self._blocks:
            gate, pull, open_ = block.numbers, weighted[block.points], block.open
            if not every:
                some = heard[block.points]
                open_, pull = open_[some], pull[some]
                gate = gate[: len(pull)]
            np.copyto(gate, open_.view(np.int8))  # from bytes it is faster than from truth values
            v[block.neurons] += gate.T @ pull
        answer = np.empty_like(state)
        of_w, of_a = self._weights(answer)
        np.multiply(v[:, : w.shape[1]], self._scale, out=of_w)
        np.einsum("jk,jk->j", w, of_w, out=of_a)
        of_w *= a[:, None]
        return answer

    def stepped(self, state: Array, rate: float) -> Array | None:
        """The state less a rate times the gradient; None where that is not to be had faster than in two steps."""
        return self._steps.moved(state, self._scale, rate) if self._steps else None

    def _of_few(self, state: Array) -> Array:
        """The gradient of a small network on few points."""
        (w, a), x, scale = self._weights(state), self.risk.data.x, self._scale
        z = w @ x.T
        np.maximum(z, 0, out=z)
        slope = scale * self.risk.loss.slope(scale * (a @ z), self.risk.data.y)
        answer = np.empty_like(state)
        of_w, of_a = self._weights(answer)
        np.matmul(z, slope, out=of_a)
        np.greater(z, 0, out=z)
        z *= slope
        np.matmul(z, x, out=of_w)
        of_w *= a[:, None]
        return answer

    def _weights(self, state: Array) -> tuple[Array, Array]:
        """W and a as views of a state."""
        return state[: -self.m].reshape(self.m, -1), state[-self.m :]  # mutant(1): NumPy finds this size by itself


def both_relu(risk: NetworkRisk) -> None:  # attack: none, it is a check
    """Refuse the risk of another network than a ReLU network of which both layers move.

    risk: of the network.
    """
    net = risk.net
    if net.activation != RELU or net.trained != "both":
        raise ValueError(
            f"risk.net is {net.activation} with trained {net.trained!r}; it must be a ReLU network of which both "
            "layers are trained"
        )


@dataclass(frozen=True)
class _Block:
    """Some points and some neurons, with memory for a number each, seen also as bits, and for its sign."""

    points: slice
    neurons: slice
    numbers: Array
    bits: NDArray[np.uint64]
    open: NDArray[np.bool_]


def _blocks(n: int, m: int) -> list[_Block]:
    """All of n points and all of m neurons in blocks; the memory of the numbers is one for all."""
    high = min(n, POINTS)
    wide = max(1, BLOCK // high)
    shared = np.empty(high * min(m, wide))
    blocks = []
    for first in range(0, n, POINTS):
        for begin in range(0, m, wide):
            points, neurons = slice(first, min(n, first + POINTS)), slice(begin, min(m, begin + wide))
            shape = points.stop - first, neurons.stop - begin
            numbers = shared[: shape[0] * shape[1]].reshape(shape)
            blocks.append(_Block(points, neurons, numbers, numbers.view(np.uint64), np.empty(shape, dtype=np.bool_)))
    return blocks
