"""The wide two-layer ReLU network as a measure of particles, on the population risk against a teacher."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from implicit_bias.checks import Array, kept
from implicit_bias.data import Teacher
from implicit_bias.kernels import Inputs, relu_kernel, relu_potential_gradient


@dataclass(frozen=True)
class TwoLayerNetwork:
    """m particles w_j = (a_j, b_j) at their initialization; θ = (a_1, …, a_m, b) is one vector of m(d + 1) parameters.

    f(x) = (1/m) Σ b_j (a_j·x)₊ = ∫ φ(w, x) dμ(w),  μ = (1/m) Σ δ_{w_j},  φ(w, x) = b (a·x)₊

    F = ½ E[(f(x) − f*(x))²] = ½ ∬ κ dμ dμ − ∬ κ dμ dμ* + ½ ∬ κ dμ* dμ*,  κ(w, w′) = b b′ k(a, a′)

    The flow is ẇ_j = −m ∇_{w_j} F, so that a particle's speed does not depend on how many there are.

    a: m × d hidden weights.
    b: m output weights.
    teacher: f*.
    inputs: the law of x: "gaussian" or "sphere".

    Reference: Chizat and Bach 2018, Section 2.
    """

    a: Array
    b: Array
    teacher: Teacher
    inputs: Inputs = "gaussian"

    def __post_init__(self) -> None:
        """Refuse arrays that do not fit together."""
        a = kept(self, "a", 2, (None, self.teacher.a.shape[1]))
        kept(self, "b", 1, (len(a),))

    @property
    def parameters(self) -> Array:
        """The initial θ, of m(d + 1) entries."""
        return np.concatenate([self.a.ravel(), self.b])

    def layers(self, theta: Array) -> tuple[Array, Array]:
        """The a_j (… × m × d) and b (… × m) in θ (… × m(d + 1))."""
        m, d = self.a.shape
        # mutant(1): of one network nothing lies before the last axis
        return theta[..., : m * d].reshape(*theta.shape[:-1], m, d), theta[..., m * d :]

    def output(self, theta: Array, x: Array) -> Array:
        """The N values f(x_n) at x (N × d)."""
        a, b = self.layers(theta)
        return np.asarray(np.maximum(x @ a.T, 0.0) @ b / len(b))

    def residual_measure(self, theta: Array) -> tuple[Array, Array]:
        """The signed measure of f − f*: hidden weights ((m + m*) × d) and charges b_j/m and −b*_k/m*."""
        a, b = self.layers(theta)
        charges = np.concatenate([b / len(b), -self.teacher.b / len(self.teacher.b)])
        return np.concatenate([a, self.teacher.a]), charges

    def risk(self, theta: Array) -> float:
        """F, as the energy of all charges: ½ Σ q_i q_j k(a_i, a_j)."""
        places, charges = self.residual_measure(theta)
        return float(charges @ relu_kernel(places, places, self.inputs) @ charges / 2)

    def potential(self, theta: Array, a: ArrayLike) -> Array:
        """V(a) = E[(f(x) − f*(x)) (a·x)₊] at k places a (k × d); F′_μ(a, b) = b V(a)."""
        places, charges = self.residual_measure(theta)
        return np.asarray(relu_kernel(a, places, self.inputs) @ charges)

    def velocity(self, theta: Array) -> Array:
        """θ̇ of the flow: ȧ_j = −b_j ∇V(a_j), ḃ_j = −V(a_j), of m(d + 1) entries."""
        a, b = self.layers(theta)
        slope = relu_potential_gradient(a, a, b / len(b), self.inputs)
        slope -= relu_potential_gradient(a, self.teacher.a, self.teacher.b / len(self.teacher.b), self.inputs)
        return np.concatenate([(-b[:, None] * slope).ravel(), -np.einsum("jd,jd->j", a, slope)])

    def dissipation(self, theta: Array) -> float:
        """−dF/dt along the flow: (1/m) Σ ‖ẇ_j‖²."""
        return float(np.sum(self.velocity(theta) ** 2) / len(self.b))

    def conserved(self, theta: Array) -> Array:
        """‖a_j‖² − b_j², … × m: the flow moves none of them."""
        a, b = self.layers(theta)
        return np.asarray(np.sum(a**2, axis=-1) - b**2)  # mutant(axis=-1): of one network the last axis is the second
