"""The two-layer leaky ReLU classifier with a fixed second layer, and its exact reduction to the span of the samples."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from scipy.special import softmax

from implicit_bias.checks import Array, array, whole
from implicit_bias.data import Classification
from implicit_bias.models.activations import LeakyReLU


@dataclass(frozen=True)
class LeakyClassifier:
    """f(x; W) = Σ_j a_j φ(w_j·x), φ(z) = max(γz, z), trained in W alone under the exponential loss.

    problem: the labelled samples x_i, y_i.
    slope: γ in [0, 1].
    positive: m₁, the number of neurons with a_j = 1/√m; they come first.
    negative: m₂, the number of neurons with a_j = −1/√m; m = m₁ + m₂.
    """

    problem: Classification
    slope: float
    positive: int
    negative: int

    def __post_init__(self) -> None:
        """Refuse a slope outside [0, 1] and a layer without neurons."""
        LeakyReLU(self.slope)
        whole("positive", self.positive, least=0)
        whole("negative", self.negative, least=0)
        whole("positive + negative", self.positive + self.negative, least=1)

    @cached_property
    def output_weights(self) -> Array:
        """The m fixed weights a_j of the second layer."""
        m = self.positive + self.negative
        return np.asarray(np.where(np.arange(m) < self.positive, 1.0, -1.0) / np.sqrt(m))

    @cached_property
    def pushed(self) -> Array:
        """a_j y_i, m × n: the sign of a_j y_i says to which side sample i pushes neuron j."""
        return np.outer(self.output_weights, self.problem.y)

    def output(self, w: Array, x: Array) -> Array:
        """The N values f(x), from W (m × d) and x (N × d)."""
        return np.asarray(self.output_weights @ LeakyReLU(self.slope).value(w @ x.T))

    def margins(self, z: Array) -> Array:
        """The n margins y_i f(x_i), from the pre-activations z_ji = w_j·x_i (m × n)."""
        return np.asarray(np.sum(self.pushed * LeakyReLU(self.slope).value(z), axis=0))

    def forces(self, z: Array) -> Array:
        """The coefficients of −∇L/L in the samples, m × n, from the pre-activations z (m × n).

        −∇_{w_j} L/L = Σ_i F_ji x_i,  F_ji = a_j y_i φ′(z_ji) p_i,  p_i = e^{−y_i f(x_i)} / Σ_k e^{−y_k f(x_k)}
        """
        p = softmax(-self.margins(z))
        return np.asarray(self.pushed * LeakyReLU(self.slope).derivative(z) * p)

    def rescaled_velocity(self, w: Array) -> Array:
        """dW/dτ = −∇L/L with dτ = L dt, L = (1/n) Σ e^{−y_i f(x_i)}: md entries from W's md entries, row by row."""
        x = self.problem.x
        return np.asarray(self.forces(w.reshape(-1, x.shape[1]) @ x.T) @ x).ravel()

    def in_span(self, w: Array) -> "SpanFlow":
        """The same flow from W(0) = w (m × d) in mn numbers: its rows move in the span of the samples."""
        return SpanFlow(self, array("w", w, 2, (self.output_weights.size, self.problem.x.shape[1])))


@dataclass(frozen=True)
class SpanFlow:
    """W(τ) = W(0) + A(τ)X: exact for the flow and for gradient descent, in O(mn²) operations whatever d is.

    dA_ji/dτ = a_j y_i φ′(z_ji) p_i,  z = W(0)Xᵀ + A XXᵀ

    The state is A, m × n, row by row.

    model: the network and its samples.
    w: W(0), m × d.
    """

    model: LeakyClassifier
    w: Array

    @cached_property
    def _gram(self) -> Array:
        return np.asarray(self.model.problem.x @ self.model.problem.x.T)

    @cached_property
    def _start(self) -> Array:
        return np.asarray(self.w @ self.model.problem.x.T)

    @property
    def start(self) -> Array:
        """A = 0, of mn entries."""
        return np.zeros(self._start.size)

    def pre_activations(self, state: Array) -> Array:
        """The z_ji = w_j·x_i, m × n."""
        return np.asarray(self._start + state.reshape(self._start.shape) @ self._gram)

    def margins(self, state: Array) -> Array:
        """The n margins."""
        return self.model.margins(self.pre_activations(state))

    def velocity(self, state: Array) -> Array:
        """dA/dτ, mn entries."""
        return self.model.forces(self.pre_activations(state)).ravel()

    def weights(self, state: Array) -> Array:
        """W, … × m × d, from states … × mn."""
        return self.w + state.reshape(*state.shape[:-1], *self._start.shape) @ self.model.problem.x

    def disagreements(self, state: Array) -> int:
        """How many of the mn pre-activations do not yet have the sign of a_j y_i."""
        return int(np.sum(self.pre_activations(state) * self.model.pushed <= 0))

    def freeze(self, state: Array) -> "FrozenFlow":
        """The flow from this state on, as long as no pre-activation changes its sign."""
        z = self.pre_activations(state)
        slopes = LeakyReLU(self.model.slope).derivative(z)
        kernel = self._gram * (self.model.pushed.T * slopes.T @ (slopes * self.model.pushed))
        return FrozenFlow(kernel, self.model.margins(z), self.model.pushed * slopes, state.copy())


@dataclass(frozen=True)
class FrozenFlow:
    """The flow once the activation pattern is frozen: n numbers c_i = ∫ p_i dτ instead of mn.

    y_i f(x_i) = m_i = (m₀ + Kc)_i,  dc/dτ = p = softmax(−m),  A = A₀ + a_j y_i φ′_ji c_i

    K_ik = y_i y_k ⟨x_i, x_k⟩ Σ_j a_j² φ′_ji φ′_jk. Only differences of margins matter, and they settle while the
    margins grow: the state is c and e_i = m_i − m_n, i < n. Late in the run c is linear in τ and e constant, so that a
    stiff solver's steps grow without bound.

    kernel: K, n × n.
    start_margins: m₀.
    pushes: a_j y_i φ′_ji, m × n.
    origin: A₀, mn entries.
    """

    kernel: Array
    start_margins: Array
    pushes: Array
    origin: Array

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
        """A, … × mn, from states … × (2n − 1)."""
        moved = self.pushes * self.gathered(state)[..., None, :]
        return np.asarray(self.origin + moved.reshape(*state.shape[:-1], -1))
