"""The smooth margin's flow once no sample changes sides any more: n numbers, and exact."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from scipy.special import softmax

from implicit_bias.checks import Array, array
from implicit_bias.models.two_layer.pattern import ActivationPattern
from implicit_bias.models.two_layer.span_flow import SpanFlow


@dataclass(frozen=True)
class FrozenFlow:
    """The flow of a trained first layer once the activation pattern is frozen: n numbers c_i = ∫ p_i dτ instead of mn.

    y_i f(x_i) = m_i = (m₀ + Kc)_i,  dc/dτ = p = softmax(−m),  C = C₀ + s a_j y_i φ′_ji c_i

    K_ik = y_i y_k ⟨x_i, x_k⟩ Σ_j s² a_j² φ′_ji φ′_jk. Only differences of margins matter, and they settle while the
    margins grow: the state is c and e_i = m_i − m_n, i < n. Late in the run c is linear in τ and e constant, so that a
    stiff solver's steps grow without bound.

    kernel: K, n × n.
    start_margins: m₀.
    pushes: s a_j y_i φ′_ji, m × n.
    origin: C₀, mn entries.

    >>> flow = FrozenFlow(np.eye(2), np.zeros(2), np.array([[1.0, -1.0]]), np.zeros(2))
    >>> flow.start, flow.shares(flow.start)
    (array([0., 0., 0.]), array([0.5, 0.5]))
    """

    kernel: Array
    start_margins: Array
    pushes: Array
    origin: Array

    @classmethod
    def after(cls, flow: SpanFlow, state: Array) -> "FrozenFlow":
        """The flow from a state on, as long as no pre-activation changes its sign.

        flow: as ``ActivationPattern`` takes it.
        state: mn entries.

        Raises ValueError for another flow or a state of another size.
        """
        state = array("state", state, 1, (flow.start.size,))
        pushes = ActivationPattern(flow).pushed * flow.risk.net.activation.derivative(flow.pre_activations(state))
        return cls(flow.span.gram * (pushes.T @ pushes), flow.margins(state), pushes, state.copy())

    @property
    def start(self) -> Array:
        """c = 0 and e at the freeze, of 2n − 1 entries."""
        return np.concatenate([np.zeros(self.start_margins.size), self.start_margins[:-1] - self.start_margins[-1]])

    @cached_property
    def _differences(self) -> Array:
        return np.asarray(self.kernel[:-1] - self.kernel[-1])

    def gathered(self, state: Array) -> Array:
        """The c, … × n, from states … × (2n − 1)."""
        return state[..., : self.start_margins.size]

    def shares(self, state: Array) -> Array:
        """The n weights p_i of the samples."""
        return np.asarray(softmax(-np.append(state[self.start_margins.size :], 0.0)))

    def velocity(self, state: Array) -> Array:
        """d(c, e)/dτ, 2n − 1 entries."""
        p = self.shares(state)
        return np.concatenate([p, self._differences @ p])

    def jacobian(self, state: Array) -> Array:
        """Its derivative in the state, (2n − 1) × (2n − 1)."""
        p = self.shares(state)
        turned = (np.outer(p, p) - np.diag(p))[:, :-1]
        out = np.zeros((state.size, state.size))
        out[: p.size, p.size :] = turned
        out[p.size :, p.size :] = self._differences @ turned
        return out

    def coefficients(self, state: Array) -> Array:
        """C, … × mn, as states of the flow before the freeze, from states … × (2n − 1)."""
        moved = self.pushes * self.gathered(state)[..., None, :]
        # mutant(1): NumPy finds this size by itself
        return np.asarray(self.origin + moved.reshape(*state.shape[:-1], -1))
