"""The gradient of a wide ReLU network of which both layers move, in blocks of points and in place."""

from collections.abc import Iterator
from dataclasses import dataclass, field

import numpy as np

from implicit_bias.activations import RELU
from implicit_bias.checks import Array, whole
from implicit_bias.models.two_layer.flow import NetworkRisk

BLOCK = 65536  # numbers of a block, half a megabyte: it stays in the cache between two passes
SIGN, HALF = np.uint64(1 << 63), np.float64(0.5).view(np.uint64)
NEGLIGIBLE = 1e-20  # of the largest |∂R/∂f_i|: with fewer than 10^4 points such terms are lost in rounding


@dataclass(frozen=True)
class BlockedGradient:
    """What ``risk.of_weights(w, a).gradient`` computes, several times faster: the same numbers up to rounding.

    σ(z) = ½(z + |z|),  σ′(z) = ½(1 + sign z), so that with z_ij = x_i·w_j and R_i = ∂R/∂f_i

    f_i = (s/2) [x_i·(Σ_j a_j w_j) + Σ_j a_j |z_ij|],  v_j = ½ Σ_i R_i x_i + Σ_i (½ sign z_ij) R_i x_i
    ∂F/∂w_j = s a_j v_j,  ∂F/∂a_j = s w_j·v_j

    A modulus and a sign are operations on one bit; σ and σ′ are comparisons. Points whose R_i is lost in rounding, as
    late in training most are, are left out of v. The state is (W row by row, a).

    risk: of a ReLU network whose two layers both move.
    m: number of neurons.

    Its memory is shared by all calls, so that one thread at a time may call it. At z = 0, where σ has a kink, σ′ is 1.
    Raises ValueError for another activation, a layer that stays, or no neuron.
    """

    risk: NetworkRisk
    m: int
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
        object.__setattr__(self, "_preactivations", np.empty((n, m)))
        object.__setattr__(self, "_block", np.empty((max(1, min(n, BLOCK // m)), m)))

    def outputs(self, state: Array) -> Array:
        """The n numbers f(x_i) at a state, m(d + 1) numbers."""
        w, a = self._weights(state)
        x, columns = self.risk.data.x, np.ascontiguousarray(w.T)  # a product with rows takes three times as long
        answer = x @ (a @ w)
        for part, block in self._blocks(len(x)):
            z = self._preactivations[part]
            np.matmul(x[part], columns, out=z)
            np.abs(z, out=block)
            answer[part] += block @ a
        answer *= self.risk.net.scale(self.m) / 2
        return np.asarray(answer)

    def gradient(self, state: Array) -> Array:
        """The gradient of the risk at a state, m(d + 1) numbers."""
        w, a = self._weights(state)
        slope = self.risk.loss.slope(self.outputs(state), self.risk.data.y)  # and z is that of this state
        size = np.abs(slope)
        heard = np.flatnonzero(size > NEGLIGIBLE * size.max())
        weighted = slope[heard, None] * self.risk.data.x[heard]
        z = self._preactivations if heard.size == slope.size else self._preactivations[heard]
        answer = np.empty_like(state)
        v, of_a = self._weights(answer)
        v[:] = weighted.sum(axis=0) / 2
        for part, block in self._blocks(heard.size):
            bits = block.view(np.uint64)
            np.bitwise_and(z[part].view(np.uint64), SIGN, out=bits)
            np.bitwise_or(bits, HALF, out=bits)
            v += block.T @ weighted[part]
        v *= self.risk.net.scale(self.m)
        np.einsum("jk,jk->j", w, v, out=of_a)
        v *= a[:, None]
        return answer

    def _weights(self, state: Array) -> tuple[Array, Array]:
        """W and a as views of a state."""
        size = self.m * self.risk.data.x.shape[1]
        return state[:size].reshape(self.m, -1), state[size:]

    def _blocks(self, n: int) -> Iterator[tuple[slice, Array]]:
        """The first n points in blocks, each with memory of its size that all of them share."""
        size = len(self._block)
        for first in range(0, n, size):
            part = slice(first, min(n, first + size))
            yield part, self._block[: part.stop - first]
