"""The exact reduction of two-layer networks: the first layer's weights move in the span of the samples."""

from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from implicit_bias.checks import Array
from implicit_bias.models.two_layer.flow import NetworkFlow
from implicit_bias.models.two_layer.span import Span


@dataclass(frozen=True)
class SpanFlow(NetworkFlow):
    """Gradient flow in mn + m numbers instead of md + m, for any network, start, loss and data.

    W = W(0) + CX,  Ċ_ji = −s a_j R_i σ′(z_ji),  ȧ_j = −s Σ_i R_i σ(z_ji),  z = W(0)Xᵀ + C XXᵀ,  R_i = ∂R/∂f_i

    A step of gradient descent on W and a is one on C and a. What lies outside the samples' span never moves. The state
    is C row by row and a, as far as they are trained, then Γ_i = −∫ R_i dt, if it is gathered.

    risk: the network, its loss and the samples.
    span: W(0) and the samples.
    a: a(0), m entries.
    gather: whether the state holds Γ.

    >>> from implicit_bias import Classification, LeakyReLU, Risk, Squared, TwoLayer
    >>> risk = Risk(TwoLayer(LeakyReLU(0.5)), Classification(np.ones((1, 9)), np.array([1.0])), Squared())
    >>> flow = risk.in_span(np.ones((2, 9)) / 9, np.array([1.0, -1.0]))
    >>> flow.start.size, flow.outputs(flow.start)
    (4, array([0.]))
    """

    span: Span
    a: Array
    gather: bool = False

    @property
    def start(self) -> Array:
        """C = 0, a(0) and Γ = 0."""
        gathered = np.zeros(self.span.inputs.shape[1] if self.gather else 0)
        return np.concatenate([np.zeros(self._size), self.a if self.risk.net.output_moves else [], gathered])

    @cached_property
    def _size(self) -> int:
        """The number of entries of C in a state."""
        return self.span.inputs.size if self.risk.net.first_moves else 0

    def coefficients(self, state: Array) -> Array:
        """C, … × m × n, at states … × p: W = W(0) + CX."""
        shape = (*state.shape[:-1], *self.span.inputs.shape)  # mutant(1): NumPy finds this size by itself
        return state[..., : self._size].reshape(shape) if self._size else np.zeros(shape)

    def output_weights(self, state: Array) -> Array:
        """A, … × m, at states … × p."""
        m = self.a.size
        if self.risk.net.output_moves:
            return state[..., self._size : self._size + m]
        return np.broadcast_to(self.a, (*state.shape[:-1], m))

    def gathered(self, state: Array) -> Array:
        """Γ, … × n, at states … × p that gather it: ∫ r dt with the squared loss, y_iΓ_i > 0 with margin losses."""
        if not self.gather:
            raise ValueError("the state gathers nothing; ask in_span(..., gather=True) for it")
        return state[..., -self.span.inputs.shape[1] :]

    def weights(self, state: Array) -> tuple[Array, Array]:
        """W (… × m × d) and a (… × m) at states (… × p)."""
        return self.span.weights(self.coefficients(state)), self.output_weights(state)

    def scaled(self, factor: float) -> "SpanFlow":
        """The same flow from W(0) times a factor."""
        return replace(self, span=self.span.scaled(factor))

    def pre_activations(self, state: Array) -> Array:
        """The z_ji = w_j·x_i, m × n."""
        return self.span.pre_activations(self.coefficients(state)) if self._size else self.span.inputs

    def outputs(self, state: Array) -> Array:
        """The n numbers f(x_i)."""
        return np.asarray(self._outer(state) @ self._hidden(state)[0])

    def gradient(self, state: Array) -> Array:
        """Minus the velocity; the first mn entries, an m × n matrix, times X are ∂F/∂W."""
        hidden, gate = self._hidden(state)
        outer = self._outer(state)
        slope = self.risk.loss.slope(outer @ hidden, self.risk.data.y)
        parts = []
        if self._size:
            gate *= outer[:, None]
            gate *= slope
            parts.append(gate.ravel())
        if self.risk.net.output_moves:
            # mutant(self._scale): the chapter's scaling is 1; held by test_risk
            parts.append(self._scale * (hidden @ slope))
        if self.gather:
            parts.append(slope)
        return np.concatenate(parts) if len(parts) > 1 else parts[0]

    def jacobian(self, state: Array) -> Array:
        """The derivative of the velocity in the state, p × p, for stiff integrators.

        The R_i move with every output, by ∂²R/∂f² times ∂f; σ′, σ and a_j beside them only with neuron j.
        """
        (m, n), size = self.span.inputs.shape, self._size
        last = size + (m if self.risk.net.output_moves else 0)
        hidden, gate = self._hidden(state)
        outer, f = self._outer(state), self._outer(state) @ hidden
        pushes = outer[:, None] * gate
        by_state = np.zeros((n, state.size))  # ∂f_i
        if size:
            by_state[:, :size] = np.einsum("ki,ip->ikp", pushes, self.span.gram).reshape(n, size)
        by_state[:, size:last] = self._scale * hidden.T[:, : last - size]
        by_state = self.risk.loss.hessian(f, self.risk.data.y) @ by_state  # ∂R_i
        slope = self.risk.loss.slope(f, self.risk.data.y)
        bends = outer[:, None] * self.risk.net.activation.second_derivative(self.pre_activations(state)) * slope
        turns = self._scale * gate * slope
        out = np.empty((state.size, state.size))
        out[:size] = (pushes[:, :, None] * by_state).reshape(-1, state.size)[:size]
        out[size:last] = (self._scale * (hidden @ by_state))[: last - size]
        out[last:] = by_state[: state.size - last]
        for j in range(m if size else 0):
            own = slice(j * n, (j + 1) * n)
            out[own, own] += bends[j][:, None] * self.span.gram
            if last > size:
                out[own, size + j] += turns[j]
                out[size + j, own] += turns[j] @ self.span.gram
        return -out

    def squared_norms(self, state: Array) -> tuple[float, float]:
        """‖W‖_F² and ‖W‖₂², from matrices of size m and n."""
        return self.span.squared_norms(self.coefficients(state), self.a)

    def stable_rank(self, state: Array) -> float:
        """‖W‖_F²/‖W‖₂²."""
        frobenius, spectral = self.squared_norms(state)
        return frobenius / spectral

    def squared_norms_of_change(self, state: Array) -> tuple[float, float]:
        """‖W − W(0)‖_F² and ‖W − W(0)‖₂², after the first step."""
        return self.span.squared_norms_of_change(self.coefficients(state), self.a)

    @cached_property
    def _scale(self) -> float:
        return self.risk.net.scale(self.a.size)

    def _outer(self, state: Array) -> Array:
        """The s a_j, m entries."""
        return self._scale * self.output_weights(state)

    @cached_property
    def _at_start(self) -> tuple[Array, Array]:
        return self.risk.net.activation.with_derivative(self.span.inputs)

    def _hidden(self, state: Array) -> tuple[Array, Array]:
        """σ(z) and σ′(z), m × n; where W stays, those of the start, which are not to be changed."""
        return self.risk.net.activation.with_derivative(self.pre_activations(state)) if self._size else self._at_start
