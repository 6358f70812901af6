"""The leaky ReLU network with one hidden layer, f(x) = Σ a_i σ(w_iᵀx)."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from implicit_bias.checks import Array, array
from implicit_bias.models.activations import LeakyReLU
from implicit_bias.models.linear_network import LinearNetwork
from implicit_bias.models.row_space import RowSpaceFlow

WIDTH = 1e-8


@dataclass(frozen=True)
class LeakyNetwork:
    """A leaky ReLU network at its initialization; θ = (w_1, …, w_m, a) is one vector of dm + m parameters.

    f(x) = Σ a_i σ(w_iᵀx),  σ(z) = max(z, 0) + ρ min(z, 0), its kink smoothed over a width ε

    w: W, d × m, one neuron w_i a column.
    a: m output weights.
    slope: ρ in [0, 1]; 0 is the ReLU.
    width: ε ≥ 0, in units of wᵀx; 0 is the kink itself, which gradient descent does not mind and integrators do.
    """

    w: Array
    a: Array
    slope: float
    width: float = WIDTH

    def __post_init__(self) -> None:
        """Refuse arrays that do not fit together, a slope outside [0, 1] and a negative width."""
        array("a", self.a, 1, (array("w", self.w, 2).shape[1],))
        LeakyReLU(self.slope, self.width)

    @classmethod
    def neuron(
        cls,
        direction: ArrayLike,
        scale: float,
        shape: float,
        sign: int = 1,
        *,
        slope: float,
        width: float = WIDTH,
    ) -> "LeakyNetwork":
        """One neuron of scale α and shape s, as ``LinearNetwork.neuron``, with a leaky ReLU of the given slope."""
        linear = LinearNetwork.neuron(direction, scale, shape, sign)
        return cls(linear.w, linear.a, slope, width)

    @property
    def activation(self) -> LeakyReLU:
        """σ."""
        return LeakyReLU(self.slope, self.width)

    @property
    def parameters(self) -> Array:
        """The initial θ, of dm + m entries."""
        return np.concatenate([self.w.T.ravel(), self.a])

    def layers(self, theta: Array) -> tuple[Array, Array]:
        """Wᵀ (… × m × d, one neuron a row) and a (… × m) from θ (… × (dm + m))."""
        d, m = self.w.shape
        return theta[..., : d * m].reshape(*theta.shape[:-1], m, d), theta[..., d * m :]

    def output(self, theta: Array, x: Array) -> Array:
        """The N values f(x_n), from θ (… × (dm + m)) and x (N × d): … × N."""
        rows, a = self.layers(theta)
        return np.asarray(np.einsum("...mn,...m->...n", self.activation.value(rows @ x.T), a))

    def predictor(self, theta: Array) -> Array:
        """w̃ = Wa = Σ a_i w_i, of d entries, from θ (… × (dm + m)); f(x) = w̃ᵀx only where every neuron is active."""
        rows, a = self.layers(theta)
        return np.asarray(np.einsum("...md,...m->...d", rows, a))

    def gradient(self, theta: Array, x: Array, y: Array) -> Array:
        """The gradient of ½‖y − f(X)‖² with respect to θ.

        θ̇ = −gradient is  ẇ_i = a_i Σ_n r_n σ′(w_iᵀx_n) x_n,  ȧ_i = Σ_n r_n σ(w_iᵀx_n),  r = y − f(X)

        theta: dm + m parameters.
        x: N × d.
        y: N labels.

        Returns dm + m entries.
        """
        rows, a = self.layers(theta)
        z = rows @ x.T
        hidden = self.activation.value(z)
        r = y - a @ hidden
        back = a[:, None] * self.activation.derivative(z) * r
        return np.concatenate([-(back @ x).ravel(), -hidden @ r])

    def conserved(self, theta: Array) -> Array:
        """What gradient flow keeps while σ(z) = σ′(z)z: the m numbers a_i² − ‖w_i‖².

        A kink smoothed over ε breaks that identity near z = 0: they then drift by at most
        2(1−ρ) ε ln 2 ∫ |a_i| Σ|r_n| dt.

        Reference: Du et al. 2018, Theorem 2.1.
        """
        rows, a = self.layers(theta)
        return np.asarray(a**2 - np.sum(rows**2, axis=-1))

    def reduced(self, x: Array, y: Array) -> RowSpaceFlow:
        """The same flow in Nm + m numbers: W(t) = W(0) + Xᵀμ, exact.

        x: N × d.
        y: N labels.
        """
        return RowSpaceFlow(self.w, self.a, x, y, self.activation)
