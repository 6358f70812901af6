"""The exact reduction of two-layer networks: the weights of the first layer move in the row space of the data."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from implicit_bias.checks import Array, array
from implicit_bias.models.activations import LeakyReLU


@dataclass(frozen=True)
class RowSpaceFlow:
    """Gradient flow of ½‖y − f(X)‖², f(x) = Σ a_i σ(w_iᵀx), in Nm + m numbers instead of dm + m.

    W(t) = W(0) + Xᵀμ,  μ̇ = (r aᵀ)∘σ′(XW),  ȧ = σ(XW)ᵀr,  r = y − σ(XW)a,  XW = XW(0) + XXᵀμ

    It is exact for any width, initialization, activation and data: what lies outside the row space of X never moves.
    The state is μ (N × m, row by row), then a.

    w: W(0), d × m, one neuron w_i a column.
    a: a(0), m entries.
    x: the data X, N × d.
    y: N labels.
    activation: σ.
    """

    w: Array
    a: Array
    x: Array
    y: Array
    activation: LeakyReLU

    def __post_init__(self) -> None:
        """Refuse arrays that do not fit together."""
        d, m = array("w", self.w, 2).shape
        array("a", self.a, 1, (m,))
        n = array("x", self.x, 2, (None, d)).shape[0]
        array("y", self.y, 1, (n,))

    @cached_property
    def _gram(self) -> Array:
        return np.asarray(self.x @ self.x.T)

    @cached_property
    def _start(self) -> Array:
        return np.asarray(self.x @ self.w)

    @property
    def start(self) -> Array:
        """The state at t = 0: μ = 0 and a(0), of Nm + m entries."""
        return np.concatenate([np.zeros(self._start.size), self.a])

    def _split(self, state: Array) -> tuple[Array, Array, Array]:
        """μ (N × m), a, and z = XW (N × m)."""
        size = self._start.size
        mu = state[:size].reshape(self._start.shape)
        return mu, state[size:], self._start + self._gram @ mu

    def residual(self, state: Array) -> Array:
        """r = y − f(X), of N entries."""
        _, a, z = self._split(state)
        return np.asarray(self.y - self.activation.value(z) @ a)

    def misfit(self, state: Array) -> float:
        """‖r‖."""
        return float(np.linalg.norm(self.residual(state)))

    def velocity(self, state: Array) -> Array:
        """(μ̇, ȧ), of Nm + m entries."""
        _, a, z = self._split(state)
        hidden = self.activation.value(z)
        r = self.y - hidden @ a
        return np.concatenate([(np.outer(r, a) * self.activation.derivative(z)).ravel(), r @ hidden])

    def jacobian(self, state: Array) -> Array:
        """The derivative of the velocity with respect to the state, for stiff integrators."""
        _, a, z = self._split(state)
        m, size = a.size, z.size
        hidden, gate = self.activation.value(z), self.activation.derivative(z)
        bend = self.activation.second_derivative(z)
        r = self.y - hidden @ a
        out = np.zeros((size + m, size + m))
        # With respect to z, sample by sample: −(a_i σ′_ni)(a_j σ′_nj), plus r_n a_i σ″_ni on the diagonal.
        slopes = gate * a
        by_z = -slopes[:, :, None] * slopes[:, None, :]
        by_z[:, range(m), range(m)] += r[:, None] * a * bend
        out[:size, :size] = np.einsum("nij,nk->nikj", by_z, self._gram).reshape(size, size)
        by_a = -slopes[:, :, None] * hidden[:, None, :]
        by_a[:, range(m), range(m)] += r[:, None] * gate
        out[:size, size:] = by_a.reshape(size, m)
        a_by_z = by_a.transpose(2, 0, 1)  # both are the loss's mixed second derivative in z and a, with a minus
        out[size:, :size] = np.einsum("jni,nk->jki", a_by_z, self._gram).reshape(m, size)
        out[size:, size:] = -hidden.T @ hidden
        return out

    def weights(self, state: Array) -> tuple[Array, Array]:
        """W (d × m) and a (m entries) at a state."""
        mu, a, _ = self._split(state)
        return np.asarray(self.w + self.x.T @ mu), a

    def parameters(self, state: Array) -> Array:
        """θ = (w_1, …, w_m, a) at a state, as the networks stack it: dm + m entries."""
        w, a = self.weights(state)
        return np.concatenate([w.T.ravel(), a])

    def predictor(self, state: Array) -> Array:
        """w̃ = Wa = W(0)a + Xᵀμa, of d entries; the linear predictor where σ is the identity."""
        w, a = self.weights(state)
        return np.asarray(w @ a)
