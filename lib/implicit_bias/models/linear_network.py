"""The linear network with one hidden layer, w̃ = Wa; of width 1 it is the linear neuron w̃ = aw."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from implicit_bias.checks import Array, array, number
from implicit_bias.models.activations import IDENTITY
from implicit_bias.models.row_space import RowSpaceFlow


def scale_and_shape(scale: float, shape: float) -> tuple[float, float]:
    """|a| and ‖w‖ of a neuron with scale α = |a|‖w‖ and shape s = (|a| − ‖w‖)/(|a| + ‖w‖).

    |a| = √(α(1+s)/(1−s)),  ‖w‖ = √(α(1−s)/(1+s)),  δ = a² − ‖w‖² = 4αs/(1−s²)

    scale: α > 0.
    shape: s in (−1, 1).

    Raises ValueError outside these ranges.
    Reference: Azulay et al. 2021, Section 7.2.
    """
    scale = number("scale", scale, above=0)
    shape = number("shape", shape, above=-1, below=1)
    ratio = (1 + shape) / (1 - shape)
    return float(np.sqrt(scale * ratio)), float(np.sqrt(scale / ratio))


def unit(name: str, direction: ArrayLike) -> Array:
    """A vector over its length; ValueError where it is 0."""
    vector = array(name, direction, 1)
    length = float(np.linalg.norm(vector))
    if length == 0:
        raise ValueError(f"{name} is 0; it must have a direction")
    return np.asarray(vector / length)


@dataclass(frozen=True)
class LinearNetwork:
    """A linear network at its initialization; θ = (w_1, …, w_m, a) is one vector of dm + m parameters.

    w̃ = Wa = Σ a_i w_i

    w: W, d × m, one neuron w_i a column.
    a: m output weights.
    """

    w: Array
    a: Array

    def __post_init__(self) -> None:
        """Refuse arrays that do not fit together."""
        array("a", self.a, 1, (array("w", self.w, 2).shape[1],))

    @classmethod
    def neuron(cls, direction: ArrayLike, scale: float, shape: float, sign: int = 1) -> "LinearNetwork":
        """One neuron with w̃(0) = sign·α ŵ, where ŵ is the direction of w(0).

        |a| = √(α(1+s)/(1−s)),  ‖w‖ = √(α(1−s)/(1+s))

        direction: d entries, not 0; its length does not matter.
        scale: α = |a|‖w‖ > 0.
        shape: s = (|a| − ‖w‖)/(|a| + ‖w‖) in (−1, 1).
        sign: of a(0), 1 or −1.

        Raises ValueError for an argument outside its range.
        Reference: Azulay et al. 2021, Section 7.2.
        """
        if sign not in (1, -1):
            raise ValueError(f"sign is {sign}; it must be 1 or -1")
        a, length = scale_and_shape(scale, shape)
        return cls(length * unit("direction", direction)[:, None], np.array([sign * a]))

    @classmethod
    def balanced(cls, direction: ArrayLike, a: ArrayLike) -> "LinearNetwork":
        """The strictly balanced network W = û aᵀ with the given output weights: aaᵀ = WᵀW, w̃(0) = ‖a‖² û.

        direction: of û, d entries, not 0; its length does not matter.
        a: m output weights.

        Raises ValueError for a direction 0.
        Reference: Azulay et al. 2021, Proposition 1.
        """
        a = array("a", a, 1)
        return cls(np.outer(unit("direction", direction), a), a)

    @property
    def parameters(self) -> Array:
        """The initial θ, of dm + m entries."""
        return np.concatenate([self.w.T.ravel(), self.a])

    def layers(self, theta: Array) -> tuple[Array, Array]:
        """Wᵀ (… × m × d, one neuron a row) and a (… × m) from θ (… × (dm + m))."""
        d, m = self.w.shape
        return theta[..., : d * m].reshape(*theta.shape[:-1], m, d), theta[..., d * m :]

    def predictor(self, theta: Array) -> Array:
        """The linear predictor w̃ = Wa, of d entries, from θ (… × (dm + m))."""
        rows, a = self.layers(theta)
        return np.asarray(np.einsum("...md,...m->...d", rows, a))

    def gradient(self, theta: Array, x: Array, y: Array) -> Array:
        """The gradient of ½‖y − Xw̃‖² with respect to θ.

        θ̇ = −gradient is  Ẇ = g aᵀ,  ȧ = Wᵀg,  g = Xᵀ(y − Xw̃)

        theta: dm + m parameters.
        x: N × d.
        y: N labels.

        Returns dm + m entries.
        """
        rows, a = self.layers(theta)
        g = (y - x @ (a @ rows)) @ x
        return np.concatenate([-np.outer(a, g).ravel(), -rows @ g])

    def conserved(self, theta: Array) -> Array:
        """What gradient flow keeps: aaᵀ − WᵀW, m × m, with a_i² − ‖w_i‖² on its diagonal.

        Reference: Du et al. 2018, Theorem 2.2.
        """
        rows, a = self.layers(theta)
        return np.asarray(a[..., :, None] * a[..., None, :] - rows @ np.swapaxes(rows, -1, -2))

    def reduced(self, x: Array, y: Array) -> RowSpaceFlow:
        """The same flow in Nm + m numbers: W(t) = W(0) + Xᵀμ, exact. For a neuron, μ̇ = ar and ȧ = wᵀXᵀr.

        x: N × d.
        y: N labels.
        """
        return RowSpaceFlow(self.w, self.a, x, y, IDENTITY)
