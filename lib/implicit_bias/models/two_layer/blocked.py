"""The gradient of a wide ReLU network of which both layers move, in blocks of neurons and in place."""

from collections.abc import Iterator
from dataclasses import dataclass, field

import numpy as np

from implicit_bias.activations import RELU
from implicit_bias.checks import Array, whole
from implicit_bias.models.two_layer.risk import Risk

BLOCK = 65536  # numbers of a block, half a megabyte: it stays in the cache between two passes
SIGN, HALF = np.uint64(1 << 63), np.float64(0.5).view(np.uint64)


@dataclass(frozen=True)
class BlockedGradient:
    """What ``risk.of_weights(w, a).gradient`` computes, several times faster: the same numbers up to rounding.

    σ(z) = ½(z + |z|),  σ′(z) = ½(1 + sign z), so that with z_ji = w_j·x_i and R_i = ∂R/∂f_i

    f_i = (s/2) [(Σ_j a_j w_j)·x_i + Σ_j a_j |z_ji|],  v_j = ½ Σ_i R_i x_i + Σ_i (½ sign z_ji) R_i x_i
    ∂F/∂w_j = s a_j v_j,  ∂F/∂a_j = s w_j·v_j

    A modulus and a sign are operations on one bit; σ and σ′ are comparisons. The state is (W row by row, a).

    risk: of a ReLU network whose two layers both move.
    m: number of neurons.

    Its memory is shared by all calls, so that one thread at a time may call it. At z = 0, where σ has a kink, σ′ is 1.
    Raises ValueError for another activation, a layer that stays, or no neuron.
    """

    risk: Risk
    m: int
    _points: Array = field(init=False, repr=False)
    _preactivations: Array = field(init=False, repr=False)
    _block: Array = field(init=False, repr=False)

    def __post_init__(self) -> None:
        """Refuse what is no ReLU network of two moving layers, and set memory aside."""
        net = self.risk.net
        if net.activation != RELU or net.trained != "both":
            raise ValueError(
                f"risk.net is {net.activation} with trained {net.trained!r}; it must be a ReLU network of which both "
                "layers are trained"
            )
        m, n = whole("m", self.m, least=1), self.risk.data.y.size
        object.__setattr__(self, "_points", np.ascontiguousarray(self.risk.data.x.T))
        object.__setattr__(self, "_preactivations", np.empty((m, n)))
        object.__setattr__(self, "_block", np.empty((max(1, min(m, BLOCK // n)), n)))

    def outputs(self, state: Array) -> Array:
        """The n numbers f(x_i) at a state, m(d + 1) numbers."""
        w, a = self._weights(state)
        moduli = np.zeros(len(self.risk.data.x))
        for part, z, block in self._parts():
            np.matmul(w[part], self._points, out=z)
            np.abs(z, out=block)
            moduli += a[part] @ block
        return np.asarray((self.risk.net.scale(self.m) / 2) * (self.risk.data.x @ (a @ w) + moduli))

    def gradient(self, state: Array) -> Array:
        """The gradient of the risk at a state, m(d + 1) numbers."""
        w, a = self._weights(state)
        x, y = self.risk.data.x, self.risk.data.y
        weighted = self.risk.loss.slope(self.outputs(state), y)[:, None] * x  # and z is that of this state
        answer = np.empty_like(state)
        v, of_a = self._weights(answer)
        for part, z, block in self._parts():
            bits = block.view(np.uint64)
            np.bitwise_and(z.view(np.uint64), SIGN, out=bits)
            np.bitwise_or(bits, HALF, out=bits)
            np.matmul(block, weighted, out=v[part])
        v += weighted.sum(axis=0) / 2
        v *= self.risk.net.scale(self.m)
        np.einsum("jk,jk->j", w, v, out=of_a)
        v *= a[:, None]
        return answer

    def _weights(self, state: Array) -> tuple[Array, Array]:
        """W and a as views of a state."""
        size = self.m * len(self._points)
        return state[:size].reshape(self.m, -1), state[size:]

    def _parts(self) -> Iterator[tuple[slice, Array, Array]]:
        """Blocks of neurons, with the memory of their z and a block that all of them share."""
        size = len(self._block)
        for first in range(0, self.m, size):
            part = slice(first, min(self.m, first + size))
            yield part, self._preactivations[part], self._block[: part.stop - first]
