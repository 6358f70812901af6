"""The gradient flow of a wide two-layer ReLU network on its exact population risk against a teacher."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from implicit_bias.activations import RELU
from implicit_bias.checks import Array, kept
from implicit_bias.data import Teacher
from implicit_bias.kernels import Inputs, relu_kernel, relu_potential_gradient
from implicit_bias.models.two_layer import TwoLayer

NET = TwoLayer(RELU, scaling="1/m")


@dataclass(frozen=True)
class PopulationFlow:
    """The flow of the network ``TwoLayer(RELU, scaling="1/m")`` where the mean over all inputs is known.

    f(x) = (1/m) Σ_j a_j (w_j·x)₊ = ∫ φ dμ,  μ = (1/m) Σ_j δ_{(w_j, a_j)},  φ = a (w·x)₊

    F = ½ E[(f(x) − f*(x))²] = ½ ∬ κ dμ dμ − ∬ κ dμ dμ* + ½ ∬ κ dμ* dμ*,  κ = a a′ k(w, w′)

    A particle moves by −m ∇F, so that its speed does not depend on how many there are: ẇ_j = −a_j ∇V(w_j),
    ȧ_j = −V(w_j). No samples are drawn; for a risk on samples see ``Risk``. A state stacks W row by row, then a, as
    that of a ``WeightFlow`` does. Papers write (a, b) for (w, a).

    w: W(0), m × d hidden weights.
    a: a(0), m output weights.
    teacher: f*.
    inputs: the law of x: "gaussian" or "sphere".

    Reference: Chizat and Bach 2018, Section 2.

    >>> flow = PopulationFlow(np.eye(2), np.ones(2), Teacher(np.array([[1.0, 1.0]]), np.ones(1)))
    >>> round(flow.value(flow.start), 4)
    0.1306
    """

    w: Array
    a: Array
    teacher: Teacher
    inputs: Inputs = "gaussian"

    def __post_init__(self) -> None:
        """Refuse arrays that do not fit together."""
        w = kept(self, "w", 2, (None, self.teacher.w.shape[1]))
        kept(self, "a", 1, (len(w),))

    @property
    def start(self) -> Array:
        """The state at t = 0, m(d + 1) numbers."""
        return np.concatenate([self.w.ravel(), self.a])

    def weights(self, state: Array) -> tuple[Array, Array]:
        """W (… × m × d) and a (… × m) at states (… × m(d + 1))."""
        m, d = self.w.shape
        # mutant(1): of one network nothing lies before the last axis
        return state[..., : m * d].reshape(*state.shape[:-1], m, d), state[..., m * d :]

    def output(self, state: Array, x: Array) -> Array:
        """The N values f(x_n) at x (N × d)."""
        return NET.output(*self.weights(state), x)

    def residual_measure(self, state: Array) -> tuple[Array, Array]:
        """The signed measure of f − f*: hidden weights ((m + m*) × d) and charges a_j/m and −a*_k/m*."""
        w, a = self.weights(state)
        charges = np.concatenate([a / len(a), -self.teacher.a / len(self.teacher.a)])
        return np.concatenate([w, self.teacher.w]), charges

    def value(self, state: Array) -> float:
        """The risk F, as the energy of all charges: ½ Σ q_i q_j k(w_i, w_j)."""
        places, charges = self.residual_measure(state)
        return float(charges @ relu_kernel(places, places, self.inputs) @ charges / 2)

    def potential(self, state: Array, w: ArrayLike) -> Array:
        """V(w) = E[(f(x) − f*(x)) (w·x)₊] at k places w (k × d); F′_μ(w, a) = a V(w)."""
        places, charges = self.residual_measure(state)
        return np.asarray(relu_kernel(w, places, self.inputs) @ charges)

    def velocity(self, state: Array) -> Array:
        """The state's derivative: ẇ_j = −a_j ∇V(w_j), ȧ_j = −V(w_j), of m(d + 1) entries."""
        w, a = self.weights(state)
        slope = relu_potential_gradient(w, w, a / len(a), self.inputs)
        slope -= relu_potential_gradient(w, self.teacher.w, self.teacher.a / len(self.teacher.a), self.inputs)
        return np.concatenate([(-a[:, None] * slope).ravel(), -np.einsum("jd,jd->j", w, slope)])

    def dissipation(self, state: Array) -> float:
        """−dF/dt along the flow: (1/m) Σ_j (‖ẇ_j‖² + ȧ_j²)."""
        return float(np.sum(self.velocity(state) ** 2) / len(self.a))

    def misfit(self, state: Array) -> float:
        """√E[(f(x) − f*(x))²] = √(2F)."""
        return float(np.sqrt(2 * max(self.value(state), 0.0)))

    def balance(self, state: Array) -> Array:
        """The a_j² − ‖w_j‖², … × m: the flow moves none of them."""
        return NET.balance(*self.weights(state))
